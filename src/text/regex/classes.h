// Classes of code points as the reference's regular expressions see them.
//
// The data is generated from that library (tools/make_regex_tables.py). Pure functions over constant tables.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace candor::text {

// The general categories, controls in three parts, so that any set the scanners ask for is 32 bits.
enum Category : std::uint8_t {
  kLu,
  kLl,
  kLt,
  kLm,
  kLo,
  kMn,
  kMc,
  kMe,
  kNd,
  kNl,
  kNo,
  kPc,
  kPd,
  kPs,
  kPe,
  kPi,
  kPf,
  kPo,
  kSm,
  kSc,
  kSk,
  kSo,
  kZs,
  kZl,
  kZp,
  kCc,
  kCf,
  kCo,
  kCn,
  kNewline,       // \r and \n
  kBlankControl,  // the other controls that are white space
};

using ClassMask = std::uint32_t;
constexpr ClassMask Mask(std::initializer_list<Category> categories) {
  ClassMask out = 0;
  for (const Category c : categories) out |= ClassMask{1} << c;
  return out;
}
inline constexpr ClassMask kL = Mask({kLu, kLl, kLt, kLm, kLo});
inline constexpr ClassMask kM = Mask({kMn, kMc, kMe});
inline constexpr ClassMask kN = Mask({kNd, kNl, kNo});
inline constexpr ClassMask kP = Mask({kPc, kPd, kPs, kPe, kPi, kPf, kPo});
inline constexpr ClassMask kS = Mask({kSm, kSc, kSk, kSo});
inline constexpr ClassMask kZ = Mask({kZs, kZl, kZp});
inline constexpr ClassMask kC = Mask({kCc, kCf, kCo, kCn, kNewline, kBlankControl});
inline constexpr ClassMask kNewlines = Mask({kNewline});
inline constexpr ClassMask kBlank = Mask({kZs, kZl, kZp, kNewline, kBlankControl});  // \s
inline constexpr ClassMask kAnything = kL | kM | kN | kP | kS | kZ | kC;

Category CategoryBeyondAscii(char32_t c);
extern const std::array<ClassMask, 128> kAsciiClass;
inline ClassMask ClassOf(char32_t c) {
  return c < 128 ? kAsciiClass[c] : ClassMask{1} << CategoryBeyondAscii(c);
}

struct CodePointRange {
  std::uint32_t first, last;
};
// A script, a POSIX bracket or \w ("word") by its name in small letters without underscores; empty when
// unknown.
std::span<const CodePointRange> NamedRanges(std::string_view name);
// A general category or a group of them by its name in small letters.
std::optional<ClassMask> CategoryMask(std::string_view name);
// What an ASCII letter, small, also matches when case is ignored, besides the letter in both cases.
struct Fold {
  char letter;
  std::uint32_t other;
};
std::span<const Fold> AsciiFolds();

}  // namespace candor::text

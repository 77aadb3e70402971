// UTF-8: validation with the place of the damage, and code points one by one.
//
// Strict as RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF. DecodeUtf8 expects
// valid text and says so with kInvalidCodePoint otherwise, never reading outside it. Pure functions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace candor {

inline constexpr char32_t kInvalidCodePoint = 0xffffffff;

struct CodePoint {
  char32_t value = kInvalidCodePoint;
  std::size_t bytes = 1;  // how far to go on; 1 for damage
};

// The code point that starts at `at`; `at` must be inside the text.
CodePoint DecodeUtf8(std::string_view text, std::size_t at);
// Offset of the first byte that starts no valid code point; text.size() when all is valid.
std::size_t FirstInvalidUtf8(std::string_view text);
bool IsAscii(std::string_view text);
inline bool IsUtf8(std::string_view text) { return FirstInvalidUtf8(text) == text.size(); }
// Code points of valid text.
std::size_t CountUtf8(std::string_view text);
// Code points [begin, end) of valid text, or as many of them as there are.
std::string_view SliceUtf8(std::string_view text, std::size_t begin, std::size_t end);
// `value` must be a Unicode scalar value.
void AppendUtf8(std::string& out, char32_t value);
constexpr bool IsScalarValue(char32_t value) {
  return value < 0xd800 || (value >= 0xe000 && value <= 0x10ffff);
}
// All code points of valid text.
std::u32string DecodeAllUtf8(std::string_view text);

}  // namespace candor

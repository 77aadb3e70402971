// What the scanners share: runs of a class, an optional character before a run, contractions, runs of white
// space.
//
// A place is a byte of a text that is UTF-8 throughout (the encoder refuses other input). Pure functions.
#pragma once
#include <cstddef>
#include <string_view>

#include "text/regex/classes.h"

namespace candor::text::scan {

struct Point {
  char32_t value;
  std::size_t bytes;
};
inline Point PointAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const char32_t a = byte(0);
  if (a < 0x80) return {a, 1};
  if (a < 0xe0) return {(a & 31u) << 6 | (byte(1) & 63u), 2};
  if (a < 0xf0) return {(a & 15u) << 12 | (byte(1) & 63u) << 6 | (byte(2) & 63u), 3};
  return {(a & 7u) << 18 | (byte(1) & 63u) << 12 | (byte(2) & 63u) << 6 | (byte(3) & 63u), 4};
}

// The class of the character at `at`, none at the end of the text; `next` is the place behind it.
inline ClassMask ClassAt(std::string_view text, std::size_t at, std::size_t& next) {
  next = at;
  if (at == text.size()) return 0;
  const auto byte = static_cast<unsigned char>(text[at]);
  if (byte < 0x80) {
    next = at + 1;
    return kAsciiClass[byte];
  }
  const Point point = PointAt(text, at);
  next = at + point.bytes;
  return ClassOf(point.value);
}

// The end of the run of characters of a class.
inline std::size_t SkipRun(std::string_view text, std::size_t at, ClassMask mask) {
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      if ((kAsciiClass[byte] & mask) == 0) break;
      ++at;
    } else {
      const Point point = PointAt(text, at);
      if ((ClassOf(point.value) & mask) == 0) break;
      at += point.bytes;
    }
  }
  return at;
}
inline std::size_t SkipUpTo(std::string_view text, std::size_t at, ClassMask mask, int most) {
  std::size_t next = at;
  while (most-- > 0 && (ClassAt(text, at, next) & mask) != 0) at = next;
  return at;
}
inline std::size_t SkipAscii(std::string_view text, std::size_t at, std::string_view set) {
  while (at < text.size() && set.find(text[at]) != std::string_view::npos) ++at;
  return at;
}

// 's 't 're 've 'm 'll 'd: the end of the one at `at`, else `at`.
enum class Case : bool { kExact, kIgnored };
inline std::size_t Contraction(std::string_view text, std::size_t at, Case letters) {
  if (at + 1 >= text.size() || text[at] != '\'') return at;
  const auto letter = [&](std::size_t i) -> char {
    if (at + i >= text.size()) return 0;
    const char c = text[at + i];
    return letters == Case::kIgnored && c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  };
  switch (letter(1)) {
    case 's':
    case 't':
    case 'm':
    case 'd':
      return at + 2;
    case 'r':
    case 'v':
      return letter(2) == 'e' ? at + 3 : at;
    case 'l':
      return letter(2) == 'l' ? at + 3 : at;
    default:
      // The long s is an s when case is ignored.
      return letters == Case::kIgnored && text.substr(at + 1, 2) == "\xc5\xbf" ? at + 3 : at;
  }
}

// The white space at `at`, which is not empty: up to its last line end if `lines` and there is one; else all
// of it, but for the last character when something follows and it is not the only one.
inline std::size_t Blanks(std::string_view text, std::size_t at, bool lines) {
  std::size_t end = at, last = at, line_end = at;
  for (std::size_t next = at;; end = next) {
    const ClassMask found = ClassAt(text, end, next);
    if ((found & kBlank) == 0) break;
    if ((found & kNewlines) != 0) line_end = next;
    last = end;
  }
  if (lines && line_end > at) return line_end;
  return end == text.size() || last == at ? end : last;
}

}  // namespace candor::text::scan

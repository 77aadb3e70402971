#include "base/utf8.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace candor {
namespace {

bool Continues(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// Eight ASCII bytes at a time: most text that is checked is JSON.
std::size_t SkipAscii(std::string_view text, std::size_t at) {
  while (at + 8 <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    if ((word & 0x8080808080808080u) != 0) break;
    at += 8;
  }
  return at;
}

}  // namespace

CodePoint DecodeUtf8(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const std::size_t left = text.size() - at;
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xc2 || lead > 0xf4) return {};
  if (left < 2 || !Continues(byte(1))) return {};
  if (lead < 0xe0) return {static_cast<char32_t>((lead & 0x1f) << 6 | (byte(1) & 0x3f)), 2};
  if (left < 3 || !Continues(byte(2))) return {};
  if (lead < 0xf0) {
    const auto value = static_cast<char32_t>((lead & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f));
    return value >= 0x800 && IsScalarValue(value) ? CodePoint{value, 3} : CodePoint{};
  }
  if (left < 4 || !Continues(byte(3))) return {};
  const auto value = static_cast<char32_t>((lead & 0x07) << 18 | (byte(1) & 0x3f) << 12 |
                                           (byte(2) & 0x3f) << 6 | (byte(3) & 0x3f));
  return value >= 0x10000 && value <= 0x10ffff ? CodePoint{value, 4} : CodePoint{};
}

std::size_t FirstInvalidUtf8(std::string_view text) {
  std::size_t at = SkipAscii(text, 0);
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      at = SkipAscii(text, at + 1);
      continue;
    }
    const CodePoint point = DecodeUtf8(text, at);
    if (point.value == kInvalidCodePoint) return at;
    at += point.bytes;
  }
  return text.size();
}

bool IsAscii(std::string_view text) {
  const std::size_t at = SkipAscii(text, 0);
  return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::size_t CountUtf8(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += !Continues(static_cast<unsigned char>(c));
  return count;
}

std::string_view SliceUtf8(std::string_view text, std::size_t begin, std::size_t end) {
  const auto starts = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80; };
  std::size_t from = text.size(), to = text.size(), point = 0;
  for (std::size_t at = 0; at < text.size() && point <= end; ++at) {
    if (!starts(at)) continue;
    if (point == begin) from = at;
    if (point++ == end) to = at;
  }
  return from < to ? text.substr(from, to - from) : std::string_view();
}

void AppendUtf8(std::string& out, char32_t value) {
  CANDOR_CHECK(IsScalarValue(value), "only scalar values have UTF-8");
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  const auto tail = [&](int shift) { put(0x80 | ((value >> shift) & 0x3f)); };
  if (value < 0x80) {
    put(value);
  } else if (value < 0x800) {
    put(0xc0 | value >> 6);
    tail(0);
  } else if (value < 0x10000) {
    put(0xe0 | value >> 12);
    tail(6);
    tail(0);
  } else {
    put(0xf0 | value >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

std::u32string DecodeAllUtf8(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = DecodeUtf8(text, at);
    points.push_back(point.value);
    at += point.bytes;
  }
  return points;
}

}  // namespace candor

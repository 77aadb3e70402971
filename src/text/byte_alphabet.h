// The alphabet of byte-level tokenizers: a visible character for each byte (GPT-2's table).
//
// Constant; any thread.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

namespace candor::text {

// Bytes that are printable Latin-1 stand for themselves, the others are U+0100 onwards in their order.
inline constexpr std::array<char32_t, 256> kByteCharacters = [] {
  std::array<char32_t, 256> out{};
  char32_t next = 0x100;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte != 0xad);
    out[byte] = printable ? byte : next++;
  }
  return out;
}();
inline constexpr char32_t kBlankCharacter = kByteCharacters[' '];

// The same characters in UTF-8: printable ASCII has one byte, the others have two.
constexpr bool StandsForItself(unsigned char byte) { return byte > ' ' && byte < 0x7f; }
struct ByteSpelling {
  std::array<char, 2> utf8{};
  std::uint8_t size = 0;
};
inline constexpr std::array<ByteSpelling, 256> kByteSpellings = [] {
  std::array<ByteSpelling, 256> out{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    const char32_t c = kByteCharacters[byte];
    if (c < 0x80) {
      out[byte] = {{static_cast<char>(c), 0}, 1};
    } else {
      out[byte] = {{static_cast<char>(0xc0 | (c >> 6)), static_cast<char>(0x80 | (c & 0x3f))}, 2};
    }
  }
  return out;
}();

// The byte that a character of the alphabet stands for.
inline std::optional<unsigned char> ByteOf(char32_t character) {
  if (character < kByteCharacters.size() && kByteCharacters[character] == character) {
    return static_cast<unsigned char>(character);
  }
  if (character < 0x100) return std::nullopt;
  // Those that do not stand for themselves, in their order.
  constexpr auto kOthers = [] {
    std::array<unsigned char, 68> out{};
    for (unsigned byte = 0; byte < 256; ++byte) {
      if (kByteCharacters[byte] >= 0x100)
        out[kByteCharacters[byte] - 0x100] = static_cast<unsigned char>(byte);
    }
    return out;
  }();
  if (character - 0x100 >= kOthers.size()) return std::nullopt;
  return kOthers[character - 0x100];
}

}  // namespace candor::text

// The alphabet of byte-level tokenizers: a visible character for each byte (GPT-2's table).
//
// Constant; any thread.
#pragma once
#include <array>
#include <cstdint>

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

}  // namespace candor::text

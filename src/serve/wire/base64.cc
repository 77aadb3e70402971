#include "serve/wire/base64.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace candor::serve {

std::string Base64(std::span<const float> values) {
  constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t bytes = values.size() * 4;
  // Shifting the bits, not copying memory, keeps the order of the bytes the same on every machine.
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    if (i >= bytes) return 0;
    return std::bit_cast<std::uint32_t>(values[i / 4]) >> (8 * (i % 4)) & 0xffu;
  };
  std::string out((bytes + 2) / 3 * 4, '=');
  for (std::size_t i = 0, o = 0; i < bytes; i += 3, o += 4) {
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    out[o] = kAlphabet[group >> 18];
    out[o + 1] = kAlphabet[group >> 12 & 63u];
    if (i + 1 < bytes) out[o + 2] = kAlphabet[group >> 6 & 63u];
    if (i + 2 < bytes) out[o + 3] = kAlphabet[group & 63u];
  }
  return out;
}

}  // namespace candor::serve

// Strict decoding, four characters at a time.
#include "text/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace candor::text {
namespace {

constexpr std::uint8_t kNone = 64;
constexpr std::array<std::uint8_t, 256> kDigits = [] {
  std::array<std::uint8_t, 256> out{};
  out.fill(kNone);
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    out[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return out;
}();

}  // namespace

std::optional<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  const std::size_t digits = text.size() - padding;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < digits; at += 4) {
    const std::size_t here = std::min<std::size_t>(4, digits - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::uint8_t digit =
          i < here ? kDigits[static_cast<unsigned char>(text[at + i])] : std::uint8_t{0};
      if (digit == kNone) return std::nullopt;
      group = group << 6 | digit;
    }
    const std::size_t bytes = here * 6 / 8;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto byte = static_cast<std::uint8_t>(group >> (16 - 8 * i) & 0xffu);
      if (i < bytes) {
        out.push_back(static_cast<char>(byte));
      } else if (byte != 0) {
        return std::nullopt;
      }
    }
  }
  return out;
}

}  // namespace candor::text

// serde_json without its feature float_roundtrip, which the reference library is built without, keeps as many
// digits as fit in 64 bits and divides by a power of ten: two roundings, so that one score in eight of a
// Unigram vocabulary is the double beside the nearest. Measured with tokenizers 0.23.3.
#include "io/json_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace candor::io {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The powers of ten that are doubles, each the nearest.
const std::array<double, 309>& Powers() {
  static const std::array<double, 309> kPowers = [] {
    std::array<double, 309> powers{};
    for (std::size_t i = 0; i < powers.size(); ++i) {
      const std::string power = "1e" + std::to_string(i);
      std::from_chars(power.data(), power.data() + power.size(), powers[i]);
    }
    return powers;
  }();
  return kPowers;
}

std::optional<double> Scaled(std::uint64_t digits, std::int64_t exponent) {
  constexpr int kMost = 308;
  auto value = static_cast<double>(digits);
  for (; exponent < -kMost && value != 0; exponent += kMost) value /= Powers()[kMost];
  if (value == 0) return 0.0;
  if (exponent > kMost) return std::nullopt;
  if (exponent < 0) return value / Powers()[static_cast<std::size_t>(-exponent)];
  value *= Powers()[static_cast<std::size_t>(exponent)];
  if (std::isinf(value)) return std::nullopt;
  return value;
}

// Appends while the digits fit in 64 bits.
bool Append(std::uint64_t& digits, char digit) {
  std::uint64_t more = 0;
  if (__builtin_mul_overflow(digits, std::uint64_t{10}, &more)) return false;
  if (__builtin_add_overflow(more, static_cast<std::uint64_t>(digit - '0'), &more)) return false;
  digits = more;
  return true;
}

// What follows an e, up to where it makes no difference.
std::int64_t Exponent(std::string_view text) {
  constexpr std::int64_t kFar = std::numeric_limits<std::int32_t>::max();
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::int64_t exponent = 0;
  for (const char digit : text) exponent = std::min(kFar, exponent * 10 + (digit - '0'));
  return negative ? -exponent : exponent;
}

}  // namespace

NumberForm FormOf(std::string_view token) {
  const char* at = token.data();
  const char* const end = at + token.size();
  // Whether at least one digit stands here; goes behind all of them.
  const auto digits = [&] {
    const char* const begin = at;
    while (at != end && IsDigit(*at)) ++at;
    return at != begin;
  };
  NumberForm form = NumberForm::kWhole;
  if (at != end && *at == '-') ++at;
  const char* const first = at;
  if (!digits() || (*first == '0' && at - first > 1)) return NumberForm::kNone;
  if (at != end && *at == '.') {
    form = NumberForm::kDecimal;
    ++at;
    if (!digits()) return NumberForm::kNone;
  }
  if (at != end && (*at == 'e' || *at == 'E')) {
    form = NumberForm::kScientific;
    ++at;
    if (at != end && (*at == '+' || *at == '-')) ++at;
    if (!digits()) return NumberForm::kNone;
  }
  return at == end ? form : NumberForm::kNone;
}

std::optional<double> SerdeReal(std::string_view number) {
  const bool negative = number.starts_with('-');
  std::size_t at = negative ? 1 : 0;
  const auto more = [&] { return at < number.size() && IsDigit(number[at]); };
  std::uint64_t digits = 0;
  std::int64_t exponent = 0;
  // Nineteen digits always fit.
  const std::size_t sure = std::min(number.size(), at + 19);
  for (; at < sure && IsDigit(number[at]); ++at)
    digits = digits * 10 + static_cast<std::uint64_t>(number[at] - '0');
  while (more() && Append(digits, number[at])) ++at;
  for (; more(); ++at) ++exponent;
  if (at < number.size() && number[at] == '.') {
    // It tries the decimals again although it left digits out before; so the value may be quite another.
    const std::size_t point = at++;
    if (exponent == 0) {
      const std::size_t last = std::min(number.size(), sure + 1);
      for (; at < last && IsDigit(number[at]); ++at)
        digits = digits * 10 + static_cast<std::uint64_t>(number[at] - '0');
    }
    while (more() && Append(digits, number[at])) ++at;
    exponent -= static_cast<std::int64_t>(at - point - 1);
    while (more()) ++at;
  }
  if (at < number.size()) exponent += Exponent(number.substr(at + 1));
  const std::optional<double> value = Scaled(digits, exponent);
  return value && negative ? -*value : value;
}

}  // namespace candor::io

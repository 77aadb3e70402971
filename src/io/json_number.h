// A number of a JSON document, read from its characters. Only io/json*.cc include it.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace candor::io {

// What a token is to JSON, from end to end: no number, or one that is whole, has a point, or has an exponent.
enum class NumberForm : std::uint8_t { kNone, kWhole, kDecimal, kScientific };
NumberForm FormOf(std::string_view token);

// The double that Rust's serde_json 1.0 makes of a JSON number; none where it refuses.
std::optional<double> SerdeReal(std::string_view number);

}  // namespace candor::io

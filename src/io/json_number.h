// A number of a JSON document, read from its characters. Only io/json*.cc include it.
#pragma once
#include <optional>
#include <string_view>

namespace candor::io {

// Whether a token in which std::from_chars sees a number is one to JSON too: no leading zeros, digits on both
// sides of a point, neither inf nor nan.
bool IsJsonNumber(std::string_view token);

// The double that Rust's serde_json 1.0 makes of a JSON number; none where it refuses.
std::optional<double> SerdeReal(std::string_view number);

}  // namespace candor::io

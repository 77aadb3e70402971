// Base64 as tokenizer.json carries binary data: standard alphabet, padded, nothing between.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace candor::text {

// Nothing when `text` is anything else, bits beyond the last byte included.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace candor::text

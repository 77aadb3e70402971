// NumPy's .npy format, version 1.0, for matrices in C order.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace candor::apps {

// `type` as NumPy spells it: "<f4", "|i1".
std::string NpyHeader(std::size_t rows, std::size_t columns, std::string_view type = "<f4");
void AppendNpyRow(std::string& out, std::span<const float> row);  // little-endian on every machine

}  // namespace candor::apps

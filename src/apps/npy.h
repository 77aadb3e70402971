// NumPy's .npy format, version 1.0, for float32 matrices in C order.
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace candor::apps {

std::string NpyHeader(std::size_t rows, std::size_t columns);
void AppendNpyRow(std::string& out, std::span<const float> row);  // little-endian on every machine

}  // namespace candor::apps

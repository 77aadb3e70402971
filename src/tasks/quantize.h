// Dense vectors as bytes (candor/types.h, VectorType). Pure functions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "candor/types.h"

namespace candor::tasks {

std::string_view Name(VectorType type);  // "float32", "int8", ...

// Of one vector; 0 for kFloat32.
std::size_t RowBytes(VectorType type, std::size_t dimensions);

// unsupported_option where the type needs ranges and there are none, or the reverse; invalid_input for ranges
// of another size, or not finite, or with a least above its most.
Result<void> CheckRanges(VectorType type, std::span<const float> ranges, std::size_t dimensions);

// `out` has RowBytes; the ranges are checked.
void Quantize(VectorType type, std::span<const float> row, std::span<const float> ranges,
              std::span<std::uint8_t> out);

}  // namespace candor::tasks

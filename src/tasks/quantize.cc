#include "tasks/quantize.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace candor::tasks {
namespace {

bool HasRanges(VectorType type) { return type == VectorType::kInt8 || type == VectorType::kUint8; }

Error Wrong(std::string found, std::string allowed) {
  return {Code::kInvalidInput, Where::Field("ranges"), std::move(found), std::move(allowed), Phase::kRequest};
}

}  // namespace

std::string_view Name(VectorType type) {
  constexpr std::string_view kNames[] = {"float32", "int8", "uint8", "binary", "ubinary"};
  return kNames[static_cast<std::size_t>(type)];
}

std::size_t RowBytes(VectorType type, std::size_t dimensions) {
  if (type == VectorType::kFloat32) return 0;
  return HasRanges(type) ? dimensions : (dimensions + 7) / 8;
}

Result<void> CheckRanges(VectorType type, std::span<const float> ranges, std::size_t dimensions) {
  if (HasRanges(type) != !ranges.empty()) {
    return Error{Code::kUnsupportedOption, Where::Option("embedding-type"),
                 std::string(Name(type)) + (ranges.empty() ? " without ranges" : " with ranges"),
                 ranges.empty()
                     ? "ranges of a calibration: those of a request would let its texts change each "
                       "other"
                     : "ranges with int8 or uint8",
                 Phase::kRequest};
  }
  if (ranges.empty()) return {};
  if (ranges.size() != 2 * dimensions) {
    return Wrong(std::to_string(ranges.size()) + " numbers",
                 "twice " + std::to_string(dimensions) + ": the least and the most of each dimension");
  }
  for (std::size_t i = 0; i < dimensions; ++i) {
    const float least = ranges[i], most = ranges[dimensions + i];
    // The difference is computed with, so it must be finite too.
    if (!std::isfinite(most - least) || least > most)
      return Wrong(
          std::to_string(least) + " to " + std::to_string(most) + " of dimension " + std::to_string(i),
          "finite numbers, the least not above the most");
  }
  return {};
}

void Quantize(VectorType type, std::span<const float> row, std::span<const float> ranges,
              std::span<std::uint8_t> out) {
  if (HasRanges(type)) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const float least = ranges[i];
      float step = (ranges[row.size() + i] - least) / 255;
      if (step == 0) step = 1;
      out[i] = static_cast<std::uint8_t>(std::clamp(std::floor((row[i] - least) / step), 0.0f, 255.0f));
    }
  } else {
    std::ranges::fill(out, std::uint8_t{0});
    for (std::size_t i = 0; i < row.size(); ++i)
      if (row[i] > 0) out[i / 8] = static_cast<std::uint8_t>(out[i / 8] | 0x80u >> i % 8);
  }
  // Minus 128 in two's complement turns the highest bit over.
  if (type == VectorType::kInt8 || type == VectorType::kBinary)
    for (std::uint8_t& byte : out) byte ^= 0x80;
}

}  // namespace candor::tasks

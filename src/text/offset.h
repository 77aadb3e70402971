// Offset: where a token came from.
#pragma once
#include <cstdint>

namespace candor::text {

// Unicode code points [begin, end) of the input.
struct Offset {
  std::int32_t begin = 0, end = 0;
  bool operator==(const Offset&) const = default;
};

}  // namespace candor::text

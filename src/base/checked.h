// Checked arithmetic on sizes that a file or a request decides. Absent means: it does not fit.
#pragma once
#include <concepts>
#include <optional>

namespace candor {

template <std::unsigned_integral T>
constexpr std::optional<T> CheckedMul(T a, T b) {
  T product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

// Whether [offset, offset + count) lies in [0, size), for any values.
template <std::unsigned_integral T>
constexpr bool RangeFits(T offset, T count, T size) {
  return offset <= size && count <= size - offset;
}

}  // namespace candor

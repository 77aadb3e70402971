// must fail: sign-co(nversion|mpare)
#include <cstdint>
#include <span>

#include "tensor/tensor.h"

// Row indices are signed 32 bits in a batch and sizes are std::size_t: comparing them needs a decision.
bool F(std::span<const std::int32_t> rows, candor::View<const float> x) {
#ifdef CANDOR_MUST_FAIL
  return rows[0] < x.rows;
#else
  return rows[0] >= 0 && static_cast<std::size_t>(rows[0]) < x.rows;
#endif
}

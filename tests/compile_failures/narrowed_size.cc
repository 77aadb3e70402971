// must fail: narrowing|Wconversion|Wshorten
#include <cstdint>

#include "tensor/batch.h"

// A size does not become a row index unseen.
candor::Sequence F(std::size_t rows) {
#ifdef CANDOR_MUST_FAIL
  return {.begin = 0, .end = rows};
#else
  return {.begin = 0, .end = static_cast<std::int32_t>(rows)};
#endif
}

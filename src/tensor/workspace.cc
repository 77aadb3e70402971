// Workspace: see workspace.h.
#include "tensor/workspace.h"

#include <algorithm>

#include "base/check.h"

namespace candor {

Matrix Workspace::Take(std::size_t rows, std::size_t cols, DType type) {
  const std::size_t bytes = (rows * cols * SizeOf(type) + kAlign - 1) / kAlign * kAlign;
  std::byte* const at = base_ == nullptr ? nullptr : base_ + used_;
  used_ += bytes;
  peak_ = std::max(peak_, used_);
  // Kept in release builds: it guards memory, and costs nothing beside the operation that follows.
  CANDOR_CHECK(measuring() || used_ <= capacity_, "workspace larger than its dry pass");
  return {at, type, space_, rows, cols, cols};
}

}  // namespace candor

// Packing: which Works run together. A result never depends on it (SPEC BAT-03), so it may serve speed alone.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "plan/plan.h"
#include "tasks/task.h"

namespace candor::engine {

// The first `length` rows of `count` Works of a batch, from its number `first` on, are the same and computed
// once. Each Work has a row of its own behind them.
struct Share {
  std::size_t first = 0, count = 0, length = 0;
  std::size_t spared() const { return (count - 1) * length; }
};

struct PackedBatch {
  std::vector<std::size_t> works;
  std::vector<Share> shares = {};  // in order, disjoint
};

// Indices into `works`, every Work once. A batch is of one adapter. Batches fit the limits, are about equal
// in rows, and there are at least `threads` of them where the work is worth sharing, so that no thread is
// left without one. Rows are shared where the limits say so.
std::vector<PackedBatch> Pack(std::span<const tasks::Work> works, const plan::Limits& limits,
                              std::size_t threads);

}  // namespace candor::engine

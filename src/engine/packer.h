// Packing: which Works run together. A result never depends on it (SPEC BAT-03), so it may serve speed alone.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "plan/plan.h"
#include "tasks/task.h"

namespace candor::engine {

// Indices into `works`, one list a batch, every Work once. A batch is of one adapter. Batches fit the limits,
// are about equal in rows, and there are at least `threads` of them where the work is worth sharing, so that
// no thread is left without one.
std::vector<std::vector<std::size_t>> Pack(std::span<const tasks::Work> works, const plan::Limits& limits,
                                           std::size_t threads);

}  // namespace candor::engine

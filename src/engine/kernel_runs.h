// Kernel runs added up: one row per operation, kernel and precision, in the order first seen.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "candor/receipt.h"

namespace candor::engine {

inline void AddKernel(std::vector<KernelRun>& kernels, KernelRun run) {
  const auto same = [&](const KernelRun& k) {
    return k.op == run.op && k.kernel == run.kernel && k.precision == run.precision;
  };
  if (const auto at = std::ranges::find_if(kernels, same); at != kernels.end())
    at->calls += run.calls;
  else
    kernels.push_back(std::move(run));
}

}  // namespace candor::engine

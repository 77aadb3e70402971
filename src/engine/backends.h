// The machines Candor can run on, and their threads: the one place that names a backend.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "candor/engine.h"
#include "engine/loaded_model.h"
#include "ops/backend.h"

namespace candor::engine {

// The native CPU backend with its thread pool. Immutable after New; thread-safe.
class CpuMachine {
 public:
  static Result<std::unique_ptr<CpuMachine>> New(const EngineOptions& options);
  ~CpuMachine();
  const Backend& backend() const;
  std::size_t threads() const;
  // Work of any kind over the pool's threads; an exception in a piece is rethrown to the caller.
  const Parallel& parallel() const { return parallel_; }
  std::string VersionJson() const;  // SPEC R11

 private:
  CpuMachine() = default;
  struct Parts;
  std::unique_ptr<Parts> parts_;
  Parallel parallel_;
};

}  // namespace candor::engine

// The machines Candor can run on, and their threads: the one place that names a backend.
#pragma once
#include <cstddef>
#include <memory>
#include <string>

#include "candor/engine.h"
#include "cpu/cpu_backend.h"
#include "engine/loaded_model.h"

namespace candor::engine {

// The native CPU backend with its thread pool. Immutable after New; thread-safe.
class CpuMachine {
 public:
  static Result<std::unique_ptr<CpuMachine>> New(const EngineOptions& options);
  const Backend& backend() const { return *backend_; }
  std::size_t threads() const { return backend_->pool().threads(); }
  // Work of any kind over the pool's threads; an exception in a piece is rethrown to the caller.
  const Parallel& parallel() const { return parallel_; }
  std::string VersionJson() const;  // SPEC R11

 private:
  explicit CpuMachine(std::unique_ptr<cpu::CpuBackend> backend);
  std::unique_ptr<cpu::CpuBackend> backend_;
  Parallel parallel_;
};

}  // namespace candor::engine

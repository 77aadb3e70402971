// CpuBackend: the native CPU. Detects the instruction sets, picks one kernel table, owns the thread pool.
//
// Immutable after construction and thread-safe; Ops and weights made by it must not outlive it. In f32 its
// numbers are the same bits on every x86 table and at every thread count, and a row's depend on its sequence
// only.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpu/kernel_table.h"
#include "cpu/pool.h"
#include "ops/backend.h"

namespace candor::cpu {

struct CpuOptions {
  std::size_t threads = 0;    // 0: the CPUs this process may use
  std::string_view isa = {};  // empty: the best table; otherwise the one named, or a refusal
};

// For `candor version`.
struct CpuReport {
  std::vector<std::string_view> features;  // found on this machine
  std::vector<std::string_view> tables;    // that it can run, best last
  std::string_view table;                  // that was selected
  std::size_t threads = 0;
  std::vector<std::pair<std::string_view, std::string_view>> kernels;  // operation and kernel
};

class CpuBackend final : public Backend {
 public:
  static Result<std::unique_ptr<CpuBackend>> New(const CpuOptions& options = {});
  // Over any table, a test's own included; it must outlive the backend.
  CpuBackend(const KernelTable& table, std::size_t threads);

  std::string_view name() const override { return "cpu"; }
  std::string machine() const override;
  DType activation(Profile) const override { return DType::kF32; }
  Space space() const override { return Space::kHost; }
  std::optional<KernelChoice> Choose(const Step& step, Profile profile) const override;
  DType PreparedType(const WeightSource& source, Profile profile) const override;
  std::size_t PreparedBytes(const WeightSource& source, Profile profile) const override;
  Result<std::unique_ptr<const PreparedWeight>> Prepare(const WeightSource& source,
                                                        Profile profile) const override;
  Result<std::unique_ptr<Memory>> Allocate(std::size_t bytes) const override;
  std::unique_ptr<Ops> NewOps() const override;

  ThreadPool& pool() const { return pool_; }
  const KernelTable& table() const { return table_; }
  CpuReport Report() const;

 private:
  const KernelTable& table_;
  mutable ThreadPool pool_;  // sharing work changes nothing that can be seen
};

}  // namespace candor::cpu

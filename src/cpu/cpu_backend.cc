#include "cpu/cpu_backend.h"

#include "cpu/cpu_ops.h"
#include "cpu/cpus.h"
#include "cpu/features.h"
#include "cpu/prepared.h"

namespace candor::cpu {

Result<std::unique_ptr<CpuBackend>> CpuBackend::New(const CpuOptions& options) {
  CANDOR_TRY(const KernelTable* table, SelectTable(options.isa, DetectFeatures()));
  return std::make_unique<CpuBackend>(*table, options.threads == 0 ? UsableCpus() : options.threads);
}

CpuBackend::CpuBackend(const KernelTable& table, std::size_t threads) : table_(table), pool_(threads) {}

std::string CpuBackend::machine() const {
#if defined(__x86_64__)
  return "x86-64 " + std::string(table_.isa);
#else
  return std::string(table_.isa);
#endif
}

std::optional<KernelChoice> CpuBackend::Choose(const Step& step, Profile profile) const {
  if (profile != Profile::kF32) return std::nullopt;
  KernelChoice choice{std::string(KernelName(table_, step.op)), Precision::kF32, 0};
  if (step.op == Op::kProject) {
    choice.scratch_bytes = kThreadFloats * sizeof(float);
  } else if (step.op == Op::kFeedForward) {
    if (step.middle > kScratchFloats) return std::nullopt;  // not one row would fit
    choice.scratch_bytes = kThreadFloats * sizeof(float);
  } else if (step.op == Op::kRoute) {
    if (step.cols > kScratchFloats) return std::nullopt;
    choice.scratch_bytes = kThreadFloats * sizeof(float);
  } else if (step.op == Op::kExperts) {
    if (step.inner + step.middle + step.cols > kScratchFloats / 2)
      return std::nullopt;  // of one row, beside sums
    choice.scratch_bytes = kThreadFloats * sizeof(float);
  } else if (step.op == Op::kProjectPool) {
    choice.scratch_bytes = kThreadFloats * sizeof(float);
  } else if (step.op == Op::kShortConvolution) {
    if (step.middle > ShortConvolutionArgs::kMostTaps) return std::nullopt;
  } else if (step.op == Op::kGatedDelta) {
    if (step.middle > kWidestHead) return std::nullopt;
    choice.scratch_bytes = kThreadFloats * sizeof(float);
  } else if (step.op == Op::kAngles) {
    if (step.cols > kWidestHead) return std::nullopt;
  } else if (step.op == Op::kAttention) {
    if (step.middle > kLongestSequence || step.cols > step.inner * kWidestHead) return std::nullopt;
    if (step.table * (step.cols / step.inner) > kTableFloats) return std::nullopt;
    choice.scratch_bytes = kThreadFloats * sizeof(float);
  }
  return choice;
}

DType CpuBackend::PreparedType(const WeightSource& source, Profile) const { return HeldType(source); }

std::size_t CpuBackend::PreparedBytes(const WeightSource& source, Profile) const {
  return PreparedValues(table_, source.role, source.rows, source.cols) * SizeOf(HeldType(source));
}

Result<std::unique_ptr<const PreparedWeight>> CpuBackend::Prepare(const WeightSource& source, Profile) const {
  return PrepareWeight(table_, source);
}

Result<std::unique_ptr<Memory>> CpuBackend::Allocate(std::size_t bytes) const {
  struct Block final : Memory {
    explicit Block(AlignedFloats floats) : values(std::move(floats)) {}
    std::byte* address() const override { return reinterpret_cast<std::byte*>(values.data()); }
    AlignedFloats values;
  };
  AlignedFloats values = AlignedFloats::Try((bytes + sizeof(float) - 1) / sizeof(float));
  if (values.data() == nullptr)
    return Error{.code = Code::kInsufficientMemory,
                 .found = std::to_string(bytes) + " bytes wanted for a session",
                 .allowed = "what the system grants",
                 .phase = Phase::kLoad};
  return std::unique_ptr<Memory>(std::make_unique<Block>(std::move(values)));
}

std::unique_ptr<Ops> CpuBackend::NewOps() const { return std::make_unique<CpuOps>(table_, pool_); }

CpuReport CpuBackend::Report() const {
  CpuReport report{.features = DetectFeatures(),
                   .tables = {},
                   .table = table_.isa,
                   .threads = pool_.threads(),
                   .kernels = {}};
  for (const KernelTable* table : RunnableTables(report.features)) report.tables.push_back(table->isa);
  for (std::size_t op = 0; op < kOpCount; ++op)
    report.kernels.emplace_back(Name(static_cast<Op>(op)), KernelName(table_, static_cast<Op>(op)));
  return report;
}

}  // namespace candor::cpu

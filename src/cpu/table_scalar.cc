// The kernels in plain C++: every machine has them, and the other tables are compared with them bit for bit.
#include "cpu/kernel_table.h"
#include "cpu/x86/region.h"

namespace candor::cpu::scalar {
namespace {

#define CANDOR_ISA_NAME "scalar"
#include "cpu/vec_scalar.inl"

constexpr std::size_t kPanelVectors = 4,
                      kTileRows = 2;  // small: each step calls fmaf where there is no instruction

// clang-format off
#include "cpu/math.inl"
#include "cpu/activations.inl"
#include "cpu/gemm.inl"
#include "cpu/rows.inl"
#include "cpu/recurrence.inl"
#include "cpu/attention.inl"
#include "cpu/table.inl"
// clang-format on

}  // namespace
}  // namespace candor::cpu::scalar

namespace candor::cpu {
constinit const KernelTable kScalarTable = scalar::kTable;
}  // namespace candor::cpu

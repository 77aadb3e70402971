// The kernels compiled for avx2. Everything is included before the region or written for inclusion inside it.
#include <immintrin.h>

#include "cpu/kernel_table.h"
#include "cpu/x86/region.h"

CANDOR_ISA_BEGIN("avx2,fma,f16c")
namespace candor::cpu::avx2 {
namespace {

#define CANDOR_ISA_NAME "avx2"
#include "cpu/x86/vec_avx2.inl"

constexpr std::size_t kPanelVectors = 2, kTileRows = 6;  // 12 accumulators of 16 registers

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
}  // namespace candor::cpu::avx2
CANDOR_ISA_END

namespace candor::cpu {
constinit const KernelTable kAvx2Table = avx2::kTable;
}  // namespace candor::cpu

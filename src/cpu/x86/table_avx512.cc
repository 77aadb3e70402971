// The kernels compiled for avx512. Everything is included before the region or written for inclusion inside
// it.
#include <immintrin.h>

#include "cpu/kernel_table.h"
#include "cpu/x86/region.h"

CANDOR_ISA_BEGIN("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma")
namespace candor::cpu::avx512 {
namespace {

#define CANDOR_ISA_NAME "avx512"
#include "cpu/x86/vec_avx512.inl"

constexpr std::size_t kPanelVectors = 3, kTileRows = 8;  // 24 accumulators of 32 registers

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
}  // namespace candor::cpu::avx512
CANDOR_ISA_END

namespace candor::cpu {
constinit const KernelTable kAvx512Table = avx512::kTable;
}  // namespace candor::cpu

// CPUID and XGETBV: a feature counts when the processor has it and the system saves its registers.
#include "cpu/features.h"

#if defined(__x86_64__)
#include <cpuid.h>

#include <cstdint>

namespace candor::cpu {
namespace {

struct Registers {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

Registers Query(unsigned leaf) {
  Registers r;
  if (static_cast<unsigned>(__get_cpuid_max(0, nullptr)) >= leaf) __cpuid_count(leaf, 0, r.a, r.b, r.c, r.d);
  return r;
}

std::uint64_t SavedState() {
  std::uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}

}  // namespace

std::vector<std::string_view> DetectFeatures() {
  std::vector<std::string_view> found;
  const Registers basic = Query(1), extended = Query(7);
  if ((basic.c >> 27 & 1u) == 0) return found;  // the system does not use XSAVE
  const std::uint64_t saved = SavedState();
  const bool ymm = (saved & 0x6) == 0x6, zmm = (saved & 0xe6) == 0xe6;
  const auto add = [&](bool has, std::string_view name) {
    if (has) found.push_back(name);
  };
  add(ymm && (basic.c >> 12 & 1u), "fma");
  add(ymm && (basic.c >> 29 & 1u), "f16c");
  add(ymm && (extended.b >> 5 & 1u), "avx2");
  add(zmm && (extended.b >> 16 & 1u), "avx512f");
  add(zmm && (extended.b >> 17 & 1u), "avx512dq");
  add(zmm && (extended.b >> 30 & 1u), "avx512bw");
  add(zmm && (extended.b >> 31 & 1u), "avx512vl");
  return found;
}

}  // namespace candor::cpu
#else
namespace candor::cpu {
std::vector<std::string_view> DetectFeatures() { return {}; }
}  // namespace candor::cpu
#endif

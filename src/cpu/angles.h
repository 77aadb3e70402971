// Cosines and sines of rotary angles. In double and without the C library, whose functions differ from
// release to release: so every machine and every kernel table has the same bits. Any thread.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "cpu/kernel_table.h"

namespace candor::cpu {

inline constexpr std::string_view kAnglesKernel = "cpu.angles_f32";

// Of |x| up to 2^20; absolute error below 1e-15.
struct CosineSine {
  double cosine, sine;
};
CosineSine CosineSineOf(double x);

// A row per position: cosines, then sines. `positions` are those of one whole sequence, of at most
// kWidestHead columns a head.
void FillAngles(std::span<const std::int32_t> positions, const Rope& rope, Rows out);

}  // namespace candor::cpu

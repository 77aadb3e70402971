// What the operations of cpu_ops.cc and cpu_experts.cc are put together from: matrices as kernels take them,
// one product, one norm, and how many rows are worth a block.
#pragma once
#include <algorithm>
#include <cstddef>

#include "cpu/cpu_ops.h"
#include "cpu/prepared.h"

namespace candor::cpu {

// What a block of rows may take of a core's L2 beside the panels that pass by, in floats, and the most rows
// that gain anything. Measured with `candor bench --shape 32x128` on cores with 1 MB: with 96 Ki floats gated
// layers, 6144 floats a row, have blocks of 16 rows, and whole models of them ran at 0.6 to 0.7 of their
// speed with this; models of plain layers showed no difference.
inline constexpr std::size_t kBlockFloats = std::size_t{1} << 18;
inline constexpr std::size_t kMostRows = 128;
// Below this many multiplications, or floats of simple work, sharing costs more than it gives.
inline constexpr std::size_t kWorthSharing = std::size_t{1} << 18;

inline std::size_t U(std::int32_t i) { return static_cast<std::size_t>(i); }
inline const CpuWeight& Mine(const Weight& w) { return static_cast<const CpuWeight&>(*w.prepared()); }
inline const float* DataOrNull(const Weight& w) { return w ? Mine(w).floats() : nullptr; }

inline Rows In(const Matrix& m) {
  const View<float> v = HostView<float>(m);
  return {v.data, v.stride};
}
inline ConstRows Read(const Matrix& m) {
  const Rows rows = In(m);
  return {rows.data, rows.stride};
}
inline ConstRows From(ConstRows rows, std::size_t first) { return {rows.Row(first), rows.stride}; }
inline Rows From(Rows rows, std::size_t first) { return {rows.Row(first), rows.stride}; }
inline ConstRows AsConst(Rows rows) { return {rows.data, rows.stride}; }

inline GemmArgs Product(const KernelTable& table, ConstRows in, std::size_t rows, const Linear& linear,
                        Activation activation, bool accumulate, Rows out) {
  const CpuWeight& w = Mine(linear.weight);
  return {.in = in,
          .rows = rows,
          .inner = w.cols(),
          .outer = w.rows(),
          .panels = w.held(),
          .bias = DataOrNull(linear.bias),
          .first = 0,
          .last = CeilDivide(w.rows(), table.panel),
          .activation = activation,
          .accumulate = accumulate,
          .out = out};
}

// On the thread that calls.
inline void Multiply(const KernelTable& table, GemmArgs gemm) {
  if (gemm.panels.type != DType::kF32) gemm.widened = ThreadScratch() + kScratchFloats;
  table.gemm.run(gemm);
}

// Norms rows in place of `out`; without a norm they are copied where in is not out.
inline void NormRows(const KernelTable& table, const Norm& norm, ConstRows in, std::size_t rows,
                     std::size_t cols, Rows out) {
  if (norm) {
    table.norm.run({in, rows, cols, DataOrNull(norm.scale), DataOrNull(norm.shift), norm.eps,
                    norm.kind == Norm::Kind::kLayer, out});
  } else if (in.data != out.data) {
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(in.Row(r), cols, out.Row(r));
  }
}

// Rows of a block: few enough to stay in L2, a multiple of the tile.
inline std::size_t BlockRows(const KernelTable& table, std::size_t floats_per_row) {
  const std::size_t fit = std::min(kBlockFloats / std::max<std::size_t>(floats_per_row, 1), kMostRows);
  return std::max(fit / table.tile_rows * table.tile_rows, table.tile_rows);
}

template <class F>
void CpuOps::OverRows(std::size_t rows, std::size_t most, std::size_t work_per_row, F&& fn) {
  std::size_t blocks = CeilDivide(rows, most);
  if (rows * work_per_row >= kWorthSharing && blocks % pool_.threads() != 0)
    blocks = std::min(CeilDivide(blocks, pool_.threads()) * pool_.threads(), rows);
  pool_.ParallelFor(blocks, Grain::kFine,
                    [&](std::size_t b) { fn(rows * b / blocks, rows * (b + 1) / blocks); });
}

}  // namespace candor::cpu

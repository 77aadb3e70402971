// ProjectPool: the product with a vocabulary, reduced over runs as it is made. A piece is some panels of
// columns: it goes through all rows block by block, and each block of products is folded into the results of
// its runs while it is in L2. The rows of a run are folded in their order, whatever the blocks and threads.
#include <algorithm>

#include "cpu/cpu_ops.h"
#include "cpu/op_parts.h"

namespace candor::cpu {
namespace {

constexpr std::size_t kPieceColumns = 256;  // with BlockRows of rows, 128 KiB of products

}  // namespace

void CpuOps::ProjectPool(Matrix in, const Linear& linear, const Sequences& runs, Activation activation,
                         Reduce reduce, Matrix out) {
  Note(Op::kProjectPool);
  const bool sums = reduce == Reduce::kSum;
  // The largest is found among the products themselves, and takes its activation once.
  const GemmArgs all =
      Product(table_, Read(in), in.rows(), linear, sums ? activation : Activation::kNone, false, {});
  const std::size_t panels = std::max<std::size_t>(kPieceColumns / table_.panel, 1),
                    width = panels * table_.panel,
                    most = std::min(BlockRows(table_, all.inner), kScratchFloats / width);
  pool_.ParallelFor(CeilDivide(all.last, panels), Grain::kFine, [&](std::size_t piece) {
    const std::size_t at = piece * width, columns = std::min(width, all.outer - at);
    const Rows products{ThreadScratch(), width};
    GemmArgs part = all;
    part.panels = all.panels.From(at * all.inner), part.outer = columns,
    part.last = CeilDivide(columns, table_.panel);
    if (part.bias != nullptr) part.bias += at;
    part.out = products;
    const Rows to{In(out).data + at, In(out).stride};
    for (std::size_t row = 0; row < all.rows; row += most) {
      const std::size_t end = std::min(row + most, all.rows);
      part.in = From(all.in, row), part.rows = end - row;
      Multiply(table_, part);
      for (std::size_t s = 0; s < runs.size(); ++s) {
        const std::size_t first = std::max(U(runs[s].begin), row), last = std::min(U(runs[s].end), end);
        if (first >= last) continue;
        table_.fold.run({AsConst(From(products, first - row)), last - first, columns, reduce,
                         first == U(runs[s].begin), to.Row(s)});
      }
    }
    if (!sums) table_.activate.run(activation, AsConst(to), runs.size(), columns, to);
  });
}

}  // namespace candor::cpu

// Experts on the CPU: rows of a block that meet the same expert are gathered and multiplied together.
//
// A block's sums stay in the thread's scratch and take the experts in the order of their numbers, so a row's
// sum does not depend on the rows beside it, nor on who computed them.
#include <algorithm>
#include <array>

#include "cpu/op_parts.h"

namespace candor::cpu {
namespace {

constexpr std::size_t kMostRouted = 256;  // rows of a block

// How scratch is shared: half of it has a block's sums, half the rows of one expert in three widths.
struct Shares {
  std::size_t block = 0, together = 0;
  Shares(const KernelTable& table, std::size_t inner, std::size_t wide, std::size_t cols)
      : block(std::clamp<std::size_t>(kScratchFloats / 2 / cols, 1, kMostRouted)),
        together(
            std::clamp<std::size_t>(kScratchFloats / 2 / (inner + wide + cols), 1, BlockRows(table, wide))) {}
};

// The rows of a block that meet one expert.
struct Group {
  std::array<std::size_t, kMostRouted> row;
  std::array<float, kMostRouted> weight;
  std::size_t count = 0;
};

void Collect(const Routing& routing, std::int32_t expert, std::size_t first, std::size_t last, Group& group) {
  const View<std::int32_t> chosen = HostView<std::int32_t>(routing.experts);
  group.count = 0;
  for (std::size_t r = first; r < last; ++r)
    for (std::size_t i = 0; i < chosen.cols; ++i) {
      if (chosen(r, i) != expert) continue;
      group.row[group.count] = r, group.weight[group.count++] = In(routing.weights).Row(r)[i];
      break;
    }
}

}  // namespace

void CpuOps::Route(Matrix in, const Router& router, const Routing& out) {
  Note(Op::kRoute);
  const std::size_t experts = router.gate.out(),
                    most = std::min(BlockRows(table_, in.cols()), kScratchFloats / experts);
  const View<std::int32_t> chosen = HostView<std::int32_t>(out.experts);
  OverRows(in.rows(), most, in.cols() * experts, [&](std::size_t first, std::size_t last) {
    const Rows scores{ThreadScratch(), experts};
    Multiply(table_, Product(table_, From(Read(in), first), last - first, router.gate, Activation::kNone,
                             false, scores));
    table_.route.run({.scores = scores,
                      .rows = last - first,
                      .experts = experts,
                      .top_k = router.top_k,
                      .renormalise = router.renormalise,
                      .expert_scale = DataOrNull(router.expert_scale),
                      .chosen = chosen.data + first * chosen.stride,
                      .chosen_stride = chosen.stride,
                      .weights = From(In(out.weights), first)});
  });
}

void CpuOps::Experts(Matrix in, const ExpertSet& set, const Routing& routing, Matrix out, const Epilogue& e) {
  Note(Op::kExperts);
  const Norm norm = e.norm != nullptr ? *e.norm : Norm{};
  const Rows normed = In(e.normed.empty() ? out : e.normed);
  const Mlp& shape = set.experts.front();
  const std::size_t rows = in.rows(), inner = in.cols(), cols = out.cols(), wide = shape.up.out(),
                    work = routing.experts.cols() * (wide * inner + shape.inner() * cols);
  const Activation between = shape.gated ? Activation::kNone : shape.activation;
  const Shares shares(table_, inner, wide, cols);
  const float* const bias = DataOrNull(set.shared_bias);

  // Rows [first, last); `multiply` runs a product here or shares its columns.
  const auto block = [&](std::size_t first, std::size_t last, const auto& multiply) {
    const Rows sums{ThreadScratch(), cols}, x{sums.Row(last - first), inner},
        middle{x.Row(shares.together), wide}, y{middle.Row(shares.together), cols};
    for (std::size_t r = 0; r < last - first; ++r) {
      if (bias != nullptr)
        std::copy_n(bias, cols, sums.Row(r));
      else
        std::fill_n(sums.Row(r), cols, 0.0f);
    }
    Group group;
    for (std::size_t expert = 0; expert < set.experts.size(); ++expert) {
      const Mlp& mlp = set.experts[expert];
      Collect(routing, static_cast<std::int32_t>(expert), first, last, group);
      const std::size_t parts = CeilDivide(group.count, shares.together);
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t begin = group.count * part / parts, end = group.count * (part + 1) / parts,
                          count = end - begin;
        for (std::size_t i = 0; i < count; ++i)
          std::copy_n(Read(in).Row(group.row[begin + i]), inner, x.Row(i));
        multiply(Product(table_, AsConst(x), count, mlp.up, between, false, middle));
        if (mlp.gated) table_.gate.run(mlp.activation, AsConst(middle), count, mlp.inner(), middle);
        multiply(Product(table_, AsConst(middle), count, mlp.down, Activation::kNone, false, y));
        for (std::size_t i = 0; i < count; ++i) {
          const Rows sum = From(sums, group.row[begin + i] - first);
          table_.combine.run(1.0f, AsConst(sum), group.weight[begin + i], {y.Row(i), cols}, 1, cols, sum);
        }
      }
    }
    if (e.activation != Activation::kNone)
      table_.activate.run(e.activation, AsConst(sums), last - first, cols, sums);
    const Rows to = From(In(out), first);
    if (e.accumulate)
      table_.combine.run(1.0f, AsConst(to), 1.0f, AsConst(sums), last - first, cols, to);
    else
      NormRows(table_, {}, AsConst(sums), last - first, cols, to);
    NormRows(table_, norm, AsConst(to), last - first, cols, From(normed, first));
  };
  if (rows <= shares.block && rows < 32 * pool_.threads() && rows * work >= kWorthSharing &&
      pool_.threads() > 1)
    return block(0, rows, [&](const GemmArgs& gemm) { OverPanels(gemm); });
  OverRows(rows, shares.block, work, [&](std::size_t first, std::size_t last) {
    block(first, last, [&](const GemmArgs& gemm) { Multiply(table_, gemm); });
  });
}

}  // namespace candor::cpu

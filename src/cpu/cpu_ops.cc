#include "cpu/cpu_ops.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "cpu/angles.h"
#include "cpu/op_parts.h"

namespace candor::cpu {
namespace {

constexpr std::size_t kMostTables = 8;

}  // namespace

std::string_view KernelName(const KernelTable& table, Op op) {
  switch (op) {
    case Op::kEmbed:
      return table.embed.name;
    case Op::kGather:
      return "cpu.copy_f32";
    case Op::kUnfold:
      return "cpu.unfold_f32";
    case Op::kNormalize:
      return table.norm.name;
    case Op::kNormalizeL2:
      return table.norm_l2.name;
    case Op::kActivate:
      return table.activate.name;
    case Op::kCombine:
      return table.combine.name;
    case Op::kAngles:
      return kAnglesKernel;
    case Op::kRotate:
      return table.rotate.name;
    case Op::kProject:
    case Op::kFeedForward:
    case Op::kExperts:
    case Op::kProjectPool:
      return table.gemm.name;
    case Op::kRoute:
      return table.route.name;
    case Op::kAttention:
      return table.attention.name;
    case Op::kPool:
      return table.pool.name;
    case Op::kGate:
      return table.gate_by.name;
    case Op::kShortConvolution:
      return table.convolve.name;
    case Op::kGatedDelta:
      return table.delta.name;
  }
  return {};
}

CpuOps::CpuOps(const KernelTable& table, ThreadPool& pool) : table_(table), pool_(pool) {}

void CpuOps::OverPanels(const GemmArgs& gemm) {
  const std::size_t panels = gemm.last, pieces = std::min(panels, 4 * pool_.threads());
  pool_.ParallelFor(pieces, Grain::kFine, [&](std::size_t i) {
    GemmArgs part = gemm;
    part.first = panels * i / pieces, part.last = panels * (i + 1) / pieces;
    Multiply(table_, part);
  });
}

void CpuOps::Upload(std::span<const float> values, Matrix out) {
  for (std::size_t r = 0; r < out.rows(); ++r)
    std::copy_n(values.data() + r * out.cols(), out.cols(), In(out).Row(r));
}

void CpuOps::Download(Matrix in, std::span<float> out) {
  for (std::size_t r = 0; r < in.rows(); ++r)
    std::copy_n(In(in).Row(r), in.cols(), out.data() + r * in.cols());
}

void CpuOps::Embed(std::initializer_list<Lookup> tables, const Norm& norm, Matrix out) {
  Note(Op::kEmbed);
  CANDOR_CHECK(tables.size() <= kMostTables, "more embedding tables than are provided for");
  OverRows(out.rows(), kMostRows, out.cols() * tables.size(), [&](std::size_t first, std::size_t last) {
    std::array<EmbedTable, kMostTables> parts;
    std::size_t count = 0;
    for (const Lookup& t : tables)
      if (t.table) parts[count++] = {Mine(t.table).held(), t.ids.host.data() + first};
    const Rows rows = From(In(out), first);
    table_.embed.run(parts.data(), count, last - first, out.cols(), rows);
    NormRows(table_, norm, AsConst(rows), last - first, out.cols(), rows);
  });
}

void CpuOps::Gather(Matrix in, const Index& rows, Matrix out) {
  Note(Op::kGather);
  for (std::size_t r = 0; r < rows.size(); ++r)
    std::copy_n(In(in).Row(U(rows.host[r])), in.cols(), In(out).Row(r));
}

void CpuOps::Unfold(Matrix in, const Sequences& sequences, std::size_t taps, Matrix out) {
  Note(Op::kUnfold);
  const std::size_t pad = taps / 2;
  pool_.ParallelFor(sequences.size(), Grain::kFine, [&](std::size_t i) {
    const std::size_t begin = U(sequences[i].begin), end = U(sequences[i].end);
    for (std::size_t r = begin; r < end; ++r)
      for (std::size_t t = 0; t < taps; ++t) {
        const bool there = r + t >= begin + pad && r + t < end + pad;
        const float* const from = there ? In(in).Row(r + t - pad) : nullptr;
        float* const to = In(out).Row(r) + t;
        for (std::size_t c = 0; c < in.cols(); ++c) to[c * taps] = there ? from[c] : 0.0f;
      }
  });
}

void CpuOps::Normalize(Matrix in, const Norm& norm, Matrix out, std::size_t heads) {
  Note(Op::kNormalize);
  const std::size_t width = in.cols() / heads;
  OverRows(in.rows(), kMostRows, in.cols(), [&](std::size_t first, std::size_t last) {
    for (std::size_t h = 0; h < heads; ++h)
      NormRows(table_, norm, From(Read(in.Cols(h * width, width)), first), last - first, width,
               From(In(out.Cols(h * width, width)), first));
  });
}

void CpuOps::NormalizeL2(Matrix in, Matrix out) {
  Note(Op::kNormalizeL2);
  OverRows(in.rows(), kMostRows, in.cols(), [&](std::size_t first, std::size_t last) {
    table_.norm_l2.run(
        {From(Read(in), first), last - first, in.cols(), nullptr, nullptr, 0, false, From(In(out), first)});
  });
}

void CpuOps::Activate(Matrix in, Activation activation, Matrix out) {
  Note(Op::kActivate);
  OverRows(in.rows(), kMostRows, in.cols(), [&](std::size_t first, std::size_t last) {
    table_.activate.run(activation, From(Read(in), first), last - first, in.cols(), From(In(out), first));
  });
}

void CpuOps::Combine(float alpha, Matrix x, float beta, Matrix y, Matrix out) {
  Note(Op::kCombine);
  OverRows(out.rows(), kMostRows, out.cols(), [&](std::size_t first, std::size_t last) {
    table_.combine.run(alpha, From(Read(x), first), beta, From(Read(y), first), last - first, out.cols(),
                       From(In(out), first));
  });
}

void CpuOps::Angles(const Index& positions, const Sequences& sequences, const Rope& rope, Matrix out) {
  Note(Op::kAngles);
  pool_.ParallelFor(sequences.size(), Grain::kFine, [&](std::size_t i) {
    const Sequence s = sequences[i];
    FillAngles(positions.host.subspan(U(s.begin), U(s.length())), rope, From(In(out), U(s.begin)));
  });
}

void CpuOps::Rotate(Matrix x, std::size_t heads, Matrix angles) {
  Note(Op::kRotate);
  OverRows(x.rows(), kMostRows, x.cols(), [&](std::size_t first, std::size_t last) {
    table_.rotate.run({From(In(x), first), last - first, heads, x.cols() / heads, angles.cols() / 2,
                       From(Read(angles), first)});
  });
}

void CpuOps::Project(Matrix in, const Linear& linear, Matrix out, const Epilogue& e) {
  Note(Op::kProject);
  const Norm norm = e.norm != nullptr ? *e.norm : Norm{};
  const Rows normed = In(e.normed.empty() ? out : e.normed);
  const std::size_t rows = in.rows(), cols = out.cols(), work = in.cols() * cols,
                    most = BlockRows(table_, in.cols());
  if (rows <= most && rows < 32 * pool_.threads() && rows * work >= kWorthSharing && pool_.threads() > 1) {
    OverPanels(Product(table_, Read(in), rows, linear, e.activation, e.accumulate, In(out)));
    NormRows(table_, norm, Read(out), rows, cols, normed);
    return;
  }
  OverRows(rows, most, work, [&](std::size_t first, std::size_t last) {
    const Rows to = From(In(out), first);
    Multiply(table_,
             Product(table_, From(Read(in), first), last - first, linear, e.activation, e.accumulate, to));
    NormRows(table_, norm, AsConst(to), last - first, cols, From(normed, first));
  });
}

void CpuOps::FeedForward(Matrix in, const Mlp& mlp, Matrix out, const Epilogue& e) {
  Note(Op::kFeedForward);
  const Norm norm = e.norm != nullptr ? *e.norm : Norm{};
  const Rows normed = In(e.normed.empty() ? out : e.normed);
  // A gated one has both halves between the products, and its activation where they meet.
  const std::size_t rows = in.rows(), cols = out.cols(), inner = mlp.inner(), wide = mlp.up.out(),
                    work = wide * in.cols() + inner * cols;
  const Activation first_activation = mlp.gated ? Activation::kNone : mlp.activation;
  const auto gate = [&](Rows middle, std::size_t count) {
    if (mlp.gated) table_.gate.run(mlp.activation, AsConst(middle), count, inner, middle);
  };
  const std::size_t fit = std::max<std::size_t>(kScratchFloats / wide, 1),
                    most = std::min(BlockRows(table_, wide), fit);
  if (rows <= fit && rows < 32 * pool_.threads() && rows * work >= kWorthSharing && pool_.threads() > 1) {
    const Rows middle{ThreadScratch(), wide};  // this thread's, seen by its helpers
    OverPanels(Product(table_, Read(in), rows, mlp.up, first_activation, false, middle));
    gate(middle, rows);
    OverPanels(Product(table_, AsConst(middle), rows, mlp.down, e.activation, e.accumulate, In(out)));
    NormRows(table_, norm, Read(out), rows, cols, normed);
    return;
  }
  OverRows(rows, most, work, [&](std::size_t first, std::size_t last) {
    const Rows middle{ThreadScratch(), wide}, to = From(In(out), first);
    Multiply(table_,
             Product(table_, From(Read(in), first), last - first, mlp.up, first_activation, false, middle));
    gate(middle, last - first);
    Multiply(table_,
             Product(table_, AsConst(middle), last - first, mlp.down, e.activation, e.accumulate, to));
    NormRows(table_, norm, AsConst(to), last - first, cols, From(normed, first));
  });
}

void CpuOps::Attention(const AttentionArgs& a) {
  Note(Op::kAttention);
  const std::size_t dim = a.q.cols() / a.heads, units = a.sequences.size() * a.heads,
                    threads = pool_.threads(), group = a.kv_heads == 0 ? 1 : a.heads / a.kv_heads;
  const std::int32_t* const bucket =
      a.buckets.empty() ? nullptr : a.buckets.host.data() + a.buckets.size() / 2;
  const auto table = [&](const Matrix& m, std::size_t head) {
    return m.empty() ? ConstRows{} : ConstRows{In(m).data + head * dim, m.stride()};
  };
  const ConstRows bias = a.distance_bias.empty() ? ConstRows{} : Read(a.distance_bias);
  // A head of a sequence is a unit; when there are fewer than threads, its queries are shared as well.
  const std::size_t parts = units == 0 ? 1 : CeilDivide(threads, units);
  const std::size_t all = units * parts;
  const std::size_t pieces = threads == 1 ? 1 : std::min(all, 8 * threads);
  pool_.ParallelFor(pieces, Grain::kFine, [&](std::size_t piece) {
    for (std::size_t i = all * piece / pieces; i < all * (piece + 1) / pieces; ++i) {
      const std::size_t part = i % parts, head = i / parts % a.heads;
      const Sequence s = a.sequences[i / parts / a.heads];
      const Sequence before = a.sequences.PrefixOf(s);
      const std::size_t known = U(before.length()), own = U(s.length());
      const auto slice = [&](const Matrix& m, std::size_t of, std::size_t row) {
        const Rows rows = In(m);
        return Rows{rows.Row(row) + of * dim, rows.stride};
      };
      // The prefix is in rows before, at least as many as it has.
      const std::size_t row = U(s.begin) - known;
      table_.attention.run({.q = AsConst(slice(a.q, head, row)),
                            .k = AsConst(slice(a.k, head / group, row)),
                            .v = AsConst(slice(a.v, head / group, row)),
                            .known_k = AsConst(slice(a.k, head / group, U(before.begin))),
                            .known_v = AsConst(slice(a.v, head / group, U(before.begin))),
                            .known = known,
                            .length = known + own,
                            .dim = dim,
                            .first = known + own * part / parts,
                            .last = known + own * (part + 1) / parts,
                            .keys = known + U(s.keys()),
                            .scale = a.scale,
                            .softcap = a.softcap,
                            .before = U(a.radius),
                            .behind = a.causal ? 0 : U(a.radius),
                            .bias = {bias.data == nullptr ? nullptr : bias.data + head, bias.stride},
                            .reach = a.distance_bias.rows() / 2,
                            .position_keys = table(a.position_keys, head),
                            .position_queries = table(a.position_queries, head),
                            .bucket = bucket,
                            .out = slice(a.out, head, row),
                            .scratch = ThreadScratch()});
    }
  });
}

void CpuOps::Pool(Matrix in, const Sequences& runs, Pooling pooling, Matrix out) {
  Note(Op::kPool);
  const std::size_t average = runs.size() == 0 ? 0 : in.rows() / runs.size() + 1;
  OverRows(runs.size(), kMostRows, average * in.cols(), [&](std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      const Sequence run = runs[s];
      table_.pool.run({From(Read(in), U(run.begin)), U(run.length()), in.cols(), U(run.skipped), pooling,
                       In(out).Row(s)});
    }
  });
}

}  // namespace candor::cpu

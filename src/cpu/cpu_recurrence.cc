// Gates, short convolutions and the gated delta rule on the CPU. Columns are shared between threads, never
// the rows of a sequence.
#include <algorithm>
#include <array>

#include "cpu/op_parts.h"

namespace candor::cpu {
namespace {

constexpr std::size_t kColumnsAtOnce = 256;

}  // namespace

void CpuOps::Gate(Matrix gate, Activation activation, Matrix x, Matrix out) {
  Note(Op::kGate);
  OverRows(x.rows(), kMostRows, x.cols(), [&](std::size_t first, std::size_t last) {
    table_.gate_by.run(activation, From(Read(gate), first), gate.cols(), From(Read(x), first), last - first,
                       x.cols(), From(In(out), first));
  });
}

void CpuOps::ShortConvolution(const ShortConvolutionArgs& a) {
  Note(Op::kShortConvolution);
  const std::size_t cols = a.in.cols(), pieces = CeilDivide(cols, kColumnsAtOnce), before = a.taps - 1;
  const float* const weight = DataOrNull(a.weight);
  pool_.ParallelFor(a.sequences.size() * pieces, Grain::kFine, [&](std::size_t i) {
    const std::size_t s = i / pieces, first = i % pieces * kColumnsAtOnce,
                      count = std::min(kColumnsAtOnce, cols - first);
    const std::size_t begin = U(a.sequences[s].begin), rows = U(a.sequences[s].length());
    std::array<float, ShortConvolutionArgs::kMostTaps * kColumnsAtOnce> turned;
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t t = 0; t < a.taps; ++t)
        turned[t * kColumnsAtOnce + c] = weight[(first + c) * a.taps + t];
    const auto state = [&](const Matrix& m) { return From(In(m.Cols(first, count)), s * before); };
    const ConstRows in = From(Read(a.in.Cols(first, count)), begin);
    const ConstRows start = a.start.empty() ? ConstRows{} : AsConst(state(a.start));
    const Rows out = From(In(a.out.Cols(first, count)), begin);
    table_.convolve.run({.in = in,
                         .before = start,
                         .rows = rows,
                         .cols = count,
                         .taps = a.taps,
                         .weight = {turned.data(), kColumnsAtOnce},
                         .out = out});
    if (a.activation != Activation::kNone) table_.activate.run(a.activation, AsConst(out), rows, count, out);
    for (std::size_t t = 0; !a.end.empty() && t < before; ++t) {
      float* const to = state(a.end).Row(t);
      if (rows + t >= before)
        std::copy_n(in.Row(rows + t - before), count, to);
      else if (start.data != nullptr)
        std::copy_n(start.Row(rows + t), count, to);
      else
        std::fill_n(to, count, 0.0f);
    }
  });
}

void CpuOps::GatedDelta(const GatedDeltaArgs& a) {
  Note(Op::kGatedDelta);
  const std::size_t key = a.q.cols() / a.key_heads, value = a.v.cols() / a.heads,
                    group = a.heads / a.key_heads, strips = CeilDivide(value, kDeltaColumns);
  const float* const log_rate = DataOrNull(a.log_rate);
  pool_.ParallelFor(a.sequences.size() * a.heads * strips, Grain::kFine, [&](std::size_t i) {
    const std::size_t s = i / strips / a.heads, head = i / strips % a.heads,
                      from = i % strips * kDeltaColumns, cols = std::min(kDeltaColumns, value - from);
    const std::size_t begin = U(a.sequences[s].begin);
    const auto slice = [&](const Matrix& m, std::size_t first, std::size_t count) {
      return From(In(m.Cols(first, count)), begin);
    };
    const auto outside = [&](const Matrix& m) {
      return From(In(m.Cols(from, cols)), (s * a.heads + head) * key);
    };
    float* const state = ThreadScratch();
    std::fill_n(state, key * kDeltaColumns, 0.0f);
    for (std::size_t r = 0; !a.start.empty() && r < key; ++r)
      std::copy_n(outside(a.start).Row(r), cols, state + r * kDeltaColumns);
    table_.delta.run({.q = AsConst(slice(a.q, head / group * key, key)),
                      .k = AsConst(slice(a.k, head / group * key, key)),
                      .v = AsConst(slice(a.v, head * value + from, cols)),
                      .step = AsConst(slice(a.step, head, 1)),
                      .beta = AsConst(slice(a.beta, head, 1)),
                      .log_rate = log_rate[head],
                      .rows = U(a.sequences[s].length()),
                      .key = key,
                      .cols = cols,
                      .query_scale = a.query_scale,
                      .key_scale = a.key_scale,
                      .state = state,
                      .out = slice(a.out, head * value + from, cols)});
    for (std::size_t r = 0; !a.end.empty() && r < key; ++r)
      std::copy_n(state + r * kDeltaColumns, cols, outside(a.end).Row(r));
  });
}

}  // namespace candor::cpu

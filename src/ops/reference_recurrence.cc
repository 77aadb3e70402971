// The oracle's gates, short convolutions and gated delta rule.
#include <cmath>

#include "ops/reference_rows.h"

namespace candor {

using reference::D;
using reference::Data;
using reference::Doubles;
using reference::Kernel;
using reference::U;
using reference::V;

void ReferenceOps::Gate(Matrix gate, Activation activation, Matrix x, Matrix out) {
  receipt_.Note(Op::kGate, Kernel(Op::kGate));
  const std::size_t width = x.cols() / gate.cols();
  for (std::size_t r = 0; r < x.rows(); ++r)
    for (std::size_t c = 0; c < x.cols(); ++c) V(out)
  (r, c) = static_cast<float>(ReferenceActivation(activation, D(V(gate)(r, c / width))) * D(V(x)(r, c)));
}

void ReferenceOps::ShortConvolution(const ShortConvolutionArgs& a) {
  receipt_.Note(Op::kShortConvolution, Kernel(Op::kShortConvolution));
  const std::size_t before = a.taps - 1;
  for (std::size_t s = 0; s < a.sequences.size(); ++s) {
    const std::size_t begin = U(a.sequences[s].begin), rows = U(a.sequences[s].length());
    // Row `at` of the sequence, counted from the first of those before it.
    const auto value = [&](std::size_t at, std::size_t c) {
      if (at >= before) return D(V(a.in)(begin + at - before, c));
      return a.start.empty() ? 0.0 : D(V(a.start)(s * before + at, c));
    };
    for (std::size_t c = 0; c < a.in.cols(); ++c) {
      for (std::size_t r = 0; r < rows; ++r) {
        double sum = 0;
        for (std::size_t t = 0; t < a.taps; ++t) sum += D(Data(a.weight)[c * a.taps + t]) * value(r + t, c);
        V(a.out)(begin + r, c) = static_cast<float>(ReferenceActivation(a.activation, sum));
      }
      for (std::size_t t = 0; !a.end.empty() && t < before; ++t)
        V(a.end)(s * before + t, c) = static_cast<float>(value(rows + t, c));
    }
  }
}

void ReferenceOps::GatedDelta(const GatedDeltaArgs& a) {
  receipt_.Note(Op::kGatedDelta, Kernel(Op::kGatedDelta));
  const std::size_t key = a.q.cols() / a.key_heads, value = a.v.cols() / a.heads,
                    group = a.heads / a.key_heads;
  for (std::size_t s = 0; s < a.sequences.size(); ++s)
    for (std::size_t h = 0; h < a.heads; ++h) {
      const std::size_t outside = (s * a.heads + h) * key, of_key = h / group * key;
      std::vector<Doubles> state(key, Doubles(value));
      for (std::size_t i = 0; !a.start.empty() && i < key; ++i)
        for (std::size_t c = 0; c < value; ++c) state[i][c] = D(V(a.start)(outside + i, c));
      for (std::size_t r = U(a.sequences[s].begin); r < U(a.sequences[s].end); ++r) {
        const double keep = std::exp(-std::exp(D(Data(a.log_rate)[h])) * D(V(a.step)(r, h)));
        for (std::size_t c = 0; c < value; ++c) {
          double known = 0, answer = 0;
          for (std::size_t i = 0; i < key; ++i) {
            state[i][c] *= keep;
            known += D(a.key_scale) * D(V(a.k)(r, of_key + i)) * state[i][c];
          }
          const double news = D(V(a.beta)(r, h)) * (D(V(a.v)(r, h * value + c)) - known);
          for (std::size_t i = 0; i < key; ++i) {
            state[i][c] += D(a.key_scale) * D(V(a.k)(r, of_key + i)) * news;
            answer += D(a.query_scale) * D(V(a.q)(r, of_key + i)) * state[i][c];
          }
          V(a.out)(r, h * value + c) = static_cast<float>(answer);
        }
      }
      for (std::size_t i = 0; !a.end.empty() && i < key; ++i)
        for (std::size_t c = 0; c < value; ++c) V(a.end)(outside + i, c) = static_cast<float>(state[i][c]);
    }
}

}  // namespace candor

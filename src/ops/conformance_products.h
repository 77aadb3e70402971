// Bounds of products with all that may follow them, for the suites that run some. Test programs only.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>

#include "ops/conformance_suite.h"

namespace candor::conformance {

// The case's epilogue, so that every activation meets every mode of storing.
struct Ending {
  Activation activation;
  bool bias, accumulate, norm;
};
inline Ending EndingOf(std::size_t i) {
  return {static_cast<Activation>(i % kActivationCount), i % 2 == 0, i % 3 == 0, i % 5 == 0};
}

// Slopes stay below 1.76 (selu's, left of 0) for all but relu2 (2 |p|) and hardshrink, which jumps by 0.5;
// the functions themselves are within 8 u of |p| + |y|. Laplace first subtracts 0.71, whose rounding counts
// as p's.
inline double AfterActivation(Activation a, double p, double bound) {
  if (a == Activation::kNone) return bound;
  const double slope = a == Activation::kRelu2 ? 2 * (std::abs(p) + bound) : 1.76;
  const bool jumps = a == Activation::kHardshrink && std::abs(std::abs(p) - 0.5) < bound;
  const double size =
      std::abs(p) + std::abs(ReferenceActivation(a, p)) + (a == Activation::kLaplace ? 0.71 : 0.0);
  return slope * bound + 8 * kU * size + (jumps ? 0.5 : 0.0);
}

// Bounds of one product row and its epilogue; `in_bound` is the error its inputs bring along.
struct RowBound {
  Doubles value, bound;  // what the row is before the norm, and its bound
};
inline RowBound ProductRow(const Doubles& x, const Doubles& in_bound, const Floats& w, const Floats& bias,
                           std::size_t n, Activation activation) {
  RowBound row{Doubles(n), Doubles(n)};
  for (std::size_t o = 0; o < n; ++o) {
    double sum = bias.empty() ? 0.0 : D(bias[o]), magnitude = std::abs(sum), carried = 0;
    for (std::size_t c = 0; c < x.size(); ++c) {
      const double weight = D(w[o * x.size() + c]);
      sum += x[c] * weight, magnitude += std::abs(x[c] * weight), carried += in_bound[c] * std::abs(weight);
    }
    row.value[o] = ReferenceActivation(activation, sum);
    row.bound[o] = AfterActivation(activation, sum, Gamma(x.size() + 1) * magnitude + carried);
  }
  return row;
}
inline void Finish(RowBound& row, const Ending& e, const Floats& old, std::size_t at, const Floats& scale,
                   const Floats& shift, double eps, double* bound, bool centred = true) {
  if (e.accumulate) {
    for (std::size_t c = 0; c < row.value.size(); ++c) {
      row.value[c] += D(old[at + c]);
      row.bound[c] += kU * (std::abs(row.value[c]) + row.bound[c]);
    }
  }
  if (e.norm) NormBound(row.value, std::ranges::max(row.bound), scale, shift, eps, row.bound, centred);
  std::ranges::copy(row.bound, bound);
}

// activation(a) * b of the two halves.
inline void GateBound(RowBound& row, Activation activation) {
  const std::size_t inner = row.value.size() / 2;
  for (std::size_t c = 0; c < inner; ++c) {
    const double a = ReferenceActivation(activation, row.value[c]), b = row.value[inner + c];
    const double a_bound = AfterActivation(activation, row.value[c], row.bound[c]),
                 b_bound = row.bound[inner + c];
    row.value[c] = a * b;
    row.bound[c] = std::abs(a) * b_bound + std::abs(b) * a_bound + a_bound * b_bound + kU * std::abs(a * b);
  }
  row.value.resize(inner), row.bound.resize(inner);
}

inline std::string Shape(std::size_t m, std::size_t k, std::size_t n, const Ending& e) {
  return std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n) + " activation " +
         std::to_string(static_cast<int>(e.activation)) + (e.bias ? " bias" : "") +
         (e.accumulate ? " accumulate" : "") + (e.norm ? " norm" : "");
}

}  // namespace candor::conformance

// What the parts of the conformance suite share: bounds, and an operation run on two backends. Test programs
// only.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ops/conformance.h"
#include "ops/op_bench.h"
#include "ops/reference.h"

namespace candor::conformance {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
inline constexpr double kU = 0x1p-24;
inline double Gamma(std::size_t k) {
  return static_cast<double>(k) * kU / (1.0 - static_cast<double>(k) * kU);
}
inline double D(float x) { return static_cast<double>(x); }

inline double RowOf(const Floats& m, std::size_t row, std::size_t cols, std::size_t c) {
  return D(m[row * cols + c]);
}

// Bound of a normed row: the input's own error `in` (per row, its largest), carried through, and the norm's
// own. x is what is normed, n its width. An RMS norm has no mean to be off.
inline void NormBound(const Doubles& x, double in, const Floats& scale, const Floats& shift, double eps,
                      Doubles& bound, bool centred = true) {
  const std::size_t n = x.size();
  double mean = 0, magnitude = 0, square = 0;
  for (const double v : x) mean += v, magnitude += std::abs(v);
  mean /= static_cast<double>(n), magnitude /= static_cast<double>(n);
  if (!centred) mean = magnitude = 0;
  for (const double v : x) square += (v - mean) * (v - mean);
  const double inverse = 1.0 / std::sqrt(square / static_cast<double>(n) + eps);
  const double centre = Gamma(n + 1) * magnitude;
  for (std::size_t c = 0; c < n; ++c) {
    const double hat = (x[c] - mean) * inverse;
    const double s = scale.empty() ? 1.0 : std::abs(D(scale[c])),
                 t = shift.empty() ? 0.0 : std::abs(D(shift[c]));
    bound[c] = s * inverse * (in + centre) * (2.0 + std::abs(hat)) + s * std::abs(hat) * Gamma(n + 10) +
               3 * kU * (s * std::abs(hat) + t);
  }
}

class Suite {
 public:
  Suite(const Backend& backend, ConformanceRatios& ratios) : backend_(backend), ratios_(ratios) {}

 protected:
  // f(bench) on both backends; differences within bound[i] (exactly equal where it is zero).
  template <class F>
  void Compare(Op op, const std::string& what, const Doubles& bound, F&& f) {
    OpBench wanted(reference_), got(backend_);
    const Floats a = f(wanted), b = f(got);
    ASSERT_EQ(a.size(), bound.size()) << what;
    ASSERT_EQ(b.size(), bound.size()) << what;
    EXPECT_TRUE(got.MarginsIntact()) << what;
    ASSERT_EQ(got.ops->receipt().rows().size(), 1u) << what;
    EXPECT_EQ(got.ops->receipt().rows()[0].op, op) << what;
    EXPECT_EQ(got.ops->receipt().rows()[0].calls, 1u) << what;
    double& worst = ratios_[static_cast<std::size_t>(op)];
    for (std::size_t i = 0; i < bound.size(); ++i) {
      const double error = std::abs(D(a[i]) - D(b[i])), most = bound[i] + kU * std::abs(D(a[i]));
      if (error == 0) continue;
      worst = std::max(worst, error / most);
      ASSERT_LE(error, most) << what << " at " << i << ": " << b[i] << " instead of " << a[i];
    }
  }

 private:
  const Backend& backend_;
  const ReferenceBackend reference_;
  ConformanceRatios& ratios_;
};

// Routers, and experts behind them.
void CheckExperts(const Backend& backend, ConformanceRatios& ratios);

// Products that are reduced over runs.
void CheckProjectPool(const Backend& backend, ConformanceRatios& ratios);

// Gates, short convolutions and the gated delta rule.
void CheckRecurrence(const Backend& backend, ConformanceRatios& ratios);

// Attention in all its forms, and rotary positions.
void CheckAttention(const Backend& backend, ConformanceRatios& ratios);

}  // namespace candor::conformance

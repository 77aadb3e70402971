// The functions against long double over their whole range: every exponent, several mantissas, both signs.
// The limits stand beside the largest error seen; one ulp is that of the exact result.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <vector>

#include "cpu/kernel_table.h"

namespace candor::cpu {
namespace {

using Exact = long double;

Exact ExactOf(Activation a, Exact x) {
  switch (a) {
    case Activation::kElu:
      return x > 0 ? x : std::expm1(x);
    case Activation::kGeluErf:
      return 0.5L * x * std::erfc(-x * 0.707106781186547524400844362104849L);
    case Activation::kGeluTanh:
      return x / (1.0L + std::exp(-1.59576912160573071175978423973752L * (x + 0.044715L * x * x * x)));
    case Activation::kQuickGelu:
      return x / (1.0L + std::exp(-1.702L * x));
    case Activation::kSilu:
      return x / (1.0L + std::exp(-x));
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kSigmoid:
      return 1.0L / (1.0L + std::exp(-x));
    case Activation::kMish:
      return x * std::tanh(std::log1p(std::exp(x)));
    case Activation::kHardswish:
      return x * std::clamp(x + 3.0L, 0.0L, 6.0L) / 6.0L;
    case Activation::kHardsigmoid:
      return std::clamp(x + 3.0L, 0.0L, 6.0L) / 6.0L;
    case Activation::kTanhshrink:  // the series where the difference cancels
      return std::abs(x) < 0.01L ? x * x * x * (1 / 3.0L - x * x * (2 / 15.0L - x * x * 17 / 315.0L))
                                 : x - std::tanh(x);
    case Activation::kSoftplus:
      return std::max(x, 0.0L) + std::log1p(std::exp(-std::abs(x)));
    case Activation::kSqrtSoftplus:
      return std::sqrt(ExactOf(Activation::kSoftplus, x));
    case Activation::kLogSigmoid:
      return -ExactOf(Activation::kSoftplus, -x);
    case Activation::kSoftsign:
      return x / (1.0L + std::abs(x));
    case Activation::kSelu:
      return 1.0507009873554804934193349852946L *
             (x > 0 ? x : 1.6732632423543772848170429916717L * std::expm1(x));
    case Activation::kLaplace:
      return 0.5L * std::erfc((0.707107L - x) / (0.282095L * 1.41421356237309504880168872420969808L));
    default:
      return x;
  }
}

double Ulp(Exact y) {
  const float f = std::max(static_cast<float>(std::abs(y)), FLT_MIN);
  return static_cast<double>(std::nextafter(f, INFINITY)) - static_cast<double>(f);
}

struct Limit {
  Activation activation;
  double low, high;  // arguments
  double most_ulp;   // of the exact result
};

// A negative argument further out has a tiny result whose exponent carries the argument's rounding.
constexpr std::array kLimits{
    Limit{Activation::kElu, -1e4, 1e4, 1.5},   // seen 0.96
    Limit{Activation::kGeluErf, 0, 1e4, 3.5},  // 2.99
    Limit{Activation::kGeluErf, -1, 0, 3.5},   // 2.86
    Limit{Activation::kGeluTanh, 0, 1e4, 3},   // 2.19
    Limit{Activation::kQuickGelu, 0, 1e4, 3},  // 2.18
    Limit{Activation::kSilu, -1, 1e4, 3},      // 2.26
    Limit{Activation::kTanh, -1e4, 1e4, 2},    // 1.28
    Limit{Activation::kSigmoid, -80, 1e4, 3},  // 2.06
    Limit{Activation::kMish, -1, 1e4, 3.5},    // 2.74
    Limit{Activation::kHardswish, 0, 1e4, 1},
    Limit{Activation::kHardsigmoid, -2, 1e4, 1},
    Limit{Activation::kTanhshrink, -0.625, 0.625, 1},
    Limit{Activation::kTanhshrink, 0.625, 1e4, 1},
    Limit{Activation::kSoftplus, -1, 1e4, 1},
    Limit{Activation::kSoftplus, -80, 1e4, 1},
    Limit{Activation::kSqrtSoftplus, -80, 1e4, 1},
    Limit{Activation::kLogSigmoid, -1e4, 80, 1},
    Limit{Activation::kSoftsign, -1e4, 1e4, 1},
    Limit{Activation::kSelu, -1e4, 1e4, 1},
    Limit{Activation::kLaplace, 0, 1e4, 1},
};

TEST(Functions, WithinTheirUlps) {
  for (const Limit& limit : kLimits) {
    std::vector<float> x;
    for (std::uint32_t bits = 0x30000000u; bits < 0x46800000u; bits += 0x4a7) {
      float v = 0;
      std::memcpy(&v, &bits, sizeof v);
      for (const float s : {v, -v})
        if (s >= limit.low && s <= limit.high) x.push_back(s);
    }
    std::vector<float> y(x.size());
    kScalarTable.activate.run(limit.activation, {x.data(), x.size()}, 1, x.size(), {y.data(), x.size()});
    double worst = 0;
    float at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Exact exact = ExactOf(limit.activation, x[i]);
      const double error = static_cast<double>(std::abs(static_cast<Exact>(y[i]) - exact)) / Ulp(exact);
      if (error > worst) worst = error, at = x[i];
    }
    RecordProperty("activation " + std::to_string(static_cast<int>(limit.activation)) + " from " +
                       std::to_string(limit.low),
                   std::to_string(worst));
    EXPECT_LE(worst, limit.most_ulp) << static_cast<int>(limit.activation) << " at " << at;
    EXPECT_GT(worst, 0.0);
  }
}

// GELU far to the left: the result is tiny; what counts is that its error is, too.
TEST(Functions, GeluTail) {
  double worst = 0;
  for (float x = -1; x > -20; x -= 0.00137f) {
    float y = 0;
    kScalarTable.activate.run(Activation::kGeluErf, {&x, 1}, 1, 1, {&y, 1});
    worst = std::max(worst,
                     static_cast<double>(std::abs(static_cast<Exact>(y) - ExactOf(Activation::kGeluErf, x))));
  }
  EXPECT_LE(worst, 6e-8);  // the cancelling form of the references is within 3e-7 there
}

TEST(Functions, Edges) {
  const std::array<float, 6> x{0.0f, INFINITY, -INFINITY, NAN, 1e38f, -1e38f};
  const auto run = [&](Activation a) {
    std::array<float, 6> y{};
    kScalarTable.activate.run(a, {x.data(), 6}, 1, 6, {y.data(), 6});
    return y;
  };
  for (std::size_t a = 0; a < kActivationCount; ++a) {
    const auto y = run(static_cast<Activation>(a));
    EXPECT_TRUE(std::isnan(y[3])) << a;  // a NaN is never swallowed
    EXPECT_EQ(y[0], static_cast<Activation>(a) == Activation::kSigmoid ? 0.5f : 0.0f) << a;
  }
  EXPECT_EQ(run(Activation::kTanh)[1], 1.0f);
  EXPECT_EQ(run(Activation::kTanh)[2], -1.0f);
  EXPECT_EQ(run(Activation::kSigmoid)[1], 1.0f);
  EXPECT_EQ(run(Activation::kSigmoid)[2], 0.0f);
  EXPECT_EQ(run(Activation::kGeluErf)[4], 1e38f);
  EXPECT_EQ(run(Activation::kGeluErf)[5], 0.0f);
  EXPECT_EQ(run(Activation::kMish)[4], 1e38f);
  EXPECT_EQ(run(Activation::kElu)[2], -1.0f);
}

}  // namespace
}  // namespace candor::cpu

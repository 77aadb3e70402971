// The functions against long double over their whole range: every exponent, several mantissas, both signs.
// The limits stand beside the largest error seen; one ulp is that of the exact result.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
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
    case Activation::kReluLog:
      return std::log1p(std::max(x, 0.0L));
    case Activation::kReluLogLog:
      return std::log1p(std::log1p(std::max(x, 0.0L)));
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
    Limit{Activation::kElu, -1e4, 1e4, 1.5},           // seen 0.96
    Limit{Activation::kGeluErf, 0, 1e4, 3.5},          // 2.99
    Limit{Activation::kGeluErf, -1, 0, 3.5},           // 2.86
    Limit{Activation::kGeluTanh, 0, 1e4, 3},           // 2.19
    Limit{Activation::kQuickGelu, 0, 1e4, 3},          // 2.18
    Limit{Activation::kSilu, -1, 1e4, 3},              // 2.26
    Limit{Activation::kTanh, -1e4, 1e4, 2},            // 1.28
    Limit{Activation::kSigmoid, -80, 1e4, 3},          // 2.06
    Limit{Activation::kMish, -1, 1e4, 3.5},            // 2.74
    Limit{Activation::kHardswish, 0, 1e4, 2.5},        // 1.82
    Limit{Activation::kHardsigmoid, -2, 1e4, 2.5},     // 1.00
    Limit{Activation::kTanhshrink, -0.625, 0.625, 6},  // 4.86
    Limit{Activation::kTanhshrink, 0.625, 1e4, 8},     // 6.39
    Limit{Activation::kSoftplus, -80, 1e4, 3},         // 2.26
    Limit{Activation::kSqrtSoftplus, -80, 1e4, 2.5},   // 1.73
    Limit{Activation::kLogSigmoid, -1e4, 80, 3},       // 2.26
    Limit{Activation::kSoftsign, -1e4, 1e4, 2},        // 1.49
    Limit{Activation::kSelu, -1e4, 1e4, 2.5},          // 1.74
    Limit{Activation::kLaplace, 0.7, 1e4, 2.5},        // 1.80
    Limit{Activation::kReluLog, 0, 1e4, 3},            // 2.06
    Limit{Activation::kReluLogLog, 0, 1e4, 5},         // 3.58
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

// BR-023: the forms of GELU at three points, torch in double precision: no form stands in for another.
TEST(Functions, FormsOfGelu) {
  const std::pair<Activation, std::array<double, 3>> kForms[] = {
      {Activation::kGeluErf, {0.841344746, -0.009360829, 5.999999994}},
      {Activation::kGeluTanh, {0.841191991, -0.008887595, 6.0}},
      {Activation::kQuickGelu, {0.845795766, -0.026992513, 5.999779646}}};
  const std::array<float, 3> x{1, -2.7f, 6};
  for (const auto& [form, want] : kForms) {
    std::array<float, 3> y{};
    kScalarTable.activate.run(form, {x.data(), 3}, 1, 3, {y.data(), 3});
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(double{y[i]}, want[i], 1e-7 * std::max(1.0, std::abs(want[i]))) << x[i];
  }
}

// Where the exact result is tiny beside the argument, what counts is that its error is, too.
TEST(Functions, Tails) {
  const auto worst = [](Activation a, float first, float last) {
    double most = 0;
    for (float x = first; x > last; x -= 0.00137f) {
      float y = 0;
      kScalarTable.activate.run(a, {&x, 1}, 1, 1, {&y, 1});
      most = std::max(most, static_cast<double>(std::abs(static_cast<Exact>(y) - ExactOf(a, x))));
    }
    return most;
  };
  EXPECT_LE(worst(Activation::kGeluErf, -1, -20), 6e-8);  // the cancelling form of the references: 3e-7 there
  EXPECT_LE(worst(Activation::kLaplace, 1, -20), 1.2e-7);    // seen 8.9e-8, torch 7.2e-8
  EXPECT_LE(worst(Activation::kHardswish, 0, -20), 1.2e-7);  // next to -3; u of 3 and of the argument
  EXPECT_LE(worst(Activation::kHardsigmoid, -2, -20), 6e-8);
}

// Shrinking by a constant is exact on the whole of both sides.
TEST(Functions, Shrinks) {
  const float above = std::nextafter(0.5f, 1.0f);
  const std::array<float, 7> x{0.5f, -0.5f, above, -above, 0.3f, 20.0f, -1.5f};
  std::array<float, 7> y{};
  kScalarTable.activate.run(Activation::kHardshrink, {x.data(), 7}, 1, 7, {y.data(), 7});
  EXPECT_EQ(y, (std::array<float, 7>{0.0f, 0.0f, above, -above, 0.0f, 20.0f, -1.5f}));
  kScalarTable.activate.run(Activation::kSoftshrink, {x.data(), 7}, 1, 7, {y.data(), 7});
  EXPECT_EQ(y, (std::array<float, 7>{0.0f, 0.0f, above - 0.5f, 0.5f - above, 0.0f, 19.5f, -1.0f}));
}

struct Edge {
  Activation activation;
  double zero, infinity, minus_infinity;
};

// What torch 2.15 gives in double for 0 and both infinities, in the order of the enumeration.
constexpr double kInf = std::numeric_limits<double>::infinity(),
                 kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<Edge, kActivationCount> kEdges{{
    {Activation::kNone, 0, kInf, -kInf},
    {Activation::kRelu, 0, kInf, 0},
    {Activation::kRelu6, 0, 6, 0},
    {Activation::kRelu2, 0, kInf, 0},
    {Activation::kLeakyRelu, 0, kInf, -kInf},
    {Activation::kElu, 0, kInf, -1},
    {Activation::kHardtanh, 0, 1, -1},
    {Activation::kGeluErf, 0, kInf, kNan},
    {Activation::kGeluTanh, 0, kInf, kNan},
    {Activation::kGelu10, 0, 10, kNan},
    {Activation::kQuickGelu, 0, kInf, kNan},
    {Activation::kSilu, 0, kInf, kNan},
    {Activation::kTanh, 0, 1, -1},
    {Activation::kSigmoid, 0.5, 1, 0},
    {Activation::kMish, 0, kInf, kNan},
    {Activation::kHardswish, 0, kInf, kNan},
    {Activation::kHardsigmoid, 0.5, 1, 0},
    {Activation::kHardshrink, 0, kInf, -kInf},
    {Activation::kSoftshrink, 0, kInf, -kInf},
    {Activation::kTanhshrink, 0, kInf, -kInf},
    {Activation::kSoftplus, 0.693147181, kInf, 0},
    {Activation::kSqrtSoftplus, 0.832554611, kInf, 0},
    {Activation::kLogSigmoid, -0.693147181, 0, -kInf},
    {Activation::kSoftsign, 0, kNan, kNan},
    {Activation::kSelu, 0, kInf, -1.75809934},
    {Activation::kLaplace, 0.00609445962, 1, 0},
    {Activation::kReluLog, 0, kInf, 0},
    {Activation::kReluLogLog, 0, kInf, 0},
}};

TEST(Functions, Edges) {
  const std::array<float, 6> x{0.0f, INFINITY, -INFINITY, NAN, 1e38f, -1e38f};
  const auto run = [&](Activation a) {
    std::array<float, 6> y{};
    kScalarTable.activate.run(a, {x.data(), 6}, 1, 6, {y.data(), 6});
    return y;
  };
  for (const Edge& edge : kEdges) {
    const auto y = run(edge.activation);
    const std::array<double, 3> wanted{edge.zero, edge.infinity, edge.minus_infinity};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const double got = static_cast<double>(y[i]);
      // Equal, both NaN, or a rounding apart.
      EXPECT_TRUE(got == wanted[i] || (std::isnan(got) && std::isnan(wanted[i])) ||
                  std::abs(got - wanted[i]) <= 1e-7 * std::abs(wanted[i]) + 6e-9)
          << static_cast<int>(edge.activation) << " at " << x[i] << ": " << got;
    }
    EXPECT_TRUE(std::isnan(y[3])) << static_cast<int>(edge.activation);  // a NaN is never swallowed
  }
  EXPECT_EQ(run(Activation::kGeluErf)[4], 1e38f);
  EXPECT_EQ(run(Activation::kGeluErf)[5], 0.0f);
  EXPECT_EQ(run(Activation::kMish)[4], 1e38f);
  EXPECT_EQ(run(Activation::kHardswish)[4], 1e38f);
  EXPECT_EQ(run(Activation::kSoftsign)[5], -1.0f);
}

}  // namespace
}  // namespace candor::cpu

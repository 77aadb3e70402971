#include "cpu/angles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace candor::cpu {
namespace {

// Against the C library in long double, over all sizes that occur and around the quarter turns, where one of
// the two is near zero. Largest difference seen: 2.3e-16.
TEST(Angles, CosineAndSineAreExactToDouble) {
  double worst = 0;
  const auto check = [&](double x) {
    const CosineSine got = CosineSineOf(x);
    const auto wanted = static_cast<long double>(x);
    worst = std::max(worst,
                     std::abs(static_cast<double>(static_cast<long double>(got.cosine) - std::cos(wanted))));
    worst =
        std::max(worst, std::abs(static_cast<double>(static_cast<long double>(got.sine) - std::sin(wanted))));
  };
  for (int i = -20000; i < 20000; ++i)
    check(i * 0.37), check(i * 3.3), check(static_cast<double>(i) * i * 1e-4);
  for (int i = 0; i < 41000; ++i) check(i * 1.5707963267948966), check(i * 1.5707963267948966 + 1e-9);
  EXPECT_LT(worst, 1e-15);
  RecordProperty("largest", std::to_string(worst * 1e16));
}

// BR-021: base 1000, factor 2, trained 2048, 64 columns: 2048 -> 1000, 4096 -> 3108.2237, 8192 -> 7453.4830.
// The last pair turns by base^-(62/64), which gives the base back.
TEST(Angles, DynamicBasesGrowWithTheSequence) {
  const Rope rope{Frequencies(1000, 32), Rope::Dynamic{.base = 1000, .factor = 2, .trained = 2048}};
  const std::pair<std::size_t, double> kCases[] = {
      {16, 1000}, {2048, 1000}, {4096, 3108.2237}, {8192, 7453.4830}};
  for (const auto& [length, base] : kCases) {
    std::vector<float> frequency(32);
    FrequenciesOf(rope, length, frequency.data());
    EXPECT_NEAR(std::pow(static_cast<double>(frequency[31]), -64.0 / 62.0), base, base * 2e-7) << length;
  }
}

// BR-021, small: trained 16, factor 2, four columns: 1000 * (2 L / 16 - 1)^2.
TEST(Angles, DynamicBasesOfASmallTable) {
  const Rope rope{Frequencies(1000, 2), Rope::Dynamic{.base = 1000, .factor = 2, .trained = 16}};
  for (const auto& [length, base] :
       {std::pair<std::size_t, double>{15, 1000}, {16, 1000}, {17, 1265.625}, {32, 9000}, {64, 49000}}) {
    std::vector<float> frequency(2);
    FrequenciesOf(rope, length, frequency.data());
    EXPECT_EQ(frequency[0], 1.0f) << length;
    EXPECT_NEAR(static_cast<double>(frequency[1]), 1 / std::sqrt(base), 1e-7 / std::sqrt(base)) << length;
  }
}

// Up to `trained` rows by the one list, beyond by the other.
TEST(Angles, LongTextsTurnByTheirOwnFrequencies) {
  const Rope rope{.frequency = {1, 0.5f}, .beyond = Rope::Long{{0.25f, 0.125f}, 6}};
  std::vector<float> frequency(2);
  FrequenciesOf(rope, 6, frequency.data());
  EXPECT_EQ(frequency, rope.frequency);
  FrequenciesOf(rope, 7, frequency.data());
  EXPECT_EQ(frequency, rope.beyond->frequency);
}

// With beta 0.5 and 4 positions: 1 up to position 3, then 1 + log(2) / 2 up to 7, 1 + log(3) / 2 at 8.
TEST(Angles, ScalesOfPositions) {
  const Rope rope{.frequency = {1}, .scale = 2, .growth = Rope::Growth{.beta = 0.5f, .trained = 4}};
  EXPECT_EQ(ScaleAt(rope, 3), 2);
  EXPECT_FLOAT_EQ(ScaleAt(rope, 4), 2.6931472f);
  EXPECT_FLOAT_EQ(ScaleAt(rope, 7), 2.6931472f);
  EXPECT_FLOAT_EQ(ScaleAt(rope, 8), 3.0986123f);
  std::vector<float> out(2);
  FillAngles(std::vector<std::int32_t>{4}, rope, {out.data(), 2});
  EXPECT_FLOAT_EQ(out[0], 2.6931472f * std::cos(4.0f));
  EXPECT_FLOAT_EQ(out[1], 2.6931472f * std::sin(4.0f));
}

// Row r: the cosine and sine of position * 1 and of position * 0.01 (base 10000, two pairs).
TEST(Angles, Rows) {
  const Rope rope{Frequencies(10000, 2)};
  std::vector<float> out(8);
  FillAngles(std::vector<std::int32_t>{0, 3}, rope, {out.data(), 4});
  const double kWanted[] = {1, 1, 0, 0, -0.98999249660, 0.99955003375, 0.14112000806, 0.02999550020};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(out[i], kWanted[i], 6e-8) << i;
}

}  // namespace
}  // namespace candor::cpu

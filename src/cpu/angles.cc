#include "cpu/angles.h"

#include <array>
#include <cmath>

#include "base/check.h"

namespace candor::cpu {
namespace {

// pi/2 in three parts; the first two have 33 bits, so their products with a quarter turn's number below 2^20
// are exact (Cody and Waite).
constexpr double kTurn1 = 0x1.921fb544p+0, kTurn2 = 0x1.0b4611a6p-34, kTurn3 = 0x1.3198a2e037073p-69;

// The Taylor series, whose terms left out are below 1e-17 for |x| <= pi/4.
double Sine(double x) {
  constexpr double kFactors[] = {-1.0 / 6,
                                 1.0 / 120,
                                 -1.0 / 5040,
                                 1.0 / 362880,
                                 -1.0 / 39916800,
                                 1.0 / 6227020800.0,
                                 -1.0 / 1307674368000.0,
                                 1.0 / 355687428096000.0};
  const double square = x * x;
  double sum = 0;
  for (std::size_t i = std::size(kFactors); i-- > 0;) sum = sum * square + kFactors[i];
  return x + x * square * sum;
}

double Cosine(double x) {
  constexpr double kFactors[] = {
      -1.0 / 2,       1.0 / 24,          -1.0 / 720,           1.0 / 40320,
      -1.0 / 3628800, 1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0};
  const double square = x * x;
  double sum = 0;
  for (std::size_t i = std::size(kFactors); i-- > 0;) sum = sum * square + kFactors[i];
  return 1 + square * sum;
}

}  // namespace

CosineSine CosineSineOf(double x) {
  const double quarter = std::nearbyint(x * 0.63661977236758134308);
  const double rest = ((x - quarter * kTurn1) - quarter * kTurn2) - quarter * kTurn3;
  const double cosine = Cosine(rest), sine = Sine(rest);
  switch (static_cast<std::int64_t>(quarter) & 3) {
    case 0:
      return {cosine, sine};
    case 1:
      return {-sine, cosine};
    case 2:
      return {-cosine, -sine};
    default:
      return {sine, -cosine};
  }
}

void FillAngles(std::span<const std::int32_t> positions, const Rope& rope, Rows out) {
  std::array<float, kWidestHead / 2> frequency;
  CANDOR_CHECK(rope.pairs() <= frequency.size(), "a head wider than is provided for");
  FrequenciesOf(rope, positions.size(), frequency.data());
  for (std::size_t r = 0; r < positions.size(); ++r) {
    const float scale = ScaleAt(rope, positions[r]);
    for (std::size_t i = 0; i < rope.pairs(); ++i) {
      const float angle = static_cast<float>(positions[r]) * frequency[i];  // f32, as the references have it
      const CosineSine turned = CosineSineOf(static_cast<double>(angle));
      out.Row(r)[i] = static_cast<float>(turned.cosine) * scale;
      out.Row(r)[rope.pairs() + i] = static_cast<float>(turned.sine) * scale;
    }
  }
}

}  // namespace candor::cpu

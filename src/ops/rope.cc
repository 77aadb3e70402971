#include "ops/rope.h"

#include <algorithm>
#include <cmath>

namespace candor {
namespace {

// The exponent and the power are f32 in torch (arange(0, d, 2) / d, then base ** that).
float Power(double base, std::size_t pair, std::size_t pairs) {
  const float exponent = static_cast<float>(2 * pair) / static_cast<float>(2 * pairs);
  return static_cast<float>(std::pow(base, static_cast<double>(exponent)));
}

double BaseAt(const Rope::Dynamic& d, std::size_t length, double turned) {
  const double power = turned / (turned - 2), rows = static_cast<double>(length),
               trained = static_cast<double>(d.trained);
  if (!d.rounded) return d.base * std::pow(d.factor * rows / trained - (d.factor - 1), power);
  const auto f = [](double x) { return static_cast<float>(x); };
  const float stretch = f(d.factor) * f(rows) / f(trained) - f(d.factor - 1);
  return static_cast<double>(f(d.base) *
                             f(std::pow(static_cast<double>(stretch), static_cast<double>(f(power)))));
}

}  // namespace

std::vector<float> Powers(double base, std::size_t pairs) {
  std::vector<float> out(pairs);
  for (std::size_t i = 0; i < pairs; ++i) out[i] = Power(base, i, pairs);
  return out;
}

std::vector<float> Frequencies(double base, std::size_t pairs) {
  std::vector<float> out = Powers(base, pairs);
  for (float& f : out) f = 1.0f / f;
  return out;
}

void FrequenciesOf(const Rope& rope, std::size_t length, float* out) {
  if (rope.dynamic && length > rope.dynamic->trained) {
    const double base = BaseAt(*rope.dynamic, length, 2 * static_cast<double>(rope.pairs()));
    for (std::size_t i = 0; i < rope.pairs(); ++i) out[i] = 1.0f / Power(base, i, rope.pairs());
  } else {
    const bool beyond = rope.beyond && length > rope.beyond->trained;
    std::ranges::copy(beyond ? rope.beyond->frequency : rope.frequency, out);
  }
}

float ScaleAt(const Rope& rope, std::int32_t position) {
  if (!rope.growth) return rope.scale;
  const auto [beta, trained] = *rope.growth;
  const float times = 1 + std::floor(static_cast<float>(position) / static_cast<float>(trained));
  return rope.scale * (1 + beta * static_cast<float>(std::log(static_cast<double>(times))));
}

}  // namespace candor

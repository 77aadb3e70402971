#include "ops/rope.h"

#include <algorithm>
#include <cmath>

namespace candor {
namespace {

// The exponent and the power are f32 in torch (arange(0, d, 2) / d, then base ** that).
float Frequency(double base, std::size_t pair, std::size_t pairs) {
  const float exponent = static_cast<float>(2 * pair) / static_cast<float>(2 * pairs);
  return 1.0f / static_cast<float>(std::pow(base, static_cast<double>(exponent)));
}

}  // namespace

std::vector<float> Frequencies(double base, std::size_t pairs) {
  std::vector<float> out(pairs);
  for (std::size_t i = 0; i < pairs; ++i) out[i] = Frequency(base, i, pairs);
  return out;
}

void FrequenciesOf(const Rope& rope, std::size_t length, float* out) {
  if (!rope.dynamic || length <= rope.dynamic->trained) {
    std::ranges::copy(rope.frequency, out);
    return;
  }
  const Rope::Dynamic& d = *rope.dynamic;
  const double turned = 2 * static_cast<double>(rope.pairs());
  const double stretch =
      d.factor * static_cast<double>(length) / static_cast<double>(d.trained) - (d.factor - 1);
  const double base = d.base * std::pow(stretch, turned / (turned - 2));
  for (std::size_t i = 0; i < rope.pairs(); ++i) out[i] = Frequency(base, i, rope.pairs());
}

}  // namespace candor

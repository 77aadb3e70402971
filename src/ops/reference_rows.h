// What the parts of the oracle share: rows in double, and how a product ends. Included by reference*.cc only.
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "ops/reference.h"

namespace candor::reference {

using Doubles = std::vector<double>;
inline View<float> V(const Matrix& m) { return HostView<float>(m); }
inline std::size_t U(std::int32_t i) { return static_cast<std::size_t>(i); }
inline double D(float x) { return static_cast<double>(x); }
inline const float* Data(const Weight& w) {
  return static_cast<const ReferenceWeight&>(*w.prepared()).values.data();
}
std::string_view Kernel(Op op);

inline Doubles Read(std::span<const float> row) { return {row.begin(), row.end()}; }
inline void Store(const Doubles& x, std::span<float> out) {
  for (std::size_t c = 0; c < x.size(); ++c) out[c] = static_cast<float>(x[c]);
}
inline std::span<float> NormedRow(const Epilogue& e, std::size_t r) {
  return e.normed.empty() ? std::span<float>() : V(e.normed).Row(r);
}

void NormRow(Doubles& x, const Norm& norm);
Doubles Multiply(const Doubles& x, const Linear& linear);
Doubles FeedForwardRow(const Doubles& x, const Mlp& mlp);
void Finish(Doubles p, const Epilogue& e, std::span<float> out, std::span<float> normed);

}  // namespace candor::reference

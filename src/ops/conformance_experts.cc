// Routers and experts. What routers are given has few bits, so that scores are exact however they are summed:
// equal ones are equal everywhere, and their order is part of what is compared.
#include <numeric>

#include "ops/conformance_products.h"

namespace candor::conformance {
namespace {

// A router with its rows, and what it must choose.
struct Gate {
  std::size_t rows, width, experts, top_k;
  bool renormalise;
  Floats x, w, scale;
  std::vector<std::size_t> chosen;  // [rows, top_k]
  Doubles weight, bound;

  Gate(std::size_t m, std::size_t k, std::size_t e, std::size_t t, bool renorm, TestRandom& random)
      : rows(m), width(k), experts(e), top_k(t), renormalise(renorm) {
    const auto few_bits = [&](std::size_t n) {
      Floats values(n);
      for (float& v : values) v = static_cast<float>(static_cast<int>(random.Next() % 9) - 4) / 4.0f;
      return values;
    };
    x = few_bits(m * k), w = few_bits(e * k);
    if (e % 8 == 1 || m == 9) scale = random.Values(e);
    for (std::size_t r = 0; r < m; ++r) Choose(r);
  }

  void Choose(std::size_t r) {
    Doubles score(experts);
    for (std::size_t e = 0; e < experts; ++e)
      for (std::size_t c = 0; c < width; ++c) score[e] += RowOf(x, r, width, c) * RowOf(w, e, width, c);
    std::vector<std::size_t> order(experts);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return score[a] != score[b] ? score[a] > score[b] : a < b;
    });
    const std::size_t summed = renormalise ? top_k : experts;
    double sum = 0;
    for (std::size_t i = 0; i < summed; ++i) sum += std::exp(score[order[i]] - score[order[0]]);
    for (std::size_t i = 0; i < top_k; ++i) {
      chosen.push_back(order[i]);
      const double by = scale.empty() ? 1.0 : D(scale[order[i]]);
      weight.push_back(std::exp(score[order[i]] - score[order[0]]) / sum * by);
      // Exponentials within 2 u, those in the sum too, the sum itself, a quotient, a product.
      bound.push_back(std::abs(weight.back()) * Gamma(summed + 6));
    }
  }

  Routing Run(OpBench& b) const {
    const Routing out = b.PlaceRouting(rows, top_k);
    b.ops->Route(
        b.Place(x, rows, width),
        {b.MakeLinear(w, experts, {}), top_k, renormalise, scale.empty() ? Weight() : b.Vector(scale)}, out);
    return out;
  }
};

class ExpertsSuite final : public Suite {
 public:
  using Suite::Suite;
  void Run() {
    std::size_t i = 0;
    for (const std::size_t m : {0u, 1u, 9u, 67u, 300u})
      for (const std::size_t e : {1u, 2u, 8u, 17u, 40u})
        for (const std::size_t t : {1u, 2u, 3u, 40u})
          if (t <= e && (m < 300 || e == 8)) {
            TestRandom random(7000 + ++i);
            const Gate gate(m, 1 + 11 * (i % 4), e, t, i % 2 == 0, random);
            Compare(Op::kRoute, "route " + Name(gate), gate.bound,
                    [&](OpBench& b) { return b.Fetch(gate.Run(b).weights); });
            Experts(gate, i, random);
          }
  }

 private:
  struct Expert {
    Floats up, up_bias, down, down_bias;
  };

  void Experts(const Gate& gate, std::size_t i, TestRandom& random) {
    static constexpr std::size_t kWidths[] = {8, 33, 5, 64}, kInner[] = {1, 17, 48, 100, 31};
    const Ending e = EndingOf(i);
    const Activation between = static_cast<Activation>((i * 7) % kActivationCount);
    const std::size_t m = gate.rows, k = kWidths[i % 4], inner = kInner[i % 5];
    const bool gated = i % 3 == 0, apart = i % 4 < 2;
    const std::size_t wide = gated ? 2 * inner : inner;
    const Floats x = random.Values(m * k), shared = e.bias ? random.Values(k) : Floats(),
                 scale = random.Values(k);
    std::vector<Expert> experts(gate.experts);
    for (Expert& one : experts) {
      one.up = random.Values(wide * k), one.down = random.Values(k * inner);
      if (i % 4 == 1) one.up_bias = random.Values(wide), one.down_bias = random.Values(k);
    }
    Doubles bound(m * k);
    for (std::size_t r = 0; r < m; ++r) {
      const auto begin = x.begin() + static_cast<std::ptrdiff_t>(r * k);
      RowBound row = Sum(gate, r, Doubles(begin, begin + static_cast<std::ptrdiff_t>(k)), experts, shared,
                         wide, gated, between);
      for (std::size_t c = 0; c < k; ++c) {
        row.bound[c] = AfterActivation(e.activation, row.value[c], row.bound[c]);
        row.value[c] = ReferenceActivation(e.activation, row.value[c]);
      }
      Finish(row, e, x, r * k, scale, {}, D(1e-12f), &bound[r * k]);
    }
    Compare(Op::kExperts, "experts " + Name(gate) + " of " + Shape(m, k, inner, e) + (gated ? " gated" : ""),
            bound, [&](OpBench& b) {
              ExpertSet set{{}, e.bias ? b.Vector(shared) : Weight()};
              for (const Expert& one : experts)
                set.experts.push_back({b.MakeLinear(one.up, wide, one.up_bias),
                                       b.MakeLinear(one.down, k, one.down_bias), between, gated});
              const candor::Norm norm{candor::Norm::Kind::kLayer, b.Vector(scale), {}, 1e-12f};
              const Matrix out = b.Place(x, m, k);  // in place
              const Matrix normed = e.norm && apart ? b.Place(x, m, k) : Matrix();
              const Routing routing = gate.Run(b);
              b.ops->ClearReceipt();
              b.ops->Experts(out, set, routing, out,
                             {.activation = e.activation,
                              .accumulate = e.accumulate,
                              .norm = e.norm ? &norm : nullptr,
                              .normed = normed});
              return b.Fetch(normed.empty() ? out : normed);
            });
  }

  // A row's weighted sum before the epilogue.
  static RowBound Sum(const Gate& gate, std::size_t r, const Doubles& x, const std::vector<Expert>& experts,
                      const Floats& shared, std::size_t wide, bool gated, Activation between) {
    const std::size_t k = x.size();
    RowBound sum{Doubles(k), Doubles(k)};
    Doubles magnitude(k);
    for (std::size_t c = 0; c < k && !shared.empty(); ++c)
      sum.value[c] = D(shared[c]), magnitude[c] = std::abs(sum.value[c]);
    for (std::size_t i = r * gate.top_k; i < (r + 1) * gate.top_k; ++i) {
      const Expert& one = experts[gate.chosen[i]];
      RowBound middle =
          ProductRow(x, Doubles(k), one.up, one.up_bias, wide, gated ? Activation::kNone : between);
      if (gated) GateBound(middle, between);
      const RowBound y =
          ProductRow(middle.value, middle.bound, one.down, one.down_bias, k, Activation::kNone);
      for (std::size_t c = 0; c < k; ++c) {
        const double term = gate.weight[i] * y.value[c];
        sum.value[c] += term, magnitude[c] += std::abs(term);
        sum.bound[c] += (std::abs(gate.weight[i]) + gate.bound[i]) * y.bound[c] +
                        gate.bound[i] * std::abs(y.value[c]) +
                        kU * std::abs(gate.weight[i] * y.value[c]);  // the weight as f32
      }
    }
    for (std::size_t c = 0; c < k; ++c) sum.bound[c] += Gamma(gate.top_k + 1) * (magnitude[c] + sum.bound[c]);
    return sum;
  }

  static std::string Name(const Gate& gate) {
    return std::to_string(gate.rows) + " rows, " + std::to_string(gate.top_k) + " of " +
           std::to_string(gate.experts) + (gate.renormalise ? " renormalised" : "") +
           (gate.scale.empty() ? "" : " scaled");
  }
};

}  // namespace

void CheckExperts(const Backend& backend, ConformanceRatios& ratios) { ExpertsSuite(backend, ratios).Run(); }

}  // namespace candor::conformance

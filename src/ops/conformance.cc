// Operations on rows: each one's sweep beside the derivation of its bound.
#include "ops/conformance_products.h"

namespace candor {
namespace conformance {
namespace {

class RowsSuite final : public Suite {
 public:
  using Suite::Suite;
  void Run() {
    Products();
    FeedForwards();
    RowOperations();
    Embeddings();
    Pools();
  }

 private:
  void Products() {
    std::size_t i = 0;
    for (const std::size_t m : {0u, 1u, 2u, 3u, 7u, 8u, 9u, 15u, 16u, 17u, 31u, 33u, 67u})
      for (const std::size_t k : {1u, 7u, 8u, 9u, 33u, 100u})
        for (const std::size_t n : {1u, 7u, 8u, 15u, 16u, 17u, 31u, 33u, 48u, 49u, 64u, 67u, 200u}) {
          const Ending e = EndingOf(++i);
          TestRandom random(i);
          const Floats x = random.Values(m * k), w = random.Values(n * k), old = random.Values(m * n),
                       bias = e.bias ? random.Values(n) : Floats(), scale = random.Values(n),
                       shift = random.Values(n);
          Doubles bound(m * n);
          for (std::size_t r = 0; r < m; ++r) {
            const Doubles in(x.begin() + static_cast<std::ptrdiff_t>(r * k),
                             x.begin() + static_cast<std::ptrdiff_t>((r + 1) * k));
            RowBound row = ProductRow(in, Doubles(k), w, bias, n, e.activation);
            Finish(row, e, old, r * n, scale, shift, D(1e-5f), &bound[r * n]);
          }
          Compare(Op::kProject, "project " + Shape(m, k, n, e), bound, [&](OpBench& b) {
            const Linear linear{b.Make(w, n, k), e.bias ? b.Vector(bias) : Weight()};
            const candor::Norm norm{candor::Norm::Kind::kLayer, b.Vector(scale), b.Vector(shift), 1e-5f};
            const Matrix out = b.Place(old, m, n);
            b.ops->Project(
                b.Place(x, m, k), linear, out,
                {.activation = e.activation, .accumulate = e.accumulate, .norm = e.norm ? &norm : nullptr});
            return b.Fetch(out);
          });
        }
  }

  void FeedForwards() {
    std::size_t i = 0;
    for (const std::size_t m : {0u, 1u, 2u, 9u, 16u, 33u, 67u})
      for (const std::size_t k : {8u, 33u, 64u})
        for (const std::size_t inner : {1u, 17u, 48u, 100u, 256u}) {
          Ending e = EndingOf(++i);
          const Activation between = static_cast<Activation>((i * 7) % kActivationCount);
          const bool gated = i % 2 == 0, apart = i % 4 < 2, centred = i % 10 != 0;  // a norm every fifth time
          const std::size_t wide = gated ? 2 * inner : inner;
          TestRandom random(1000 + i);
          const Floats x = random.Values(m * k), up = random.Values(wide * k),
                       down = random.Values(k * inner), up_bias = random.Values(wide),
                       down_bias = random.Values(k), scale = random.Values(k), none;
          Doubles bound(m * k);
          for (std::size_t r = 0; r < m; ++r) {
            const Doubles in(x.begin() + static_cast<std::ptrdiff_t>(r * k),
                             x.begin() + static_cast<std::ptrdiff_t>((r + 1) * k));
            RowBound middle =
                ProductRow(in, Doubles(k), up, up_bias, wide, gated ? Activation::kNone : between);
            if (gated) GateBound(middle, between);
            RowBound row = ProductRow(middle.value, middle.bound, down, down_bias, k, e.activation);
            Finish(row, e, x, r * k, scale, none, D(1e-12f), &bound[r * k], centred);
          }
          Compare(Op::kFeedForward, "feed_forward " + Shape(m, k, inner, e) + (gated ? " gated" : ""), bound,
                  [&](OpBench& b) {
                    const Mlp mlp{{b.Make(up, wide, k), b.Vector(up_bias)},
                                  {b.Make(down, k, inner), b.Vector(down_bias)},
                                  between,
                                  gated};
                    const candor::Norm norm{centred ? candor::Norm::Kind::kLayer : candor::Norm::Kind::kRms,
                                            b.Vector(scale),
                                            {},
                                            1e-12f};
                    const Matrix out = b.Place(x, m, k);  // in place
                    const Matrix normed = e.norm && apart ? b.Place(x, m, k) : Matrix();
                    b.ops->FeedForward(out, mlp, out,
                                       {.activation = e.activation,
                                        .accumulate = e.accumulate,
                                        .norm = e.norm ? &norm : nullptr,
                                        .normed = normed});
                    return b.Fetch(normed.empty() ? out : normed);
                  });
        }
  }

  void RowOperations() {
    std::size_t i = 0;
    for (const std::size_t m : {0u, 1u, 9u, 33u, 300u})
      for (const std::size_t n : {1u, 7u, 8u, 9u, 15u, 16u, 17u, 31u, 33u, 64u, 67u, 384u}) {
        TestRandom random(3000 + ++i);
        const Floats x = random.Values(m * n), y = random.Values(m * n), scale = random.Values(n),
                     shift = random.Values(n);
        const std::string shape = std::to_string(m) + "x" + std::to_string(n);
        const bool in_place = i % 2 == 0;
        const auto place_out = [&](OpBench& b, const Matrix& in) { return in_place ? in : b.Place(y, m, n); };

        Doubles bound(m * n), row_bound(n);
        for (std::size_t r = 0; r < m; ++r) {
          const Doubles row(x.begin() + static_cast<std::ptrdiff_t>(r * n),
                            x.begin() + static_cast<std::ptrdiff_t>((r + 1) * n));
          NormBound(row, 0, scale, shift, D(1e-5f), row_bound);
          std::ranges::copy(row_bound, &bound[r * n]);
        }
        Compare(Op::kNormalize, "normalize " + shape, bound, [&](OpBench& b) {
          const Matrix in = b.Place(x, m, n), out = place_out(b, in);
          b.ops->Normalize(in, {candor::Norm::Kind::kLayer, b.Vector(scale), b.Vector(shift), 1e-5f}, out);
          return b.Fetch(out);
        });
        for (std::size_t r = 0; r < m; ++r) {
          const Doubles row(x.begin() + static_cast<std::ptrdiff_t>(r * n),
                            x.begin() + static_cast<std::ptrdiff_t>((r + 1) * n));
          NormBound(row, 0, scale, {}, D(1e-6f), row_bound, false);
          std::ranges::copy(row_bound, &bound[r * n]);
        }
        Compare(Op::kNormalize, "rms " + shape, bound, [&](OpBench& b) {
          const Matrix in = b.Place(x, m, n), out = place_out(b, in);
          b.ops->Normalize(in, {candor::Norm::Kind::kRms, b.Vector(scale), {}, 1e-6f}, out);
          return b.Fetch(out);
        });
        const std::size_t heads = 1 + i % 4;
        const Floats parts = random.Values(m * heads * n);
        Doubles of_parts(parts.size());
        for (std::size_t r = 0; r < m * heads; ++r) {
          const Doubles row(parts.begin() + static_cast<std::ptrdiff_t>(r * n),
                            parts.begin() + static_cast<std::ptrdiff_t>((r + 1) * n));
          NormBound(row, 0, scale, {}, D(1e-6f), row_bound, false);
          std::ranges::copy(row_bound, &of_parts[r * n]);
        }
        Compare(Op::kNormalize, "rms of heads " + shape, of_parts, [&](OpBench& b) {
          const Matrix in = b.Place(parts, m, heads * n),
                       out = in_place ? in : b.Place(Floats(parts.size()), m, heads * n);
          b.ops->Normalize(in, {candor::Norm::Kind::kRms, b.Vector(scale), {}, 1e-6f}, out, heads);
          return b.Fetch(out);
        });
        Compare(Op::kNormalize, "identity " + shape, Doubles(m * n), [&](OpBench& b) {
          const Matrix in = b.Place(x, m, n), out = place_out(b, in);
          b.ops->Normalize(in, {}, out);
          return b.Fetch(out);
        });
        // |y| <= 1, and every step is relative.
        Compare(Op::kNormalizeL2, "normalize_l2 " + shape, Doubles(m * n, Gamma(n / 2 + 4)), [&](OpBench& b) {
          const Matrix in = b.Place(x, m, n), out = place_out(b, in);
          b.ops->NormalizeL2(in, out);
          return b.Fetch(out);
        });
        const Activation activation = static_cast<Activation>(i % kActivationCount);
        for (std::size_t c = 0; c < m * n; ++c) bound[c] = AfterActivation(activation, D(x[c]), 0);
        Compare(Op::kActivate, "activate " + shape, bound, [&](OpBench& b) {
          const Matrix in = b.Place(x, m, n), out = place_out(b, in);
          b.ops->Activate(in, activation, out);
          return b.Fetch(out);
        });
        for (std::size_t c = 0; c < m * n; ++c)
          bound[c] = 2 * kU * (std::abs(1.5 * D(x[c])) + std::abs(0.75 * D(y[c])));
        Compare(Op::kCombine, "combine " + shape, bound, [&](OpBench& b) {
          const Matrix in = b.Place(x, m, n), other = b.Place(y, m, n), out = in_place ? in : other;
          b.ops->Combine(1.5f, in, -0.75f, other, out);
          return b.Fetch(out);
        });
        std::vector<std::int32_t> picked;
        for (std::size_t r = 0; r < m / 2; ++r)
          picked.push_back(static_cast<std::int32_t>(random.Next() % m));
        Compare(Op::kGather, "gather " + shape, Doubles(picked.size() * n), [&](OpBench& b) {
          const Matrix in = b.Place(x, m, n), out = b.Place(Floats(picked.size() * n), picked.size(), n);
          b.ops->Gather(in, b.ops->Stage(picked), out);
          return b.Fetch(out);
        });
      }
  }

  void Embeddings() {
    std::size_t i = 0;
    for (const std::size_t m : {0u, 1u, 17u, 300u})
      for (const std::size_t n : {1u, 8u, 17u, 67u, 384u}) {
        TestRandom random(4000 + ++i);
        const bool normed = i % 2 == 0;
        const Floats words = random.Values(50 * n), segments = random.Values(2 * n), scale = random.Values(n),
                     none;
        std::vector<std::int32_t> ids, types;
        for (std::size_t r = 0; r < m; ++r) {
          ids.push_back(static_cast<std::int32_t>(random.Next() % 50));
          types.push_back(static_cast<std::int32_t>(random.Next() % 2));
        }
        Doubles bound(m * n), row_bound(n), row(n);
        for (std::size_t r = 0; r < m; ++r) {
          double worst = 0;
          for (std::size_t c = 0; c < n; ++c) {
            const double a = RowOf(words, static_cast<std::size_t>(ids[r]), n, c);
            const double b = RowOf(segments, static_cast<std::size_t>(types[r]), n, c);
            row[c] = a + b, row_bound[c] = Gamma(2) * (std::abs(a) + std::abs(b)),
            worst = std::max(worst, row_bound[c]);
          }
          if (normed) NormBound(row, worst, scale, none, D(1e-12f), row_bound);
          std::ranges::copy(row_bound, &bound[r * n]);
        }
        Compare(Op::kEmbed, "embed " + std::to_string(m) + "x" + std::to_string(n), bound, [&](OpBench& b) {
          const Weight w = b.Make(words, 50, n, Role::kTable), s = b.Make(segments, 2, n, Role::kTable),
                       absent;
          const Index word_ids = b.ops->Stage(ids), type_ids = b.ops->Stage(types);
          const candor::Norm norm{candor::Norm::Kind::kLayer, b.Vector(scale), {}, 1e-12f};
          const Matrix out = b.Place(Floats(m * n), m, n);
          b.ops->Embed({{w, word_ids}, {absent, word_ids}, {s, type_ids}}, normed ? norm : candor::Norm{},
                       out);
          return b.Fetch(out);
        });
      }
  }

  void Pools() {
    std::vector<Sequence> runs{{.begin = 0, .end = 1},
                               {.begin = 1, .end = 10, .skipped = 3},
                               {.begin = 4, .end = 21},
                               {.begin = 0, .end = 67, .skipped = 1}};
    const std::size_t with_rows = runs.size();
    const Sequence none{.begin = 67, .end = 67};  // behind the last row; its mean is zero, exactly
    std::size_t i = 0;
    for (const std::size_t n : {1u, 7u, 8u, 9u, 16u, 17u, 33u, 384u})
      for (std::size_t mode = 0; mode < 6; ++mode) {
        TestRandom random(5000 + ++i);
        const auto pooling = static_cast<Pooling>(mode);
        const Floats x = random.Values(67 * n);
        runs.resize(with_rows);
        if (pooling == Pooling::kMean) runs.push_back(none);
        Doubles bound(runs.size() * n);
        for (std::size_t s = 0; s < with_rows; ++s)
          for (std::size_t c = 0; c < n; ++c) {
            double magnitude = 0, weights = 0;
            for (std::int32_t r = runs[s].begin; r < runs[s].end; ++r) {
              const double weight =
                  pooling == Pooling::kWeightedMean ? runs[s].skipped + r - runs[s].begin + 1 : 1;
              magnitude += weight * std::abs(RowOf(x, static_cast<std::size_t>(r), n, c)), weights += weight;
            }
            if (pooling == Pooling::kMeanSqrtLength) weights = std::sqrt(weights);
            const bool exact =
                pooling == Pooling::kMax || pooling == Pooling::kFirst || pooling == Pooling::kLast;
            bound[s * n + c] =
                exact ? 0 : Gamma(static_cast<std::size_t>(runs[s].length()) + 2) * magnitude / weights;
          }
        Compare(Op::kPool, "pool " + std::to_string(mode) + " width " + std::to_string(n), bound,
                [&](OpBench& b) {
                  const Matrix in = b.Place(x, 67, n), out = b.Place(Floats(runs.size() * n), runs.size(), n);
                  b.ops->Pool(in, b.ops->Stage(std::span<const Sequence>(runs)), pooling, out);
                  return b.Fetch(out);
                });
      }
  }
};

}  // namespace
}  // namespace conformance

ConformanceRatios CheckConformance(const Backend& backend) {
  ConformanceRatios ratios{};
  conformance::RowsSuite(backend, ratios).Run();
  conformance::CheckExperts(backend, ratios);
  conformance::CheckProjectPool(backend, ratios);
  conformance::CheckAttention(backend, ratios);
  conformance::CheckRecurrence(backend, ratios);
  return ratios;
}

}  // namespace candor

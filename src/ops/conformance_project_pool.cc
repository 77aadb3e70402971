// Products that are reduced over runs: runs of one row, of many, beside and over each other, and rows of no
// run.
#include "ops/conformance_products.h"

namespace candor::conformance {
namespace {

// None of these falls anywhere.
constexpr Activation kRising[] = {Activation::kReluLog, Activation::kReluLogLog, Activation::kNone,
                                  Activation::kRelu, Activation::kTanh};

class ProjectPoolSuite final : public Suite {
 public:
  using Suite::Suite;
  void Run() {
    const std::vector<Sequence> several{{.begin = 0, .end = 1},    {.begin = 1, .end = 10},
                                        {.begin = 4, .end = 21},   {.begin = 21, .end = 22},
                                        {.begin = 30, .end = 200}, {.begin = 0, .end = 203}};
    std::size_t i = 0;
    for (const std::size_t k : {1u, 8u, 33u})
      for (const std::size_t n : {1u, 15u, 48u, 67u, 300u, 777u})
        for (const Reduce reduce : {Reduce::kMax, Reduce::kSum})
          for (const bool alone : {true, false})
            Case(k, n, reduce, alone ? std::vector<Sequence>{{.begin = 0, .end = 203}} : several, ++i);
  }

 private:
  void Case(std::size_t k, std::size_t n, Reduce reduce, const std::vector<Sequence>& runs, std::size_t i) {
    constexpr std::size_t kRows = 203;
    const Activation activation = kRising[i % std::size(kRising)];
    TestRandom random(8000 + i);
    const Floats x = random.Values(kRows * k), w = random.Values(n * k),
                 bias = i % 3 == 0 ? Floats() : random.Values(n);
    std::vector<RowBound> rows;
    for (std::size_t r = 0; r < kRows; ++r) {
      const Doubles in(x.begin() + static_cast<std::ptrdiff_t>(r * k),
                       x.begin() + static_cast<std::ptrdiff_t>((r + 1) * k));
      rows.push_back(ProductRow(in, Doubles(k), w, bias, n, activation));
    }
    // Of the largest, the largest bound of a row; of a sum, those of its rows and its own.
    Doubles bound(runs.size() * n);
    for (std::size_t s = 0; s < runs.size(); ++s)
      for (std::size_t c = 0; c < n; ++c) {
        double sum = 0, magnitude = 0, top = 0;
        for (std::int32_t r = runs[s].begin; r < runs[s].end; ++r) {
          const RowBound& row = rows[static_cast<std::size_t>(r)];
          sum += row.bound[c], magnitude += std::abs(row.value[c]), top = std::max(top, row.bound[c]);
        }
        const auto length = static_cast<std::size_t>(runs[s].length());
        bound[s * n + c] = reduce == Reduce::kMax ? top : sum + Gamma(length) * (magnitude + sum);
      }
    Compare(Op::kProjectPool,
            "project_pool " + std::to_string(k) + "x" + std::to_string(n) + " case " + std::to_string(i),
            bound, [&](OpBench& b) {
              const Linear linear{b.Make(w, n, k), bias.empty() ? Weight() : b.Vector(bias)};
              const Matrix out = b.Place(Floats(runs.size() * n), runs.size(), n);
              b.ops->ProjectPool(b.Place(x, kRows, k), linear, b.ops->Stage(std::span<const Sequence>(runs)),
                                 activation, reduce, out);
              return b.Fetch(out);
            });
  }
};

}  // namespace

void CheckProjectPool(const Backend& backend, ConformanceRatios& ratios) {
  ProjectPoolSuite(backend, ratios).Run();
}

}  // namespace candor::conformance

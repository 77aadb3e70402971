// Gates, short convolutions and the gated delta rule, with states that come in and go out.
#include "ops/conformance_products.h"

namespace candor::conformance {
namespace {

constexpr float kRateLow = -2.0f;

std::vector<Sequence> Runs(std::initializer_list<std::int32_t> lengths) {
  std::vector<Sequence> out;
  std::int32_t at = 0;
  for (const std::int32_t n : lengths) out.push_back({.begin = at, .end = at + n}), at += n;
  return out;
}

class RecurrenceSuite final : public Suite {
 public:
  using Suite::Suite;
  void Run() {
    Gates();
    std::size_t i = 0;
    for (const std::size_t taps : {1u, 2u, 4u, 5u, 16u})
      for (const std::size_t cols : {1u, 7u, 8u, 17u, 300u}) Convolutions(taps, cols, ++i);
    i = 0;
    for (const std::size_t key : {1u, 2u, 5u, 8u, 33u, 128u})
      for (const std::size_t value : {1u, 7u, 16u, 32u, 33u, 70u}) Deltas(key, value, ++i);
  }

 private:
  void Gates() {
    std::size_t i = 0;
    for (const std::size_t m : {0u, 1u, 9u, 33u})
      for (const std::size_t parts : {1u, 2u, 7u, 16u, 33u})
        for (const std::size_t width : {1u, 5u, 8u, 19u}) {
          TestRandom random(9000 + ++i);
          const Activation activation = static_cast<Activation>(i % kActivationCount);
          const std::size_t n = parts * width;
          const Floats gate = random.Values(m * parts), x = random.Values(m * n);
          Doubles bound(m * n);
          for (std::size_t c = 0; c < m * n; ++c) {
            const double g = D(gate[c / width]), y = ReferenceActivation(activation, g);
            bound[c] = std::abs(D(x[c])) * AfterActivation(activation, g, 0) + kU * std::abs(y * D(x[c]));
          }
          Compare(Op::kGate,
                  "gate " + std::to_string(m) + "x" + std::to_string(parts) + "x" + std::to_string(width),
                  bound, [&](OpBench& b) {
                    const Matrix in = b.Place(x, m, n), out = i % 2 == 0 ? in : b.Place(Floats(m * n), m, n);
                    b.ops->Gate(b.Place(gate, m, parts), activation, in, out);
                    return b.Fetch(out);
                  });
        }
  }

  void Convolutions(std::size_t taps, std::size_t cols, std::size_t i) {
    const std::vector<Sequence> runs = Runs({3, 1, 0, 40});
    const std::size_t rows = 44, before = taps - 1, kept = runs.size() * before;
    TestRandom random(9500 + i);
    const Activation activation = static_cast<Activation>(i % kActivationCount);
    const Floats x = random.Values(rows * cols), w = random.Values(cols * taps),
                 start = random.Values(kept * cols);
    const bool starts = i % 2 == 0;
    const std::string what = "short_convolution " + std::to_string(taps) + " of " + std::to_string(cols);
    Doubles bound(rows * cols);
    for (std::size_t s = 0; s < runs.size(); ++s)
      for (std::int32_t r = 0; r < runs[s].length(); ++r)
        for (std::size_t c = 0; c < cols; ++c) {
          double sum = 0, magnitude = 0;
          for (std::size_t t = 0; t < taps; ++t) {
            const std::size_t at = static_cast<std::size_t>(r) + t;
            const double y = at >= before
                                 ? RowOf(x, static_cast<std::size_t>(runs[s].begin) + at - before, cols, c)
                             : starts ? RowOf(start, s * before + at, cols, c)
                                      : 0.0;
            sum += y * D(w[c * taps + t]), magnitude += std::abs(y * D(w[c * taps + t]));
          }
          bound[static_cast<std::size_t>(runs[s].begin + r) * cols + c] =
              AfterActivation(activation, sum, Gamma(taps) * magnitude);
        }
    const auto run = [&](OpBench& b, bool ends) {
      const Matrix out = b.Place(Floats(rows * cols), rows, cols),
                   end = b.Place(Floats(kept * cols, 1.0f), kept, cols);
      b.ops->ShortConvolution({.in = b.Place(x, rows, cols),
                               .out = out,
                               .sequences = b.ops->Stage(std::span<const Sequence>(runs)),
                               .weight = b.Vector(w),
                               .taps = taps,
                               .activation = activation,
                               .start = starts ? b.Place(start, kept, cols) : Matrix(),
                               .end = ends ? end : Matrix()});
      return b.Fetch(ends ? end : out);
    };
    Compare(Op::kShortConvolution, what, bound, [&](OpBench& b) { return run(b, false); });
    if (before != 0)  // rows as they came
      Compare(Op::kShortConvolution, what + " end", Doubles(kept * cols),
              [&](OpBench& b) { return run(b, true); });
  }

  // With |key_scale k| <= 1 and beta within [0, 1] a row's step makes no error larger (the matrix of it has
  // no norm above one): errors of a state's column add up, each row's own being first order in u.
  void Deltas(std::size_t key, std::size_t value, std::size_t i) {
    const std::vector<Sequence> runs = Runs({2, 30, 1});
    const std::size_t rows = 33, group = 1 + i % 3, key_heads = 1 + i % 2, heads = group * key_heads,
                      kept = runs.size() * heads * key;
    TestRandom random(9700 + i);
    Floats q = random.Values(rows * key_heads * key), k = random.Values(rows * key_heads * key);
    const Floats v = random.Values(rows * heads * value), start = random.Values(kept * value);
    Floats step = random.Values(rows * heads), beta = random.Values(rows * heads),
           rate = random.Values(heads);
    for (float& x : step) x = std::abs(x);
    for (float& x : beta) x = 1.0f / (1.0f + std::abs(x));
    for (float& x : rate) x = std::max(x, kRateLow);
    const float key_scale = 0.5f, query_scale = 0.75f;
    for (std::size_t r = 0; r < rows * key_heads; ++r) {
      double square = 0;
      for (std::size_t c = 0; c < key; ++c) square += D(k[r * key + c]) * D(k[r * key + c]);
      const double by = 1.99 / std::sqrt(square + 1e-6);
      for (std::size_t c = 0; c < key; ++c) k[r * key + c] = static_cast<float>(by * D(k[r * key + c]));
    }
    const bool starts = i % 2 == 0;
    Doubles bound(rows * heads * value), end_bound(kept * value);
    for (std::size_t s = 0; s < runs.size(); ++s)
      for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t c = 0; c < value; ++c) {
          const std::size_t outside = (s * heads + h) * key;
          Doubles state(key);
          for (std::size_t j = 0; starts && j < key; ++j) state[j] = RowOf(start, outside + j, value, c);
          double error = 0;  // of the column, its length
          for (auto r = static_cast<std::size_t>(runs[s].begin); r < static_cast<std::size_t>(runs[s].end);
               ++r) {
            const std::size_t at = (r * key_heads + h / group) * key;
            const double fade = std::exp(D(rate[h])) * D(step[r * heads + h]), keep = std::exp(-fade),
                         b = D(beta[r * heads + h]), x = D(v[(r * heads + h) * value + c]);
            double known = 0, magnitude = 0, size = 0;
            for (std::size_t j = 0; j < key; ++j) {
              state[j] *= keep;
              const double term = D(key_scale) * D(k[at + j]) * state[j];
              known += term, magnitude += std::abs(term), size += state[j] * state[j];
            }
            error += (6 + 6 * fade) * kU * std::sqrt(size);
            const double news = b * (x - known);
            error += b * (Gamma(key + 2) * magnitude + 6 * kU * (std::abs(x) + std::abs(known)));
            double answer_size = 0, asked = 0;
            size = 0;
            for (std::size_t j = 0; j < key; ++j) {
              state[j] += D(key_scale) * D(k[at + j]) * news;
              size += state[j] * state[j];
              answer_size += std::abs(D(query_scale) * D(q[at + j]) * state[j]);
              asked += D(q[at + j]) * D(q[at + j]);
            }
            error += 2 * kU * std::sqrt(size);
            bound[(r * heads + h) * value + c] =
                D(query_scale) * std::sqrt(asked) * error + Gamma(key + 2) * answer_size;
          }
          for (std::size_t j = 0; j < key; ++j) end_bound[(outside + j) * value + c] = error;
        }
    const auto run = [&](OpBench& b, bool ends) {
      const Matrix out = i % 3 == 0 ? b.Place(v, rows, heads * value)
                                    : b.Place(Floats(rows * heads * value), rows, heads * value),
                   end = b.Place(Floats(kept * value), kept, value);
      b.ops->GatedDelta({.q = b.Place(q, rows, key_heads * key),
                         .k = b.Place(k, rows, key_heads * key),
                         .v = i % 3 == 0 ? out : b.Place(v, rows, heads * value),
                         .step = b.Place(step, rows, heads),
                         .beta = b.Place(beta, rows, heads),
                         .out = out,
                         .sequences = b.ops->Stage(std::span<const Sequence>(runs)),
                         .heads = heads,
                         .key_heads = key_heads,
                         .log_rate = b.Vector(rate),
                         .query_scale = query_scale,
                         .key_scale = key_scale,
                         .start = starts ? b.Place(start, kept, value) : Matrix(),
                         .end = ends ? end : Matrix()});
      return b.Fetch(ends ? end : out);
    };
    const std::string what = "gated_delta " + std::to_string(heads) + " heads, " + std::to_string(key) + "x" +
                             std::to_string(value);
    Compare(Op::kGatedDelta, what, bound, [&](OpBench& b) { return run(b, false); });
    Compare(Op::kGatedDelta, what + " end", end_bound, [&](OpBench& b) { return run(b, true); });
  }
};

}  // namespace

void CheckRecurrence(const Backend& backend, ConformanceRatios& ratios) {
  RecurrenceSuite(backend, ratios).Run();
}

}  // namespace candor::conformance

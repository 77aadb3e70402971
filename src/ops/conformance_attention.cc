// Attention whole, in windows, with biases and with shared key heads; rotary positions.
#include "ops/conformance_suite.h"

namespace candor::conformance {
namespace {

// One attention: what it reads, and who sees whom.
struct Case {
  std::size_t heads = 1, kv_heads = 1, d = 1;
  std::int32_t radius = AttentionArgs::kEveryRow;
  bool causal = false;
  float softcap = 0;
  std::size_t reach = 0;  // of biases; none when `bias` is empty
  bool unseen = false;    // some rows at the ends are no keys
  std::size_t table = 0;  // rows of the tables of relative positions; none when `buckets` is empty
  bool keys_too = true, queries_too = true;
  std::vector<std::int32_t> buckets;
  Floats position_keys, position_queries;
  Floats qkv, bias;
  std::vector<Sequence> sequences;
  std::size_t rows = 0;

  std::size_t width() const { return heads * d; }
  std::size_t kv_width() const { return kv_heads * d; }
  std::size_t stride() const { return width() + 2 * kv_width(); }
};

class AttentionSuite final : public Suite {
 public:
  using Suite::Suite;
  void Run() {
    const std::vector<std::vector<std::int32_t>> batches{{1},      {2, 1},      {7, 8, 9}, {15, 16, 17},
                                                         {31, 33}, {64, 67, 1}, {130},     {600}};
    std::size_t i = 0;
    for (const auto& lengths : batches)
      for (const std::size_t d : {1u, 7u, 8u, 16u, 32u, 40u, 64u, 100u}) {
        if (lengths[0] == 600 && d > 64) continue;
        Case c;
        c.d = d, c.heads = 1 + i % 3, c.kv_heads = c.heads;
        Check(c, lengths, 2000 + ++i);
        c.radius = kRadii[i % std::size(kRadii)];
        if (i % 2 == 0) c.heads = 2 * (1 + i % 3), c.kv_heads = c.heads / 2;
        Check(c, lengths, 6000 + i);
        Case causal = c;
        causal.causal = true, causal.unseen = i % 3 == 0;
        Check(causal, lengths, 6300 + i);
        causal.radius = AttentionArgs::kEveryRow;
        Check(causal, lengths, 6600 + i);
        // Scores beyond a cap, and far within one.
        causal.softcap = i % 2 == 0 ? 0.5f : 50.0f, causal.radius = c.radius;
        Check(causal, lengths, 6900 + i);
        if (i % 4 == 1) c.softcap = 2.0f;
        c.reach = static_cast<std::size_t>(std::ranges::max(lengths)) - 1 + i % 3;
        if (i % 3 == 0) c.radius = AttentionArgs::kEveryRow;
        Check(c, lengths, 7000 + i);
        c.unseen = true;
        Check(c, lengths, 7500 + i);
        CheckPositions(d, lengths, i);
      }
    Rotations();
  }

 private:
  // Buckets that grow by one near the diagonal, and less and less often away from it.
  void CheckPositions(std::size_t d, const std::vector<std::int32_t>& lengths, std::size_t i) {
    Case c;
    c.d = d, c.heads = 1 + i % 3, c.kv_heads = c.heads;
    c.keys_too = i % 3 != 1, c.queries_too = i % 3 != 2;
    const std::int32_t reach = std::ranges::max(lengths) - 1 + static_cast<std::int32_t>(i % 2), exact = 20;
    std::int32_t bucket = 0;
    for (std::int32_t distance = -reach; distance <= reach; ++distance) {
      c.buckets.push_back(bucket);
      bucket += std::abs(distance) < exact || distance % 7 == 0 ? 1 : 0;
    }
    c.table = static_cast<std::size_t>(bucket) + 1;
    Check(c, lengths, 9000 + i);
    c.unseen = true;
    Check(c, lengths, 9500 + i);
  }

  static constexpr std::int32_t kRadii[] = {0, 1, 3, 16, 63, 64, 100};

  void Check(Case c, const std::vector<std::int32_t>& lengths, std::uint64_t seed) {
    std::int32_t total = 0;
    for (const std::int32_t length : lengths)
      c.sequences.push_back({.begin = total, .end = total + length}), total += length;
    c.rows = static_cast<std::size_t>(total);
    TestRandom random(seed);
    for (Sequence& s : c.sequences)  // from none to all rows
      if (c.unseen)
        s.unseen = static_cast<std::int32_t>(random.Next() % (static_cast<std::uint64_t>(s.length()) + 1));
    c.qkv = random.Values(c.rows * c.stride());
    if (c.reach != 0) c.bias = random.Values((2 * c.reach + 1) * c.heads);
    if (c.keys_too) c.position_keys = random.Values(c.table * c.width());
    if (c.queries_too) c.position_queries = random.Values(c.table * c.width());
    const float scale = 1.0f / std::sqrt(static_cast<float>(c.d));
    Doubles bound(c.rows * c.width());
    for (const Sequence& s : c.sequences)
      for (std::int32_t q = s.begin; q < s.end; ++q)
        for (std::size_t h = 0; h < c.heads; ++h) RowBound(c, s, q, h, D(scale), bound);
    const std::string what = "attention rows " + std::to_string(c.rows) + " head " + std::to_string(c.d) +
                             " radius " + std::to_string(c.radius) + (c.causal ? " causal" : "") +
                             (c.softcap != 0 ? " capped" : "") + (c.bias.empty() ? "" : " biased") +
                             (c.buckets.empty() ? "" : " with positions") + (c.unseen ? " unseen" : "");
    Compare(Op::kAttention, what, bound, [&](OpBench& b) {
      const Matrix all = b.Place(c.qkv, c.rows, c.stride()),
                   out = b.Place(Floats(c.rows * c.width()), c.rows, c.width()),
                   bias = c.bias.empty() ? Matrix() : b.Place(c.bias, 2 * c.reach + 1, c.heads);
      const Sequences staged = b.ops->Stage(std::span<const Sequence>(c.sequences));
      const auto table = [&](const Floats& values) {
        return values.empty() ? Matrix() : b.Place(values, c.table, c.width());
      };
      b.ops->Attention({.q = all.Cols(0, c.width()),
                        .k = all.Cols(c.width(), c.kv_width()),
                        .v = all.Cols(c.width() + c.kv_width(), c.kv_width()),
                        .out = out,
                        .sequences = staged,
                        .heads = c.heads,
                        .kv_heads = c.kv_heads,
                        .scale = scale,
                        .softcap = c.softcap,
                        .radius = c.radius,
                        .causal = c.causal,
                        .distance_bias = bias,
                        .position_keys = table(c.position_keys),
                        .position_queries = table(c.position_queries),
                        .buckets = b.ops->Stage(c.buckets)});
      return b.Fetch(out);
    });
  }

  // Scores carry gamma(d + 4) of their magnitude, which a cap makes no larger: its slope is at most 1, and it
  // adds a quotient, a tanh (2 ulp) and a product. Of their magnitude also, a bias and each term of positions
  // being one summand more. A weight is off, relatively, by twice the worst score error, the rounding of
  // score - max, the exponential (4 u) and the sum; the mix adds its own sum.
  static void RowBound(const Case& c, const Sequence& s, std::int32_t query, std::size_t h, double scale,
                       Doubles& bound) {
    const std::size_t q = static_cast<std::size_t>(query), group = c.heads / c.kv_heads, at = h * c.d,
                      key_at = c.width() + h / group * c.d, value_at = key_at + c.kv_width();
    Doubles score;
    std::vector<std::size_t> keys;
    double worst = 0, top = -1e300, low = 1e300, sum = 0;
    for (std::int32_t key = s.begin; key < s.begin + s.keys(); ++key) {
      if (std::abs(key - query) > c.radius || (c.causal && key > query)) continue;
      const std::size_t j = static_cast<std::size_t>(key);
      double product = 0, magnitude = 0;
      for (std::size_t e = 0; e < c.d; ++e) {
        const double p = RowOf(c.qkv, q, c.stride(), at + e) * RowOf(c.qkv, j, c.stride(), key_at + e);
        product += p * scale, magnitude += std::abs(p) * scale;
      }
      double capped = 0;  // the error of the cap
      if (c.softcap != 0) {
        const double cap = D(c.softcap);
        product = cap * std::tanh(product / cap), capped = Gamma(8) * std::abs(product);
      }
      if (!c.bias.empty()) {
        const double bias = RowOf(c.bias, c.reach + j - q, c.heads, h);
        product += bias, magnitude += std::abs(bias);
      }
      const std::size_t row =
          c.buckets.empty() ? 0 : static_cast<std::size_t>(c.buckets[c.buckets.size() / 2 + j - q]);
      const auto add = [&](const Floats& table, std::size_t of, std::size_t from) {
        for (std::size_t e = 0; e < c.d && !table.empty(); ++e) {
          const double p = RowOf(c.qkv, of, c.stride(), from + e) * RowOf(table, row, c.width(), at + e);
          product += p * scale, magnitude += std::abs(p) * scale;
        }
      };
      add(c.position_keys, q, at), add(c.position_queries, j, key_at);
      score.push_back(product), keys.push_back(j);
      worst = std::max(worst, Gamma(c.d + 4) * magnitude + capped);
      top = std::max(top, product), low = std::min(low, product);
    }
    for (double& x : score) sum += (x = std::exp(x - top));
    const double relative =
        std::expm1(2 * worst + 2 * kU * (top - low) + 8 * kU) + Gamma(2 * score.size() + 4);
    for (std::size_t e = 0; e < c.d; ++e) {
      double magnitude = 0;
      for (std::size_t k = 0; k < keys.size(); ++k)
        magnitude += score[k] / sum * std::abs(RowOf(c.qkv, keys[k], c.stride(), value_at + e));
      bound[q * c.width() + at + e] = relative * magnitude;
    }
  }

  void Rotations() {
    std::size_t i = 0;
    for (const std::size_t m : {1u, 9u, 33u, 300u})
      for (const std::size_t pairs : {1u, 4u, 7u, 8u, 16u, 20u, 32u}) {
        TestRandom random(8000 + ++i);
        const std::size_t heads = 1 + i % 4, d = 2 * pairs + i % 3;  // some columns stay as they are
        const Floats x = random.Values(m * heads * d), turns = random.Values(m * 2 * pairs);
        Doubles bound(m * heads * d);
        for (std::size_t r = 0; r < m; ++r)
          for (std::size_t h = 0; h < heads; ++h)
            for (std::size_t c = 0; c < pairs; ++c) {
              const double a = std::abs(RowOf(x, r, heads * d, h * d + c)),
                           b = std::abs(RowOf(x, r, heads * d, h * d + pairs + c)),
                           cosine = std::abs(RowOf(turns, r, 2 * pairs, c)),
                           sine = std::abs(RowOf(turns, r, 2 * pairs, pairs + c));
              bound[(r * heads + h) * d + c] = Gamma(2) * (a * cosine + b * sine);
              bound[(r * heads + h) * d + pairs + c] = Gamma(2) * (b * cosine + a * sine);
            }
        Compare(Op::kRotate, "rotate " + std::to_string(m) + " pairs " + std::to_string(pairs), bound,
                [&](OpBench& b) {
                  const Matrix out = b.Place(x, m, heads * d);
                  b.ops->Rotate(out, heads, b.Place(turns, m, 2 * pairs));
                  return b.Fetch(out);
                });

        const std::size_t taps = 1 + 2 * (i % 3);
        std::vector<Sequence> parts{{.begin = 0, .end = static_cast<std::int32_t>(m)}};
        if (m > 9) parts = {{.begin = 0, .end = 9}, {.begin = 9, .end = static_cast<std::int32_t>(m)}};
        const Floats rows = random.Values(m * pairs);
        Compare(Op::kUnfold, "unfold " + std::to_string(m), Doubles(m * pairs * taps), [&](OpBench& b) {
          const Matrix out = b.Place(Floats(m * pairs * taps), m, pairs * taps);
          b.ops->Unfold(b.Place(rows, m, pairs), b.ops->Stage(std::span<const Sequence>(parts)), taps, out);
          return b.Fetch(out);
        });

        // Two values rounded from what is the same to 1e-15 are at most one step apart.
        std::vector<std::int32_t> positions;
        std::vector<Sequence> sequences{{.begin = 0, .end = static_cast<std::int32_t>(m)}};
        for (std::size_t r = 0; r < m; ++r)
          positions.push_back(static_cast<std::int32_t>(random.Next() % 65536));
        if (m > 9) {
          sequences[0].end = 9;
          sequences.push_back({.begin = 9, .end = static_cast<std::int32_t>(m)});
        }
        Rope rope{Frequencies(10000, pairs)};
        if (pairs > 1 && i % 2 == 0)
          rope.dynamic = Rope::Dynamic{.base = 1000, .factor = 2, .trained = 16, .rounded = i % 4 == 0};
        if (i % 5 == 1) rope.beyond = Rope::Long{.frequency = Frequencies(77, pairs), .trained = 9};
        if (i % 3 == 1) rope.scale = 1.25f;
        if (i % 3 == 2) rope.growth = Rope::Growth{.beta = 0.25f, .trained = 4096};
        const double most = 2 * D(ScaleAt(rope, 65535));
        Compare(Op::kAngles, "angles " + std::to_string(m), Doubles(m * 2 * pairs, most * kU),
                [&](OpBench& b) {
                  const Matrix out = b.Place(Floats(m * 2 * pairs), m, 2 * pairs);
                  b.ops->Angles(b.ops->Stage(positions), b.ops->Stage(std::span<const Sequence>(sequences)),
                                rope, out);
                  return b.Fetch(out);
                });
      }
  }
};

}  // namespace

void CheckAttention(const Backend& backend, ConformanceRatios& ratios) {
  AttentionSuite(backend, ratios).Run();
}

}  // namespace candor::conformance

// In f32 every table gives the same bits as the scalar one, and a row's bits depend on nothing but its
// sequence: not on the rows beside it, not on the thread count, not on where it lies in memory. Long because
// the layers that it runs are built by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string>

#include "cpu/cpu_backend.h"
#include "cpu/features.h"
#include "ops/op_bench.h"

namespace candor::cpu {
namespace {

using Floats = std::vector<float>;

std::size_t Differences(const Floats& a, const Floats& b) {
  if (a.size() != b.size()) return std::max(a.size(), b.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < a.size(); ++i) n += std::memcmp(&a[i], &b[i], sizeof(float)) != 0;
  return n;
}

std::vector<Sequence> SequencesOf(const std::vector<std::int32_t>& lengths) {
  std::vector<Sequence> out;
  std::int32_t at = 0;
  for (const std::int32_t length : lengths) out.push_back({.begin = at, .end = at + length}), at += length;
  return out;
}

// Eight significant bits, none below 1 / 64: what BF16 and F16 both have.
void Coarsen(Floats& values) {
  for (float& v : values) {
    v = std::trunc(v * 64.0f) / 64.0f;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &v, sizeof v);
    bits &= 0xffff0000u;
    std::memcpy(&v, &bits, sizeof v);
  }
}

// One layer of every operation, on rows of width heads * dim: what a model does, so that any difference
// shows.
struct Layer {
  std::size_t heads, dim, inner;
  Activation activation;
  std::optional<DType> stored = {};  // of coarsened weights
  std::size_t width() const { return heads * dim; }
  Floats Run(const Backend& backend, const Floats& x, const std::vector<std::int32_t>& lengths) const {
    OpBench b(backend);
    b.stored = stored.value_or(DType::kF32);
    TestRandom random(99);
    const std::size_t w = width(), rows = x.size() / w;
    const auto scaled = [&](std::size_t n) {
      Floats v = random.Values(n);
      for (float& f : v) f *= 0.2f;
      if (stored) Coarsen(v);
      return v;
    };
    const Linear qkv = b.MakeLinear(scaled(3 * w * w), 3 * w, scaled(3 * w));
    const Mlp mlp{b.MakeLinear(scaled(inner * w), inner, scaled(inner)),
                  b.MakeLinear(scaled(w * inner), w, scaled(w)), activation};
    const candor::Norm norm{candor::Norm::Kind::kLayer, b.Vector(scaled(w)), b.Vector(scaled(w)), 1e-12f};
    const std::vector<Sequence> sequences = SequencesOf(lengths);
    const Sequences staged = b.ops->Stage(std::span<const Sequence>(sequences));
    const Matrix h = b.Place(x, rows, w), all = b.Place(Floats(rows * 3 * w), rows, 3 * w),
                 c = b.Place(Floats(rows * w), rows, w);
    b.ops->Normalize(h, norm, h);
    b.ops->Project(h, qkv, all);
    b.ops->Attention({.q = all.Cols(0, w),
                      .k = all.Cols(w, w),
                      .v = all.Cols(2 * w, w),
                      .out = c,
                      .sequences = staged,
                      .heads = heads,
                      .scale = 0.3f});
    b.ops->Combine(0.5f, c, 1.0f, h, h);
    std::vector<std::int32_t> ids;
    for (const std::int32_t length : lengths)
      for (std::int32_t i = 0; i < length; ++i) ids.push_back(i % 9);
    b.ops->Embed({{b.Make(scaled(9 * w), 9, w, Role::kTable), b.ops->Stage(ids)}}, {}, c);
    b.ops->Gate(h, Activation::kNone, c, c);
    b.ops->Combine(1.0f, c, 1.0f, h, h);
    b.ops->FeedForward(h, mlp, h, {.accumulate = true, .norm = &norm});
    b.ops->Activate(h, activation, c);
    b.ops->NormalizeL2(c, h);
    EXPECT_TRUE(b.MarginsIntact());
    Floats out = b.Fetch(h);
    for (int mode = 0; mode < 6; ++mode) {
      const Matrix pooled = b.Place(Floats(lengths.size() * w), lengths.size(), w);
      b.ops->Pool(h, staged, static_cast<Pooling>(mode), pooled);
      const Floats p = b.Fetch(pooled);
      out.insert(out.end(), p.begin(), p.end());
    }
    for (const Reduce reduce : {Reduce::kMax, Reduce::kSum}) {
      const Matrix pooled = b.Place(Floats(lengths.size() * 3 * w), lengths.size(), 3 * w);
      b.ops->ProjectPool(h, qkv, staged, activation, reduce, pooled);
      const Floats p = b.Fetch(pooled);
      out.insert(out.end(), p.begin(), p.end());
    }
    return out;
  }
};

TEST(Parity, EveryTableGivesTheScalarBits) {  // BAT-03
  const auto tables = RunnableTables(DetectFeatures());
  std::size_t compared = 0;
  for (std::size_t i = 0; i < 2 * kActivationCount; ++i) {
    const Layer layer{1 + i % 3, std::array<std::size_t, 6>{1, 7, 16, 17, 32, 48}[i % 6], 3 + 37 * (i % 7),
                      static_cast<Activation>(i % kActivationCount)};
    const std::vector<std::int32_t> lengths =
        i % 2 == 0 ? std::vector<std::int32_t>{1, 15, 33, 2} : std::vector<std::int32_t>{67, 7};
    std::size_t rows = 0;
    for (const std::int32_t l : lengths) rows += static_cast<std::size_t>(l);
    TestRandom random(i);
    const Floats x = random.Values(rows * layer.width());
    const CpuBackend scalar(kScalarTable, 1);
    const Floats wanted = layer.Run(scalar, x, lengths);
    EXPECT_TRUE(std::ranges::all_of(wanted, [](float v) { return std::isfinite(v); })) << i;
    for (const KernelTable* table : tables) {
      const CpuBackend backend(*table, 1);
      EXPECT_EQ(Differences(wanted, layer.Run(backend, x, lengths)), 0u) << table->isa << " case " << i;
      compared += wanted.size();
    }
  }
  EXPECT_GT(compared, 10000u);
}

// Weights of 16 bits give the bits of the same values in f32: alone, in tiles, and in panels that several
// tiles read.
TEST(Parity, WeightsOf16BitsAreWidenedExactly) {
  std::size_t compared = 0;
  for (const std::int32_t rows : {1, 2, 3, 7, 16, 41}) {
    Layer layer{2, 24, 70, Activation::kGeluErf, DType::kF32};
    TestRandom random(static_cast<std::uint64_t>(rows));
    const Floats x = random.Values(static_cast<std::size_t>(rows) * layer.width());
    const Floats wanted = layer.Run(CpuBackend(kScalarTable, 1), x, {rows});
    for (const KernelTable* table : RunnableTables(DetectFeatures()))
      for (const DType type : {DType::kBf16, DType::kF16})
        for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
          layer.stored = type;
          EXPECT_EQ(Differences(wanted, layer.Run(CpuBackend(*table, threads), x, {rows})), 0u)
              << table->isa << " " << Name(type) << " rows " << rows;
          compared += wanted.size();
        }
  }
  EXPECT_GT(compared, 10000u);
}

// Every activation over all exponents, both signs, and the values where branches meet.
TEST(Parity, FunctionsOnAllRanges) {
  Floats x;
  for (std::uint32_t bits = 0; bits < 0x7f800000u; bits += 0x1357) {
    float v = 0;
    std::memcpy(&v, &bits, sizeof v);
    x.push_back(v), x.push_back(-v);
  }
  for (const float v : {0.625f, 6.0f, 0.0f, -0.0f, 20.0f, 88.7f, 88.8f, -104.0f, -87.4f}) x.push_back(v);
  for (std::size_t a = 0; a < kActivationCount; ++a) {
    Floats wanted(x.size()), got(x.size());
    kScalarTable.activate.run(static_cast<Activation>(a), {x.data(), x.size()}, 1, x.size(),
                              {wanted.data(), x.size()});
    for (const KernelTable* table : RunnableTables(DetectFeatures())) {
      table->activate.run(static_cast<Activation>(a), {x.data(), x.size()}, 1, x.size(),
                          {got.data(), x.size()});
      // A NaN (0 * infinity far out) has no sign worth comparing.
      std::size_t differences = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        differences +=
            std::memcmp(&wanted[i], &got[i], 4) != 0 && !(std::isnan(wanted[i]) && std::isnan(got[i]));
      EXPECT_EQ(differences, 0u) << table->isa << " activation " << a;
    }
  }
}

// A layer as newer encoders have it: RMS norm beside the residual stream, rotated heads that share keys, a
// window, distance biases, a gated feed-forward.
Floats RotaryLayer(const Backend& backend, const Floats& x, std::size_t width,
                   const std::vector<std::int32_t>& lengths) {
  OpBench b(backend);
  TestRandom random(77);
  constexpr std::size_t kHeads = 4, kKeyHeads = 2, kReach = 299;
  const std::size_t rows = x.size() / width, dim = width / kHeads, all_width = width + 2 * kKeyHeads * dim,
                    inner = 37;
  const auto scaled = [&](std::size_t n) {
    Floats v = random.Values(n);
    for (float& f : v) f *= 0.2f;
    return v;
  };
  const Linear qkv = b.MakeLinear(scaled(all_width * width), all_width, scaled(all_width));
  const Mlp mlp{b.MakeLinear(scaled(2 * inner * width), 2 * inner, scaled(2 * inner)),
                b.MakeLinear(scaled(width * inner), width, scaled(width)), Activation::kSilu, true};
  const candor::Norm norm{candor::Norm::Kind::kRms, b.Vector(scaled(width)), {}, 1e-6f};
  std::vector<Sequence> sequences = SequencesOf(lengths);
  // In the window most of these rows then see nothing at all.
  for (Sequence& s : sequences)
    if (s.length() > 50) s.unseen = s.length() / 2;
  const Sequences staged = b.ops->Stage(std::span<const Sequence>(sequences));
  std::vector<std::int32_t> positions;
  for (const std::int32_t length : lengths)
    for (std::int32_t i = 0; i < length; ++i) positions.push_back(i);
  const Matrix h = b.Place(x, rows, width), normed = b.Place(Floats(x.size()), rows, width),
               all = b.Place(Floats(rows * all_width), rows, all_width),
               c = b.Place(Floats(x.size()), rows, width),
               bias = b.Place(scaled((2 * kReach + 1) * kHeads), 2 * kReach + 1, kHeads);
  const Rope rope{Frequencies(10000, dim / 2 - 1)};
  const Matrix angles = b.Place(Floats(rows * 2 * rope.pairs()), rows, 2 * rope.pairs());
  b.ops->Angles(b.ops->Stage(positions), staged, rope, angles);
  b.ops->Normalize(h, norm, normed);
  b.ops->Project(normed, qkv, all);
  const Matrix turning = all.Cols(0, width + kKeyHeads * dim);
  const candor::Norm of_heads{candor::Norm::Kind::kRms, b.Vector(scaled(dim)), {}, 1e-6f};
  b.ops->Normalize(turning, of_heads, turning, kHeads + kKeyHeads);
  b.ops->Rotate(turning, kHeads + kKeyHeads, angles);
  for (const auto& [radius, causal] : {std::pair{5, false},
                                       {AttentionArgs::kEveryRow, false},
                                       {70, true},
                                       {AttentionArgs::kEveryRow, true}}) {
    b.ops->Attention({.q = all.Cols(0, width),
                      .k = all.Cols(width, kKeyHeads * dim),
                      .v = all.Cols(width + kKeyHeads * dim, kKeyHeads * dim),
                      .out = c,
                      .sequences = staged,
                      .heads = kHeads,
                      .kv_heads = kKeyHeads,
                      .scale = 0.3f,
                      .softcap = causal ? 0.5f : 0.0f,
                      .radius = radius,
                      .causal = causal,
                      .distance_bias = bias});
    b.ops->Combine(0.5f, c, 1.0f, h, h);
    b.ops->FeedForward(normed, mlp, h, {.accumulate = true, .norm = &norm, .normed = normed});
  }
  EXPECT_TRUE(b.MarginsIntact());
  return b.Fetch(normed);
}

TEST(Parity, RotaryLayersOnEveryTableAndThreadCount) {  // BAT-03
  constexpr std::size_t kWidth = 4 * 18;
  const std::vector<std::int32_t> lengths{7, 1, 64, 300, 33, 100};
  TestRandom random(9);
  const Floats x = random.Values(505 * kWidth);
  const Floats wanted = RotaryLayer(CpuBackend(kScalarTable, 1), x, kWidth, lengths);
  for (const KernelTable* table : RunnableTables(DetectFeatures())) {
    for (const std::size_t threads : {1u, 3u})
      EXPECT_EQ(Differences(wanted, RotaryLayer(CpuBackend(*table, threads), x, kWidth, lengths)), 0u)
          << table->isa << " " << threads;
    std::size_t at = 0;
    for (const std::int32_t length : lengths) {
      const auto begin = x.begin() + static_cast<std::ptrdiff_t>(at);
      const std::size_t count = static_cast<std::size_t>(length) * kWidth;
      const Floats alone = RotaryLayer(
          CpuBackend(*table, 2), Floats(begin, begin + static_cast<std::ptrdiff_t>(count)), kWidth, {length});
      const auto from = wanted.begin() + static_cast<std::ptrdiff_t>(at);
      EXPECT_EQ(Differences(alone, Floats(from, from + static_cast<std::ptrdiff_t>(count))), 0u)
          << table->isa << " length " << length;
      at += count;
    }
  }
}

TEST(Parity, RowsAreIndependentOfTheirNumber) {  // BAT-03
  constexpr std::size_t kMost = 512, kInner = 100, kOuter = 77;
  TestRandom random(5);
  const Floats x = random.Values(kMost * kInner), w = random.Values(kOuter * kInner),
               bias = random.Values(kOuter), old = random.Values(kMost * kOuter);
  for (const KernelTable* table : RunnableTables(DetectFeatures())) {
    const CpuBackend backend(*table, 1);
    const auto run = [&](std::size_t first, std::size_t rows) {
      OpBench b(backend);
      const Linear linear = b.MakeLinear(w, kOuter, bias);
      const auto part = [&](const Floats& v, std::size_t cols) {
        const auto at = v.begin() + static_cast<std::ptrdiff_t>(first * cols);
        return Floats(at, at + static_cast<std::ptrdiff_t>(rows * cols));
      };
      const Matrix out = b.Place(part(old, kOuter), rows, kOuter);
      b.ops->Project(b.Place(part(x, kInner), rows, kInner), linear, out,
                     {.activation = Activation::kGeluErf, .accumulate = true});
      return b.Fetch(out);
    };
    Floats alone;
    for (std::size_t r = 0; r < kMost; ++r) {
      const Floats row = run(r, 1);
      alone.insert(alone.end(), row.begin(), row.end());
    }
    const std::size_t step = table->isa == "scalar" ? 37 : 1;  // the scalar table takes its time
    for (std::size_t m = 1; m <= kMost; m += step) {
      const Floats together = run(0, m);
      EXPECT_EQ(Differences(together,
                            Floats(alone.begin(), alone.begin() + static_cast<std::ptrdiff_t>(m * kOuter))),
                0u)
          << table->isa << " rows " << m;
    }
  }
}

// Routed experts in the residual stream: few rows share columns, many share rows, all with the same bits.
TEST(Parity, ExpertsDoNotDependOnTheRowsBesideTheirs) {  // BAT-03
  constexpr std::size_t kWidth = 72, kInner = 83, kExperts = 7, kTopK = 2, kMost = 700;
  TestRandom random(12);
  const auto scaled = [&](std::size_t n) {
    Floats v = random.Values(n);
    for (float& f : v) f *= 0.2f;
    return v;
  };
  const Floats x = random.Values(kMost * kWidth), gate = scaled(kExperts * kWidth), shared = scaled(kWidth);
  std::vector<std::array<Floats, 2>> products;
  for (std::size_t e = 0; e < kExperts; ++e)
    products.push_back({scaled(2 * kInner * kWidth), scaled(kWidth * kInner)});
  const auto run = [&](const Backend& backend, std::size_t first, std::size_t rows) {
    OpBench b(backend);
    ExpertSet set{{}, b.Vector(shared)};
    for (const auto& [up, down] : products)
      set.experts.push_back(
          {b.MakeLinear(up, 2 * kInner, {}), b.MakeLinear(down, kWidth, {}), Activation::kSilu, true});
    const auto at = x.begin() + static_cast<std::ptrdiff_t>(first * kWidth);
    const Matrix h = b.Place(Floats(at, at + static_cast<std::ptrdiff_t>(rows * kWidth)), rows, kWidth);
    const candor::Norm norm{candor::Norm::Kind::kLayer, b.Vector(shared), {}, 1e-5f};
    const Routing routing = b.PlaceRouting(rows, kTopK);
    b.ops->Route(h,
                 {b.MakeLinear(gate, kExperts, {}), kTopK, true,
                  b.Vector(Floats(shared.begin(), shared.begin() + kExperts))},
                 routing);
    b.ops->Experts(h, set, routing, h, {.accumulate = true, .norm = &norm});
    EXPECT_TRUE(b.MarginsIntact());
    Floats out = b.Fetch(h);
    const Floats weights = b.Fetch(routing.weights);
    out.insert(out.end(), weights.begin(), weights.end());
    return out;
  };
  const Floats wanted = run(CpuBackend(kScalarTable, 1), 0, kMost);
  for (const KernelTable* table : RunnableTables(DetectFeatures()))
    for (const std::size_t threads : {1u, 3u}) {
      const CpuBackend backend(*table, threads);
      EXPECT_EQ(Differences(wanted, run(backend, 0, kMost)), 0u) << table->isa << " " << threads;
      for (const auto& [first, rows] : {std::pair(0u, 1u), std::pair(1u, 2u), std::pair(3u, 40u),
                                        std::pair(43u, 60u), std::pair(100u, 300u), std::pair(699u, 1u)}) {
        const auto at = [&](std::size_t i) { return wanted.begin() + static_cast<std::ptrdiff_t>(i); };
        Floats part(at(first * kWidth), at((first + rows) * kWidth));
        part.insert(part.end(), at(kMost * kWidth + first * kTopK),
                    at(kMost * kWidth + (first + rows) * kTopK));
        EXPECT_EQ(Differences(part, run(backend, first, rows)), 0u)
            << table->isa << " " << threads << " threads, rows " << first << " and " << rows;
      }
    }
}

TEST(Parity, SequencesAreIndependentOfTheirCompany) {  // BAT-03
  const Layer layer{3, 16, 128, Activation::kGeluErf};
  const std::vector<std::int32_t> lengths{7, 1, 64, 200, 33, 8};
  TestRandom random(6);
  for (const KernelTable* table : RunnableTables(DetectFeatures())) {
    const CpuBackend backend(*table, 1);
    const Floats x = random.Values(313 * layer.width());
    const Floats together = layer.Run(backend, x, lengths);
    std::size_t at = 0;
    for (const std::int32_t length : lengths) {
      const std::size_t count = static_cast<std::size_t>(length) * layer.width();
      const Floats own(x.begin() + static_cast<std::ptrdiff_t>(at),
                       x.begin() + static_cast<std::ptrdiff_t>(at + count));
      Floats alone = layer.Run(backend, own, {length});
      alone.resize(count);
      EXPECT_EQ(Differences(alone, Floats(together.begin() + static_cast<std::ptrdiff_t>(at),
                                          together.begin() + static_cast<std::ptrdiff_t>(at + count))),
                0u)
          << table->isa << " length " << length;
      at += count;
    }
  }
}

TEST(Parity, ThreadsLeaveNoTrace) {
  const Layer layer{2, 32, 300, Activation::kSilu};
  TestRandom random(7);
  for (const auto& lengths : std::vector<std::vector<std::int32_t>>{{5}, {40}, {300}, {20, 30, 1, 90, 64}}) {
    std::size_t rows = 0;
    for (const std::int32_t l : lengths) rows += static_cast<std::size_t>(l);
    const Floats x = random.Values(rows * layer.width());
    const KernelTable& table = *RunnableTables(DetectFeatures()).back();
    const CpuBackend one(table, 1);
    const Floats wanted = layer.Run(one, x, lengths);
    for (const std::size_t threads : {2u, 3u, 4u}) {
      const CpuBackend several(table, threads);
      for (int i = 0; i < 3; ++i)
        EXPECT_EQ(Differences(wanted, layer.Run(several, x, lengths)), 0u) << threads << " threads";
    }
  }
}

// Long enough that keys no longer fit the scratch at once, and are packed block by block.
TEST(Parity, LongSequencesInBlocks) {
  const std::size_t length = 2100, keys = 2050, dim = 80;
  TestRandom random(8);
  const Floats qkv = random.Values(length * 3 * dim);
  const std::vector<Sequence> whole{{.begin = 0,
                                     .end = static_cast<std::int32_t>(length),
                                     .unseen = static_cast<std::int32_t>(length - keys)}};
  Floats wanted;
  for (const KernelTable* table : RunnableTables(DetectFeatures())) {
    const CpuBackend backend(*table, 1);
    OpBench b(backend);
    const Matrix all = b.Place(qkv, length, 3 * dim), out = b.Place(Floats(length * dim), length, dim);
    b.ops->Attention({.q = all.Cols(0, dim),
                      .k = all.Cols(dim, dim),
                      .v = all.Cols(2 * dim, dim),
                      .out = out,
                      .sequences = b.ops->Stage(std::span<const Sequence>(whole)),
                      .heads = 1,
                      .scale = 0.1f});
    const Floats got = b.Fetch(out);
    if (wanted.empty()) wanted = got;
    EXPECT_EQ(Differences(wanted, got), 0u) << table->isa;
  }
  // Two rows by hand, in double: the blocks change nothing but the order of memory.
  for (const std::size_t q : {std::size_t{0}, length - 1}) {
    std::vector<double> p(keys);
    double top = -1e300, sum = 0;
    for (std::size_t j = 0; j < keys; ++j) {
      for (std::size_t c = 0; c < dim; ++c)
        p[j] += static_cast<double>(qkv[q * 3 * dim + c]) * static_cast<double>(qkv[j * 3 * dim + dim + c]);
      top = std::max(top, p[j] *= static_cast<double>(0.1f));
    }
    for (double& v : p) sum += (v = std::exp(v - top));
    for (std::size_t c = 0; c < dim; ++c) {
      double y = 0;
      for (std::size_t j = 0; j < keys; ++j)
        y += p[j] / sum * static_cast<double>(qkv[j * 3 * dim + 2 * dim + c]);
      EXPECT_NEAR(wanted[q * dim + c], y, 2e-5);  // weights up to 12 in size, gamma(2100) = 1.3e-4 at worst
    }
  }
}

}  // namespace
}  // namespace candor::cpu

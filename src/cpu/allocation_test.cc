// After the first use of a thread's scratch no operation allocates. Counts every operator new of this
// program, and is alone in it for that reason.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "cpu/cpu_backend.h"
#include "ops/op_bench.h"

namespace {
std::atomic<std::size_t> allocations{0};
}  // namespace

// Never inlined: GCC takes a free inlined next to a call of new for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* const p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace candor::cpu {
namespace {

TEST(Allocation, NoneInsideOperations) {
  const auto backend = CpuBackend::New({.threads = 3}).value();
  OpBench b(*backend);
  TestRandom random(1);
  const std::size_t rows = 40, w = 96;
  const Linear qkv = b.MakeLinear(random.Values(3 * w * w), 3 * w, random.Values(3 * w));
  const Mlp mlp{b.MakeLinear(random.Values(4 * w * w), 4 * w, {}),
                b.MakeLinear(random.Values(4 * w * w), w, {}), Activation::kGeluErf};
  const candor::Norm norm{candor::Norm::Kind::kLayer, b.Vector(random.Values(w)), {}, 1e-12f};
  const Weight table = b.Make(random.Values(10 * w), 10, w, Role::kTable);
  const std::vector<std::int32_t> ids(rows, 3);
  const std::vector<Sequence> sequences{{.begin = 0, .end = 10}, {.begin = 10, .end = 40}};
  const Matrix h = b.Place(random.Values(rows * w), rows, w),
               all = b.Place(random.Values(rows * 3 * w), rows, 3 * w),
               c = b.Place(random.Values(rows * w), rows, w), pooled = b.Place(random.Values(2 * w), 2, w),
               wide = b.Place(random.Values(2 * 3 * w), 2, 3 * w);
  std::vector<float> out(2 * w);
  const Linear gate = b.MakeLinear(random.Values(3 * w), 3, {});
  const ExpertSet set{{mlp, mlp, mlp}, b.Vector(random.Values(w))};
  const Routing routing = b.PlaceRouting(rows, 2);
  const auto pass = [&] {
    const Index index = b.ops->Stage(ids);
    const Sequences staged = b.ops->Stage(std::span<const Sequence>(sequences));
    b.ops->Embed({{table, index}}, norm, h);
    b.ops->Project(h, qkv, all);
    b.ops->Attention({.q = all.Cols(0, w),
                      .k = all.Cols(w, w),
                      .v = all.Cols(2 * w, w),
                      .out = c,
                      .sequences = staged,
                      .heads = 4,
                      .scale = 0.2f});
    b.ops->Combine(1, c, 1, h, h);
    b.ops->Gate(c, Activation::kNone, h, h);
    b.ops->FeedForward(h, mlp, h, {.accumulate = true, .norm = &norm});
    b.ops->ProjectPool(h, qkv, staged, Activation::kReluLog, Reduce::kMax, wide);
    b.ops->Route(h, {gate, 2}, routing);
    b.ops->Experts(h, set, routing, h, {.accumulate = true, .norm = &norm});
    b.ops->Activate(h, Activation::kTanh, h);
    b.ops->Normalize(h, norm, h);
    b.ops->Pool(h, staged, Pooling::kMean, pooled);
    b.ops->NormalizeL2(pooled, pooled);
    b.ops->Download(pooled, out);
  };
  pass();
  const std::size_t before = allocations;
  EXPECT_GT(before, 0u);  // the counter counts
  for (int i = 0; i < 100; ++i) pass();
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace candor::cpu

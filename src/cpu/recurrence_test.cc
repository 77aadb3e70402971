// Layers that carry a state: in f32 every table gives the same bits, with any number of threads, whatever
// sequences are beside one, and whether it is computed whole or goes on from a state.
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu/features.h"
#include "ops/op_bench.h"

namespace candor::cpu {
namespace {

using Floats = std::vector<float>;

bool Same(const Floats& a, const Floats& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

constexpr std::size_t kTaps = 4, kHeads = 4, kKeyHeads = 2, kKey = 33, kValue = 45;
constexpr std::size_t kMixed = 2 * kKeyHeads * kKey + kHeads * kValue, kOut = kHeads * kValue;
constexpr std::size_t kNear = kTaps - 1, kStates = kHeads * kKey;  // rows of a sequence's two states

// What a layer gives for rows [first, last) of a text, which are a sequence.
struct Piece {
  std::size_t first, last;
};
struct States {
  Floats near, memory;
};

// The rows of `runs`, in a batch; each begins with its state of `start`, where there are some, and leaves one
// in `end`.
Floats Layer(const Backend& backend, const Floats& x, const Floats& factors, const std::vector<Piece>& runs,
             const States* start, States* end) {
  OpBench b(backend);
  TestRandom random(5);
  std::vector<Sequence> sequences;
  Floats in, step, beta;
  for (const Piece& run : runs) {
    const auto begin = static_cast<std::int32_t>(step.size() / kHeads);
    sequences.push_back({.begin = begin, .end = begin + static_cast<std::int32_t>(run.last - run.first)});
    const auto rows = [&](const Floats& of, std::size_t width, Floats& to) {
      to.insert(to.end(), of.begin() + static_cast<std::ptrdiff_t>(run.first * width),
                of.begin() + static_cast<std::ptrdiff_t>(run.last * width));
    };
    rows(x, kMixed, in), rows(factors, kHeads, step);
  }
  beta = step;
  const std::size_t n = step.size() / kHeads, count = runs.size();
  const Sequences staged = b.ops->Stage(std::span<const Sequence>(sequences));
  const Matrix mixed = b.Place(in, n, kMixed), near = b.Place(Floats(in.size()), n, kMixed),
               steps = b.Place(step, n, kHeads), betas = b.Place(beta, n, kHeads);
  const auto state = [&](const Floats* values, std::size_t rows, std::size_t cols) {
    return b.Place(values != nullptr ? *values : Floats(count * rows * cols), count * rows, cols);
  };
  const Matrix near_end = state(nullptr, kNear, kMixed), memory_end = state(nullptr, kStates, kValue);
  b.ops->ShortConvolution({.in = mixed,
                           .out = near,
                           .sequences = staged,
                           .weight = b.Vector(random.Values(kMixed * kTaps)),
                           .taps = kTaps,
                           .activation = Activation::kSilu,
                           .start = start != nullptr ? state(&start->near, kNear, kMixed) : Matrix(),
                           .end = near_end});
  const Matrix q = near.Cols(0, kKeyHeads * kKey), k = near.Cols(kKeyHeads * kKey, kKeyHeads * kKey),
               v = near.Cols(2 * kKeyHeads * kKey, kOut);
  b.ops->Normalize(q, {.kind = Norm::Kind::kRms, .eps = 1e-6f}, q, kKeyHeads);
  b.ops->Normalize(k, {.kind = Norm::Kind::kRms, .eps = 1e-6f}, k, kKeyHeads);
  b.ops->Activate(steps, Activation::kSoftplus, steps);
  b.ops->Activate(betas, Activation::kSigmoid, betas);
  b.ops->GatedDelta({.q = q,
                     .k = k,
                     .v = v,
                     .step = steps,
                     .beta = betas,
                     .out = v,
                     .sequences = staged,
                     .heads = kHeads,
                     .key_heads = kKeyHeads,
                     .log_rate = b.Vector({-3, -1, 0, 1}),
                     .query_scale = 0.03f,
                     .key_scale = 0.17f,
                     .start = start != nullptr ? state(&start->memory, kStates, kValue) : Matrix(),
                     .end = memory_end});
  b.ops->Gate(steps, Activation::kSilu, v, v);
  b.ops->Gate(mixed.Cols(0, kOut), Activation::kSigmoid, v, v);
  EXPECT_TRUE(b.MarginsIntact());
  if (end != nullptr) *end = {b.Fetch(near_end), b.Fetch(memory_end)};
  return b.Fetch(v);
}

class Recurrence : public testing::Test {
 protected:
  static constexpr std::size_t kRows = 90;
  Recurrence() {
    TestRandom random(3);
    x_ = random.Values(kRows * kMixed), factors_ = random.Values(kRows * kHeads);
  }
  Floats Rows(const Backend& backend, const std::vector<Piece>& runs, const States* start = nullptr,
              States* end = nullptr) const {
    return Layer(backend, x_, factors_, runs, start, end);
  }
  static Floats Slice(const Floats& of, std::size_t first, std::size_t last) {
    return {of.begin() + static_cast<std::ptrdiff_t>(first * kOut),
            of.begin() + static_cast<std::ptrdiff_t>(last * kOut)};
  }
  Floats x_, factors_;
};

TEST_F(Recurrence, EveryTableAndNumberOfThreadsGivesTheScalarBits) {
  const std::vector<Piece> runs{{0, 1}, {1, 3}, {3, 70}, {70, kRows}};
  States wanted_end;
  const Floats wanted = Rows(CpuBackend(kScalarTable, 1), runs, nullptr, &wanted_end);
  for (const KernelTable* table : RunnableTables(DetectFeatures()))
    for (const std::size_t threads : {1u, 2u, 5u}) {
      States end;
      EXPECT_TRUE(Same(Rows(CpuBackend(*table, threads), runs, nullptr, &end), wanted))
          << table->isa << threads;
      EXPECT_TRUE(Same(end.near, wanted_end.near)) << table->isa << threads;
      EXPECT_TRUE(Same(end.memory, wanted_end.memory)) << table->isa << threads;
    }
}

TEST_F(Recurrence, ASequenceIsTheSameAloneAndInABatch) {
  const CpuBackend backend(*RunnableTables(DetectFeatures()).back(), 2);
  const std::vector<Piece> runs{{40, 41}, {3, 70}, {0, 2}};
  const Floats together = Rows(backend, runs);
  std::size_t at = 0;
  for (const Piece& run : runs) {
    const std::size_t end = at + run.last - run.first;
    EXPECT_TRUE(Same(Rows(backend, {run}), Slice(together, at, end))) << run.first;
    at = end;
  }
}

TEST_F(Recurrence, GoingOnFromAStateIsTheWholeText) {
  const CpuBackend backend(*RunnableTables(DetectFeatures()).back(), 2);
  const Floats whole = Rows(backend, {{0, kRows}});
  for (const std::size_t cut : {1u, 2u, 3u, 50u}) {
    States state;
    EXPECT_TRUE(Same(Rows(backend, {{0, cut}}, nullptr, &state), Slice(whole, 0, cut))) << cut;
    EXPECT_TRUE(Same(Rows(backend, {{cut, kRows}}, &state), Slice(whole, cut, kRows))) << cut;
  }
}

}  // namespace
}  // namespace candor::cpu

// Heads by hand: which row is read, the order of product, activation and norm, and where tensors stand.
#include "model/head.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "model/match.h"
#include "model/slot_reader.h"
#include "model/synthetic.h"
#include "ops/reference.h"

namespace candor {
namespace {

// Rows of two columns; two steps: relu(W x + b) with a norm, then a product without a bias.
class TwoSteps : public testing::Test {
 protected:
  void Bind() {
    head_.DeclareTensors(Scope(wanted_));
    const Match match = MatchTensors(wanted_, stored_, {});
    ASSERT_TRUE(match.problems.empty());
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const SlotReader reader(match.bindings[i]);
      auto prepared = backend_.Prepare(SourceOf(match.bindings[i], &reader), Profile::kF32);
      ASSERT_TRUE(prepared);
      *wanted_[i].slot = Weight(prepared->get(), wanted_[i].rows(), wanted_[i].cols);
      weights_.push_back(std::move(prepared).value());
    }
  }
  std::vector<float> Apply(std::vector<float> rows, const std::vector<Sequence>& runs) {
    ReferenceOps ops;
    std::vector<float> memory(256), out(runs.size() * head_.out());
    Workspace ws(reinterpret_cast<std::byte*>(memory.data()), memory.size() * 4, DType::kF32, Space::kHost);
    const auto matrix = [](std::vector<float>& of, std::size_t cols) {
      return Matrix(reinterpret_cast<std::byte*>(of.data()), DType::kF32, Space::kHost, of.size() / cols,
                    cols, cols);
    };
    head_.Apply(matrix(rows, 2), ops.Stage(runs), matrix(out, head_.out()), ops, ws);
    return out;
  }

  explicit TwoSteps(std::size_t early = 0) : early_(early) {}

  std::size_t early_;
  Head head_{
      {.pooling = Pooling::kMean,
       .steps = {{.dense = "dense", .out = 2, .activation = Activation::kRelu, .norm = "norm", .eps = 0},
                 {.dense = "out", .out = 3, .bias = Scope::Bias::kNone}},
       .early = early_},
      2};
  std::vector<TensorInfo> stored_{MemoryTensor("dense.weight", {2, 2}, std::vector<float>{1, 0, 0, 1}),
                                  MemoryTensor("dense.bias", {2}, std::vector<float>{1, -9}),
                                  MemoryTensor("norm.weight", {2}, std::vector<float>{2, 2}),
                                  MemoryTensor("norm.bias", {2}, std::vector<float>{0, 1}),
                                  MemoryTensor("out.weight", {3, 2}, std::vector<float>{1, 0, 0, 1, 1, 1})};
  std::vector<TensorDecl> wanted_;
  ReferenceBackend backend_;
  std::vector<std::unique_ptr<const PreparedWeight>> weights_;
};

// Means (2, 3) and (4, 4): relu gives (3, 0) and (5, 0), the norm (1, -1) times 2 plus (0, 1).
TEST_F(TwoSteps, PoolsThenStepsInOrder) {
  Bind();
  EXPECT_EQ(head_.out(), 3u);
  const auto got = Apply({1, 2, 3, 4, 4, 4}, {{.begin = 0, .end = 2}, {.begin = 2, .end = 3}});
  EXPECT_EQ(got, (std::vector<float>{2, -1, 1, 2, -1, 1}));
}

// Every row on its own: relu gives (2, 0), (4, 0) and (5, 0), the norm (1, -1) times 2 plus (0, 1) for each.
TEST_F(TwoSteps, WithoutPoolingEveryRow) {
  head_ = Head({.pooling = {}, .steps = head_.spec().steps}, 2);
  Bind();
  const auto got =
      Apply({1, 2, 3, 4, 4, 4}, {{.begin = 0, .end = 1}, {.begin = 1, .end = 2}, {.begin = 2, .end = 3}});
  EXPECT_EQ(got, (std::vector<float>{2, -1, 1, 2, -1, 1, 2, -1, 1}));
}

class EarlyStep : public TwoSteps {
 protected:
  EarlyStep() : TwoSteps(1) {}
};

// Rows (1, 8) and (-5, 20): relu gives (2, 0) and (0, 11), the norm and its affine part (2, -1) and (-2, 3),
// whose mean is (0, 1). Pooled first it would be (-2, 3).
TEST_F(EarlyStep, RunsOnEveryRowBeforeThePooling) {
  Bind();
  EXPECT_EQ(Apply({1, 8, -5, 20}, {{.begin = 0, .end = 2}}), (std::vector<float>{0, 1, 1}));
}

// The last step's rows (1 + 1, 0, 1 + 1), ..., reduced over each run as they are made.
TEST_F(TwoSteps, LastStepReducedOverRuns) {
  head_ = Head({.pooling = {}, .steps = head_.spec().steps}, 2);
  Bind();
  ReferenceOps ops;
  std::vector<float> memory(256), rows{1, 2, 3, 4, -9, 99}, out(6);
  Workspace ws(reinterpret_cast<std::byte*>(memory.data()), memory.size() * 4, DType::kF32, Space::kHost);
  const auto matrix = [](std::vector<float>& of, std::size_t cols) {
    return Matrix(reinterpret_cast<std::byte*>(of.data()), DType::kF32, Space::kHost, of.size() / cols, cols,
                  cols);
  };
  const std::vector<Sequence> runs{{.begin = 0, .end = 2}, {.begin = 1, .end = 3}};
  head_.ApplyReduced(matrix(rows, 2), ops.Stage(runs), Activation::kRelu, Reduce::kSum, matrix(out, 3), ops,
                     ws);
  // Rows (2, -1, 1) twice, then (-2, 3, 1).
  EXPECT_EQ(out, (std::vector<float>{4, 0, 2, 2, 3, 2}));
  head_.ApplyReduced(matrix(rows, 2), ops.Stage(runs), Activation::kNone, Reduce::kMax, matrix(out, 3), ops,
                     ws);
  EXPECT_EQ(out, (std::vector<float>{2, -1, 1, 2, 3, 1}));
}

// A head's tensors stand beside the encoder's, whatever the prefix of those; a pooler may stand among them.
TEST(Head, TensorsStandBesideTheEncoder) {
  Head head({.steps = {{.dense = "pooler", .out = 2, .beside = false}, {.dense = "classifier", .out = 1}}},
            2);
  Weight table;
  std::vector<TensorDecl> wanted;
  Scope(wanted).Table("words", table, 3, 2);
  head.DeclareTensors(Scope(wanted));
  const std::vector<float> six(6);
  std::vector<TensorInfo> stored{
      MemoryTensor("bert.words.weight", {3, 2}, six),
      MemoryTensor("bert.pooler.weight", {2, 2}, std::span(six).first(4)),
      MemoryTensor("bert.pooler.bias", {2}, std::span(six).first(2)),
      MemoryTensor("classifier.weight", {1, 2}, std::span(six).first(2)),
      MemoryTensor("classifier.bias", {1}, std::span(six).first(1)),
  };
  constexpr NameDialect kDialects[] = {{"bare", ""}, {"prefix bert.", "bert."}};
  const Match match = MatchTensors(wanted, stored, {kDialects});
  EXPECT_TRUE(match.problems.empty());
  EXPECT_EQ(match.dialect, "prefix bert.");
  for (const TensorDecl& d : wanted) EXPECT_EQ(d.exact, d.slot != &table) << d.name;
  stored.pop_back();
  const Problems missing = MatchTensors(wanted, stored, {kDialects}).problems;
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].where.tensor, "classifier.bias");
}

}  // namespace
}  // namespace candor

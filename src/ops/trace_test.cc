// The dry pass: steps in order with their shapes, and a problem for each disagreement.
#include "ops/trace.h"

#include <gtest/gtest.h>

#include <array>

#include "tensor/workspace.h"

namespace candor {
namespace {

TEST(TraceOps, WritesDownStepsWithoutTouchingMemory) {
  Workspace ws(nullptr, 0, DType::kF32, Space::kHost);
  TraceOps ops;
  const std::array<std::int32_t, 5> ids{};
  const std::array<Sequence, 2> sequences{{{.begin = 0, .end = 2}, {.begin = 2, .end = 5}}};
  const Index index = ops.Stage(ids);
  const Sequences staged = ops.Stage(sequences);
  const Weight table(nullptr, 10, 8), vector(nullptr, 8, 1), absent;
  const Norm norm{Norm::Kind::kLayer, vector, vector, 1e-5f};
  const Mlp mlp{
      {Weight(nullptr, 16, 8), Weight(nullptr, 16, 1)}, {Weight(nullptr, 8, 16), {}}, Activation::kGeluErf};
  const Matrix h = ws.Rows(5, 8), c = ws.Rows(5, 8), pooled = ws.RowsF32(2, 8);
  ops.Embed({{table, index}, {absent, index}}, norm, h);
  ops.Attention({.q = h, .k = h, .v = h, .out = c, .sequences = staged, .heads = 2, .softcap = 3});
  ops.Gate(h, Activation::kNone, c, c);
  ops.FeedForward(c, mlp, h, {.accumulate = true, .norm = &norm});
  ops.Pool(h, staged, Pooling::kMean, pooled);
  ops.ProjectPool(h, {Weight(nullptr, 30, 8), {}}, staged, Activation::kReluLog, Reduce::kMax,
                  ws.RowsF32(2, 30));
  EXPECT_TRUE(ops.problems().empty());
  const std::array<Step, 6> expected{
      {{.op = Op::kEmbed, .rows = 5, .inner = 1, .cols = 8, .traits = kFusedNorm},
       {.op = Op::kAttention, .rows = 5, .inner = 2, .cols = 8, .middle = 3, .traits = kSoftcap},
       {.op = Op::kGate, .rows = 5, .inner = 8, .cols = 8},
       {.op = Op::kFeedForward,
        .rows = 5,
        .inner = 8,
        .cols = 8,
        .middle = 16,
        .traits = kAccumulate | kFusedNorm},
       {.op = Op::kPool, .rows = 2, .cols = 8},
       {.op = Op::kProjectPool, .rows = 5, .inner = 8, .cols = 30, .middle = 2}}};
  ASSERT_EQ(ops.steps().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(ops.steps()[i] == expected[i]) << i;
}

TEST(TraceOps, StatesAlongASequence) {
  Workspace ws(nullptr, 0, DType::kF32, Space::kHost);
  TraceOps ops;
  const std::array<Sequence, 2> sequences{{{.begin = 0, .end = 2}, {.begin = 2, .end = 5}}};
  const Sequences staged = ops.Stage(sequences);
  const Matrix x = ws.Rows(5, 20), y = ws.Rows(5, 20), of_heads = ws.Rows(5, 2);
  const auto delta = [&](const Matrix& start) {
    ops.GatedDelta({.q = y.Cols(0, 3),
                    .k = y.Cols(3, 3),
                    .v = y.Cols(6, 8),
                    .step = of_heads,
                    .beta = of_heads,
                    .out = y.Cols(6, 8),
                    .sequences = staged,
                    .heads = 2,
                    .log_rate = Weight(nullptr, 2, 1),
                    .start = start});
  };
  ops.ShortConvolution({.in = x,
                        .out = y,
                        .sequences = staged,
                        .weight = Weight(nullptr, 80, 1),
                        .taps = 4,
                        .end = ws.Rows(6, 20)});
  delta(ws.Rows(2 * 2 * 3, 4));
  ops.Gate(of_heads, Activation::kSigmoid, x, x);
  EXPECT_TRUE(ops.problems().empty());
  const std::array<Step, 3> expected{{{.op = Op::kShortConvolution, .rows = 5, .cols = 20, .middle = 4},
                                      {.op = Op::kGatedDelta, .rows = 5, .inner = 2, .cols = 8, .middle = 3},
                                      {.op = Op::kGate, .rows = 5, .inner = 2, .cols = 20}}};
  ASSERT_EQ(ops.steps().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(ops.steps()[i] == expected[i]) << i;

  delta(ws.Rows(2 * 3, 4));  // the states of one sequence
  ops.ShortConvolution({.in = x, .out = y, .sequences = staged, .weight = Weight(nullptr, 60, 1), .taps = 4});
  ops.Gate(ws.Rows(5, 3), Activation::kSigmoid, x, x);
  EXPECT_EQ(ops.problems().size(), 3u);
}

TEST(TraceOps, Experts) {
  Workspace ws(nullptr, 0, DType::kF32, Space::kHost);
  TraceOps ops;
  const Matrix h = ws.Rows(5, 8);
  const Routing routing{ws.RowsI32(5, 2), ws.RowsF32(5, 2)};
  const Mlp mlp{{Weight(nullptr, 12, 8), {}}, {Weight(nullptr, 8, 6), {}}, Activation::kSilu, true};
  const Router router{{Weight(nullptr, 3, 8), {}}, 2};
  ops.Route(h, router, routing);
  ops.Experts(h, {{mlp, mlp, mlp}}, routing, h, {.accumulate = true});
  EXPECT_TRUE(ops.problems().empty());
  const std::array<Step, 2> expected{{{.op = Op::kRoute, .rows = 5, .inner = 8, .cols = 3, .middle = 2},
                                      {.op = Op::kExperts,
                                       .rows = 5,
                                       .inner = 8,
                                       .cols = 8,
                                       .middle = 12,
                                       .table = 3,
                                       .traits = kAccumulate | kGated}}};
  ASSERT_EQ(ops.steps().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_TRUE(ops.steps()[i] == expected[i]) << i;

  ops.Route(h, {router.gate, 4}, {ws.RowsI32(5, 4), ws.RowsF32(5, 4)});  // four of three
  ops.Route(h, router, {ws.Rows(5, 2), ws.RowsF32(5, 2)});               // numbers that are not whole
  Mlp narrow = mlp;
  narrow.up.weight = Weight(nullptr, 12, 7);
  ops.Experts(h, {{mlp, narrow}}, routing, h, {});
  ops.Experts(h, {}, routing, h, {});
  ASSERT_EQ(ops.problems().size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(ops.problems()[i].found, (i < 2 ? "route with disagreeing shapes at step "
                                              : "experts with disagreeing shapes at step ") +
                                           std::to_string(2 + i));
}

TEST(TraceOps, DisagreeingShapesAreDefects) {
  Workspace ws(nullptr, 0, DType::kF32, Space::kHost);
  TraceOps ops;
  const Matrix a = ws.Rows(5, 8), b = ws.Rows(4, 8);
  ops.Project(a, {Weight(nullptr, 8, 7), {}}, a, {});
  ops.Activate(a, Activation::kTanh, b);
  const std::array<Sequence, 1> beyond{{{.begin = 3, .end = 6}}};
  ops.Pool(a, Sequences{beyond}, Pooling::kMean, b.Rows(0, 1));
  // Only the mean of no rows is defined.
  const std::array<Sequence, 1> none{{{.begin = 4, .end = 4}}};
  ops.Pool(a, Sequences{none}, Pooling::kMean, a.Rows(0, 1));
  ASSERT_EQ(ops.problems().size(), 3u);
  ops.Pool(a, Sequences{none}, Pooling::kMax, a.Rows(0, 1));
  ASSERT_EQ(ops.problems().size(), 4u);
  ops.ProjectPool(a, {Weight(nullptr, 8, 7), {}}, Sequences{none}, Activation::kRelu, Reduce::kMax,
                  a.Rows(0, 1));  // widths, and a run of no rows
  ASSERT_EQ(ops.problems().size(), 6u);
  EXPECT_EQ(ops.problems()[4].found, "project_pool with disagreeing shapes at step 5");
  EXPECT_EQ(ops.problems()[3].found, "pool runs with disagreeing shapes at step 4");
  EXPECT_EQ(ops.problems()[0].code, Code::kInternalInvariant);
  EXPECT_EQ(ops.problems()[0].found, "project with disagreeing shapes at step 0");
  EXPECT_EQ(ops.problems()[1].found, "activate with disagreeing shapes at step 1");
  EXPECT_EQ(ops.problems()[2].found, "pool runs with disagreeing shapes at step 2");
}

}  // namespace
}  // namespace candor

// The oracle against values worked out by hand.
#include "ops/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace candor {
namespace {

struct Values final : RowReader {
  std::vector<float> values;
  std::size_t cols = 1;
  Result<void> Read(std::size_t first, std::size_t count, float* out) const override {
    for (std::size_t i = 0; i < count * cols; ++i) out[i] = values[first * cols + i];
    return {};
  }
};

class Reference : public testing::Test {
 protected:
  Weight Make(std::size_t rows, std::size_t cols, std::vector<float> values, Role role = Role::kMatrix) {
    Values reader;
    reader.values = std::move(values), reader.cols = cols;
    auto made = backend_.Prepare({.role = role, .rows = rows, .cols = cols, .reader = &reader, .label = "w"},
                                 Profile::kF32);
    EXPECT_TRUE(made.has_value());
    kept_.push_back(std::move(made).value());
    return {kept_.back().get(), rows, cols};
  }
  static Matrix Over(std::vector<float>& v, std::size_t rows, std::size_t cols) {
    return {reinterpret_cast<std::byte*>(v.data()), DType::kF32, Space::kHost, rows, cols, cols};
  }
  ReferenceBackend backend_;
  ReferenceOps ops_;
  std::vector<std::unique_ptr<const PreparedWeight>> kept_;
};

TEST_F(Reference, ProjectWithWholeEpilogue) {
  // x = (1, 2); W = ((1, -1), (2, 1)); b = (0.5, -1): p = (-0.5, 3); relu (0, 3); + out (1, 1) = (1, 4);
  // norm: mean 2.5, variance 2.25, eps 0: (-1, 1); scale (2, 3), shift (1, 0): (-1, 3).
  const Linear linear{Make(2, 2, {1, -1, 2, 1}), Make(2, 1, {0.5f, -1}, Role::kVector)};
  const Norm norm{Norm::Kind::kLayer, Make(2, 1, {2, 3}, Role::kVector), Make(2, 1, {1, 0}, Role::kVector),
                  0};
  std::vector<float> x{1, 2}, out{1, 1};
  ops_.Project(Over(x, 1, 2), linear, Over(out, 1, 2),
               {.activation = Activation::kRelu, .accumulate = true, .norm = &norm});
  EXPECT_FLOAT_EQ(out[0], -1);
  EXPECT_FLOAT_EQ(out[1], 3);
  ASSERT_EQ(ops_.receipt().rows().size(), 1u);
  EXPECT_EQ(ops_.receipt().rows()[0].kernel, "reference.project");
}

TEST_F(Reference, RoutesToTheBest) {
  // Scores ln 1, ln 4, ln 4, ln 1 of 10 for the first row: two equal ones, the lower number first. The second
  // row has minus those: the outer experts share 8 of 10. All equal: 1/4 each, in order.
  const float ln4 = std::log(4.0f);
  std::vector<float> x{1, -1, 0}, weights(6);
  std::vector<std::int32_t> chosen(6);
  const Linear gate{Make(4, 1, {0, ln4, ln4, 0}), {}};
  const Matrix ids(reinterpret_cast<std::byte*>(chosen.data()), DType::kI32, Space::kHost, 3, 2, 2);
  ops_.Route(Over(x, 3, 1), {gate, 2, false}, {ids, Over(weights, 3, 2)});
  EXPECT_EQ(chosen, (std::vector<std::int32_t>{1, 2, 0, 3, 0, 1}));
  const std::array<float, 6> expected{0.4f, 0.4f, 0.4f, 0.4f, 0.25f, 0.25f};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(weights[i], expected[i]) << i;
  EXPECT_EQ(ops_.receipt().rows()[0].kernel, "reference.route");
  ops_.Route(Over(x, 3, 1), {gate, 2, true}, {ids, Over(weights, 3, 2)});
  for (const float w : weights) EXPECT_FLOAT_EQ(w, 0.5f);
  // Then each by its expert's scale, which changes no order.
  ops_.Route(Over(x, 3, 1), {gate, 2, true, Make(4, 1, {1, 2, -4, 8})}, {ids, Over(weights, 3, 2)});
  EXPECT_EQ(chosen, (std::vector<std::int32_t>{1, 2, 0, 3, 0, 1}));
  const std::array<float, 6> scaled{1, -2, 0.5f, 4, 0.5f, 1};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(weights[i], scaled[i]) << i;
  // As many as there are: the whole softmax, from the best to the worst.
  std::vector<float> all(4);
  std::vector<std::int32_t> order(4);
  const Matrix every(reinterpret_cast<std::byte*>(order.data()), DType::kI32, Space::kHost, 1, 4, 4);
  ops_.Route(Over(x, 1, 1), {gate, 4, false}, {every, Over(all, 1, 4)});
  EXPECT_EQ(order, (std::vector<std::int32_t>{1, 2, 0, 3}));
  EXPECT_FLOAT_EQ(all[1], 0.4f);
  EXPECT_FLOAT_EQ(all[3], 0.1f);
}

TEST_F(Reference, ExpertsTogether) {
  // Experts 2 relu(x), 3 relu(-x) and 5 relu(x), a shared bias of 10. Row 1: 10 + 0.5 * 2 + 0.25 * 5. Row -2
  // meets experts 1 and 0: 10 + 0.75 * 6 + 0.125 * 0, once more in the residual stream beside -2.
  const ExpertSet set{{{{Make(1, 1, {1}), {}}, {Make(1, 1, {2}), {}}, Activation::kRelu},
                       {{Make(1, 1, {-1}), {}}, {Make(1, 1, {3}), {}}, Activation::kRelu},
                       {{Make(1, 1, {1}), {}}, {Make(1, 1, {5}), {}}, Activation::kRelu}},
                      Make(1, 1, {10}, Role::kVector)};
  std::vector<float> x{1, -2}, out(2), weights{0.5f, 0.25f, 0.75f, 0.125f};
  std::vector<std::int32_t> chosen{0, 2, 1, 0};
  const Routing routing{{reinterpret_cast<std::byte*>(chosen.data()), DType::kI32, Space::kHost, 2, 2, 2},
                        Over(weights, 2, 2)};
  ops_.Experts(Over(x, 2, 1), set, routing, Over(out, 2, 1), {});
  EXPECT_FLOAT_EQ(out[0], 12.25f);
  EXPECT_FLOAT_EQ(out[1], 14.5f);
  ops_.Experts(Over(x, 2, 1), set, routing, Over(x, 2, 1), {.accumulate = true});
  EXPECT_FLOAT_EQ(x[0], 13.25f);
  EXPECT_FLOAT_EQ(x[1], 12.5f);
}

TEST_F(Reference, AttentionOfTwoSequences) {
  // One row alone sees itself: out = v. Two rows with q.k = (0, ln 3): weights 1/4 and 3/4.
  const float ln3 = std::log(3.0f);
  std::vector<float> q{5, 1, 1}, k{7, 0, ln3}, v{2, 4, 8}, out(3);
  const std::array<Sequence, 2> s{{{.begin = 0, .end = 1}, {.begin = 1, .end = 3}}};
  const Sequences sequences{s};
  ops_.Attention({.q = Over(q, 3, 1),
                  .k = Over(k, 3, 1),
                  .v = Over(v, 3, 1),
                  .out = Over(out, 3, 1),
                  .sequences = sequences});
  EXPECT_FLOAT_EQ(out[0], 2);
  EXPECT_FLOAT_EQ(out[1], 7);
  EXPECT_FLOAT_EQ(out[2], 7);
}

// Scores of 0 and far beyond a cap of ln 3 are 0 and ln 3 (tanh of 18 is 1): weights 1/4 and 3/4. A cap comes
// behind the scale and before what is added: with ln 3 more for the row before, both are 1/2.
TEST_F(Reference, AttentionBelowACap) {
  const float ln3 = std::log(3.0f);
  std::vector<float> q{1, 1}, k{0, 20 * ln3}, v{4, 8}, out(2), bias{ln3, 0, 0};
  const std::array<Sequence, 1> s{{{.begin = 0, .end = 2}}};
  const Sequences sequences{s};
  AttentionArgs args{.q = Over(q, 2, 1),
                     .k = Over(k, 2, 1),
                     .v = Over(v, 2, 1),
                     .out = Over(out, 2, 1),
                     .sequences = sequences,
                     .softcap = ln3};
  ops_.Attention(args);
  EXPECT_FLOAT_EQ(out[0], 7);
  EXPECT_FLOAT_EQ(out[1], 7);
  args.distance_bias = Over(bias, 3, 1);
  ops_.Attention(args);
  EXPECT_FLOAT_EQ(out[1], 6);
}

TEST_F(Reference, GateWithoutAFunctionIsAProduct) {
  std::vector<float> x{2, -3, 0.5f}, y{4, 5, -6};
  ops_.Gate(Over(y, 1, 3), Activation::kNone, Over(x, 1, 3), Over(x, 1, 3));
  EXPECT_EQ(x, (std::vector<float>{8, -15, -3}));
}

// BR-019: with half of local_attention as the radius row i sees row j iff |i - j| is at most that. Scores are
// all zero and row j's value is 1 at column j, so that a row's output is 1 / count at each row that it sees.
TEST_F(Reference, AWindowHasBothItsEnds) {
  const auto check = [&](std::size_t length, std::size_t radius, std::size_t middle) {
    std::vector<float> zeros(length * length), v(length * length), out(length * length);
    for (std::size_t i = 0; i < length; ++i) v[i * length + i] = 1;
    const std::array<Sequence, 1> all{{{.begin = 0, .end = static_cast<std::int32_t>(length)}}};
    ops_.Attention({.q = Over(zeros, length, length),
                    .k = Over(zeros, length, length),
                    .v = Over(v, length, length),
                    .out = Over(out, length, length),
                    .sequences = Sequences{all},
                    .radius = static_cast<std::int32_t>(radius)});
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t first = i < radius ? 0 : i - radius, last = std::min(i + radius, length - 1);
      if (i == length / 2) {
        EXPECT_EQ(last - first + 1, middle);
      }
      for (std::size_t j = 0; j < length; ++j) {
        EXPECT_FLOAT_EQ(out[i * length + j],
                        j < first || j > last ? 0 : 1.0f / static_cast<float>(last - first + 1))
            << i << " sees " << j;
      }
    }
  };
  check(20, 8 / 2, 9);
  check(200, 128 / 2, 129);
}

// A decoder's window of 3 is the row itself and the two before it. Scores are zero, so that an output is the
// mean of the rows seen.
TEST_F(Reference, CausalRowsSeeThemselvesAndWhatIsBefore) {
  std::vector<float> zeros(5), v{1, 2, 4, 8, 16}, out(5);
  const std::array<Sequence, 2> two{{{.begin = 0, .end = 4}, {.begin = 4, .end = 5}}};
  const auto run = [&](std::int32_t radius) {
    ops_.Attention({.q = Over(zeros, 5, 1),
                    .k = Over(zeros, 5, 1),
                    .v = Over(v, 5, 1),
                    .out = Over(out, 5, 1),
                    .sequences = Sequences{two},
                    .radius = radius,
                    .causal = true});
    return out;
  };
  EXPECT_EQ(run(AttentionArgs::kEveryRow), (std::vector<float>{1, 1.5f, 7.0f / 3, 3.75f, 16}));
  EXPECT_EQ(run(2), (std::vector<float>{1, 1.5f, 7.0f / 3, 14.0f / 3, 16}));
  EXPECT_EQ(run(0), v);
}

// Two heads of two columns: (3, 4) and (6, 8) have the mean squares 12.5 and 50.
TEST_F(Reference, NormsOfHeads) {
  std::vector<float> in{3, 4, 6, 8};
  ops_.Normalize(Over(in, 1, 4), {.kind = Norm::Kind::kRms}, Over(in, 1, 4), 2);
  const double kWanted[] = {3 / std::sqrt(12.5), 4 / std::sqrt(12.5), 6 / std::sqrt(50), 8 / std::sqrt(50)};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(in[i], static_cast<float>(kWanted[i])) << i;
}

TEST_F(Reference, PoolingModes) {  // TSK-06
  std::vector<float> in{9, 1, 2, 6}, out(1);
  const std::array<Sequence, 1> run{{{.begin = 1, .end = 4, .skipped = 1}}};
  const std::array<std::pair<Pooling, float>, 6> expected{{{Pooling::kMean, 3.0f},
                                                           {Pooling::kMeanSqrtLength, 9.0f / std::sqrt(3.0f)},
                                                           {Pooling::kWeightedMean, 32.0f / 9.0f},
                                                           {Pooling::kMax, 6.0f},
                                                           {Pooling::kFirst, 1.0f},
                                                           {Pooling::kLast, 6.0f}}};
  for (const auto& [pooling, value] : expected) {
    ops_.Pool(Over(in, 4, 1), Sequences{run}, pooling, Over(out, 1, 1));
    EXPECT_FLOAT_EQ(out[0], value) << static_cast<int>(pooling);
  }
  const std::array<Sequence, 1> none{{{.begin = 4, .end = 4}}};
  ops_.Pool(Over(in, 4, 1), Sequences{none}, Pooling::kMean, Over(out, 1, 1));
  EXPECT_EQ(out[0], 0.0f);
}

// Products 1, -2 of the first row and 3, -1 of the second, by hand.
TEST_F(Reference, ProjectPool) {
  std::vector<float> in{1, 3}, out(2);
  ReferenceWeight w, b;
  w.values = {1, 0.5f}, b.values = {0, -2.5f};
  const Linear linear{Weight(&w, 2, 1), Weight(&b, 2, 1)};
  const std::array<Sequence, 1> run{{{.begin = 0, .end = 2}}};
  ops_.ProjectPool(Over(in, 2, 1), linear, Sequences{run}, Activation::kRelu, Reduce::kMax, Over(out, 1, 2));
  EXPECT_EQ(out, (std::vector<float>{3, 0}));
  ops_.ProjectPool(Over(in, 2, 1), linear, Sequences{run}, Activation::kNone, Reduce::kSum, Over(out, 1, 2));
  EXPECT_EQ(out, (std::vector<float>{4, -3}));
}

TEST_F(Reference, ActivationsAtKnownPoints) {
  // Values of torch 2 in double precision, written with its functions at x = 1 and x = -1.
  const std::array<std::tuple<Activation, double, double>, kActivationCount> expected{{
      {Activation::kNone, 1.0, -1.0},
      {Activation::kRelu, 1.0, 0.0},
      {Activation::kRelu6, 1.0, 0.0},
      {Activation::kRelu2, 1.0, 0.0},
      {Activation::kLeakyRelu, 1.0, -0.01},
      {Activation::kElu, 1.0, -0.6321205588285577},
      {Activation::kHardtanh, 1.0, -1.0},
      {Activation::kGeluErf, 0.8413447460685429, -0.15865525393145707},
      {Activation::kGeluTanh, 0.8411919906082768, -0.15880800939172324},
      {Activation::kGelu10, 0.8413447460685429, -0.15865525393145707},
      {Activation::kQuickGelu, 0.8457957659328212, -0.15420423406717880},
      {Activation::kSilu, 0.7310585786300049, -0.2689414213699951},
      {Activation::kTanh, 0.7615941559557649, -0.7615941559557649},
      {Activation::kSigmoid, 0.7310585786300049, 0.2689414213699951},
      {Activation::kMish, 0.8650983882673103, -0.3034014613741089},
      {Activation::kHardswish, 0.66666666666666663, -0.33333333333333331},
      {Activation::kHardsigmoid, 0.66666666666666663, 0.33333333333333331},
      {Activation::kHardshrink, 1.0, -1.0},
      {Activation::kSoftshrink, 0.5, -0.5},
      {Activation::kTanhshrink, 0.23840584404423515, -0.23840584404423515},
      {Activation::kSoftplus, 1.3132616875182228, 0.31326168751822286},
      {Activation::kSqrtSoftplus, 1.145976303209723, 0.55969785377310755},
      {Activation::kLogSigmoid, -0.31326168751822286, -1.3132616875182228},
      {Activation::kSoftsign, 0.5, -0.5},
      {Activation::kSelu, 1.0507009873554805, -1.1113307378125625},
      {Activation::kLaplace, 0.85042964928457032, 7.1737260576298922e-10},
      {Activation::kReluLog, 0.6931471805599453, 0.0},
      {Activation::kReluLogLog, 0.5265890341390445, 0.0},
  }};
  for (const auto& [activation, one, minus_one] : expected) {
    EXPECT_NEAR(ReferenceActivation(activation, 1.0), one, 3e-9) << static_cast<int>(activation);
    EXPECT_NEAR(ReferenceActivation(activation, -1.0), minus_one, 3e-9) << static_cast<int>(activation);
  }
  // BR-023: where the forms of GELU are apart, torch in double precision.
  EXPECT_NEAR(ReferenceActivation(Activation::kGeluErf, -2.7), -0.00936082926820982, 3e-9);
  EXPECT_NEAR(ReferenceActivation(Activation::kGeluTanh, -2.7), -0.008887594639467884, 3e-9);
  EXPECT_NEAR(ReferenceActivation(Activation::kQuickGelu, -2.7), -0.02699251262196464, 3e-9);
  EXPECT_NEAR(ReferenceActivation(Activation::kGeluErf, 6), 5.999999994080474, 3e-9);
  EXPECT_NEAR(ReferenceActivation(Activation::kGeluTanh, 6), 5.9999999999156035, 3e-9);
  // Where a branch ends: torch at 0.5, just inside, and on both sides of softplus's threshold.
  EXPECT_EQ(ReferenceActivation(Activation::kHardshrink, 0.5), 0.0);
  EXPECT_EQ(ReferenceActivation(Activation::kHardshrink, -0.5), 0.0);
  EXPECT_EQ(ReferenceActivation(Activation::kHardshrink, 0.50001), 0.50001);
  EXPECT_EQ(ReferenceActivation(Activation::kSoftshrink, 0.3), 0.0);
  EXPECT_EQ(ReferenceActivation(Activation::kSoftshrink, -20.0), -19.5);
  EXPECT_EQ(ReferenceActivation(Activation::kSoftplus, 20.0), 20.000000002061153);
  EXPECT_EQ(ReferenceActivation(Activation::kSoftplus, 20.5), 20.5);
}

TEST_F(Reference, NonFiniteWeightIsRefused) {
  Values reader;
  reader.values = {1, std::numeric_limits<float>::infinity()};
  const auto made =
      backend_.Prepare({.rows = 2, .cols = 1, .reader = &reader, .label = "a.weight"}, Profile::kF32);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code, Code::kNonFiniteParameter);
  EXPECT_EQ(made.error().where.tensor, "a.weight");
  EXPECT_EQ(made.error().found, "infinity");
  EXPECT_EQ(made.error().allowed, "finite values");
}

}  // namespace
}  // namespace candor

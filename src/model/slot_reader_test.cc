#include "model/slot_reader.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <limits>
#include <vector>

#include "model/synthetic.h"

namespace candor {
namespace {

// Rows 0-1 come from one tensor, row 2 from another.
TEST(SlotReader, ReadsAcrossParts) {
  const std::vector<float> first{1, 2, 3, 4}, second{5, 6};
  const TensorInfo a = MemoryTensor("q", {2, 2}, first), b = MemoryTensor("k", {1, 2}, second);
  Binding binding;
  binding.slot = "qk", binding.state = BindState::kBound, binding.exact = true;
  binding.rows = 3, binding.cols = 2, binding.stored = {{&a, 0, a.shape[0]}, {&b, 0, b.shape[0]}};
  const SlotReader reader(binding);
  std::array<float, 4> two{};
  ASSERT_TRUE(reader.Read(1, 2, two.data()));
  EXPECT_EQ(two, (std::array<float, 4>{3, 4, 5, 6}));
  std::array<float, 6> all{};
  ASSERT_TRUE(reader.Read(0, 3, all.data()));
  EXPECT_EQ(all, (std::array<float, 6>{1, 2, 3, 4, 5, 6}));
  const WeightSource source = SourceOf(binding, &reader);
  EXPECT_EQ(source.label, "q");
  EXPECT_EQ(source.rows, 3u);
  EXPECT_TRUE(source.exact);
}

// 16 bits are told of where all parts have them and nothing is multiplied.
TEST(SlotReader, TheTypeOfValuesThatAreTakenAsTheyAre) {
  const TensorInfo scale;
  const auto of = [&](StoredType first, StoredType second) {
    TensorInfo a, b;
    a.type = first, b.type = second;
    Binding two;
    two.stored = {{&a, 0, 1}, {&b, 0, 1}};
    const DType plain = SourceOf(two, nullptr).stored;
    two.scale = &scale;
    EXPECT_EQ(SourceOf(two, nullptr).stored, DType::kF32);
    return plain;
  };
  EXPECT_EQ(of(StoredType::kF16, StoredType::kF16), DType::kF16);
  EXPECT_EQ(of(StoredType::kBf16, StoredType::kBf16), DType::kBf16);
  EXPECT_EQ(of(StoredType::kBf16, StoredType::kF16), DType::kF32);
  EXPECT_EQ(of(StoredType::kF32, StoredType::kBf16), DType::kF32);
  EXPECT_EQ(of(StoredType::kI8, StoredType::kI8), DType::kF32);
}

// A slot that wants the second half first, from one stored tensor of four rows.
TEST(SlotReader, HalvesTheOtherWayRound) {
  Linear gate;
  std::vector<TensorDecl> wanted;
  Scope(wanted).Stacked("gate", gate, 2, Scope::Bias::kNone, {{"up_gate", 2, 2, 4}, {"up_gate", 2, 0, 4}});
  const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<TensorInfo> stored{MemoryTensor("up_gate.weight", {4, 2}, values)};
  const Match match = MatchTensors(wanted, stored, {});
  ASSERT_TRUE(match.problems.empty());
  EXPECT_EQ(match.bindings[0].transform, "reorder rows/v1");
  std::array<float, 8> all{};
  ASSERT_TRUE(SlotReader(match.bindings[0]).Read(0, 4, all.data()));
  EXPECT_EQ(all, (std::array<float, 8>{5, 6, 7, 8, 1, 2, 3, 4}));
  std::array<float, 4> middle{};
  ASSERT_TRUE(SlotReader(match.bindings[0]).Read(1, 2, middle.data()));
  EXPECT_EQ(middle, (std::array<float, 4>{7, 8, 1, 2}));
  EXPECT_EQ(GenerateTensors(wanted, 1).size(), 1u);
  // The stored tensor is compared whole: three rows are not four.
  const std::vector<TensorInfo> fewer{MemoryTensor("up_gate.weight", {3, 2}, std::span(values).first(6))};
  EXPECT_EQ(MatchTensors(wanted, fewer, {}).problems.at(0).code, Code::kShapeMismatch);
}

// Two experts of three columns over two, as products are fed ("up") and stored the other way round ("down"):
// each slot has its own block of a bare tensor.
TEST(SlotReader, BlocksOfABareTensor) {
  constexpr std::size_t kExperts = 2, kWidth = 2, kInner = 3, kAll = kExperts * kInner;
  std::array<Mlp, kExperts> experts;
  std::vector<TensorDecl> wanted;
  const Scope layer = Scope(wanted).Down("layer", 0);
  for (std::size_t e = 0; e < kExperts; ++e)
    layer.Bare("up." + std::to_string(e), experts[e].up.weight, kWidth, {"w1", kInner, e * kInner, kAll});
  for (std::size_t e = 0; e < kExperts; ++e)
    layer.Bare("down." + std::to_string(e), experts[e].down.weight, kInner,
               {"w2", kWidth, e * kInner, kAll, Take::kTranspose});
  const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const std::vector<TensorInfo> stored{MemoryTensor("layer.0.w1", {6, 2}, values),
                                       MemoryTensor("layer.0.w2", {6, 2}, values)};
  const Match match = MatchTensors(wanted, stored, {});
  ASSERT_TRUE(match.problems.empty());
  EXPECT_EQ(match.bindings[1].slot, "layer.0.up.1");
  EXPECT_EQ(match.bindings[1].transform, "take rows/v1");
  EXPECT_EQ(match.bindings[3].transform, "transpose rows/v1");
  EXPECT_EQ(match.bindings[3].rows, 2u);
  EXPECT_EQ(match.bindings[3].cols, 3u);
  std::array<float, 6> all{};
  ASSERT_TRUE(SlotReader(match.bindings[1]).Read(0, 3, all.data()));
  EXPECT_EQ(all, (std::array<float, 6>{7, 8, 9, 10, 11, 12}));
  ASSERT_TRUE(SlotReader(match.bindings[3]).Read(0, 2, all.data()));
  EXPECT_EQ(all, (std::array<float, 6>{7, 9, 11, 8, 10, 12}));
  std::array<float, 3> one{};
  ASSERT_TRUE(SlotReader(match.bindings[2]).Read(1, 1, one.data()));
  EXPECT_EQ(one, (std::array<float, 3>{2, 4, 6}));
  const std::vector<TensorInfo> made = GenerateTensors(wanted, 1);
  ASSERT_EQ(made.size(), 2u);
  EXPECT_EQ(made[1].shape, (std::vector<std::size_t>{6, 2}));

  // However many slots a tensor has rows of, it is missed once and wrong once.
  const std::vector<TensorInfo> swapped{MemoryTensor("layer.0.w1", {5, 2}, std::span(values).first(10)),
                                        MemoryTensor("layer.0.w2", {2, 6}, values)};
  const Problems wrong = MatchTensors(wanted, swapped, {}).problems;
  ASSERT_EQ(wrong.size(), 2u);
  EXPECT_EQ(wrong[0].code, Code::kShapeMismatch);
  EXPECT_EQ(wrong[0].allowed, "[6, 2]");
  EXPECT_EQ(wrong[1].code, Code::kLayoutMismatch);
  EXPECT_EQ(wrong[1].allowed, "[6, 2], rows are inputs");
  const std::vector<TensorInfo> half{stored[0]};
  const Problems missing = MatchTensors(wanted, half, {}).problems;
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].where.tensor, "layer.0.w2");
  EXPECT_EQ(missing[0].allowed, "matrix [6, 2]");
}

// More columns than are read at once.
TEST(SlotReader, WideBlocksTheOtherWayRound) {
  constexpr std::size_t kRows = 700, kCols = 301;
  std::vector<float> values(kRows * kCols);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const TensorInfo t = MemoryTensor("w2", {kCols, kRows}, values);
  Binding binding;
  binding.slot = "down", binding.rows = kRows, binding.cols = kCols;
  binding.stored = {{&t, 0, kRows, Take::kTranspose}};
  std::vector<float> out(100 * kCols);
  ASSERT_TRUE(SlotReader(binding).Read(600, 100, out.data()));
  for (std::size_t r = 0; r < 100; ++r)
    for (std::size_t c = 0; c < kCols; ++c) ASSERT_EQ(out[r * kCols + c], values[c * kRows + 600 + r]);
}

// As model2vec stores tables: id 0 is row 2 times 0.5, id 1 row 0 times 3, and so on.
class MadeTable : public testing::Test {
 protected:
  void Declare() {
    Scope(wanted_).MadeTable("embeddings", slot_, 4, 2, {3, "mapping", "weights", false});
    match_ = MatchTensors(wanted_, stored_, {});
  }
  static TensorInfo Map(const std::vector<std::int32_t>& rows) {
    std::vector<float> bits;  // the bytes, whatever the type
    for (const std::int32_t r : rows) bits.push_back(std::bit_cast<float>(r));
    TensorInfo t = MemoryTensor("mapping", {rows.size()}, bits);
    t.type = StoredType::kI32;
    return t;
  }
  std::vector<TensorInfo> stored_{MemoryTensor("embeddings", {3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6}),
                                  Map({2, 0, 1, 1}),
                                  MemoryTensor("weights", {4}, std::vector<float>{0.5, 3, 1, -1})};
  Weight slot_;
  std::vector<TensorDecl> wanted_;
  Match match_;
};

TEST_F(MadeTable, RowsAreMappedAndScaled) {
  Declare();
  ASSERT_TRUE(match_.problems.empty());
  EXPECT_EQ(match_.bindings[0].transform, "map and scale rows/v1");
  std::array<float, 8> all{};
  ASSERT_TRUE(SlotReader(match_.bindings[0]).Read(0, 4, all.data()));
  EXPECT_EQ(all, (std::array<float, 8>{2.5, 3, 3, 6, 3, 4, -3, -4}));
  std::array<float, 4> middle{};
  ASSERT_TRUE(SlotReader(match_.bindings[0]).Read(1, 2, middle.data()));
  EXPECT_EQ(middle, (std::array<float, 4>{3, 6, 3, 4}));
}

// A table that has more rows than the slot is read where the rows are, neighbours together.
TEST_F(MadeTable, OfALargerTableTheRowsAlone) {
  stored_[0] = MemoryTensor("embeddings", {6, 2}, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  stored_[1] = Map({4, 5, 0, 5});
  Scope(wanted_).MadeTable("embeddings", slot_, 4, 2, {6, "mapping", "", false});
  stored_.pop_back();
  match_ = MatchTensors(wanted_, stored_, {});
  ASSERT_TRUE(match_.problems.empty());
  EXPECT_EQ(match_.bindings[0].transform, "map rows/v1");
  std::array<float, 8> all{};
  ASSERT_TRUE(SlotReader(match_.bindings[0]).Read(0, 4, all.data()));
  EXPECT_EQ(all, (std::array<float, 8>{9, 10, 11, 12, 1, 2, 11, 12}));
}

// Norms that are stored less one: 1 + 1e-9 is 1 in f32, as in the reference, and bf16 is widened before.
TEST(SlotReader, AddsOneToWhatIsStoredLessOne) {
  const std::vector<TensorInfo> stored{
      MemoryTensor("norm.weight", {3}, std::vector<float>{-1, 0.25f, 1e-9f})};
  std::vector<TensorDecl> wanted;
  Norm norm;
  Scope(wanted).RmsNorm("norm", norm, 3, 1e-6f, Scope::Scales::kLessOne);
  const Match match = MatchTensors(wanted, stored, {});
  ASSERT_TRUE(match.problems.empty());
  EXPECT_EQ(match.bindings[0].transform, "add 1/v1");
  std::array<float, 3> values{};
  const SlotReader reader(match.bindings[0]);
  ASSERT_TRUE(reader.Read(0, 3, values.data()));
  EXPECT_EQ(values, (std::array<float, 3>{0, 1.25f, 1}));
  std::array<float, 1> last{};
  ASSERT_TRUE(reader.Read(1, 1, last.data()));
  EXPECT_EQ(last[0], 1.25f);
}

TEST_F(MadeTable, ProductsAreRoundedOnce) {
  stored_[0] = MemoryTensor("embeddings", {3, 2}, std::vector<float>{0.1f, 0, 0, 0, 0, 0});
  stored_[2] = MemoryTensor("weights", {4}, std::vector<float>{0, 0.7f, 0, 0});
  Declare();
  std::array<float, 2> row{};
  ASSERT_TRUE(SlotReader(match_.bindings[0]).Read(1, 1, row.data()));
  EXPECT_EQ(row[0], 0.1f * 0.7f);
}

TEST_F(MadeTable, ARowOutsideTheTableIsNamed) {
  for (const std::int32_t bad : {3, -1}) {
    stored_[1] = Map({2, 0, bad, 1});
    wanted_.clear();
    Declare();
    std::array<float, 8> all{};
    const auto read = SlotReader(match_.bindings[0]).Read(0, 4, all.data());
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, Code::kInvalidPackageSchema);
    EXPECT_EQ(read.error().where, Where::Tensor("model.safetensors", "mapping"));
    EXPECT_EQ(read.error().found, "row " + std::to_string(bad) + " for id 2");
    EXPECT_EQ(read.error().allowed, "rows of embeddings, 0 to 2");
  }
}

// The tensor that holds it, not the first of the slot.
TEST_F(MadeTable, WhatIsNotFiniteIsFound) {
  const Error found{.code = Code::kNonFiniteParameter, .where = {.tensor = "embeddings"}};
  stored_[2] =
      MemoryTensor("weights", {4}, std::vector<float>{1, 1, 1, std::numeric_limits<float>::infinity()});
  Declare();
  EXPECT_EQ(InPackage(found, match_.bindings[0]).where, Where::Tensor("model.safetensors", "weights"));
  stored_[2] = MemoryTensor("weights", {4}, std::vector<float>(4, 1.0f));
  stored_[0] = MemoryTensor("embeddings", {3, 2},
                            std::vector<float>{1, 2, 3, 4, std::numeric_limits<float>::quiet_NaN(), 6});
  wanted_.clear();
  Declare();
  EXPECT_EQ(InPackage(found, match_.bindings[0]).where, Where::Tensor("model.safetensors", "embeddings"));
}

TEST_F(MadeTable, MapAndScaleAreComparedToo) {
  stored_[1].type = StoredType::kF32;
  stored_[2].shape = {3};
  Declare();
  ASSERT_EQ(match_.problems.size(), 2u);
  EXPECT_EQ(match_.problems[0].code, Code::kUnsupportedOperatorDtypeDevice);
  EXPECT_EQ(match_.problems[0].where, Where::Tensor("model.safetensors", "mapping"));
  EXPECT_EQ(match_.problems[0].allowed, "I32, I64");
  EXPECT_EQ(match_.problems[1].code, Code::kShapeMismatch);
  EXPECT_EQ(match_.problems[1].found, "[3]");
  EXPECT_EQ(match_.problems[1].allowed, "[4]");
  stored_.pop_back();
  wanted_.clear();
  Declare();
  EXPECT_EQ(match_.bindings[0].state, BindState::kMissing);
  EXPECT_EQ(match_.problems.back().code, Code::kMissingRequiredTensor);
  EXPECT_EQ(match_.problems.back().where, Where::Tensor("model.safetensors", "weights"));
}

TEST(SlotReader, RowsPastTheSlotAreADefect) {
  const std::vector<float> values{1, 2};
  const TensorInfo a = MemoryTensor("q", {2}, values);
  Binding binding;
  binding.slot = "q", binding.rows = 2, binding.cols = 1, binding.stored = {{&a, 0, a.shape[0]}};
  std::array<float, 4> out{};
  const auto read = SlotReader(binding).Read(1, 2, out.data());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::kInternalInvariant);
}

// ART-09: the part that is not finite, by its file and its own name.
TEST(SlotReader, NonFinitePartIsNamed) {
  const std::vector<float> good{1, 2}, bad{3, std::numeric_limits<float>::quiet_NaN()};
  TensorInfo a = MemoryTensor("q", {1, 2}, good), b = MemoryTensor("k", {1, 2}, bad);
  a.file = "one.safetensors", b.file = "two.safetensors";
  Binding binding;
  binding.rows = 2, binding.cols = 2, binding.stored = {{&a, 0, a.shape[0]}, {&b, 0, b.shape[0]}};
  const Error told =
      InPackage({.code = Code::kNonFiniteParameter, .where = {.tensor = "q"}, .found = "NaN"}, binding);
  EXPECT_EQ(told.where, Where::Tensor("two.safetensors", "k"));
  EXPECT_EQ(told.found, "NaN");
  TensorInfo down = MemoryTensor("w2", {3, 2}, std::vector<float>{1, 2, 3, 4, 5, bad[1]});
  binding.cols = 1, binding.stored = {{&down, 1, 2, Take::kTranspose}};
  EXPECT_EQ(InPackage(told, binding).where.tensor, "k");  // not in its own row
  binding.stored[0].first = 2;
  EXPECT_EQ(InPackage(told, binding).where.tensor, "w2");
  EXPECT_EQ(InPackage({.code = Code::kRuntimeFailure, .where = {.tensor = "q"}}, binding).where.tensor, "q");
}

TEST(Synthetic, SameSeedSameBytes) {
  Linear l;
  std::vector<TensorDecl> wanted;
  Scope(wanted).Linear("l", l, 3, 2);
  const std::vector<TensorInfo> a = GenerateTensors(wanted, 1), b = GenerateTensors(wanted, 1),
                                c = GenerateTensors(wanted, 2);
  ASSERT_EQ(a.size(), 2u);
  EXPECT_EQ(a[0].name, "l.weight");
  EXPECT_EQ(a[0].shape, (std::vector<std::size_t>{3, 2}));
  EXPECT_EQ(a[1].shape, (std::vector<std::size_t>{3}));
  std::array<float, 6> x{}, y{}, z{};
  ASSERT_TRUE(ReadF32(a[0], 0, 6, x.data()));
  ASSERT_TRUE(ReadF32(b[0], 0, 6, y.data()));
  ASSERT_TRUE(ReadF32(c[0], 0, 6, z.data()));
  EXPECT_EQ(x, y);
  EXPECT_NE(x, z);
}

}  // namespace
}  // namespace candor

// What of a package is bound to what a model declares. Long because every form in which files store one is
// here.
#include "model/match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "model/synthetic.h"

namespace candor {
namespace {

constexpr std::pair<std::string_view, std::string_view> kRenames[] = {{"norm.gamma", "norm.weight"},
                                                                      {"norm.beta", "norm.bias"}};
constexpr NameDialect kDialects[] = {{"bare", "", kRenames}, {"prefix a.", "a.", kRenames}};
constexpr KnownTensors kKnown[] = {{"ids", "buffer"}, {"head.", "a head", true}};
constexpr NameRules kRules{kDialects, kKnown};

// Two products stacked, a table, a norm and an optional vector.
struct Toy {
  Linear qk;
  Weight table, extra;
  Norm norm;
  std::vector<TensorDecl> wanted;
  Toy() {
    const Scope root(wanted);
    root.Table("table", table, 5, 2);
    root.Stacked("qk", qk, 2, Scope::Bias::kRequired, {{"q", 3}, {"k", 4}});
    root.LayerNorm("norm", norm, 2, 1e-5f);
    root.Vector("extra", extra, 6, Need::kOptional);
  }
};

std::vector<TensorInfo> Stored(const Toy& toy, std::string_view prefix = "") {
  std::vector<TensorInfo> out = GenerateTensors(toy.wanted, 7, prefix);
  std::erase_if(out, [](const TensorInfo& t) { return t.name.ends_with("extra"); });
  return out;
}

TensorInfo& Find(std::vector<TensorInfo>& tensors, std::string_view name) {
  return *std::ranges::find(tensors, name, &TensorInfo::name);
}

const Binding& Slot(const Match& m, std::string_view slot) {
  return *std::ranges::find(m.bindings, slot, &Binding::slot);
}

void Expect(const Match& m, Code code, std::string_view tensor, std::string_view found,
            std::string_view allowed) {
  for (const Error& e : m.problems) {
    if (e.where.tensor != tensor || e.code != code) continue;
    EXPECT_EQ(e.found, found);
    EXPECT_EQ(e.allowed, allowed);
    EXPECT_EQ(e.where.file, "model.safetensors");
    EXPECT_EQ(e.phase, Phase::kTensors);
    return;
  }
  ADD_FAILURE() << "no such problem at " << tensor << " among " << m.problems.size();
}

// BR-091: identical binding for each single prefix.
// It must be there and fit, as anywhere else, and is among the explained.
TEST(Match, UnusedSlotsAreExplained) {
  std::vector<TensorDecl> wanted;
  Weight used, unused;
  Scope(wanted).Vector("used", used, 3);
  Scope(wanted).Unused("why").Vector("unused", unused, 2);
  std::vector<TensorInfo> stored = GenerateTensors(wanted, 7);
  const Match match = MatchTensors(wanted, stored, {});
  EXPECT_TRUE(match.problems.empty());
  EXPECT_EQ(Slot(match, "used").state, BindState::kBound);
  EXPECT_EQ(Slot(match, "unused").state, BindState::kUnused);
  ASSERT_EQ(match.explained.size(), 1u);
  EXPECT_EQ(match.explained[0].tensor->name, "unused");
  EXPECT_EQ(match.explained[0].rule, "why");
  EXPECT_FALSE(match.explained[0].head);
  BindShapes(wanted, match);
  EXPECT_TRUE(used);
  EXPECT_FALSE(unused);
  Find(stored, "unused").shape = {3};
  Expect(MatchTensors(wanted, stored, {}), Code::kShapeMismatch, "unused", "[3]", "[2]");
  std::erase_if(stored, [](const TensorInfo& t) { return t.name == "unused"; });
  Expect(MatchTensors(wanted, stored, {}), Code::kMissingRequiredTensor, "unused", "absent", "vector [2]");
}

TEST(Match, EachPrefixFits) {
  for (const NameDialect& d : kDialects) {
    const Toy toy;
    const std::vector<TensorInfo> stored = Stored(toy, d.prefix);
    const Match m = MatchTensors(toy.wanted, stored, kRules);
    EXPECT_TRUE(m.problems.empty());
    EXPECT_EQ(m.dialect, d.name);
    EXPECT_TRUE(m.unexpected.empty());
    EXPECT_EQ(Slot(m, "qk.weight").rows, 7u);
    EXPECT_EQ(Slot(m, "qk.weight").transform, "stack rows/v1");
    ASSERT_EQ(Slot(m, "qk.weight").stored.size(), 2u);
    EXPECT_EQ(Slot(m, "qk.weight").stored[1].tensor->name, std::string(d.prefix) + "k.weight");
    EXPECT_EQ(Slot(m, "table.weight").transform, "as is");
    EXPECT_EQ(Slot(m, "extra").state, BindState::kOptionalAbsent);
  }
}

TEST(Match, BindShapesGivesSizesOnly) {
  Toy toy;
  const std::vector<TensorInfo> stored = Stored(toy);
  BindShapes(toy.wanted, MatchTensors(toy.wanted, stored, kRules));
  EXPECT_EQ(toy.qk.weight.rows(), 7u);
  EXPECT_EQ(toy.qk.weight.cols(), 2u);
  EXPECT_EQ(toy.qk.bias.rows(), 7u);
  EXPECT_EQ(toy.qk.weight.prepared(), nullptr);
  EXPECT_FALSE(toy.extra);
}

// FAM-07: gamma and beta are renamed tensor by tensor, and the audit says so.
TEST(Match, RenamesWholeSegments) {
  const Toy toy;
  std::vector<TensorInfo> stored = Stored(toy);
  Find(stored, "norm.weight").name = "norm.gamma";  // beside norm.bias
  const Match m = MatchTensors(toy.wanted, stored, kRules);
  EXPECT_TRUE(m.problems.empty());
  EXPECT_EQ(Slot(m, "norm.weight").alias, "rename norm.gamma to norm.weight/v1");
  EXPECT_EQ(Slot(m, "norm.bias").alias, "");
}

TEST(Match, RenameNeedsTheWholeSegment) {
  const Toy toy;
  std::vector<TensorInfo> stored = Stored(toy);
  Find(stored, "norm.weight").name = "xnorm.gamma";
  const Match m = MatchTensors(toy.wanted, stored, kRules);
  Expect(m, Code::kMissingRequiredTensor, "norm.weight", "absent", "vector [2]");
}

// A product stored whole or in pieces, and a stack of layers under another name.
TEST(Match, FormsOfASlotAndStartsOfNames) {
  static constexpr std::pair<std::string_view, std::string_view> kStarts[] = {{"blocks.", "encoder.layers."}};
  static constexpr NameDialect kOldAndNew[] = {{"old", ""}, {"new", "", {}, kStarts}};
  const NameRules rules{kOldAndNew, {}};
  Linear qk;
  std::vector<TensorDecl> wanted;
  const Scope layer = Scope(wanted).Down("encoder.layers", 0);
  layer.Stacked("qk", qk, 2, Scope::Bias::kNone, {{{"qk", 3}}, {{"q", 2}, {"k", 1}}});
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const auto q = MemoryTensor("blocks.0.q.weight", {2, 2}, std::span(values).first(4));
  const auto k = MemoryTensor("blocks.0.k.weight", {1, 2}, std::span(values).last(2));

  const std::vector<TensorInfo> whole{MemoryTensor("encoder.layers.0.qk.weight", {3, 2}, values)};
  const Match old = MatchTensors(wanted, whole, rules);
  EXPECT_TRUE(old.problems.empty());
  EXPECT_EQ(old.dialect, "old");
  EXPECT_EQ(old.bindings[0].transform, "as is");

  const std::vector<TensorInfo> pieces{q, k};
  const Match fresh = MatchTensors(wanted, pieces, rules);
  EXPECT_TRUE(fresh.problems.empty());
  EXPECT_EQ(fresh.dialect, "new");
  EXPECT_EQ(fresh.bindings[0].transform, "stack rows/v1");
  ASSERT_EQ(fresh.bindings[0].stored.size(), 2u);
  EXPECT_EQ(fresh.bindings[0].stored[1].tensor->name, "blocks.0.k.weight");

  // Half of a form is that form with a hole; of nothing the first form is missed.
  const std::vector<TensorInfo> half{q};
  Expect(MatchTensors(wanted, half, rules), Code::kMissingRequiredTensor, "encoder.layers.0.k.weight",
         "absent", "matrix [1, 2]");
  const std::vector<TensorInfo> none{MemoryTensor("x", {1}, std::span(values).first(1))};
  Expect(MatchTensors(wanted, none, rules), Code::kMissingRequiredTensor, "encoder.layers.0.qk.weight",
         "absent", "matrix [3, 2]");
  // Both forms at once: one of them is not used, which is no choice of ours.
  const std::vector<TensorInfo> both{MemoryTensor("blocks.0.qk.weight", {3, 2}, values), q, k};
  Expect(MatchTensors(wanted, both, rules), Code::kUnexpectedTensor, "blocks.0.q.weight", "[2, 2]",
         "tensors of the family's declaration, or of a known unused group");
}

// Modules of one shape, each stored by itself or all in one bare parameter.
TEST(Match, ModulesOrTheirStack) {
  std::vector<Linear> up(2), down(2);
  std::vector<TensorDecl> wanted;
  const Scope experts = Scope(wanted).Down("experts");
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string own = std::to_string(i) + ".";
    experts.StackedOrOf(own + "up", up[i], 2, {{own + "a", 1}, {own + "b", 1}}, "ups", {i, 2});
    experts.StackedOrOf(own + "down", down[i], 1, {{own + "down", 2}}, "downs", {i, 2});
  }
  const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8};
  const auto ups = MemoryTensor("experts.ups", {2, 2, 2}, values);
  const auto downs = MemoryTensor("experts.downs", {2, 2, 1}, std::span(values).first(4));

  const std::vector<TensorInfo> stacks{ups, downs};
  const Match of_stacks = MatchTensors(wanted, stacks, {});
  EXPECT_TRUE(of_stacks.problems.empty());
  EXPECT_EQ(of_stacks.bindings[2].slot, "experts.1.up.weight");
  EXPECT_EQ(of_stacks.bindings[2].transform, "take rows/v1");
  ASSERT_EQ(of_stacks.bindings[2].stored.size(), 1u);
  EXPECT_EQ(of_stacks.bindings[2].stored[0].first, 2u);
  EXPECT_EQ(of_stacks.bindings[2].stored[0].count, 2u);

  std::vector<TensorInfo> modules;
  for (const char* name : {"0.a", "0.b", "1.a", "1.b"})
    modules.push_back(
        MemoryTensor("experts." + std::string(name) + ".weight", {1, 2}, std::span(values).first(2)));
  for (const char* name : {"0.down", "1.down"})
    modules.push_back(
        MemoryTensor("experts." + std::string(name) + ".weight", {2, 1}, std::span(values).first(2)));
  const Match of_modules = MatchTensors(wanted, modules, {});
  EXPECT_TRUE(of_modules.problems.empty());
  EXPECT_EQ(of_modules.bindings[2].transform, "stack rows/v1");

  // Beside another stack a missing one is one tensor, whatever the modules could be called.
  const std::vector<TensorInfo> half{ups};
  Expect(MatchTensors(wanted, half, {}), Code::kMissingRequiredTensor, "experts.downs", "absent",
         "matrix [2, 2, 1]");
}

TEST(Match, BothSpellingsAreOneTooMany) {
  const Toy toy;
  std::vector<TensorInfo> stored = Stored(toy);
  stored.push_back(Find(stored, "norm.weight"));
  stored.back().name = "norm.gamma";
  const Match m = MatchTensors(toy.wanted, stored, kRules);
  ASSERT_EQ(m.problems.size(), 1u);
  Expect(m, Code::kDuplicateTensor, "norm.gamma", "\"norm.gamma\" and \"norm.weight\"",
         "one tensor for norm.weight");
  EXPECT_EQ(Slot(m, "norm.weight").state, BindState::kMismatch);
}

// PLAN-06, PLAN-07: each required tensor, missing in turn, is named with its role and shape.
TEST(Match, EachMissingTensorIsNamed) {
  const Toy toy;
  const std::vector<TensorInfo> all = Stored(toy);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<TensorInfo> stored = all;
    stored.erase(stored.begin() + static_cast<std::ptrdiff_t>(i));
    const Match m = MatchTensors(toy.wanted, stored, kRules);
    ASSERT_EQ(m.problems.size(), 1u) << all[i].name;
    EXPECT_EQ(m.problems[0].code, Code::kMissingRequiredTensor);
    EXPECT_EQ(m.problems[0].where.tensor, all[i].name);
  }
}

TEST(Match, MixedPrefixesAreNotGuessed) {
  const Toy toy;
  std::vector<TensorInfo> stored = Stored(toy);
  Find(stored, "q.weight").name = "a.q.weight";
  const Match m = MatchTensors(toy.wanted, stored, kRules);
  ASSERT_EQ(m.problems.size(), 1u);
  Expect(m, Code::kMissingRequiredTensor, "q.weight", "only \"a.q.weight\", under another prefix",
         "matrix [3, 2]");
  ASSERT_EQ(m.unexpected.size(), 1u);
}

TEST(Match, OneSlotUnderTwoPrefixesIsADuplicate) {
  const Toy toy;
  std::vector<TensorInfo> stored = Stored(toy);
  stored.push_back(Find(stored, "k.bias"));
  stored.back().name = "a.k.bias";
  const Match m = MatchTensors(toy.wanted, stored, kRules);
  ASSERT_EQ(m.problems.size(), 1u);
  Expect(m, Code::kDuplicateTensor, "a.k.bias", "\"a.k.bias\" and \"k.bias\"", "one tensor for k.bias");
}

// PLAN-08: transposed and mis-shaped are two answers; nothing is turned because it would fit.
TEST(Match, ShapesAreExact) {
  const Toy toy;
  std::vector<TensorInfo> stored = Stored(toy);
  Find(stored, "q.weight").shape = {2, 3};
  Find(stored, "k.weight").shape = {4, 3};
  Find(stored, "norm.bias").shape = {2, 1};
  const Match m = MatchTensors(toy.wanted, stored, kRules);
  ASSERT_EQ(m.problems.size(), 3u);
  Expect(m, Code::kLayoutMismatch, "q.weight", "[2, 3]", "[3, 2], rows are outputs");
  Expect(m, Code::kShapeMismatch, "k.weight", "[4, 3]", "[4, 2]");
  Expect(m, Code::kShapeMismatch, "norm.bias", "[2, 1]", "[2]");
}

// Rows of one tensor in another order: what is wrong with it is said once.
TEST(Match, PartsOfOneTensorShareItsProblem) {
  Linear halves;
  std::vector<TensorDecl> wanted;
  Scope(wanted).Stacked("halves", halves, 2, Scope::Bias::kNone, {{"x", 3, 3, 6}, {"x", 3, 0, 6}});
  const std::vector<float> values(8);
  std::vector<TensorInfo> stored{MemoryTensor("x.weight", {4, 2}, values)};
  Match m = MatchTensors(wanted, stored, {});
  ASSERT_EQ(m.problems.size(), 1u);
  Expect(m, Code::kShapeMismatch, "x.weight", "[4, 2]", "[6, 2]");
  stored[0].name = "y.weight";
  m = MatchTensors(wanted, stored, {});
  ASSERT_EQ(m.problems.size(), 2u);  // and y belongs to nothing
  Expect(m, Code::kMissingRequiredTensor, "x.weight", "absent", "matrix [6, 2]");
}

// A tied product is the table where it is not stored, and what is stored where it is, its values being
// whatever they are; of a bias under two names the product's own counts.
TEST(Match, TwinsStandInForWhatIsNotStored) {
  static constexpr NameDialect kTwoDialects[] = {{"bare", ""}, {"prefix m.", "m."}};
  static constexpr KnownTensors kHead[] = {{"head.", "of a head", true}};
  const NameRules rules{kTwoDialects, kHead};
  Weight words;
  Linear decoder;
  std::vector<TensorDecl> wanted;
  Scope(wanted).Table("words", words, 3, 2);
  Scope(wanted).Beside().TiedLinear("head.decoder", decoder, 3, 2, Scope::Bias::kRequired,
                                    {.table = "words", .bias = "head.bias"});
  const std::vector<float> six{1, 2, 3, 4, 5, 6}, three{7, 8, 9};
  std::vector<TensorInfo> stored{MemoryTensor("m.words.weight", {3, 2}, six),
                                 MemoryTensor("head.bias", {3}, three)};
  Match m = MatchTensors(wanted, stored, rules);
  EXPECT_TRUE(m.problems.empty() && m.unexpected.empty() && m.explained.empty());
  EXPECT_EQ(Slot(m, "head.decoder.weight").stored[0].tensor->name, "m.words.weight");
  EXPECT_EQ(Slot(m, "head.decoder.weight").alias, "tied to words.weight/v1");
  EXPECT_EQ(Slot(m, "head.decoder.bias").stored[0].tensor->name, "head.bias");

  stored.push_back(MemoryTensor("head.decoder.weight", {3, 2}, six));
  stored.push_back(MemoryTensor("head.decoder.bias", {3}, three));
  m = MatchTensors(wanted, stored, rules);
  EXPECT_TRUE(m.problems.empty());
  EXPECT_EQ(Slot(m, "head.decoder.weight").stored[0].tensor->name, "head.decoder.weight");
  EXPECT_EQ(Slot(m, "head.decoder.weight").alias, "");
  EXPECT_EQ(Slot(m, "head.decoder.bias").stored[0].tensor->name, "head.decoder.bias");
  ASSERT_EQ(m.explained.size(), 1u);
  EXPECT_EQ(m.explained[0].tensor->name, "head.bias");

  // A product that has no weight of its own passes over one that is stored under its name.
  std::vector<TensorDecl> never;
  Scope(never).Table("words", words, 3, 2);
  Scope(never).Beside().TiedLinear("head.decoder", decoder, 3, 2, Scope::Bias::kRequired,
                                   {.table = "words", .never_stored = true});
  m = MatchTensors(never, stored, rules);
  EXPECT_TRUE(m.problems.empty());
  EXPECT_EQ(Slot(m, "head.decoder.weight").stored[0].tensor->name, "m.words.weight");
  EXPECT_EQ(Slot(m, "head.decoder.weight").alias, "tied to words.weight/v1");
  EXPECT_EQ(Slot(m, "head.decoder.bias").stored[0].tensor->name, "head.decoder.bias");
  EXPECT_EQ(m.explained.size(), 2u);

  // Without the table both are missing; without twins what is not stored is missing.
  const std::vector<TensorInfo> bias{MemoryTensor("head.bias", {3}, three)};
  m = MatchTensors(wanted, bias, rules);
  ASSERT_EQ(m.problems.size(), 2u);
  Expect(m, Code::kMissingRequiredTensor, "head.decoder.weight", "absent", "matrix [3, 2]");
  std::vector<TensorDecl> apart;
  Scope(apart).Table("words", words, 3, 2);
  Scope(apart).Beside().TiedLinear("head.decoder", decoder, 3, 2, Scope::Bias::kRequired, {});
  stored.resize(2);
  m = MatchTensors(apart, stored, rules);
  ASSERT_EQ(m.problems.size(), 2u);
  Expect(m, Code::kMissingRequiredTensor, "head.decoder.bias", "absent", "vector [3]");
}

TEST(Match, OnlyFloatsThatAreExactAreBound) {
  const Toy toy;
  std::vector<TensorInfo> stored = Stored(toy);
  Find(stored, "q.weight").type = StoredType::kI8;
  Find(stored, "k.weight").type = StoredType::kF64;
  Find(stored, "table.weight").type = StoredType::kBf16;
  const Match m = MatchTensors(toy.wanted, stored, kRules);
  ASSERT_EQ(m.problems.size(), 2u);
  Expect(m, Code::kUnsupportedQuantization, "q.weight", "I8", "F32, F16, BF16");
  Expect(m, Code::kUnsupportedOperatorDtypeDevice, "k.weight", "F64", "F32, F16, BF16");
}

// PLAN-09: everything left over is either explained by a rule or a problem.
TEST(Match, LeftOversAreExplainedOrRefused) {
  const Toy toy;
  std::vector<TensorInfo> stored = Stored(toy, "a.");
  const std::vector<float> one{1};
  stored.push_back(MemoryTensor("a.ids", {1}, one));
  stored.push_back(MemoryTensor("head.out.weight", {1, 1}, one));  // heads stand outside the prefix
  stored.push_back(MemoryTensor("header", {1}, one));
  const Match m = MatchTensors(toy.wanted, stored, kRules);
  ASSERT_EQ(m.explained.size(), 2u);
  EXPECT_EQ(m.explained[0].rule, "buffer");
  EXPECT_FALSE(m.explained[0].head);
  EXPECT_TRUE(m.explained[1].head);
  ASSERT_EQ(m.problems.size(), 1u);
  Expect(m, Code::kUnexpectedTensor, "header", "[1]",
         "tensors of the family's declaration, or of a known unused group");
}

// Time grows with the tensors, not with their square: 0.24 s measured here.
// others.
TEST(Match, ManyLeftOversAndManySlots) {
  constexpr int kMany = 60'000;
  std::vector<TensorDecl> wanted;
  Weight slot;
  const Scope root(wanted);
  std::vector<TensorInfo> stored;
  const std::vector<float> one{1};
  for (int i = 0; i < kMany; ++i) {
    root.Vector("missing" + std::to_string(i), slot, 1);
    stored.push_back(MemoryTensor("a.extra" + std::to_string(i), {1}, one));
  }
  const std::clock_t begin = std::clock();
  const Match m = MatchTensors(wanted, stored, kRules);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 5);
  EXPECT_EQ(m.unexpected.size(), std::size_t{kMany});
  EXPECT_EQ(m.problems.size(), std::size_t{2 * kMany});
}

TEST(Match, NoTensorsAtAllIsOneProblem) {
  const Toy toy;
  const Match m = MatchTensors(toy.wanted, {}, kRules);
  ASSERT_EQ(m.problems.size(), 1u);
  EXPECT_EQ(m.problems[0].code, Code::kComponentMissing);
  EXPECT_EQ(m.problems[0].where.file, "model.safetensors");
}

}  // namespace
}  // namespace candor

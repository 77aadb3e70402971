#include "tasks/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

namespace candor::tasks {
namespace {

// Only what a task reads of a model.
class StubModel final : public Model {
 public:
  StubModel(std::size_t width, const InputRule& rule) : width_(width), rule_(rule) {}
  void DeclareTensors(const Scope&) override {}
  Matrix Forward(const Batch&, Ops&, Workspace&) const override { return {}; }
  InputRule input() const override { return rule_; }
  std::size_t width() const override { return width_; }

 private:
  std::size_t width_;
  InputRule rule_;
};

// goldens/bert/classic: width 32, at most 32 tokens, mean and Normalize.
std::shared_ptr<const package::Package> Classic() {
  auto package = package::Package::Open(std::string(CANDOR_SOURCE_DIR) + "/goldens/bert/classic/package");
  EXPECT_TRUE(package);
  return std::move(package).value();
}
constexpr InputRule kRoomy{.max_length = 64, .vocabulary = 1000, .segments = 2};

Planned<std::unique_ptr<Task>> Make(const Model* model, const TaskOptions& options = {}) {
  Problems problems;
  auto task = MakeTask("embed", *Classic(), std::make_shared<package::ReadLog>(), options, model, problems);
  if (!problems.empty()) return problems;
  return task;
}

void ExpectOne(const Planned<std::unique_ptr<Task>>& made, Code code, const Where& where,
               std::string_view allowed) {
  ASSERT_FALSE(made);
  ASSERT_EQ(made.error().size(), 1u);
  EXPECT_EQ(made.error()[0].code, code);
  EXPECT_EQ(made.error()[0].where, where);
  EXPECT_EQ(made.error()[0].allowed, allowed);
}

// TSK-01, TSK-03
TEST(Tasks, UnknownAndUnbuiltVerbs) {
  for (const char* verb : {"embed", "embed-sparse", "embed-tokens", "rerank", "classify", "classify-tokens"})
    EXPECT_TRUE(CheckVerb(verb)) << verb;
  for (const auto& [verb, found] :
       {std::pair<std::string, std::string>{"decide", "decide, not built in this version"},
        {"sing", "sing"}}) {
    const auto known = CheckVerb(verb);
    ASSERT_FALSE(known);
    EXPECT_EQ(known.error().code, Code::kUnknownTask);
    EXPECT_EQ(known.error().found, found);
    EXPECT_EQ(known.error().allowed, "embed, embed-sparse, embed-tokens, rerank, classify, classify-tokens");
  }
}

TEST(Tasks, MakesAnEmbeddingOfAPackage) {
  const StubModel model(32, kRoomy);
  const auto made = Make(&model);
  ASSERT_TRUE(made) << Message(made.error()[0]);
  const TaskFacts& f = made.value()->facts();
  EXPECT_EQ(made.value()->contract(), "candor.embedding.dense/v1");
  EXPECT_EQ(f.dimensions, 32u);
  EXPECT_EQ(f.max_length, 32u);  // sentence_bert_config.json
  EXPECT_TRUE(f.normalized);
  EXPECT_EQ(f.similarity, "cosine");
  EXPECT_EQ(f.pooling, "mean");
  ASSERT_EQ(f.chain.size(), 3u);
  EXPECT_EQ(f.chain[0].first, "Transformer");
}

// FAM-09: [SEP], id 3, comes from the template; its type from there too.
TEST(Tasks, WhatTheTemplateAddsHasARow) {
  const StubModel segments(32, {.max_length = 64, .vocabulary = 1000, .segments = 2});
  EXPECT_TRUE(Make(&segments));
  const StubModel few(32, {.max_length = 64, .vocabulary = 3, .segments = 2});
  const auto made = Make(&few);
  ASSERT_FALSE(made);
  ASSERT_EQ(made.error().size(), 2u);
  EXPECT_EQ(made.error()[0].found, "id 188 of \"right\"");
  EXPECT_EQ(made.error()[1].where, Where::At("tokenizer.json", "/post_processor"));
  EXPECT_EQ(made.error()[1].found, "id 3");
  EXPECT_EQ(made.error()[1].allowed, "ids below 3, the rows of the token table");
}

// ERR-03: with a problem the task still says which tensors it needs.
TEST(Tasks, ARefusedRecipeStillDeclares) {
  const StubModel model(32, {.max_length = 64, .vocabulary = 10, .segments = 2});
  Problems problems;
  const auto task = MakeTask("embed", *Classic(), std::make_shared<package::ReadLog>(), {}, &model, problems);
  EXPECT_EQ(problems.size(), 1u);
  ASSERT_NE(task, nullptr);
  std::vector<TensorDecl> declared;
  task->DeclareTensors(Scope(declared));
  EXPECT_TRUE(declared.empty());  // mean and Normalize have no parameters
}

// FAM-09
TEST(Tasks, VocabularyLargerThanTheTable) {
  const StubModel model(32, {.max_length = 64, .vocabulary = 10, .segments = 2});
  ExpectOne(Make(&model), Code::kPreprocessingContractMismatch, Where::At("tokenizer.json"),
            "ids below 10, the rows of the token table");
}

TEST(Tasks, LimitNeverPassesThePositionTable) {
  const StubModel model(32, {.max_length = 20, .vocabulary = 1000, .segments = 2});
  const auto made = Make(&model);
  ASSERT_TRUE(made);
  EXPECT_EQ(made.value()->facts().max_length, 20u);
  // Where no table ends there, the package's own limit holds.
  const StubModel elastic(32, {.max_length = 20, .elastic = true, .vocabulary = 1000, .segments = 2});
  EXPECT_EQ(Make(&elastic).value()->facts().max_length, 32u);
}

TEST(Tasks, MaxLengthOption) {
  const StubModel model(32, kRoomy);
  EXPECT_EQ(Make(&model, {.max_length = 5}).value()->facts().max_length, 5u);
  for (const std::size_t bad : {0u, 1u, 33u})
    ExpectOne(Make(&model, {.max_length = bad}), Code::kUnsupportedOption, Where::Option("max-length"),
              "2 to 32");
}

// Without a model the recipe's own problems are still found.
TEST(Tasks, RecipeIsReadWithoutAModel) {
  EXPECT_TRUE(Make(nullptr));
  ExpectOne(Make(nullptr, {.no_normalize = true}), Code::kUnsupportedOption, Where::Option("no-normalize"),
            "a package whose chain does not");
}

Embeddings Vectors(std::string similarity, std::vector<float> values) {
  return {.dimensions = 2,
          .normalized = false,
          .similarity = std::move(similarity),
          .space = "s",
          .values = std::move(values)};
}

// TSK-05; by hand, as the reference's util.similarity defines them.
TEST(Similarity, FourFunctions) {
  const std::vector<float> one{3, 4}, many{3, 4, 4, -3, 0, 0};
  const std::pair<const char*, std::vector<float>> kCases[] = {{"cosine", {1, 0, 0}},
                                                               {"dot", {25, 0, 0}},
                                                               {"euclidean", {0, -7.07106781f, -5}},
                                                               {"manhattan", {0, -8, -7}}};
  for (const auto& [name, want] : kCases) {
    const auto got = Similarity(Vectors(name, one), Vectors(name, many));
    ASSERT_TRUE(got);
    EXPECT_EQ(got.value(), want) << name;
  }
}

// TSK-10
TEST(Similarity, SpacesAreNotMixed) {
  Embeddings other = Vectors("dot", {1, 2});
  other.space = "t";
  const auto got = Similarity(Vectors("dot", {1, 2}), other);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, Code::kEmbeddingSpaceMismatch);
  EXPECT_EQ(got.error().found, "t, 2 dimensions");
  EXPECT_EQ(got.error().allowed, "s, 2 dimensions");
}

}  // namespace
}  // namespace candor::tasks

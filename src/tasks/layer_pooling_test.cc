// WeightedLayerPooling in a chain: what is read of it, where it may stand, and when it is used. The rules are
// those of sentence-transformers 6.2 (sentence_transformer/modules/weighted_layer_pooling.py,
// base/modules/transformer.py).
#include <gtest/gtest.h>

#include "package/test_folder.h"
#include "tasks/recipe.h"

namespace candor::tasks {
namespace {

constexpr std::string_view kTypes =
    "Transformer, then Pooling, or StaticEmbedding first, then any of Dense, LayerNorm, Normalize, Dropout";
constexpr std::string_view kModule = "1_WeightedLayerPooling/config.json";
constexpr std::string_view kPool = R"({"embedding_dimension":6,"pooling_mode":"mean"})";

struct Case {
  std::vector<std::string> types = {"WeightedLayerPooling", "Pooling"};
  std::string settings = R"({"embedding_dimension":6,"num_hidden_layers":3,"layer_start":1})";
  std::string config = R"({"model_type":"bert","output_hidden_states":true})";
  std::optional<std::size_t> given = 4;
};

struct Read {
  EmbedRecipe recipe;
  Problems problems;
  std::vector<package::Evidence> evidence;
};

Read ReadCase(const Case& c) {
  const package::TestFolder folder("layer_pooling");
  folder.Write("config.json", c.config);
  std::string chain = R"([{"name":"0","path":"","type":"sentence_transformers.models.Transformer"})";
  for (std::size_t i = 0; i < c.types.size(); ++i) {
    const std::string n = std::to_string(i + 1), path = n + "_" + c.types[i];
    chain += R"(,{"name":")" + n + R"(","path":")" + path + R"(","type":"sentence_transformers.models.)" +
             c.types[i] + R"("})";
    folder.Write(path + "/config.json", c.types[i] == "Pooling" ? kPool : std::string_view(c.settings));
  }
  folder.Write("modules.json", chain + "]");
  const auto package = package::Package::Open(folder.path());
  EXPECT_TRUE(package);
  Read read;
  const auto log = std::make_shared<package::ReadLog>();
  RecipeOptions options;
  options.family = "bert", options.given_layers = c.given;
  read.recipe = ReadRecipe(**package, log, options, 6, read.problems);
  read.evidence = log->evidence();
  return read;
}

bool Chose(const Read& read, std::string_view fact, std::string_view value) {
  for (const package::Evidence& e : read.evidence)
    if (e.choice && e.fact == fact && e.value == value) return true;
  return false;
}

void Refused(const Case& c, Code code, const Where& where, std::string_view found, std::string_view allowed) {
  const Read read = ReadCase(c);
  ASSERT_EQ(read.problems.size(), 1u) << found;
  EXPECT_EQ(read.problems[0].code, code) << found;
  EXPECT_EQ(read.problems[0].where, where) << found;
  EXPECT_EQ(read.problems[0].found, found);
  EXPECT_EQ(read.problems[0].allowed, allowed) << found;
}

Where Module(std::string_view pointer) { return Where::At(std::string(kModule), std::string(pointer)); }

// TSK-06
TEST(LayerPooling, LayersFromTheFirstToTheLast) {
  const Read read = ReadCase({});
  ASSERT_TRUE(read.problems.empty()) << Message(read.problems[0]);
  ASSERT_TRUE(read.recipe.layers);
  EXPECT_EQ(read.recipe.layers->folder, "1_WeightedLayerPooling/");
  EXPECT_EQ(read.recipe.layers->first, 1u);
  EXPECT_EQ(read.recipe.layers->count, 3u);
  EXPECT_TRUE(read.recipe.layers->used);
  ASSERT_EQ(read.recipe.chain.size(), 1u);
  EXPECT_EQ(read.recipe.width, 6u);
  EXPECT_TRUE(Chose(read, "layers", "mixed"));
  EXPECT_TRUE(Chose(read, "recipe.module", "WeightedLayerPooling"));
}

TEST(LayerPooling, DefaultsAreThoseOfTwelveLayers) {
  const Read read = ReadCase({.settings = R"({"word_embedding_dimension":6})", .given = 13});
  ASSERT_TRUE(read.problems.empty()) << Message(read.problems[0]);
  EXPECT_EQ(read.recipe.layers->first, 4u);
  EXPECT_EQ(read.recipe.layers->count, 9u);
}

TEST(LayerPooling, IsNotUsedWithoutHiddenStates) {
  for (const std::string rest : {"", R"(,"output_hidden_states":null)", R"(,"output_hidden_states":false)"}) {
    // Then no other layers are missed either.
    const Read read = ReadCase({.config = R"({"model_type":"bert")" + rest + "}", .given = 0});
    ASSERT_TRUE(read.problems.empty()) << Message(read.problems[0]);
    ASSERT_TRUE(read.recipe.layers);
    EXPECT_FALSE(read.recipe.layers->used);
    EXPECT_TRUE(Chose(read, "recipe.layers", "unused"));
    EXPECT_FALSE(Chose(read, "layers", "mixed"));
  }
}

TEST(LayerPooling, SomeLayersAloneAreNone) {
  for (const std::string value : {"2", "[0,2]", "0", R"("yes")"})
    Refused({.config = R"({"model_type":"bert","output_hidden_states":)" + value + "}"},
            Code::kUnsupportedConfigVariant, Where::At("config.json", "/output_hidden_states"), value,
            "true | false | null");
  Refused({.config = R"({"output_hidden_states":true,"tie_last_hidden_states":false})"},
          Code::kUnsupportedConfigVariant, Where::At("config.json", "/tie_last_hidden_states"), "false",
          "true | null");
}

TEST(LayerPooling, LayersMustBeTheEncoders) {
  Refused({.given = 0}, Code::kUnsupportedProcessorRecipe, Where::At("modules.json", "/1/type"),
          "WeightedLayerPooling: layers of bert are not given out",
          "a family whose layers are, or output_hidden_states false");
  for (const std::size_t given : {std::size_t{3}, std::size_t{5}})
    Refused({.given = given}, Code::kEvidenceConflict, Module("/num_hidden_layers"), "3",
            std::to_string(given - 1) + ", the layers of the encoder");
  EXPECT_TRUE(ReadCase({.given = std::nullopt}).problems.empty());  // a refused family tells what is wrong
}

TEST(LayerPooling, Settings) {
  const auto settings = [](const std::string& text) {
    Case c;
    c.settings = "{" + text + "}";
    return c;
  };
  Refused(settings(R"("embedding_dimension":6,"num_hidden_layers":3,"layer_start":4)"),
          Code::kInvalidPackageSchema, Module("/layer_start"), "4", "at most num_hidden_layers, 3");
  Refused(settings(R"("embedding_dimension":6,"num_hidden_layers":3,"layer_start":-1)"),
          Code::kInvalidPackageSchema, Module("/layer_start"), "-1", "a whole number from 0 to 16777216");
  Refused(settings(R"("num_hidden_layers":3,"layer_start":1)"), Code::kInvalidPackageSchema,
          Module("/embedding_dimension"), "absent", "the width of the encoder");
  Refused(settings(R"("embedding_dimension":7,"num_hidden_layers":3,"layer_start":1)"),
          Code::kEvidenceConflict, Module("/embedding_dimension"), "7", "6, the width of the module before");
  Refused(settings(R"("embedding_dimension":6,"num_hidden_layers":3,"layer_start":null)"),
          Code::kInvalidPackageSchema, Module("/layer_start"), "null", "a number of layers");
  Refused(
      settings(R"("embedding_dimension":6,"num_hidden_layers":3,"layer_start":1,"layer_weights":[1,1,1])"),
      Code::kUnsupportedProcessorRecipe, Module("/layer_weights"), "[1,1,1]", "null");
  Refused(settings(R"("embedding_dimension":6,"num_hidden_layers":3,"layer_start":1,"novel":1)"),
          Code::kUnsupportedProcessorRecipe, Module("/novel"), "novel",
          "embedding_dimension, word_embedding_dimension, num_hidden_layers, layer_start, layer_weights");
}

TEST(LayerPooling, StandsOnceBeforePooling) {
  constexpr std::string_view kOnce = "one between Transformer and Pooling, for embeddings";
  const auto type = [](const char* pointer) { return Where::At("modules.json", pointer); };
  Refused({.types = {"Pooling", "WeightedLayerPooling"}}, Code::kUnsupportedProcessorRecipe, type("/2/type"),
          "WeightedLayerPooling after Pooling", kOnce);
  Refused({.types = {"WeightedLayerPooling", "WeightedLayerPooling", "Pooling"}},
          Code::kUnsupportedProcessorRecipe, type("/2/type"),
          "WeightedLayerPooling after WeightedLayerPooling", kOnce);
  Refused({.types = {"WeightedLayerPooling", "Normalize"}}, Code::kUnsupportedProcessorRecipe,
          type("/2/type"), "Normalize after WeightedLayerPooling", kTypes);
  Refused({.types = {"WeightedLayerPooling"}}, Code::kUnsupportedProcessorRecipe, Where::At("modules.json"),
          "no Pooling module", kTypes);
}

}  // namespace
}  // namespace candor::tasks

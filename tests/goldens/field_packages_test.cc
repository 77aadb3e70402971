// Faults of other engines with one model spelled in many ways: every spelling gives the same bits or is
// refused. Through the public API; BR numbers are those of the field log.
#include <gtest/gtest.h>

#include "candor/engine.h"
#include "transparent.h"

namespace candor::goldens {
namespace {

using package::TestFolder;
using package::TestTensor;

// A BERT of which every tensor counts.
Transparent Whole() {
  Transparent t;
  t.scrambled = true;
  t.width = 8, t.inner = 12;
  t.tokens.insert(t.tokens.end(), {"a", "b", "c"});
  t.modules = {PoolingModule("mean", 8), {"Normalize", ""}};
  return t;
}

Planned<std::shared_ptr<const Embedder>> TryOpen(const Transparent& t) {
  const TestFolder folder("spelled");
  t.WriteTo(folder);
  return Engine::New({.threads = 1})
      .value()
      ->OpenEmbedder({.path = folder.path(), .allow_unqualified = true});
}

// The vectors of three texts; empty after a failure.
std::vector<float> Vectors(const Transparent& t) {
  const auto model = TryOpen(t);
  if (!model) {
    for (const Error& e : model.error()) ADD_FAILURE() << Message(e);
    return {};
  }
  const auto reply =
      (*model)->Embed({.inputs = {std::string("a b"), std::string("c"), std::string("b c a b")}});
  EXPECT_TRUE(reply);
  return reply ? reply->embeddings.values : std::vector<float>();
}

Error Refusal(const Transparent& t) {
  const auto model = TryOpen(t);
  if (model || model.error().size() != 1) {
    ADD_FAILURE() << (model ? "opened" : Message(model.error().at(0)));
    return {};
  }
  return model.error()[0];
}

TestTensor F32(const std::string& name, const std::string& shape, const std::vector<float>& values) {
  return {name, "F32", shape, package::F32Bytes(values)};
}

// The test of this file's tests: a part that is another gives other vectors.
TEST(FieldPackages, EveryPartCounts) {
  const std::vector<float> want = Vectors(Whole());
  for (const char* norm : {"embeddings.LayerNorm.bias", "encoder.layer.0.output.LayerNorm.weight"}) {
    Transparent t = Whole();
    t.tensors[norm] = std::vector<float>{1, 0, 0, 0, 0, 0, 0, 0};
    EXPECT_NE(Vectors(t), want) << norm;
  }
}

// BR-091
TEST(FieldPackages, EachPrefixGivesTheSameVectors) {
  const std::vector<float> want = Vectors(Whole());
  for (const char* prefix : {"bert.", "model.", "encoder.", "0.auto_model."}) {
    Transparent t = Whole();
    t.prefix = prefix;
    EXPECT_EQ(Vectors(t), want) << prefix;
    t.more = {F32("cls.predictions.bias", "[7]", std::vector<float>(7)),
              F32(std::string(prefix) + "pooler.dense.bias", "[8]", std::vector<float>(8))};
    EXPECT_EQ(Vectors(t), want) << prefix;  // heads and pooler are left alone
    t.more = {F32("embeddings.LayerNorm.bias", "[8]", std::vector<float>(8))};
    const Error e = Refusal(t);  // one slot under two prefixes
    EXPECT_EQ(e.code, Code::kDuplicateTensor) << prefix;
  }
  Transparent roberta = Whole();
  roberta.model_type = "roberta", roberta.config = R"(,"pad_token_id":1)";
  const std::vector<float> bare = Vectors(roberta);
  EXPECT_NE(bare, want);  // other positions
  for (const char* prefix : {"roberta.", "0.auto_model."}) {
    roberta.prefix = prefix;
    EXPECT_EQ(Vectors(roberta), bare) << prefix;
  }
}

// BR-092
TEST(FieldPackages, GammaAndBetaAreWeightAndBias) {
  const std::vector<float> want = Vectors(Whole());
  for (const char* prefix : {"", "bert."}) {
    Transparent t = Whole();
    t.prefix = prefix, t.gammas = true;
    EXPECT_EQ(Vectors(t), want) << prefix;
    t.more = {F32(std::string(prefix) + "embeddings.LayerNorm.weight", "[8]", std::vector<float>(8, 1))};
    EXPECT_EQ(Refusal(t).code, Code::kDuplicateTensor) << prefix;
  }
}

// BR-094: a dense embedding needs no output head: tied or not, there or not, alike or not.
TEST(FieldPackages, AnOutputHeadIsNoPartOfAnEmbedding) {
  const std::vector<float> want = Vectors(Whole());
  for (const char* tied : {"", R"(,"tie_word_embeddings":true)", R"(,"tie_word_embeddings":false)"}) {
    Transparent t = Whole();
    t.prefix = "bert.";
    t.config = std::string(tied) + R"(,"architectures":["BertForMaskedLM"])";
    EXPECT_EQ(Vectors(t), want) << tied;
    t.more = {F32("cls.predictions.decoder.weight", "[7,8]", std::vector<float>(56, 0.5f))};
    EXPECT_EQ(Vectors(t), want) << tied;
  }
}

// BR-107: F16 and BF16 widen exactly, in all tensors or in some; every other type is refused by its name.
TEST(FieldPackages, StoredTypesWidenExactly) {
  const std::vector<float> want = Vectors(Whole());
  for (const char* stored : {"F16", "BF16"}) {
    Transparent t = Whole();
    t.stored = stored;
    EXPECT_EQ(Vectors(t), want) << stored;
    t.types = {{"embeddings.word_embeddings.weight", "F32"},
               {"encoder.layer.0.attention.self.key.weight", stored == std::string("F16") ? "BF16" : "F16"},
               {"encoder.layer.0.output.LayerNorm.bias", "F32"}};
    EXPECT_EQ(Vectors(t), want) << stored << ", mixed";
  }
  Transparent t = Whole();
  t.more = {{"embeddings.position_ids", "I64", "[1,2]", std::string(16, '\0')}};
  EXPECT_EQ(Vectors(t), want);
  const struct {
    const char* type;
    std::size_t bytes;
    Code code;
  } kOthers[] = {{"F64", 8, Code::kUnsupportedOperatorDtypeDevice},
                 {"BOOL", 1, Code::kUnsupportedOperatorDtypeDevice},
                 {"I8", 1, Code::kUnsupportedQuantization},
                 {"F8_E4M3", 1, Code::kUnsupportedQuantization}};
  for (const auto& [type, bytes, code] : kOthers) {
    Transparent dense = Whole();
    dense.modules.push_back({"Dense",
                             R"({"in_features":8,"out_features":1,"bias":false,)"
                             R"("activation_function":"torch.nn.modules.linear.Identity"})",
                             {{"linear.weight", type, "[1,8]", std::string(8 * bytes, '\0')}}});
    const Error e = Refusal(dense);
    EXPECT_EQ(e.code, code) << type;
    EXPECT_EQ(e.found, type);
    EXPECT_EQ(e.where, Where::Tensor("3_Dense/model.safetensors", "linear.weight"));
  }
}

}  // namespace
}  // namespace candor::goldens

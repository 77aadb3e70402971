// COV-09: what the reader of Jina's two encoders makes of a config.json, the slopes, and the names of
// tensors. Defaults are those of both repositories' JinaBertConfig.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "families/jina_bert.h"
#include "families/jina_code.h"
#include "families/test_support.h"
#include "model/synthetic.h"
#include "ops/reference.h"

namespace candor::families {
namespace {

constexpr const char* kBert = "jinaai/jina-bert-implementation--";
constexpr const char* kCode = "jinaai/jina-bert-v2-qk-post-norm--";
constexpr const char* kBoth[] = {kBert, kCode};

const JinaSpec& Spec(const ReadResult& r) { return dynamic_cast<const JinaModel&>(*r.model).spec(); }

std::string Map(const std::string& owner) {
  return R"("auto_map":{"AutoConfig":")" + owner + R"(configuration_bert.JinaBertConfig","AutoModel":")" +
         owner + R"(modeling_bert.JinaBertModel"})";
}

std::string Bare(const std::string& owner, const std::string& members) {
  return R"({"model_type":"bert",)" + Map(owner) + (members.empty() ? "" : "," + members) + "}";
}

// With the two keys that must be written.
std::string Of(const std::string& owner, const std::string& members) {
  return Bare(owner, R"("position_embedding_type":"alibi","feed_forward_type":"geglu")" +
                         (members.empty() ? "" : "," + members));
}

TEST(JinaConfig, TheRepositoryTellsTheModels) {
  EXPECT_NE(dynamic_cast<const JinaBertModel*>(Read(Of(kBert, "")).model.get()), nullptr);
  EXPECT_NE(dynamic_cast<const JinaCodeModel*>(Read(Of(kCode, "")).model.get()), nullptr);
}

// Classes that lie in the package itself may be either's, and a map of both is neither's.
TEST(JinaConfig, ClassesWithoutARepository) {
  const ReadResult bare = Read(Of("", R"("architectures":["JinaBertModel"])"));
  ASSERT_EQ(bare.problems.size(), 1u);
  const Error& e = bare.problems[0];
  EXPECT_EQ(e.code, Code::kAmbiguousFamily);
  EXPECT_EQ(e.where, Where::At("config.json", "/auto_map"));
  EXPECT_EQ(
      e.found,
      R"({"AutoConfig":"configuration_bert.JinaBertConfig","AutoModel":"modeling_bert.JinaBertModel"})");
  EXPECT_EQ(e.allowed,
            "in front of each class one of: jinaai/jina-bert-implementation--, "
            "jinaai/jina-bert-v2-qk-post-norm--; their classes share names, not arithmetic");
  const ReadResult mixed =
      Read(R"({"model_type":"bert","architectures":["JinaBertModel"],"auto_map":{)"
           R"("AutoConfig":"jinaai/jina-bert-implementation--configuration_bert.JinaBertConfig",)"
           R"("AutoModel":"jinaai/jina-bert-v2-qk-post-norm--modeling_bert.JinaBertModel"}})");
  ASSERT_EQ(mixed.problems.size(), 1u);
  EXPECT_EQ(mixed.problems[0].code, Code::kCustomCodeDenied);
  const ReadResult fork = Read(Of("somebody/jina--", ""));
  ASSERT_EQ(fork.problems.size(), 1u);
  EXPECT_EQ(fork.problems[0].code, Code::kCustomCodeDenied);
}

TEST(JinaConfig, Defaults) {
  for (const char* owner : kBoth) {
    const ReadResult r = Read(Of(owner, ""));
    ASSERT_TRUE(r.problems.empty());
    const JinaSpec& s = Spec(r);
    EXPECT_EQ(s.vocabulary, 30522u);
    EXPECT_EQ(s.width, 768u);
    EXPECT_EQ(s.inner, 3072u);
    EXPECT_EQ(s.heads, 12u);
    EXPECT_EQ(s.layers, 12u);
    EXPECT_EQ(s.segments, 2u);
    EXPECT_EQ(s.eps, 1e-12f);
    EXPECT_EQ(r.model->input().max_length, 512u);
    EXPECT_TRUE(r.model->input().elastic);
    EXPECT_FALSE(r.model->input().padding);
    EXPECT_EQ(ChoiceOf(r, "alibi_slopes"), "two runs");
  }
}

// hidden_act is that of a plain MLP: a gate has its own function whatever it says.
TEST(JinaConfig, FeedForwardTypes) {
  const auto read = [](const std::string& form) {
    return Read(Bare(kCode, R"("position_embedding_type":"alibi","hidden_act":"silu","feed_forward_type":")" +
                                form + '"'));
  };
  const ReadResult geglu = read("geglu"), reglu = read("reglu"), original = read("original");
  EXPECT_TRUE(Spec(geglu).gated && Spec(reglu).gated);
  EXPECT_EQ(Spec(geglu).activation, Activation::kGeluErf);
  EXPECT_EQ(Spec(reglu).activation, Activation::kRelu);
  EXPECT_EQ(ChoiceOf(geglu, "hidden_act"), "");
  EXPECT_TRUE(geglu.unread.empty());
  EXPECT_FALSE(Spec(original).gated);
  EXPECT_EQ(Spec(original).activation, Activation::kSilu);
  EXPECT_EQ(ChoiceOf(original, "feed_forward_type"), "original");
}

// The keys that published files have: each is read or has its rule.
TEST(JinaConfig, PublishedKeysAreAllKnown) {
  for (const char* owner : kBoth) {
    const ReadResult r = Read(
        Of(owner,
           R"("_name_or_path":"jinaai/jina-bert-implementation","architectures":["JinaBertForMaskedLM"],)"
           R"("attention_probs_dropout_prob":0.0,"attn_implementation":"torch","classifier_dropout":null,)"
           R"("emb_pooler":"mean","gradient_checkpointing":false,"hidden_act":"gelu",)"
           R"("hidden_dropout_prob":0.1,"hidden_size":768,"initializer_range":0.02,"intermediate_size":3072,)"
           R"("layer_norm_eps":1e-12,"max_position_embeddings":8192,"model_max_length":8192,)"
           R"("num_attention_heads":12,"num_hidden_layers":12,"pad_token_id":0,"torch_dtype":"float32",)"
           R"("transformers_version":"4.26.0","type_vocab_size":2,"use_cache":true,"vocab_size":30528)"));
    ASSERT_TRUE(r.problems.empty());
    EXPECT_TRUE(r.unread.empty());
    EXPECT_EQ(r.model->input().max_length, 8192u);
  }
}

TEST(JinaConfig, Refusals) {
  const Refused kCases[] = {
      {R"("num_attention_heads":5)", "/num_attention_heads", "5", "a divisor of hidden_size 768"},
      {R"("type_vocab_size":0)", "/type_vocab_size", "0", "a whole number from 1 to 2147483647",
       Code::kInvalidPackageSchema},
      {R"("layer_norm_eps":null)", "/layer_norm_eps", "null", "a value", Code::kInvalidPackageSchema},
      {R"("is_decoder":true)", "/is_decoder", "true", "false | null"},
  };
  for (const char* owner : kBoth)
    for (const Refused& c : kCases) ExpectRefused(Of(owner, c.member), c);
}

TEST(JinaConfig, WhatMustBeWritten) {
  constexpr const char *kAlibi = R"("position_embedding_type":"alibi")",
                       *kForm = R"("feed_forward_type":"reglu")";
  constexpr const char* kForms = "original, geglu, reglu";
  const std::pair<std::string, Refused> kCases[] = {
      {kForm, {"", "/position_embedding_type", "absent", "alibi"}},
      {kForm, {R"("position_embedding_type":"absolute")", "/position_embedding_type", "absolute", "alibi"}},
      {kForm,
       {R"("position_embedding_type":null)", "/position_embedding_type", "null", "a value",
        Code::kInvalidPackageSchema}},
      {kForm,
       {R"("position_embedding_type":7)", "/position_embedding_type", "7", "a string",
        Code::kInvalidPackageSchema}},
      {kAlibi, {"", "/feed_forward_type", "absent", kForms}},
      {kAlibi, {R"("feed_forward_type":"swiglu")", "/feed_forward_type", "swiglu", kForms}},
      {kAlibi,
       {R"("feed_forward_type":null)", "/feed_forward_type", "null", "a value", Code::kInvalidPackageSchema}},
      {kAlibi + std::string(R"(,"feed_forward_type":"original")"),
       {R"("hidden_act":"swiglu")", "/hidden_act", "swiglu", nullptr}},
      {kAlibi + std::string(R"(,"feed_forward_type":"original")"),
       {R"("hidden_act":null)", "/hidden_act", "null", "a value", Code::kInvalidPackageSchema}},
  };
  for (const auto& [written, c] : kCases) {
    for (const char* owner : kBoth)
      ExpectRefused(Bare(owner, written + (*c.member == 0 ? "" : ",") + c.member), c);
  }
}

// By hand: with eight heads the run is 2^-1 ... 2^-8, with sixteen 2^-0.5 ... 2^-8, with four 2^-2 ... 2^-8.
TEST(Alibi, Slopes) {
  const auto exp2 = [](std::initializer_list<double> exponents) {
    std::vector<float> out;
    for (const double e : exponents) out.push_back(static_cast<float>(std::exp2(e)));
    return out;
  };
  EXPECT_EQ(AlibiSlopes(1), exp2({-8}));
  EXPECT_EQ(AlibiSlopes(2), exp2({-4, -8}));
  EXPECT_EQ(AlibiSlopes(3), exp2({-4, -8, -2}));
  EXPECT_EQ(AlibiSlopes(4), exp2({-2, -4, -6, -8}));
  EXPECT_EQ(AlibiSlopes(6), exp2({-2, -4, -6, -8, -1, -3}));
  EXPECT_EQ(AlibiSlopes(8), exp2({-1, -2, -3, -4, -5, -6, -7, -8}));
  EXPECT_EQ(AlibiSlopes(12), exp2({-1, -2, -3, -4, -5, -6, -7, -8, -0.5, -1.5, -2.5, -3.5}));
}

// Of two rows of the longest sequence: the table reaches them, and no further.
TEST(Alibi, TableOfEveryDistance) {
  JinaBertModel model({.vocabulary = 5, .width = 6, .inner = 4, .heads = 3, .layers = 1, .segments = 1});
  constexpr std::size_t kRows = 2 * kLongestSequence - 1;
  std::vector<float> memory(kRows * 3 + 16);
  Workspace constants(reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof(float), DType::kF32,
                      Space::kHost);
  ReferenceOps ops;
  model.Precompute(ops, constants);
  EXPECT_EQ(constants.peak(), (kRows * 3 * sizeof(float) + 63) / 64 * 64);
  for (const std::size_t distance :
       {std::size_t{0}, std::size_t{1}, std::size_t{4095}, kLongestSequence - 1}) {
    const float slopes[] = {0.0625f, 0.00390625f, 0.25f};
    for (const std::size_t row : {kLongestSequence - 1 - distance, kLongestSequence - 1 + distance})
      for (std::size_t h = 0; h < 3; ++h)
        EXPECT_EQ(memory[row * 3 + h], -slopes[h] * static_cast<float>(distance)) << distance;
  }
}

// A model of one layer beside a package of all its tensors and of heads.
template <class JinaKind>
struct Named {
  Named(const NameRules& names, const std::string& prefix) {
    model.DeclareTensors(Scope(wanted));
    stored = GenerateTensors(wanted, 1, prefix);
    const std::vector<float> one{0};
    for (const std::string& name : {prefix + "pooler.dense.weight", std::string("cls.predictions.bias"),
                                    std::string("classifier.weight")})
      stored.push_back(MemoryTensor(name, {1}, one));
    match = MatchTensors(wanted, stored, names);
  }
  const auto& parts(std::string_view slot) const {
    return std::ranges::find(match.bindings, slot, &Binding::slot)->stored;
  }

  JinaKind model{{.vocabulary = 5, .width = 4, .inner = 6, .heads = 2, .layers = 1, .segments = 2}};
  std::vector<TensorDecl> wanted;
  std::vector<TensorInfo> stored;
  Match match;
};

// FAM-06: heads are listed, never run. Which half of a gated product is activated differs.
TEST(Jina, NamesAndHalves) {
  const Named<JinaBertModel> bert(kJinaBertFamily.names, "bert.");
  EXPECT_TRUE(bert.match.problems.empty());
  EXPECT_EQ(bert.match.explained.size(), 3u);
  EXPECT_EQ(bert.match.dialect, "prefix bert.");
  EXPECT_EQ(bert.parts("encoder.layer.0.mlp.gated_layers.weight").size(), 1u);
  const Named<JinaCodeModel> code(kJinaCodeFamily.names, "");
  EXPECT_TRUE(code.match.problems.empty());
  EXPECT_EQ(code.match.explained.size(), 3u);
  EXPECT_EQ(code.match.dialect, "bare");
  const auto& halves = code.parts("encoder.layer.0.mlp.up_gated_layer.weight");
  ASSERT_EQ(halves.size(), 2u);
  EXPECT_EQ(halves[0].first, 6u);  // the gate is stored behind
  EXPECT_EQ(halves[1].first, 0u);
}

}  // namespace
}  // namespace candor::families

// COV-07: what the readers of "gte" and "new" make of a config.json. Defaults are those of
// transformers 5.24's GteConfig and of new-impl's NewConfig, read from their sources.
#include "families/gte.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "families/test_support.h"
#include "model/synthetic.h"

namespace candor::families {
namespace {

const GteSpec& Spec(const ReadResult& r) { return dynamic_cast<const GteModel&>(*r.model).spec(); }

std::string Of(const std::string& type, const std::string& members) {
  return R"({"model_type":")" + type + '"' + (members.empty() ? "" : "," + members) + "}";
}

TEST(GteConfig, Defaults) {
  const ReadResult gte = Read(Of("gte", "")), old = Read(Of("new", ""));
  for (const ReadResult* r : {&gte, &old}) {
    ASSERT_TRUE(r->problems.empty());
    const GteSpec& s = Spec(*r);
    EXPECT_EQ(s.width, 768u);
    EXPECT_EQ(s.inner, 3072u);
    EXPECT_EQ(s.heads, 12u);
    EXPECT_EQ(s.layers, 12u);
    EXPECT_EQ(s.segments, 1u);
    EXPECT_EQ(s.eps, 1e-12f);
    EXPECT_FALSE(s.rms);
    EXPECT_EQ(s.activation, Activation::kGeluErf);
    EXPECT_FALSE(r->model->input().padding);
  }
  EXPECT_EQ(Spec(gte).vocabulary, 250048u);
  EXPECT_EQ(gte.model->input().max_length, 8192u);
  EXPECT_EQ(Spec(gte).rope.value().frequency, Frequencies(160000, 32));
  EXPECT_EQ(Spec(old).vocabulary, 30528u);
  EXPECT_EQ(old.model->input().max_length, 2048u);
  EXPECT_EQ(Spec(old).rope.value().frequency, Frequencies(10000, 32));
}

// What the file says inside rope_parameters wins over the top level, as in transformers.
TEST(GteConfig, BaseInBothSpellings) {
  EXPECT_EQ(Spec(Read(Of("gte", R"("rope_theta":20000)"))).rope->frequency, Frequencies(20000, 32));
  const ReadResult both =
      Read(Of("gte", R"("rope_theta":20000,"rope_parameters":{"rope_type":"default","rope_theta":30})"));
  EXPECT_EQ(Spec(both).rope->frequency, Frequencies(30, 32));
  EXPECT_TRUE(both.unread.empty());
}

// The keys that published files of the first release have: each is read or has its rule.
TEST(GteConfig, PublishedKeysAreAllKnown) {
  const ReadResult r =
      Read(R"({"architectures":["NewModel"],"attention_probs_dropout_prob":0.0,)"
           R"("auto_map":{"AutoConfig":"Alibaba-NLP/new-impl--configuration.NewConfig",)"
           R"("AutoModel":"Alibaba-NLP/new-impl--modeling.NewModel"},"classifier_dropout":null,)"
           R"("hidden_act":"gelu","hidden_dropout_prob":0.1,"hidden_size":1024,)"
           R"("initializer_range":0.02,"intermediate_size":4096,"layer_norm_eps":1e-12,)"
           R"("layer_norm_type":"layer_norm","logn_attention_clip1":false,)"
           R"("logn_attention_scale":false,"max_position_embeddings":8192,"model_type":"new",)"
           R"("num_attention_heads":16,"num_hidden_layers":24,"pack_qkv":true,"pad_token_id":0,)"
           R"("position_embedding_type":"rope","rope_scaling":{"factor":2.0,"type":"ntk"},)"
           R"("rope_theta":500000,"torch_dtype":"float32","transformers_version":"4.39.1",)"
           R"("type_vocab_size":2,"unpad_inputs":false,"use_memory_efficient_attention":false,)"
           R"("vocab_size":30528})");
  ASSERT_TRUE(r.problems.empty());
  EXPECT_TRUE(r.unread.empty());
  EXPECT_EQ(ChoiceOf(r, "rope_type"), "ntk");
  EXPECT_EQ(ChoiceOf(r, "type_vocabulary"), "several");
}

// Rows that no row sees leave the pass of "new" where it unpads, and stay in that of transformers' class.
TEST(GteConfig, HiddenRowsOfPackagesThatUnpad) {
  const auto may_hide = [](const char* type, const std::string& members) {
    return Read(Of(type, members)).model->input().may_hide;
  };
  for (const char* off : {"false", "null"})
    EXPECT_TRUE(may_hide("new", R"("unpad_inputs":)" + std::string(off)));
  for (const char* on : {"true", R"("true")"}) {
    EXPECT_FALSE(may_hide("new", R"("unpad_inputs":)" + std::string(on)));
    EXPECT_TRUE(may_hide("gte", R"("unpad_inputs":)" + std::string(on)));
  }
  EXPECT_TRUE(may_hide("new", R"("hidden_act":"gelu")"));
}

// Of new_model.py's NewRotaryEmbedding, heads of 8 columns.
TEST(Gte, NtkFrequencies) {
  const auto expect = [](const std::vector<float>& got, std::initializer_list<float> wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    std::size_t i = 0;
    for (const float w : wanted) EXPECT_NEAR(got[i++] / w, 1, 2e-7) << i;
  };
  expect(NtkFrequencies(500000, 2, std::nullopt, 4),
         {0.840896428f, 0.0265914816f, 0.000840896508f, 2.65914787e-05f});
  expect(NtkFrequencies(500000, 4, 0.75, 4), {0.612547278f, 0.0164918918f, 0.000462698721f, 1.32957393e-05f});
}

TEST(GteConfig, Refusals) {
  const std::string ntk = R"("rope_scaling":{"type":"ntk","factor":2.0})";
  const std::pair<const char*, Refused> kCases[] = {
      {"gte", {ntk.c_str(), "/rope_scaling", R"({"type":"ntk","factor":2})", "null"}},
      {"gte", {R"("layer_norm_type":"rms_norm")", "/layer_norm_type", R"("rms_norm")", R"("layer_norm")"}},
      {"gte",
       {R"("position_embedding_type":"absolute")", "/position_embedding_type", R"("absolute")", R"("rope")"}},
      {"gte", {R"("logn_attention_scale":true)", "/logn_attention_scale", "true", "false | null"}},
      {"gte", {R"("head_dim":32)", "/head_dim", "32", "null"}},
      {"gte", {R"("rope_parameters":{"rope_type":"yarn"})", "/rope_parameters/rope_type", "yarn", "default"}},
      {"gte",
       {R"("type_vocab_size":null)", "/type_vocab_size", "null", "a value", Code::kInvalidPackageSchema}},
      {"gte",
       {R"("hidden_size":21,"num_attention_heads":7)", "/num_attention_heads", "7, heads of 3 columns",
        "heads of an even number of columns, which turn in pairs"}},
      {"gte", {R"("hidden_act":"swiglu")", "/hidden_act", "swiglu", nullptr}},
      {"new", {R"("logn_attention_scale":true)", "/logn_attention_scale", "true", "false | null"}},
      {"new",
       {R"("layer_norm_type":"scale_norm")", "/layer_norm_type", "scale_norm", "layer_norm, rms_norm"}},
      {"new",
       {R"("layer_norm_type":null)", "/layer_norm_type", "null", "a value", Code::kInvalidPackageSchema}},
      {"new",
       {R"("position_embedding_type":"alibi")", "/position_embedding_type", "alibi", "rope, absolute"}},
      {"new", {R"("rope_scaling":{"type":"linear","factor":2.0})", "/rope_scaling/type", "linear", "ntk"}},
      {"new",
       {R"("rope_scaling":{"type":"ntk","rope_type":null,"factor":2.0})", "/rope_scaling/rope_type", "null",
        R"("ntk", as type says)", Code::kEvidenceConflict}},
      {"new", {R"("rope_scaling":{"factor":2.0})", "/rope_scaling/type", "absent", "ntk"}},
      {"new", {R"("rope_scaling":{"type":"ntk"})", "/rope_scaling/factor", "absent", "a number above 1"}},
      {"new",
       {R"("rope_scaling":{"type":"ntk","factor":1.0})", "/rope_scaling/factor", "1", "a number above 1"}},
      {"new",
       {R"("rope_scaling":{"type":"ntk","factor":2.0,"beta":1})", "/rope_scaling/beta", "1",
        "type, factor, mixed_b"}},
      {"new",
       {R"("rope_scaling":{"type":"ntk","factor":2.0,"mixed_b":3000})", "/rope_scaling/mixed_b", "3000",
        "a number with finite frequencies"}},
      {"new", {R"("rope_theta":null)", "/rope_theta", "null", "a value", Code::kInvalidPackageSchema}},
      {"new", {R"("num_attention_heads":5)", "/num_attention_heads", "5", "a divisor of hidden_size 768"}},
  };
  for (const auto& [type, c] : kCases) ExpectRefused(Of(type, c.member), c);
}

// Absolute positions need no pairs of columns, and nothing reads the base.
TEST(GteConfig, AbsolutePositions) {
  const ReadResult r = Read(Of("new", R"("position_embedding_type":"absolute","hidden_size":21,)"
                                      R"("num_attention_heads":7,"rope_theta":10000.0,"rope_scaling":null)"));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_FALSE(Spec(r).rope);
  EXPECT_TRUE(r.unread.empty());
}

// FAM-06: products whole and in pieces, the activated half of the MLP first, heads that are never run.
TEST(Gte, NamesOfEitherGeneration) {
  GteModel model({.vocabulary = 5, .width = 4, .inner = 6, .heads = 2, .layers = 1, .max_positions = 8});
  std::vector<TensorDecl> wanted;
  model.DeclareTensors(Scope(wanted));
  const auto up_of = [](const Match& m) -> const Binding& {
    return *std::ranges::find(m.bindings, "encoder.layer.0.mlp.up_gate_proj.weight", &Binding::slot);
  };
  std::vector<TensorInfo> stored = GenerateTensors(wanted, 1, "new.");
  const std::vector<float> one{0};
  for (const char* name : {"new.pooler.dense.weight", "lm_head.decoder.bias", "classifier.weight"})
    stored.push_back(MemoryTensor(name, {1}, one));
  const Match old = MatchTensors(wanted, stored, kNewFamily.names);
  EXPECT_TRUE(old.problems.empty());
  EXPECT_EQ(old.dialect, "first release, prefix new.");
  EXPECT_EQ(old.explained.size(), 3u);
  ASSERT_EQ(up_of(old).stored.size(), 2u);
  EXPECT_EQ(up_of(old).stored[0].first, 6u);  // gate is stored behind up
  EXPECT_EQ(up_of(old).stored[1].first, 0u);

  stored.clear();
  const auto add = [&](const std::string& name, std::vector<std::size_t> shape) {
    std::size_t n = 1;
    for (const std::size_t s : shape) n *= s;
    stored.push_back(MemoryTensor("gte." + name, std::move(shape), std::vector<float>(n)));
  };
  add("embeddings.word_embeddings.weight", {5, 4});
  add("embeddings.position_embeddings.weight", {8, 4});
  for (const char* norm :
       {"embeddings.LayerNorm", "layers.0.post_attention_layernorm", "layers.0.post_mlp_layernorm"})
    add(std::string(norm) + ".weight", {4}), add(std::string(norm) + ".bias", {4});
  for (const char* name : {"q_proj", "k_proj", "v_proj", "o_proj"}) {
    add("layers.0.self_attn." + std::string(name) + ".weight", {4, 4});
    add("layers.0.self_attn." + std::string(name) + ".bias", {4});
  }
  add("layers.0.mlp.gate_proj.weight", {6, 4}), add("layers.0.mlp.up_proj.weight", {6, 4});
  add("layers.0.mlp.down_proj.weight", {4, 6}), add("layers.0.mlp.down_proj.bias", {4});
  const Match native = MatchTensors(wanted, stored, kGteFamily.names);
  EXPECT_TRUE(native.problems.empty());
  EXPECT_EQ(native.dialect, "native, prefix gte.");
  ASSERT_EQ(up_of(native).stored.size(), 2u);
  EXPECT_EQ(up_of(native).stored[0].tensor->name, "gte.layers.0.mlp.gate_proj.weight");
}

}  // namespace
}  // namespace candor::families

// COV-10, COV-11, COV-14, COV-16: what the readers of Llama, Mistral, Ministral3, Qwen2, Qwen3, Qwen3-MoE and
// Perplexity's Qwen3 make of a config.json of either generation. Defaults are those of transformers 5.24's
// config classes, read from their source.
#include "families/decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "families/test_support.h"

namespace candor::families {
namespace {

const DecoderSpec& Spec(const ReadResult& r) { return dynamic_cast<const DecoderModel&>(*r.model).spec(); }

std::string With(const std::string& type, const std::string& members) {
  return R"({"model_type":")" + type + '"' + (members.empty() ? "" : "," + members) + "}";
}

TEST(LlamaConfig, Defaults) {
  const ReadResult r = Read(With("llama", ""));
  ASSERT_TRUE(r.problems.empty());
  const DecoderSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 32000u);
  EXPECT_EQ(s.width, 4096u);
  EXPECT_EQ(s.inner, 11008u);
  EXPECT_EQ(s.heads, 32u);
  EXPECT_EQ(s.key_heads, 32u);
  EXPECT_EQ(s.head_width, 128u);
  EXPECT_EQ(s.max_length, 2048u);
  EXPECT_EQ(s.eps, 1e-6f);
  EXPECT_FALSE(s.qkv_bias || s.out_bias || s.mlp_bias || s.head_norms);
  EXPECT_EQ(s.activation, Activation::kSilu);
  ASSERT_EQ(s.layers.size(), 32u);
  for (const DecoderSpec::Layer& l : s.layers) {
    EXPECT_TRUE(l.causal);
    EXPECT_EQ(l.radius, AttentionArgs::kEveryRow);
  }
  EXPECT_EQ(s.ropes, (std::vector<Rope>{{Frequencies(10000, 64)}}));
}

TEST(LlamaConfig, WhatRowsSee) {
  const ReadResult both = Read(With("llama", R"("is_causal":false)"));
  ASSERT_TRUE(both.problems.empty());
  EXPECT_FALSE(Spec(both).layers[0].causal);
  const ReadResult nvidia = Read(With(
      "llama_bidirec",
      R"("auto_map":{"AutoModel":"nvidia/any--llama_bidirectional_model.LlamaBidirectionalModel"},"pooling":"avg")"));
  ASSERT_TRUE(nvidia.problems.empty());
  EXPECT_FALSE(Spec(nvidia).layers[0].causal);
  EXPECT_TRUE(nvidia.unread.empty());
}

TEST(LlamaConfig, SharedHeadsAndBiases) {
  const ReadResult r = Read(With("llama", R"("num_key_value_heads":8,"head_dim":96,"attention_bias":true)"));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_EQ(Spec(r).key_heads, 8u);
  EXPECT_EQ(Spec(r).head_width, 96u);
  EXPECT_TRUE(Spec(r).qkv_bias && Spec(r).out_bias);
  EXPECT_FALSE(Spec(r).mlp_bias);
  EXPECT_EQ(Spec(Read(With("llama", R"("num_key_value_heads":null)"))).key_heads, 32u);
}

TEST(LlamaConfig, Refusals) {
  const Refused kCases[] = {
      {R"("num_key_value_heads":5)", "/num_key_value_heads", "5", "a divisor of num_attention_heads 32"},
      {R"("head_dim":7)", "/head_dim", "7", "an even number of columns, which turn in pairs"},
      {R"("num_attention_heads":5,"head_dim":8)", "/num_attention_heads", "5",
       "a divisor of hidden_size 4096"},
      {R"("is_causal":null)", "/is_causal", "null", "a value", Code::kInvalidPackageSchema},
      {R"("is_causal":0)", "/is_causal", "0", nullptr, Code::kInvalidPackageSchema},
      {R"("use_bidirectional_attention":true)", "/use_bidirectional_attention", "true", "false | null"},
      {R"("tie_last_hidden_states":false)", "/tie_last_hidden_states", "false", "true | null"},
      {R"("rope_interleaved":true)", "/rope_interleaved", "true", "false | null"},
      {R"("hidden_act":"swiglu")", "/hidden_act", "swiglu", nullptr},
  };
  for (const Refused& c : kCases) ExpectRefused(With("llama", c.member), c);
  ExpectRefused(With("llama_bidirec", R"("temperature":0.2)"), {nullptr, "/temperature", "0.2", "1 | null"});
}

// One letter a layer: F for full, l for local.
std::string Pattern(const ReadResult& r) {
  std::string out;
  for (const DecoderSpec::Layer& l : Spec(r).layers) out += l.radius == AttentionArgs::kEveryRow ? 'F' : 'l';
  return out;
}

TEST(MistralConfig, Defaults) {
  const ReadResult r = Read(With("mistral", ""));
  ASSERT_TRUE(r.problems.empty());
  const DecoderSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 32000u);
  EXPECT_EQ(s.inner, 14336u);
  EXPECT_EQ(s.key_heads, 8u);
  EXPECT_EQ(s.head_width, 128u);
  EXPECT_EQ(s.max_length, 131072u);
  EXPECT_EQ(s.eps, 1e-6f);
  EXPECT_FALSE(s.qkv_bias || s.out_bias || s.mlp_bias || s.head_norms);
  EXPECT_EQ(s.layers.size(), 32u);
  EXPECT_TRUE(s.layers[0].causal);
  EXPECT_EQ(s.layers[0].radius, 4095);  // itself and 4095 before it
}

TEST(MistralConfig, Windows) {
  const auto radius = [](const char* members) {
    return Spec(Read(With("mistral", members))).layers.at(31).radius;
  };
  EXPECT_EQ(radius(R"("sliding_window":null)"), AttentionArgs::kEveryRow);
  EXPECT_EQ(radius(R"("sliding_window":8)"), 7);
  EXPECT_EQ(radius(R"("sliding_window":8,"is_causal":false)"), 8);
  EXPECT_EQ(Spec(Read(With("mistral", R"("num_key_value_heads":null)"))).key_heads, 32u);
  ExpectRefused(
      With("mistral", R"("sliding_window":0)"),
      {nullptr, "/sliding_window", "0", "a whole number from 1 to 2147483647", Code::kInvalidPackageSchema});
}

TEST(Ministral3Config, QueriesGrow) {
  const std::string growth =
      R"("rope_parameters":{"type":"yarn","factor":16.0,"original_max_position_embeddings":16384,)"
      R"("max_position_embeddings":262144,"rope_theta":1000000.0,"beta_fast":32.0,"beta_slow":1.0,)"
      R"("mscale":1.0,"mscale_all_dim":1.0,"llama_4_scaling_beta":0.1})";
  const ReadResult r = Read(With("ministral3", growth));
  ASSERT_TRUE(r.problems.empty()) << r.problems[0].allowed;
  const DecoderSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 131072u);
  EXPECT_EQ(s.layers.size(), 34u);
  EXPECT_EQ(s.head_width, 128u);
  EXPECT_EQ(s.eps, 1e-5f);
  EXPECT_EQ(Pattern(r), std::string(34, 'F'));
  ASSERT_EQ(s.ropes.size(), 2u);
  EXPECT_FALSE(s.ropes[0].growth);
  EXPECT_EQ(s.ropes[1].growth, (Rope::Growth{.beta = 0.1f, .trained = 16384}));
  EXPECT_EQ(s.ropes[1].scale, 1);
  EXPECT_EQ(s.layers[0].rope, 0u);
  EXPECT_EQ(s.layers[0].query_rope, 1u);
  EXPECT_TRUE(r.unread.empty());
}

TEST(Ministral3Config, Refusals) {
  const Refused kCases[] = {
      {R"("rope_theta":9)", "/rope_parameters", "absent",
       "the parameters of the rotation and of the queries' growth"},
      {R"("rope_parameters":{"rope_theta":9,"original_max_position_embeddings":8})",
       "/rope_parameters/llama_4_scaling_beta", "absent", "a number of at least 0"},
      {R"("rope_parameters":{"rope_theta":9,"llama_4_scaling_beta":0.1})",
       "/rope_parameters/original_max_position_embeddings", "absent",
       "a whole number of at least 1, beside llama_4_scaling_beta"},
      {R"("rope_parameters":{"llama_4_scaling_beta":-1,"original_max_position_embeddings":8})",
       "/rope_parameters/llama_4_scaling_beta", "-1", "a number of at least 0"},
      {R"("head_dim":null,"rope_parameters":{"llama_4_scaling_beta":1,"original_max_position_embeddings":8})",
       "/head_dim", "null", "a value", Code::kInvalidPackageSchema},
  };
  for (const Refused& c : kCases) ExpectRefused(With("ministral3", c.member), c);
}

TEST(Qwen2Config, Defaults) {
  const ReadResult r = Read(With("qwen2", ""));
  ASSERT_TRUE(r.problems.empty());
  const DecoderSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 151936u);
  EXPECT_EQ(s.inner, 22016u);
  EXPECT_EQ(s.key_heads, 32u);
  EXPECT_EQ(s.head_width, 128u);
  EXPECT_EQ(s.max_length, 32768u);
  EXPECT_TRUE(s.qkv_bias);
  EXPECT_FALSE(s.out_bias || s.mlp_bias || s.head_norms);
  EXPECT_EQ(Pattern(r), std::string(32, 'F'));
}

TEST(Qwen2Config, Windows) {
  const auto pattern = [](const std::string& members) {
    return Pattern(Read(With("qwen2", R"("num_hidden_layers":3,)" + members)));
  };
  EXPECT_EQ(pattern(R"("sliding_window":9,"max_window_layers":1)"), "FFF");
  EXPECT_EQ(pattern(R"("use_sliding_window":true,"sliding_window":9)"), "FFF");  // from layer 28 on
  EXPECT_EQ(pattern(R"("use_sliding_window":true,"sliding_window":9,"max_window_layers":1)"), "Fll");
  EXPECT_EQ(pattern(R"("use_sliding_window":true,"sliding_window":null,"max_window_layers":1)"), "FFF");
  EXPECT_EQ(pattern(R"("use_sliding_window":true,"sliding_window":9,"max_window_layers":0,)"
                    R"("layer_types":["full_attention","sliding_attention","full_attention"])"),
            "FlF");
  ExpectRefused(With("qwen2", R"("num_hidden_layers":1,"layer_types":["sliding_attention"])"),
                {nullptr, "/layer_types/0", "sliding_attention", "full_attention, where no window is used",
                 Code::kEvidenceConflict});
}

// gte-Qwen2's own code has both sides in sight; a config.json that does not say so is another function than
// the library's.
TEST(Qwen2Config, CodeOfBothSides) {
  const std::string code = R"("auto_map":{"AutoModel":"modeling_qwen.Qwen2Model"})";
  ExpectRefused(With("qwen2", code),
                {nullptr, "/is_causal", "absent", "false, beside classes of auto_map that see both sides"});
  const ReadResult r = Read(With("qwen2", code + R"(,"is_causal":false)"));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_FALSE(Spec(r).layers[0].causal);
}

TEST(Qwen3Config, Defaults) {
  const ReadResult r = Read(With("qwen3", R"("hidden_size":1000)"));  // heads need not divide it
  ASSERT_TRUE(r.problems.empty());
  const DecoderSpec& s = Spec(r);
  EXPECT_EQ(s.head_width, 128u);
  EXPECT_EQ(s.key_heads, 32u);
  EXPECT_TRUE(s.head_norms);
  EXPECT_FALSE(s.qkv_bias || s.out_bias || s.mlp_bias);
  EXPECT_EQ(s.eps, 1e-6f);
}

TEST(Qwen3Config, Refusals) {
  const Refused kCases[] = {
      {R"("head_dim":null)", "/head_dim", "null", "a value", Code::kInvalidPackageSchema},
      {R"("attention_bias":null)", "/attention_bias", "null", "a value", Code::kInvalidPackageSchema},
      {R"("num_key_value_heads":6)", "/num_key_value_heads", "6", "a divisor of num_attention_heads 32"},
      {R"("use_bidirectional_attention":true)", "/use_bidirectional_attention", "true", "false | null"},
      {R"("use_sliding_window":null)", "/use_sliding_window", "null", "a value", Code::kInvalidPackageSchema},
  };
  for (const Refused& c : kCases) ExpectRefused(With("qwen3", c.member), c);
}

TEST(Qwen3MoeConfig, Defaults) {
  const ReadResult r = Read(With("qwen3_moe", ""));
  ASSERT_TRUE(r.problems.empty());
  const DecoderSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 151936u);
  EXPECT_EQ(s.width, 2048u);
  EXPECT_EQ(s.inner, 6144u);
  EXPECT_EQ(s.key_heads, 4u);
  EXPECT_EQ(s.head_width, 64u);  // a share of the width, where Qwen3 has 128
  EXPECT_EQ(s.max_length, 32768u);
  EXPECT_TRUE(s.head_norms);
  EXPECT_EQ(s.experts.count, 128u);
  EXPECT_EQ(s.experts.top_k, 8u);
  EXPECT_EQ(s.experts.inner, 768u);
  EXPECT_FALSE(s.experts.renormalise);
  EXPECT_EQ(s.layers.size(), 24u);
  EXPECT_TRUE(std::ranges::all_of(s.layers, &DecoderSpec::Layer::routed));
}

// One letter a layer: e where it has experts.
TEST(Qwen3MoeConfig, LayersWithExperts) {
  const auto pattern = [](const std::string& members) {
    const ReadResult r = Read(With("qwen3_moe", R"("num_hidden_layers":5,)" + members));
    std::string out;
    for (const DecoderSpec::Layer& l : Spec(r).layers) out += l.routed ? 'e' : '-';
    return out;
  };
  EXPECT_EQ(pattern(R"("decoder_sparse_step":1)"), "eeeee");
  EXPECT_EQ(pattern(R"("decoder_sparse_step":2)"), "-e-e-");
  EXPECT_EQ(pattern(R"("decoder_sparse_step":9)"), "-----");
  EXPECT_EQ(pattern(R"("mlp_only_layers":[0,3,-1,5])"), "-ee-e");
  EXPECT_EQ(pattern(R"("mlp_only_layers":null)"), "eeeee");
  EXPECT_EQ(pattern(R"("num_experts":0)"), "-----");
}

TEST(Qwen3MoeConfig, WindowsAreOfAllLayers) {
  const std::string on = R"("num_hidden_layers":3,"max_window_layers":2,"use_sliding_window":true)";
  EXPECT_EQ(Pattern(Read(With("qwen3_moe", on))), "lll");
  EXPECT_EQ(Spec(Read(With("qwen3_moe", on))).layers[0].radius, 4095);
  EXPECT_EQ(Pattern(Read(With("qwen3_moe", on + R"(,"sliding_window":null)"))), "FFF");
  EXPECT_EQ(Pattern(Read(With("qwen3_moe", R"("num_hidden_layers":3,"sliding_window":9)"))), "FFF");
}

TEST(Qwen3MoeConfig, Refusals) {
  const Refused kCases[] = {
      {R"("num_experts_per_tok":129)", "/num_experts_per_tok", "129", "from 1 to num_experts 128"},
      {R"("num_experts":100000)", "/num_experts", "100000", "at most 65536 in all layers together"},
      {R"("num_experts":8,"num_local_experts":9)", "/num_local_experts", "9", "8, as num_experts says",
       Code::kEvidenceConflict},
      {R"("mlp_only_layers":[1.5])", "/mlp_only_layers", "[1.5]", "a list of whole numbers",
       Code::kInvalidPackageSchema},
      {R"("norm_topk_prob":null)", "/norm_topk_prob", "null", "a value", Code::kInvalidPackageSchema},
      {R"("head_dim":null)", "/head_dim", "null", "a value", Code::kInvalidPackageSchema},
      {R"("decoder_sparse_step":0)", "/decoder_sparse_step", "0", nullptr, Code::kInvalidPackageSchema},
  };
  for (const Refused& c : kCases) ExpectRefused(With("qwen3_moe", c.member), c);
}

TEST(PplxConfig, SeesBothSides) {
  const std::string code =
      R"("auto_map":{"AutoConfig":"configuration.PPLXQwen3Config","AutoModel":"modeling.PPLXQwen3Model"},)"
      R"("use_bidirectional_attention":true)";
  const ReadResult r = Read(With("bidirectional_pplx_qwen3", code));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_TRUE(std::ranges::none_of(Spec(r).layers, &DecoderSpec::Layer::causal));
  EXPECT_EQ(Pattern(r), std::string(32, 'F'));
  EXPECT_TRUE(Spec(r).head_norms);
  EXPECT_TRUE(r.unread.empty());
  ExpectRefused(With("bidirectional_pplx_qwen3", R"("use_bidirectional_attention":false)"),
                {nullptr, "/use_bidirectional_attention", "false", "true"});
  ExpectRefused(With("bidirectional_pplx_qwen3", R"("is_causal":true)"),
                {nullptr, "/is_causal", "true", "false | null"});
}

}  // namespace
}  // namespace candor::families

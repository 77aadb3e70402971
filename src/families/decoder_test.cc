// COV-10: what Llama's readers make of a config.json of either generation. Defaults are those of transformers
// 5.24's LlamaConfig, read from its source.
#include "families/decoder.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace candor::families

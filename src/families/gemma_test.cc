// COV-17: what the readers of Gemma, Gemma 2 and Gemma 3's text model make of a config.json of either
// generation. Defaults are those of transformers 5.24's config classes; windows were read off its models, by
// which rows change when one is replaced.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "families/decoder.h"
#include "families/test_support.h"

namespace candor::families {
namespace {

const DecoderSpec& Spec(const ReadResult& r) { return dynamic_cast<const DecoderModel&>(*r.model).spec(); }

std::string With(const std::string& type, const std::string& members) {
  return R"({"model_type":")" + type + '"' + (members.empty() ? "" : "," + members) + "}";
}

// One letter a layer: F for full, l for local.
std::string Pattern(const ReadResult& r) {
  std::string out;
  for (const DecoderSpec::Layer& l : Spec(r).layers) out += l.radius == AttentionArgs::kEveryRow ? 'F' : 'l';
  return out;
}

TEST(GemmaConfig, Defaults) {
  const ReadResult r = Read(With("gemma", ""));
  ASSERT_TRUE(r.problems.empty());
  const DecoderSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 256000u);
  EXPECT_EQ(s.width, 3072u);
  EXPECT_EQ(s.inner, 24576u);
  EXPECT_EQ(s.layers.size(), 28u);
  EXPECT_EQ(s.heads, 16u);
  EXPECT_EQ(s.key_heads, 16u);
  EXPECT_EQ(s.head_width, 256u);
  EXPECT_EQ(s.max_length, 8192u);
  EXPECT_EQ(s.eps, 1e-6f);
  EXPECT_EQ(s.activation, Activation::kGeluTanh);
  EXPECT_EQ(s.embedding_scale, 55.42562484741211f);  // sqrt(3072) as f32
  EXPECT_EQ(s.norm_scales, Scope::Scales::kLessOne);
  EXPECT_EQ(s.score_scale, 0);  // by the heads' width
  EXPECT_FALSE(s.post_norms || s.head_norms || s.qkv_bias || s.out_bias || s.mlp_bias || s.softcap != 0);
  EXPECT_TRUE(s.layers[0].causal);
  EXPECT_EQ(Pattern(r), std::string(28, 'F'));
}

TEST(GemmaConfig, TheOldNameOfTheActivationIsTheTanhForm) {
  const auto activation = [](const char* name) {
    return Spec(Read(With("gemma", R"("hidden_act":")" + std::string(name) + '"'))).activation;
  };
  EXPECT_EQ(activation("gelu"), Activation::kGeluTanh);
  EXPECT_EQ(activation("gelu_python"), Activation::kGeluErf);  // no other name of it is renamed
  EXPECT_EQ(Spec(Read(With("gemma2", R"("hidden_activation":"gelu")"))).activation, Activation::kGeluErf);
}

TEST(GemmaConfig, BothSides) {
  for (const char* type : {"gemma", "gemma2"}) {
    EXPECT_FALSE(Spec(Read(With(type, R"("is_causal":false)"))).layers[1].causal);
    EXPECT_FALSE(
        Spec(Read(With(type, R"("is_causal":false,"use_bidirectional_attention":true)"))).layers[1].causal);
    EXPECT_TRUE(Spec(Read(With(type, R"("use_bidirectional_attention":null)"))).layers[1].causal);
    ExpectRefused(With(type, R"("use_bidirectional_attention":true)"),
                  {nullptr, "/use_bidirectional_attention", "true",
                   "is_causal false beside it: alone it depends on padding"});
  }
}

TEST(Gemma2Config, Defaults) {
  const ReadResult r = Read(With("gemma2", R"("num_hidden_layers":5)"));
  ASSERT_TRUE(r.problems.empty());
  const DecoderSpec& s = Spec(r);
  EXPECT_EQ(s.width, 2304u);
  EXPECT_EQ(s.inner, 9216u);
  EXPECT_EQ(s.heads, 8u);
  EXPECT_EQ(s.key_heads, 4u);
  EXPECT_EQ(s.score_scale, 0.0625f);  // 256^-1/2
  EXPECT_EQ(s.softcap, 50);
  EXPECT_TRUE(s.post_norms);
  EXPECT_FALSE(s.head_norms);
  EXPECT_EQ(s.embedding_scale, 48);
  EXPECT_EQ(Pattern(r), "lFlFl");
  EXPECT_EQ(s.layers[0].radius, 4095);
  EXPECT_EQ(Spec(Read(With("gemma2", R"("is_causal":false)"))).layers[0].radius, 4096);
  EXPECT_EQ(Spec(Read(With("gemma2", R"("attn_logit_softcapping":null)"))).softcap, 0);
  EXPECT_EQ(Spec(Read(With("gemma2", R"("query_pre_attn_scalar":144,"head_dim":64)"))).score_scale,
            1.0f / 12);
}

TEST(Gemma3TextConfig, Defaults) {
  const ReadResult r = Read(With("gemma3_text", R"("num_hidden_layers":7)"));
  ASSERT_TRUE(r.problems.empty());
  const DecoderSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 262208u);
  EXPECT_EQ(s.max_length, 131072u);
  EXPECT_TRUE(s.post_norms && s.head_norms);
  EXPECT_EQ(s.softcap, 0);
  EXPECT_EQ(Pattern(r), "lllllFl");
  EXPECT_EQ(s.ropes, (std::vector<Rope>{{Frequencies(1e6, 128)}, {Frequencies(1e4, 128)}}));
  EXPECT_EQ(s.layers[0].rope, 1u);
  EXPECT_EQ(s.layers[5].rope, 0u);
}

TEST(Gemma3TextConfig, Windows) {
  const auto local = [](const std::string& members) {
    const DecoderSpec::Layer l = Spec(Read(With("gemma3_text", R"("sliding_window":8)" + members))).layers[0];
    return std::to_string(l.radius) + (l.causal ? " before" : " around");
  };
  EXPECT_EQ(local(""), "7 before");
  EXPECT_EQ(local(R"(,"use_bidirectional_attention":true)"), "4 around");
  EXPECT_EQ(local(R"(,"is_causal":false)"), "8 around");
  EXPECT_EQ(local(R"(,"is_causal":false,"use_bidirectional_attention":true)"), "5 around");
}

TEST(Gemma3TextConfig, Patterns) {
  const auto pattern = [](const std::string& members) {
    return Pattern(Read(With("gemma3_text", R"("num_hidden_layers":3,)" + members)));
  };
  EXPECT_EQ(pattern(R"("sliding_window_pattern":2)"), "lFl");
  EXPECT_EQ(pattern(R"("sliding_window_pattern":2,"_sliding_window_pattern":2)"), "lFl");
  // Where layers are listed no pattern is read.
  EXPECT_EQ(pattern(R"("_sliding_window_pattern":2,"sliding_window_pattern":3,)"
                    R"("layer_types":["full_attention","sliding_attention","sliding_attention"])"),
            "Fll");
  ExpectRefused(With("gemma3_text", R"("_sliding_window_pattern":5)"),
                {nullptr, "/_sliding_window_pattern", "5", "6, which sliding_window_pattern says or leaves",
                 Code::kEvidenceConflict});
}

TEST(Gemma3TextConfig, Rotations) {
  const auto ropes = [](const std::string& members) {
    const ReadResult r = Read(With("gemma3_text", R"("head_dim":4,)" + members));
    EXPECT_TRUE(r.problems.empty()) << members;
    EXPECT_TRUE(r.unread.empty()) << members;
    return r.problems.empty() ? Spec(r).ropes : std::vector<Rope>();
  };
  Rope longer{Frequencies(5e5, 2)};
  for (float& f : longer.frequency) f /= 8;
  const std::vector<Rope> wanted{longer, {Frequencies(300, 2)}};
  EXPECT_EQ(ropes(R"("rope_theta":5e5,"rope_local_base_freq":300,)"
                  R"("rope_scaling":{"rope_type":"linear","factor":8})"),
            wanted);
  EXPECT_EQ(ropes(R"("rope_parameters":{"full_attention":{"rope_type":"linear","factor":8,"rope_theta":5e5},)"
                  R"("sliding_attention":{"rope_type":"default","rope_theta":300}})"),
            wanted);
  // What the new keys leave out comes from the old ones.
  EXPECT_EQ(ropes(R"("rope_local_base_freq":300,"rope_theta":5e5,)"
                  R"("rope_parameters":{"full_attention":{"rope_type":"linear","factor":8}})"),
            wanted);
  EXPECT_EQ(ropes(R"("rope_scaling":{})"), (std::vector<Rope>{{Frequencies(1e6, 2)}, {Frequencies(1e4, 2)}}));
  ExpectRefused(
      With("gemma3_text", R"("rope_parameters":{},"rope_scaling":{"rope_type":"linear","factor":8})"),
      {nullptr, "/rope_scaling", R"({"rope_type":"linear","factor":8})", "null, beside rope_parameters",
       Code::kEvidenceConflict});
}

}  // namespace
}  // namespace candor::families

// COV-06: what the reader makes of a config.json of either generation. Defaults are those of
// transformers 5.24's ModernBertConfig, read from its source.
#include "families/modernbert.h"

#include <gtest/gtest.h>

#include <string>

#include "families/test_support.h"

namespace candor::families {
namespace {

const ModernBertSpec& Spec(const ReadResult& r) {
  return dynamic_cast<const ModernBertModel&>(*r.model).spec();
}

std::string With(const std::string& members) {
  return R"({"model_type":"modernbert")" + (members.empty() ? "" : "," + members) + "}";
}

// One row of layers: G for global, l for local.
std::string Pattern(const ReadResult& r) {
  std::string out;
  for (const bool global : Spec(r).is_global) out += global ? 'G' : 'l';
  return out;
}

TEST(ModernBertConfig, Defaults) {
  const ReadResult r = Read(With(""));
  ASSERT_TRUE(r.problems.empty());
  const ModernBertSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 50368u);
  EXPECT_EQ(s.width, 768u);
  EXPECT_EQ(s.inner, 1152u);
  EXPECT_EQ(s.heads, 12u);
  EXPECT_EQ(s.max_length, 8192u);
  EXPECT_EQ(s.eps, 1e-5f);
  EXPECT_FALSE(s.norm_bias || s.attention_bias || s.mlp_bias);
  EXPECT_EQ(s.activation, Activation::kGeluErf);
  EXPECT_EQ(s.radius, 64);  // BR-019: 64 on either side, so 129 keys in the middle
  EXPECT_EQ(Pattern(r), "GllGllGllGllGllGllGllG");
  EXPECT_EQ(s.global.frequency, Frequencies(160000, 32));
  EXPECT_EQ(s.local.frequency, Frequencies(10000, 32));
}

TEST(ModernBertConfig, BothGenerations) {
  const ReadResult old = Read(With(
      R"("num_hidden_layers":4,"global_attn_every_n_layers":2,"global_rope_theta":5000,"local_rope_theta":70.5)"));
  ASSERT_TRUE(old.problems.empty());
  EXPECT_EQ(Pattern(old), "GlGl");
  EXPECT_EQ(Spec(old).global.frequency, Frequencies(5000, 32));
  EXPECT_EQ(Spec(old).local.frequency, Frequencies(70.5, 32));
  const ReadResult fresh = Read(
      With(R"("num_hidden_layers":2,"layer_types":["sliding_attention","full_attention"],"sliding_window":9,)"
           R"("rope_parameters":{"full_attention":{"rope_type":"default","rope_theta":80},)"
           R"("sliding_attention":{"rope_type":"default"}})"));
  ASSERT_TRUE(fresh.problems.empty());
  EXPECT_EQ(Pattern(fresh), "lG");
  EXPECT_EQ(Spec(fresh).radius, 9);
  EXPECT_EQ(Spec(fresh).global.frequency, Frequencies(80, 32));
  EXPECT_EQ(Spec(fresh).local.frequency, Frequencies(10000, 32));
  EXPECT_TRUE(fresh.unread.empty());
}

TEST(ModernBertConfig, Refusals) {
  const Refused kCases[] = {
      {R"("num_hidden_layers":2,"layer_types":["full_attention"])", "/layer_types", "1 entries",
       "2, as num_hidden_layers says", Code::kEvidenceConflict},
      {R"("num_hidden_layers":1,"layer_types":["linear_attention"])", "/layer_types/0", "linear_attention",
       "full_attention, sliding_attention"},
      {R"("num_hidden_layers":2,"global_attn_every_n_layers":2,"layer_types":["full_attention","full_attention"])",
       "/layer_types/1", "full_attention", "sliding_attention, as global_attn_every_n_layers says",
       Code::kEvidenceConflict},
      {R"("global_attn_every_n_layers":0)", "/global_attn_every_n_layers", "0",
       "a whole number from 1 to 2147483647", Code::kInvalidPackageSchema},
      {R"("local_attention":128,"sliding_window":128)", "/sliding_window", "128",
       "64, half of local_attention", Code::kEvidenceConflict},
      {R"("local_rope_theta":null)", "/local_rope_theta", "null", "a value", Code::kInvalidPackageSchema},
      {R"("global_rope_theta":0.5)", "/global_rope_theta", "0.5", "a number of at least 1"},
      {R"("rope_scaling":{"type":"linear","factor":2.0})", "/rope_scaling", R"({"type":"linear","factor":2})",
       "null"},
      {R"("rope_parameters":{"full_attention":{"rope_type":"yarn"}})",
       "/rope_parameters/full_attention/rope_type", "yarn", "default"},
      {R"("rope_parameters":{"full_attention":{"factor":2.0}})", "/rope_parameters/full_attention/factor",
       "2", "rope_theta, rope_type"},
      {R"("rope_parameters":{"another_attention":null})", "/rope_parameters/another_attention", "null",
       "full_attention, sliding_attention"},
      {R"("rope_parameters":{"rope_theta":10.0})", "/rope_parameters/rope_theta", "10",
       "full_attention, sliding_attention"},
      {R"("hidden_size":21,"num_attention_heads":7)", "/num_attention_heads", "7, heads of 3 columns",
       "heads of an even number of columns, which turn in pairs"},
      {R"("num_attention_heads":5)", "/num_attention_heads", "5", "a divisor of hidden_size 768"},
      {R"("hidden_activation":"swiglu")", "/hidden_activation", "swiglu", nullptr},
  };
  for (const Refused& c : kCases) ExpectRefused(With(c.member), c);
}

}  // namespace
}  // namespace candor::families

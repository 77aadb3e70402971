// COV-07: what the readers of EuroBERT and UltraBERT make of a config.json of either generation. Defaults are
// those of transformers 5.24's EuroBertConfig and UltrabertConfig, read from their source.
#include <gtest/gtest.h>

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
  for (const auto& l : Spec(r).layers) out += l.radius == AttentionArgs::kEveryRow ? 'F' : 'l';
  return out;
}

const std::vector<float>& Turns(const ReadResult& r, std::size_t layer) {
  return Spec(r).ropes.at(Spec(r).layers.at(layer).rope).frequency;
}

TEST(EuroBertConfig, Defaults) {
  const ReadResult r = Read(With("eurobert", ""));
  ASSERT_TRUE(r.problems.empty());
  const DecoderSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 128256u);
  EXPECT_EQ(s.width, 768u);
  EXPECT_EQ(s.inner, 3072u);
  EXPECT_EQ(s.heads, 12u);
  EXPECT_EQ(s.key_heads, 12u);
  EXPECT_EQ(s.head_width, 64u);
  EXPECT_EQ(s.max_length, 8192u);
  EXPECT_EQ(s.eps, 1e-5f);
  EXPECT_FALSE(s.qkv_bias || s.out_bias || s.mlp_bias);
  EXPECT_EQ(s.activation, Activation::kSilu);
  EXPECT_EQ(Pattern(r), "FFFFFFFFFFFF");
  EXPECT_EQ(Turns(r, 11), Frequencies(10000, 32));
}

TEST(EuroBertConfig, BothGenerations) {
  const ReadResult old = Read(With("eurobert", R"("rope_theta":250000,"rope_scaling":null,"head_dim":32)"));
  ASSERT_TRUE(old.problems.empty());
  EXPECT_EQ(Turns(old, 0), Frequencies(250000, 16));
  const ReadResult fresh = Read(With(
      "eurobert", R"("num_key_value_heads":4,"rope_parameters":{"rope_type":"default","rope_theta":9})"));
  ASSERT_TRUE(fresh.problems.empty());
  EXPECT_EQ(Spec(fresh).key_heads, 4u);
  EXPECT_EQ(Turns(fresh, 0), Frequencies(9, 32));
  EXPECT_TRUE(fresh.unread.empty());
  // The top level fills what the object leaves out, as in the reference.
  const ReadResult mixed =
      Read(With("eurobert", R"("rope_theta":7,"rope_parameters":{"rope_type":"default"})"));
  ASSERT_TRUE(mixed.problems.empty());
  EXPECT_EQ(Turns(mixed, 0), Frequencies(7, 32));
}

TEST(EuroBertConfig, ItsOwnCodeIsReplaced) {
  const ReadResult r = Read(With(
      "eurobert", R"("auto_map":{"AutoModel":"EuroBERT/EuroBERT-210m--modeling_eurobert.EuroBertModel"})"));
  EXPECT_TRUE(r.problems.empty());
  EXPECT_NE(r.model, nullptr);
}

TEST(EuroBertConfig, Refusals) {
  const Refused kCases[] = {
      {R"("num_key_value_heads":5)", "/num_key_value_heads", "5", "a divisor of num_attention_heads 12"},
      {R"("num_key_value_heads":0)", "/num_key_value_heads", "0", "a whole number from 1 to 2147483647",
       Code::kInvalidPackageSchema},
      {R"("head_dim":7)", "/head_dim", "7", "an even number of columns, which turn in pairs"},
      {R"("hidden_size":36)", "/num_attention_heads", "12, heads of 3 columns",
       "heads of an even number of columns, which turn in pairs"},
      {R"("num_attention_heads":5,"head_dim":8)", "/num_attention_heads", "5",
       "a divisor of hidden_size 768"},
      {R"("rope_theta":null)", "/rope_theta", "null", "a value", Code::kInvalidPackageSchema},
      {R"("rope_theta":[1,2])", "/rope_theta", "[1,2]", "a number", Code::kInvalidPackageSchema},
      {R"("rope_theta":8,"rope_parameters":{"rope_theta":9})", "/rope_theta", "8",
       "9, as rope_parameters says", Code::kEvidenceConflict},
      {R"("rope_parameters":{"rope_type":"yarn"})", "/rope_parameters/rope_type", "yarn", "default"},
      {R"("rope_parameters":{"full_attention":{}})", "/rope_parameters/full_attention", "{}",
       "rope_theta, rope_type"},
      {R"("rope_scaling":{"factor":2.0})", "/rope_scaling", R"({"factor":2})", "null"},
      {R"("partial_rotary_factor":0.5)", "/partial_rotary_factor", "0.5", "1 | null"},
      {R"("is_causal":true)", "/is_causal", "true", "false | null"},
      {R"("mlp_bias":null)", "/mlp_bias", "null", "a value", Code::kInvalidPackageSchema},
      {R"("hidden_act":"swiglu")", "/hidden_act", "swiglu", nullptr},
  };
  for (const Refused& c : kCases) ExpectRefused(With("eurobert", c.member), c);
}

TEST(UltraBertConfig, Defaults) {
  const ReadResult r = Read(With("ultrabert", R"("num_hidden_layers":4)"));
  ASSERT_TRUE(r.problems.empty());
  const DecoderSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 32000u);
  EXPECT_EQ(s.width, 4096u);
  EXPECT_EQ(s.inner, 11008u);
  EXPECT_EQ(s.heads, 32u);
  EXPECT_EQ(s.key_heads, 32u);
  EXPECT_EQ(s.max_length, 32768u);
  EXPECT_EQ(s.eps, 1e-6f);
  EXPECT_EQ(Pattern(r), "llFl");
  EXPECT_EQ(s.layers[0].radius, 128);  // on either side: 257 keys in the middle
  EXPECT_EQ(Turns(r, 1), Frequencies(10000, 64));
  EXPECT_EQ(Turns(r, 2), Frequencies(2560000, 64));
}

TEST(UltraBertConfig, BothGenerations) {
  const ReadResult old = Read(With("ultrabert", R"("num_hidden_layers":4,"attention_windows":[0,9,null,9],)"
                                                R"("rope_theta":[50,6.5,50,6.5])"));
  ASSERT_TRUE(old.problems.empty());
  EXPECT_EQ(Pattern(old), "FlFl");
  EXPECT_EQ(Spec(old).layers[3].radius, 9);
  EXPECT_EQ(Turns(old, 2), Frequencies(50, 64));
  EXPECT_EQ(Turns(old, 3), Frequencies(6.5, 64));
  EXPECT_TRUE(old.unread.empty());
  const ReadResult fresh = Read(
      With("ultrabert", R"("num_hidden_layers":2,"layer_types":["full_attention","sliding_attention"],)"
                        R"("sliding_window":5,"rope_parameters":{"full_attention":{"rope_type":"default"},)"
                        R"("sliding_attention":{"rope_type":"default","rope_theta":80}})"));
  ASSERT_TRUE(fresh.problems.empty());
  EXPECT_EQ(Pattern(fresh), "Fl");
  EXPECT_EQ(Spec(fresh).layers[1].radius, 5);
  EXPECT_EQ(Turns(fresh, 0), Frequencies(10000, 64));  // not the 2560000 of a config without the object
  EXPECT_EQ(Turns(fresh, 1), Frequencies(80, 64));
  EXPECT_TRUE(fresh.unread.empty());
}

TEST(UltraBertConfig, Refusals) {
  const std::string two = R"("num_hidden_layers":2,)";
  const Refused kCases[] = {
      {R"("attention_windows":[4])", "/attention_windows", "[4]", "a list of num_hidden_layers, 2"},
      {R"("attention_windows":4)", "/attention_windows", "4", "a list of num_hidden_layers, 2"},
      {R"("attention_windows":null)", "/attention_windows", "null", "a value", Code::kInvalidPackageSchema},
      {R"("attention_windows":[4,-1])", "/attention_windows/1", "-1",
       "a whole number from 0 to 2147483646, or null"},
      {R"("attention_windows":[4,5])", "/attention_windows/1", "5", "4, as in layer 0 of its kind"},
      {R"("attention_windows":[4,0],"sliding_window":5)", "/sliding_window", "5",
       "4, as attention_windows says", Code::kEvidenceConflict},
      {R"("attention_windows":[4,0],"layer_types":["full_attention","full_attention"])", "/layer_types/0",
       "full_attention", "sliding_attention, as attention_windows says", Code::kEvidenceConflict},
      {R"("layer_types":["sliding_attention"])", "/layer_types", "1 entries", "2, as num_hidden_layers says",
       Code::kEvidenceConflict},
      {R"("layer_types":["sliding_attention","chunked_attention"])", "/layer_types/1", "chunked_attention",
       "full_attention, sliding_attention"},
      {R"("sliding_window":0)", "/sliding_window", "0", "a whole number from 1 to 2147483647",
       Code::kInvalidPackageSchema},
      {R"("sliding_window":null)", "/sliding_window", "null", "a value", Code::kInvalidPackageSchema},
      {R"("rope_theta":10000)", "/rope_theta", "10000", "a list of num_hidden_layers, 2"},
      {R"("rope_theta":[10000,0.5])", "/rope_theta/1", "0.5", "a number of at least 1"},
      {R"("rope_theta":[10000,9])", "/rope_theta/1", "9", "10000, as in layer 0 of its kind"},
      {R"("rope_theta":[9,9],"rope_parameters":{"sliding_attention":{"rope_theta":10}})", "/rope_theta",
       "[9,9]", "for sliding_attention what rope_parameters says", Code::kEvidenceConflict},
      {R"("rope_parameters":{"full_attention":{"rope_theta":10}})", "/rope_parameters/sliding_attention",
       "absent", "the parameters of the layers of this kind"},
      {R"("rope_parameters":{"sliding_attention":{},"rope_theta":10})", "/rope_parameters/rope_theta", "10",
       "full_attention, sliding_attention"},
      {R"("rope_parameters":{"sliding_attention":{"rope_type":"linear"}})",
       "/rope_parameters/sliding_attention/rope_type", "linear", "default"},
      {R"("rope_scaling":{"factor":2.0})", "/rope_scaling", R"({"factor":2})", "null"},
  };
  for (const Refused& c : kCases) ExpectRefused(With("ultrabert", two + c.member), c);
}

}  // namespace
}  // namespace candor::families

// COV-23: what the reader of Qwen3.5's text model makes of a config.json. Defaults are those of
// transformers 5.24's config class, read from its source.
#include "families/qwen3_5.h"

#include <gtest/gtest.h>

#include <string>

#include "families/test_support.h"

namespace candor::families {
namespace {

const Qwen35Spec& Spec(const ReadResult& r) { return dynamic_cast<const Qwen35Model&>(*r.model).spec(); }

std::string With(const std::string& members) {
  return R"({"model_type":"qwen3_5_text")" + (members.empty() ? "" : "," + members) + "}";
}

// One letter a layer: F for one that attends.
std::string Pattern(const ReadResult& r) {
  std::string out;
  for (const bool attends : Spec(r).attends) out += attends ? 'F' : '-';
  return out;
}

TEST(Qwen35Config, Defaults) {
  const ReadResult r = Read(With(""));
  ASSERT_TRUE(r.problems.empty());
  const Qwen35Spec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 248320u);
  EXPECT_EQ(s.width, 4096u);
  EXPECT_EQ(s.inner, 12288u);
  EXPECT_EQ(s.max_length, 32768u);
  EXPECT_EQ(s.heads, 16u);
  EXPECT_EQ(s.key_heads, 4u);
  EXPECT_EQ(s.head_width, 256u);
  EXPECT_EQ(s.rope, (Rope{Frequencies(10000, 32)}));  // a quarter of the head
  EXPECT_EQ(s.delta.heads, 32u);
  EXPECT_EQ(s.delta.key_heads, 16u);
  EXPECT_EQ(s.delta.key_width, 128u);
  EXPECT_EQ(s.delta.value_width, 128u);
  EXPECT_EQ(s.delta.taps, 4u);
  EXPECT_TRUE(s.causal);
  EXPECT_EQ(Pattern(r), "---F---F---F---F---F---F---F---F");
}

TEST(Qwen35Config, Layers) {
  const std::string three = R"("num_hidden_layers":3,)";
  EXPECT_EQ(Pattern(Read(With(three + R"("full_attention_interval":2)"))), "-F-");
  EXPECT_EQ(Pattern(Read(With(three +
                              R"("full_attention_interval":1,)"
                              R"("layer_types":["full_attention","linear_attention","linear_attention"])"))),
            "F--");
}

TEST(Qwen35Config, WhereThePartIsWritten) {
  const auto pairs = [](const std::string& members) { return Spec(Read(With(members))).rope.pairs(); };
  EXPECT_EQ(pairs(R"("partial_rotary_factor":0.5)"), 64u);
  EXPECT_EQ(
      pairs(R"("rope_parameters":{"rope_theta":9,"partial_rotary_factor":1.0},"partial_rotary_factor":0.5)"),
      128u);
  EXPECT_EQ(
      pairs(R"("rope_parameters":{"rope_theta":9,"mrope_section":[11,11,10],"mrope_interleaved":true})"),
      32u);
}

TEST(Qwen35Config, Refusals) {
  const Refused kCases[] = {
      {R"("linear_num_value_heads":24)", "/linear_num_value_heads", "24",
       "a multiple of linear_num_key_heads 16"},
      {R"("linear_conv_kernel_dim":17)", "/linear_conv_kernel_dim", "17", nullptr,
       Code::kInvalidPackageSchema},
      {R"("partial_rotary_factor":0.005)", "/partial_rotary_factor", "0.005",
       "above 0, at most 1, and an even number of each head's 256 columns"},
      {R"("rope_parameters":{"rope_type":"yarn","factor":2})", "/rope_parameters/rope_type", "yarn",
       "default"},
      {R"("num_hidden_layers":1,"layer_types":["sliding_attention"])", "/layer_types/0", "sliding_attention",
       "linear_attention, full_attention"},
      {R"("attn_output_gate":false)", "/attn_output_gate", "false", "true | null"},
      {R"("head_dim":null)", "/head_dim", "null", "a value", Code::kInvalidPackageSchema},
  };
  for (const Refused& c : kCases) ExpectRefused(With(c.member), c);
}

}  // namespace
}  // namespace candor::families

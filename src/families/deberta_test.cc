// COV-25: what the reader makes of a config.json, and the rows of relative positions. Defaults are those of
// transformers 5.24's DebertaV2Config, read from its source.
#include "families/deberta.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "families/test_support.h"
#include "model/synthetic.h"

namespace candor::families {
namespace {

const DebertaSpec& Spec(const ReadResult& r) { return dynamic_cast<const DebertaModel&>(*r.model).spec(); }

std::string With(const std::string& members) {
  return R"({"model_type":"deberta-v2")" + (members.empty() ? "" : "," + members) + "}";
}

TEST(DebertaConfig, Defaults) {
  const ReadResult r = Read(With(""));
  ASSERT_TRUE(r.problems.empty());
  const DebertaSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 128100u);
  EXPECT_EQ(s.width, 1536u);
  EXPECT_EQ(s.layers, 24u);
  EXPECT_EQ(s.heads, 24u);
  EXPECT_EQ(s.inner, 6144u);
  EXPECT_EQ(s.segments, 0u);
  EXPECT_EQ(s.embedding, 1536u);
  EXPECT_EQ(s.eps, 1e-7f);
  EXPECT_EQ(s.activation, Activation::kGeluErf);
  EXPECT_TRUE(s.positions_in_input);
  EXPECT_FALSE(s.relative || s.content_to_position || s.position_to_content || s.share_keys ||
               s.norm_relative);
  EXPECT_EQ(s.conv_taps, 0u);
  EXPECT_EQ(r.model->input().max_length, 512u);
  EXPECT_FALSE(r.model->input().elastic);
}

TEST(DebertaConfig, TermsInEverySpelling) {
  for (const char* both : {R"("p2c|c2p")", R"("C2P | P2C")", R"(["c2p","p2c"])"}) {
    const ReadResult r = Read(With(R"("pos_att_type":)" + std::string(both)));
    ASSERT_TRUE(r.problems.empty()) << both;
    EXPECT_TRUE(Spec(r).content_to_position && Spec(r).position_to_content) << both;
    EXPECT_EQ(ChoiceOf(r, "pos_att_type"), "c2p|p2c");
  }
  EXPECT_EQ(ChoiceOf(Read(With(R"("pos_att_type":["p2c"])")), "pos_att_type"), "p2c");
  EXPECT_EQ(ChoiceOf(Read(With(R"("pos_att_type":null)")), "pos_att_type"), "");
}

// -1, the published value, stands for the positions; without absolute ones a package may ask for more rows.
TEST(DebertaConfig, Spans) {
  const ReadResult r = Read(With(
      R"("relative_attention":true,"max_relative_positions":-1,"position_buckets":-1,"position_biased_input":false)"));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_EQ(Spec(r).span(), 512);
  EXPECT_TRUE(r.model->input().elastic);
  EXPECT_EQ(Spec(Read(With(R"("relative_attention":true,"position_buckets":256)"))).span(), 256);
}

TEST(DebertaConfig, Refusals) {
  const Refused kCases[] = {
      {R"("pos_att_type":["c2p","p2p"])", "/pos_att_type", "p2p", "c2p, p2c"},
      {R"("norm_rel_ebd":"batch_norm")", "/norm_rel_ebd", "batch_norm", "layer_norm, none"},
      {R"("relative_attention":true,"position_buckets":2)", "/position_buckets", "2",
       "at least 4, and half of it below max_relative_positions - 1"},
      {R"("relative_attention":true,"position_buckets":256,"max_relative_positions":100)",
       "/position_buckets", "256", "at least 4, and half of it below max_relative_positions - 1"},
      {R"("position_buckets":2.5)", "/position_buckets", "2.5", "a whole number up to 1000000"},
      {R"("conv_kernel_size":4)", "/conv_kernel_size", "4",
       "an odd number: others change the length of a text"},
      {R"("conv_kernel_size":3,"conv_groups":2)", "/conv_groups", "2", "1"},
      {R"("conv_kernel_size":3,"conv_act":"maxout")", "/conv_act", "maxout", nullptr},
      {R"("attention_head_size":32)", "/attention_head_size", "32", "64, hidden_size by num_attention_heads"},
      {R"("num_attention_heads":7)", "/num_attention_heads", "7", "a divisor of hidden_size 1536"},
      {R"("z_steps":2)", "/z_steps", "2", "0 | null"},
      {R"("relative_attention":null)", "/relative_attention", "null", "a value", Code::kInvalidPackageSchema},
  };
  for (const Refused& c : kCases) ExpectRefused(With(c.member), c);
}

// From make_log_bucket_position, clamped as disentangled_attention_bias clamps: where runs of one row begin
// for 8 buckets up to 40, and single distances for the published 256 up to 512.
TEST(Deberta, Rows) {
  const DebertaSpec small{.relative = true, .buckets = 8, .max_relative = 40};
  const std::pair<std::int32_t, std::int32_t> kRuns[] = {
      {-60, 0}, {-39, 1}, {-18, 2}, {-8, 3}, {-4, 4}, {-3, 5}, {-2, 6}, {-1, 7},
      {0, 8},   {1, 9},   {2, 10},  {3, 11}, {4, 12}, {5, 13}, {9, 14}, {19, 15}};
  std::size_t run = 0;
  for (std::int32_t d = -60; d <= 60; ++d) {
    if (run + 1 < std::size(kRuns) && kRuns[run + 1].first == d) ++run;
    EXPECT_EQ(DebertaRow(small, d), kRuns[run].second) << d;
  }
  const DebertaSpec published{.relative = true, .buckets = 256, .max_relative = 512};
  const std::pair<std::int32_t, std::int32_t> kSingle[] = {
      {-600, 0},   {-511, 1},   {-400, 23}, {-300, 49}, {-200, 87}, {-150, 113}, {-130, 126}, {-129, 127},
      {-128, 128}, {-127, 129}, {-1, 255},  {0, 256},   {1, 257},   {127, 383},  {128, 384},  {129, 385},
      {130, 386},  {150, 399},  {200, 425}, {300, 463}, {400, 489}, {511, 511},  {600, 511}};
  for (const auto& [distance, row] : kSingle) EXPECT_EQ(DebertaRow(published, distance), row) << distance;
  std::int64_t sum = 0;  // of every row times its place, over -700 to 700
  for (std::int32_t d = -700; d <= 700; ++d) sum += std::int64_t{DebertaRow(published, d)} * (d + 701);
  EXPECT_EQ(sum, 364726667);
  const DebertaSpec plain{.relative = true, .max_relative = 9};
  EXPECT_EQ(DebertaRow(plain, -20), 0);
  EXPECT_EQ(DebertaRow(plain, -3), 6);
  EXPECT_EQ(DebertaRow(plain, 20), 17);
}

constexpr DebertaSpec kOneLayer{
    .vocabulary = 5, .width = 4, .inner = 6, .heads = 2, .layers = 1, .max_positions = 8, .embedding = 4};

// FAM-06: heads, and a table of absolute positions that the class leaves out, are listed.
TEST(Deberta, KnownUnusedTensors) {
  DebertaSpec spec = kOneLayer;
  spec.positions_in_input = false;
  DebertaModel model(spec);
  std::vector<TensorDecl> wanted;
  model.DeclareTensors(Scope(wanted));
  std::vector<TensorInfo> stored = GenerateTensors(wanted, 1, "deberta.");
  const std::vector<float> one{0};
  for (const char* name : {"deberta.embeddings.position_embeddings.weight", "pooler.dense.weight",
                           "classifier.bias", "cls.predictions.bias", "mask_predictions.dense.weight"})
    stored.push_back(MemoryTensor(name, {1}, one));
  const Match match = MatchTensors(wanted, stored, kDebertaFamily.names);
  EXPECT_TRUE(match.problems.empty());
  EXPECT_EQ(match.explained.size(), 5u);
}

// A convolution's weight is stored with three dimensions.
TEST(Deberta, ConvolutionShape) {
  DebertaSpec spec = kOneLayer;
  spec.conv_taps = 3;
  DebertaModel model(spec);
  std::vector<TensorDecl> wanted;
  model.DeclareTensors(Scope(wanted));
  std::map<std::string, std::vector<std::size_t>> shapes;
  for (const TensorInfo& t : GenerateTensors(wanted, 1)) shapes[t.name] = t.shape;
  EXPECT_EQ(shapes["encoder.conv.conv.weight"], (std::vector<std::size_t>{4, 4, 3}));
  EXPECT_EQ(shapes["encoder.conv.conv.bias"], std::vector<std::size_t>{4});
}

}  // namespace
}  // namespace candor::families

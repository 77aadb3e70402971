// COV-24: what the reader makes of a config.json, and the distance buckets. Defaults are those of
// transformers 5.24's MPNetConfig, read from its source.
#include "families/mpnet.h"

#include <gtest/gtest.h>

#include <string>

#include "families/test_support.h"
#include "model/synthetic.h"

namespace candor::families {
namespace {

const MpnetSpec& Spec(const ReadResult& r) { return dynamic_cast<const MpnetModel&>(*r.model).spec(); }

std::string With(const std::string& members) {
  return R"({"model_type":"mpnet")" + (members.empty() ? "" : "," + members) + "}";
}

TEST(MpnetConfig, Defaults) {
  const ReadResult r = Read(With(""));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_EQ(Spec(r).vocabulary, 30527u);
  EXPECT_EQ(Spec(r).width, 768u);
  EXPECT_EQ(Spec(r).layers, 12u);
  EXPECT_EQ(Spec(r).heads, 12u);
  EXPECT_EQ(Spec(r).inner, 3072u);
  EXPECT_EQ(Spec(r).buckets, 32u);
  EXPECT_EQ(Spec(r).eps, 1e-12f);
  EXPECT_EQ(Spec(r).activation, Activation::kGeluErf);
  EXPECT_EQ(r.model->input().max_length, 510u);
  EXPECT_EQ(r.model->input().padding, 1);
  EXPECT_EQ(r.model->input().segments, 0u);
}

// The class has its padding id in its code: what config.json says of it changes nothing.
TEST(MpnetConfig, PaddingIsTheClasss) {
  const ReadResult r = Read(With(R"("pad_token_id":7,"max_position_embeddings":20)"));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_EQ(r.model->input().padding, 1);
  EXPECT_EQ(r.model->input().max_length, 18u);
  EXPECT_TRUE(r.unread.empty());
}

TEST(MpnetConfig, Refusals) {
  const Refused kCases[] = {
      {R"("relative_attention_num_buckets":16)", "/relative_attention_num_buckets", "16",
       "a whole number from 32 to 2147483647", Code::kInvalidPackageSchema},
      {R"("relative_attention_num_buckets":null)", "/relative_attention_num_buckets", "null", "a value",
       Code::kInvalidPackageSchema},
      {R"("max_position_embeddings":2)", "/max_position_embeddings", "2",
       "a whole number from 3 to 2147483647", Code::kInvalidPackageSchema},
      {R"("num_attention_heads":5)", "/num_attention_heads", "5", "a divisor of hidden_size 768"},
      {R"("is_decoder":true)", "/is_decoder", "true", "false | null"},
  };
  for (const Refused& c : kCases) ExpectRefused(With(c.member), c);
}

// Where runs of one bucket begin, from MPNetEncoder.relative_position_bucket over -600 to 600.
TEST(Mpnet, Buckets) {
  const std::pair<std::int32_t, std::int32_t> kRuns[] = {
      {-600, 15}, {-90, 14}, {-63, 13}, {-45, 12}, {-31, 11}, {-22, 10}, {-15, 9}, {-11, 8},
      {-7, 7},    {-6, 6},   {-5, 5},   {-4, 4},   {-3, 3},   {-2, 2},   {-1, 1},  {0, 0},
      {1, 17},    {2, 18},   {3, 19},   {4, 20},   {5, 21},   {6, 22},   {7, 23},  {8, 24},
      {12, 25},   {16, 26},  {23, 27},  {32, 28},  {46, 29},  {64, 30},  {91, 31}};
  std::size_t run = 0;
  for (std::int32_t d = -600; d <= 600; ++d) {
    if (run + 1 < std::size(kRuns) && kRuns[run + 1].first == d) ++run;
    EXPECT_EQ(MpnetBucket(d), kRuns[run].second) << d;
  }
}

// FAM-06: heads beside the encoder are listed, never run.
TEST(Mpnet, KnownUnusedTensors) {
  MpnetModel model({.vocabulary = 5, .width = 4, .inner = 6, .heads = 2, .layers = 1, .max_positions = 8});
  std::vector<TensorDecl> wanted;
  model.DeclareTensors(Scope(wanted));
  std::vector<TensorInfo> stored = GenerateTensors(wanted, 1, "mpnet.");
  const std::vector<float> one{0};
  for (const char* name :
       {"mpnet.embeddings.position_ids", "mpnet.pooler.dense.weight", "lm_head.decoder.weight"})
    stored.push_back(MemoryTensor(name, {1}, one));
  const Match match = MatchTensors(wanted, stored, kMpnetFamily.names);
  EXPECT_TRUE(match.problems.empty());
  EXPECT_EQ(match.dialect, "prefix mpnet.");
  EXPECT_EQ(match.explained.size(), 3u);
}

}  // namespace
}  // namespace candor::families

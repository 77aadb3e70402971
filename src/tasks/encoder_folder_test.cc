// Packages whose encoder has a folder: whose settings count, what each way of a Router that stands first is
// made of, and a table of words in JSON, by hand.
#include <gtest/gtest.h>

#include "package/test_folder.h"
#include "tasks/idf_table.h"
#include "tasks/recipe.h"

namespace candor::tasks {
namespace {

constexpr std::string_view kModels = "sentence_transformers.models.";

std::string Quoted(std::string_view text) { return '"' + std::string(text) + '"'; }
std::string Entry(std::string_view path, std::string_view type) {
  return R"({"name":)" + Quoted(path) + R"(,"path":)" + Quoted(path) + R"(,"type":)" +
         Quoted(std::string(kModels) + std::string(type)) + "}";
}

struct Read {
  EmbedRecipe recipe;
  Problems problems;
};
Read ReadOf(const package::TestFolder& folder) {
  Read out;
  const auto package = package::Package::Open(folder.path()).value();
  out.recipe = ReadRecipe(*package, std::make_shared<package::ReadLog>(), {}, 4, out.problems);
  return out;
}

TEST(EncoderFolder, ItsSettingsCount) {
  const package::TestFolder folder("folder_settings");
  folder.Write("modules.json",
               "[" + Entry("0_Transformer", "Transformer") + "," + Entry("1_P", "Pooling") + "]");
  folder.Write("0_Transformer/config.json", R"({"model_type":"bert"})");
  folder.Write("0_Transformer/sentence_bert_config.json", R"({"max_seq_length":7})");
  folder.Write("sentence_bert_config.json", R"({"max_seq_length":9})");  // of nobody
  folder.Write("1_P/config.json", R"({"embedding_dimension":4})");
  const Read read = ReadOf(folder);
  EXPECT_TRUE(read.problems.empty()) << Message(read.problems[0]);
  EXPECT_EQ(read.recipe.encoder, "0_Transformer/");
  EXPECT_EQ(read.recipe.max_seq_length, 7u);
  EXPECT_EQ(read.recipe.max_seq_length_at,
            Where::At("0_Transformer/sentence_bert_config.json", "/max_seq_length"));
}

TEST(EncoderFolder, EachRoutePools) {
  const package::TestFolder folder("folder_routes");
  folder.Write("modules.json", "[" + Entry("", "Router") + "," + Entry("1_N", "Normalize") + "]");
  std::string types;
  for (const char* type : {"Transformer", "Pooling", "Pooling2", "Dense"})
    types += (types.empty() ? "" : ",") + Quoted(type) + ":" +
             Quoted(std::string(kModels) + (std::string_view(type) == "Pooling2" ? "Pooling" : type));
  folder.Write("router_config.json",
               R"({"types":{)" + types +
                   R"(},"structure":{"query":["Transformer","Pooling","Dense"],)"
                   R"("document":["Transformer","Pooling2"]},"parameters":{"default_route":"document"}})");
  folder.Write("Transformer/config.json", R"({"model_type":"bert"})");
  folder.Write("Pooling/config.json",
               R"({"embedding_dimension":4,"pooling_mode":["cls","max"],"include_prompt":false})");
  folder.Write("Pooling2/config.json", R"({"embedding_dimension":4,"pooling_mode":"lasttoken"})");
  folder.Write("Dense/config.json", R"({"in_features":8,"out_features":4})");
  const Read read = ReadOf(folder);
  EXPECT_TRUE(read.problems.empty()) << Message(read.problems[0]);
  const EmbedRecipe& r = read.recipe;
  EXPECT_EQ(r.encoder, "Transformer/");
  ASSERT_EQ(r.route_count(), 2u);
  EXPECT_EQ(r.routes->Of(std::nullopt), 1u);
  EXPECT_EQ(r.pooling(0).modes, (std::vector<Pooling>{Pooling::kFirst, Pooling::kMax}));
  EXPECT_FALSE(r.pooling(0).include_prompt);
  EXPECT_EQ(r.pooling(1).modes, std::vector<Pooling>{Pooling::kLast});
  EXPECT_TRUE(r.pooling(1).include_prompt);
  EXPECT_EQ(r.width, 4u);
  EXPECT_TRUE(r.has_roles && r.normalizes(0) && r.normalizes(1));
}

// [UNK] has the weight of the last word that the vocabulary lacks; 0.1 is rounded to f32.
TEST(IdfTable, ByHand) {
  const package::TestFolder folder("idf");
  folder.Write("modules.json", "[" + Entry("", "Transformer") + "]");
  folder.Write("idf.json", R"({"b":0.1,"none":3,"a":-2,"neither":5})");
  folder.Write("tokenizer_config.json", R"({"unk_token":"[UNK]"})");
  folder.Write("tokenizer.json", R"({"version":"1.0","model":{"type":"WordPiece","unk_token":"[UNK]",)"
                                 R"("continuing_subword_prefix":"##","max_input_chars_per_word":9,)"
                                 R"("vocab":{"[UNK]":0,"a":1,"b":2,"c":3}}})");
  const auto package = package::Package::Open(folder.path()).value();
  const auto words = text::Tokenizer::Read(*package, std::make_shared<package::ReadLog>());
  ASSERT_TRUE(words) << Message(words.error()[0]);
  Problems problems;
  const auto weights = ReadIdfTable(*package, "idf.json", **words, "", 4, problems);
  ASSERT_TRUE(weights) << Message(problems[0]);
  EXPECT_EQ(*weights, (std::vector<float>{5, -2, 0.1f, 0}));
  EXPECT_FALSE(ReadIdfTable(*package, "idf.json", **words, "", 5, problems));
  EXPECT_EQ(problems.at(0).found, "4 tokens");
}

}  // namespace
}  // namespace candor::tasks

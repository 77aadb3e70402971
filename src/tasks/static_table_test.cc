// How texts become ids where a package is a static table, by sentence-transformers' rules and by model2vec's.
#include <gtest/gtest.h>

#include <string>

#include "package/test_folder.h"
#include "tasks/embed.h"
#include "tasks/text_rules.h"
#include "tensor/batch.h"

namespace candor::tasks {
namespace {

using Ids = std::vector<std::int32_t>;

constexpr const char* kModules =
    R"([{"name":"0","path":"","type":"sentence_transformers.models.StaticEmbedding"},
        {"name":"1","path":"1_Normalize","type":"sentence_transformers.models.Normalize"}])";

// [UNK] 0, a 1, bb 2, ccc 3; the template would add [UNK] at the end.
std::string TokenizerJson(const std::string& truncation = "null") {
  return R"({"version":"1.0","truncation":)" + truncation +
         R"(,"padding":null,"added_tokens":[],"normalizer":null,
    "pre_tokenizer":{"type":"WhitespaceSplit"},"decoder":null,
    "post_processor":{"type":"TemplateProcessing",
      "single":[{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[UNK]","type_id":0}}],
      "pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],
      "special_tokens":{"[UNK]":{"id":"[UNK]","ids":[0],"tokens":["[UNK]"]}}},
    "model":{"type":"WordLevel","unk_token":"[UNK]","vocab":{"[UNK]":0,"a":1,"bb":2,"ccc":3}}})";
}

std::string Cut(const std::string& members) {
  return R"({"direction":"Left","max_length":2,)" + members + "}";
}

class StaticText : public testing::Test {
 protected:
  void Read(const RecipeOptions& options = {}) {
    auto package = package::Package::Open(folder_.path());
    ASSERT_TRUE(package);
    package_ = std::move(package).value();
    problems_.clear();
    recipe_ = ReadRecipe(*package_, log_, options, 3, problems_);
    auto tokenizer = ReadTokenizer(*package_, log_, recipe_);
    tokenizer_ = tokenizer ? *tokenizer : nullptr;
    if (!tokenizer) problems_ = tokenizer.error();
  }
  void Model2Vec(const std::string& config) {
    folder_.Write("config.json", config);
    folder_.Write("tokenizer.json", TokenizerJson(Cut(R"("strategy":"OnlySecond","stride":7)")));
    Read();
  }
  void Module(const std::string& truncation) {
    folder_.Write("modules.json", kModules);
    folder_.Write("tokenizer.json", TokenizerJson(truncation));
    Read();
  }
  Limit limit() const {
    return PackageLimit(recipe_, tokenizer_->facts(), {.max_length = kLongestSequence, .vocabulary = 4});
  }
  TextLayout Layout(const TextOptions& options = {}) {
    auto layout = LayOut(recipe_, options, *tokenizer_, limit().tokens);
    EXPECT_TRUE(layout);
    return *layout;
  }
  void Expect(std::string_view text, const Ids& ids, std::size_t total, const TextOptions& options = {}) {
    std::size_t counted = 0;
    const auto e = EncodeText(*tokenizer_, Layout(options), text, counted);
    ASSERT_TRUE(e) << Message(e.error());
    EXPECT_EQ(e->ids, ids) << text;
    EXPECT_EQ(e->type_ids.size(), ids.size());
    EXPECT_EQ(e->offsets.size(), ids.size());
    EXPECT_EQ(counted, total) << text;
  }
  void ExpectOne(Code code, const Where& where, std::string_view found, std::string_view allowed) {
    ASSERT_EQ(problems_.size(), 1u);
    EXPECT_EQ(problems_[0].code, code);
    EXPECT_EQ(problems_[0].where, where) << ToString(problems_[0].where);
    EXPECT_EQ(problems_[0].found, found);
    EXPECT_EQ(problems_[0].allowed, allowed);
  }

  package::TestFolder folder_{"static_text"};
  std::shared_ptr<const package::Package> package_;
  std::shared_ptr<package::ReadLog> log_ = std::make_shared<package::ReadLog>();
  EmbedRecipe recipe_;
  std::shared_ptr<const text::Tokenizer> tokenizer_;
  Problems problems_;
};

// ---- sentence-transformers ----------------------------------------------------------------------------

TEST_F(StaticText, NoSpecialTokensAndNoLimit) {
  Module("null");
  ASSERT_TRUE(problems_.empty());
  EXPECT_FALSE(recipe_.cuts());
  ASSERT_EQ(recipe_.chain.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<PoolingStep>(recipe_.chain[0].step));
  EXPECT_TRUE(recipe_.normalizes());
  EXPECT_EQ(LeastLength(*tokenizer_), 1u);
  Expect("a zz ccc", {1, 0, 3}, 3);
  Expect("", {}, 0);
  Expect("ccc a bb", {3, 1}, 3, {.max_length = 2});
}

// What no package says is no place to cut at: such a text is refused, unless the caller names one.
TEST_F(StaticText, PastTheLongestSequence) {
  Module("null");
  std::string text;
  for (std::size_t i = 0; i <= kLongestSequence; ++i) text += "a ";
  std::size_t total = 0;
  const auto e = EncodeText(*tokenizer_, Layout(), text, total);
  ASSERT_FALSE(e);
  EXPECT_EQ(e.error().code, Code::kInputTooLarge);
  EXPECT_EQ(e.error().found, "65537 tokens");
  EXPECT_EQ(e.error().allowed, "65536, or a max-length to cut at");
  EXPECT_EQ(total, 65537u);
  Expect(text, Ids(5, 1), 65537, {.max_length = 5});
}

TEST_F(StaticText, TheFilesTruncationIsInForce) {
  Module(Cut(R"("strategy":"OnlyFirst","stride":1)"));
  ASSERT_TRUE(problems_.empty());
  EXPECT_TRUE(recipe_.cuts());
  EXPECT_EQ(limit().tokens, 2u);
  EXPECT_EQ(limit().where, Where::At("tokenizer.json", "/truncation/max_length"));
  Expect("a bb ccc", {2, 3}, 3);  // from the left
  Expect("a bb ccc", {1, 2}, 3, {.truncate_left = false});
}

TEST_F(StaticText, WhereTheLibraryGivesUp) {
  Module(Cut(R"("strategy":"OnlySecond","stride":0)"));
  ExpectOne(Code::kUnsupportedProcessorRecipe, Where::At("tokenizer.json", "/truncation/strategy"),
            "OnlySecond", "LongestFirst, OnlyFirst: there is one text");
  Module(Cut(R"("strategy":"LongestFirst","stride":2)"));
  ExpectOne(Code::kUnsupportedProcessorRecipe, Where::At("tokenizer.json", "/truncation/stride"), "2",
            "below max_length, 2");
}

TEST_F(StaticText, TheTokenizerIsOneFile) {
  Module("null");
  folder_.Write("tokenizer_config.json", R"({"model_max_length":1,"add_bos_token":true,"unknown":[1]})");
  folder_.Write("sentence_bert_config.json", R"({"max_seq_length":1,"do_lower_case":true})");
  folder_.Write("config.json", R"({"model_type":"model2vec","max_length":1,"matryoshka_dimensions":[9]})");
  Read();
  EXPECT_TRUE(problems_.empty());
  EXPECT_FALSE(recipe_.cuts());
  folder_.Remove("tokenizer.json");
  Read();
  ExpectOne(Code::kComponentMissing, Where::At("tokenizer.json"), "no such file",
            "the tokenizer of a static table");
}

TEST_F(StaticText, PoolingHasNothingToPool) {
  folder_.Write("modules.json",
                R"([{"name":"0","path":"T","type":"sentence_transformers.models.StaticEmbedding"},
                    {"name":"1","path":"1_Pooling","type":"sentence_transformers.models.Pooling"}])");
  folder_.Write("T/tokenizer.json", TokenizerJson());
  Read();
  ExpectOne(Code::kUnsupportedProcessorRecipe, Where::At("modules.json", "/1/type"),
            "Pooling after StaticEmbedding",
            "Transformer, then Pooling, or StaticEmbedding first, then any of Dense, LayerNorm, Normalize, "
            "Dropout");
}

// ---- model2vec ----------------------------------------------------------------------------------------

// Tokens have 5, 1, 2 and 3 characters: the median is 2.5, rounded down. Two tokens are cut from four
// characters.
TEST_F(StaticText, Model2VecCutsCharactersThenTokensThenUnknownOnes) {
  Model2Vec(R"({"model_type":"model2vec","max_length":2})");
  ASSERT_TRUE(problems_.empty());
  EXPECT_EQ(recipe_.table->characters, 2u);
  EXPECT_EQ(limit().where, Where::At("config.json", "/max_length"));
  Expect("a a a", {1, 1}, 3);
  Expect("ccc bb", {3}, 2);
  Expect("cccc", {}, 0);      // unknown, and not cut
  Expect("a bb", {1, 2}, 2);  // just fits
  Expect("zz a bb", {1}, 2);  // one left out, one cut
  Expect("éé a", {1}, 1);     // characters, not bytes
  Expect("", {}, 0);
  Expect("a bb", {1}, 2, {.max_length = 1});  // two characters
}

TEST_F(StaticText, Model2VecFromTheOtherSideOrNotAtAll) {
  Model2Vec(R"({"model_type":"model2vec","max_length":2})");
  Expect("éé ccc bb", {2}, 2, {.truncate_left = true});  // "c bb"
  std::size_t total = 0;
  const auto e = EncodeText(*tokenizer_, Layout({.truncate = false}), "ccc bb", total);
  ASSERT_FALSE(e);
  EXPECT_EQ(e.error().code, Code::kInputTooLarge);
  EXPECT_EQ(e.error().found, "more than 4 characters");
  EXPECT_EQ(e.error().allowed, "4, or truncation");
}

TEST_F(StaticText, Model2VecKeys) {
  Model2Vec(R"({"model_type":"model2vec"})");
  EXPECT_EQ(limit().tokens, 512u);
  EXPECT_FALSE(recipe_.normalizes());
  EXPECT_EQ(recipe_.similarity, "cosine");
  Model2Vec(R"({"model_type":"model2vec","max_length":null,"normalize":true})");
  EXPECT_FALSE(recipe_.cuts());
  EXPECT_TRUE(recipe_.normalizes());
  Expect(std::string(40, 'a') + " a", {1}, 1);  // no characters are counted either
  Model2Vec(R"({"model_type":"model2vec","max_length":0})");
  ExpectOne(Code::kInvalidPackageSchema, Where::At("config.json", "/max_length"), "0",
            "a whole number from 1 to 2147483647");
  Model2Vec(R"({"model_type":"model2vec","normalize":"yes"})");
  ExpectOne(Code::kInvalidPackageSchema, Where::At("config.json", "/normalize"), "\"yes\"", "true or false");
}

// More tokens than can be run at once: no text is cut to them, but its characters are as many as model2vec
// looks at.
TEST_F(StaticText, Model2VecLimitPastTheLongestSequence) {
  Model2Vec(R"({"model_type":"model2vec","max_length":65537})");
  EXPECT_FALSE(recipe_.cuts());
  EXPECT_EQ(limit().tokens, kLongestSequence);
  Expect("bb " + std::string(2 * 65537, 'a') + " a", {2}, 2);
}

TEST_F(StaticText, Model2VecPoolsByItself) {
  Model2Vec(R"({"model_type":"model2vec"})");
  Read({.pooling = "cls"});
  ExpectOne(Code::kUnsupportedOption, Where::Option("pooling"), "cls",
            "only for an encoder without modules.json; this is a static table");
}

// ---- both ---------------------------------------------------------------------------------------------

TEST_F(StaticText, ATextWithoutTokensIsLaidOut) {
  Module("null");
  EmbedTask task(recipe_, tokenizer_, {.max_length = kLongestSequence, .vocabulary = 4}, 3, kLongestSequence);
  const auto laid = task.Lay(EmbedRequest{.inputs = {std::string(), std::string("a")}});
  ASSERT_TRUE(laid);
  ASSERT_EQ(laid->works.size(), 2u);
  EXPECT_TRUE(laid->works[0].tokens.empty());
  EXPECT_EQ(laid->works[0].runs[0].length(), 0);
  EXPECT_EQ(laid->items[0].tokens, 0u);
  EXPECT_FALSE(laid->items[0].error);
  const auto& chain = task.facts().chain;
  ASSERT_EQ(chain.size(), 2u);
  EXPECT_EQ(chain[0].first, "StaticEmbedding");
  EXPECT_EQ(chain[0].second, "any number of tokens, none special; the mean of their rows");
  EXPECT_FALSE(task.facts().cuts);
}

}  // namespace
}  // namespace candor::tasks

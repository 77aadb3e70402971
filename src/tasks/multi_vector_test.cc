// Late interaction over a small tokenizer: which rows a text becomes on either side, and which are scored.
#include "tasks/multi_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "package/test_folder.h"

namespace candor::tasks {
namespace {

using Ids = std::vector<std::int32_t>;

// [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, [MASK] 4, [Q] 5, a 6, b 7, "." 8; [CLS] text [SEP].
std::string Added(int id, const char* content) {
  return R"({"id":)" + std::to_string(id) + R"(,"content":")" + content +
         R"(","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true})";
}
std::string TokenizerJson() {
  return R"({"version":"1.0","truncation":null,"padding":null,"added_tokens":[)" + Added(0, "[PAD]") + "," +
         Added(1, "[UNK]") + "," + Added(2, "[CLS]") + "," + Added(3, "[SEP]") + "," + Added(4, "[MASK]") +
         R"(],"normalizer":null,"pre_tokenizer":{"type":"BertPreTokenizer"},
  "post_processor":{"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]},"decoder":null,
  "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
    "vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"[MASK]":4,"[Q]":5,"a":6,"b":7,".":8}}})";
}

std::shared_ptr<const text::Tokenizer> SmallTokenizer(std::vector<std::string> markers) {
  const package::TestFolder folder("multi_vector");
  folder.Write("config.json", "{}");
  folder.Write("tokenizer.json", TokenizerJson());
  const auto package = package::Package::Open(folder.path());
  EXPECT_TRUE(package);
  auto read = text::Tokenizer::Read(**package, std::make_shared<package::ReadLog>(), false, "", markers);
  EXPECT_TRUE(read) << (read ? "" : Message(read.error()[0]));
  return read ? std::move(read).value() : nullptr;
}

class MultiVector : public testing::Test {
 protected:
  MultiVector() {
    recipe_.base.chain = {{"", NormalizeStep{}}};
    recipe_.base.width = 2;
    recipe_.base.prompts = {{"query", "[Q] "}, {"document", ""}};
    recipe_.base.similarity = "maxsim";
    recipe_.base.mask = ScoringMask{};
    recipe_.plain.skips = recipe_.document.skips = true;
    recipe_.query.expansion = QueryExpansion{.fixed = true, .attend = false, .token = {}, .length = 6};
    ids_.skipped = {8}, ids_.expansion = 4, ids_.query_marker = 5;
    ids_.plain_length = 8, ids_.document_length = 5, ids_.query_length = 6;
  }
  MultiVectorTask Make() {
    return MultiVectorTask(recipe_, ids_, SmallTokenizer({"[Q] "}),
                           {.max_length = 16, .vocabulary = 9, .segments = 2}, 2);
  }
  Laid Lay(std::vector<Content> inputs, TextOptions text) {
    auto laid = Make().Lay(MultiVectorRequest{std::move(inputs), std::move(text)});
    EXPECT_TRUE(laid) << (laid ? "" : Message(laid.error()));
    return laid ? std::move(laid).value() : Laid{};
  }
  Error Refusal(TextOptions text) {
    auto laid = Make().Lay(MultiVectorRequest{{Content("a")}, std::move(text)});
    EXPECT_FALSE(laid);
    return laid ? Error{} : laid.error();
  }
  MultiVectorRecipe recipe_;
  MultiVectorIds ids_;
};

// COV-R4: without a role nothing is inserted or expanded, and punctuation is not scored.
TEST_F(MultiVector, PlainTextIsADocumentWithoutMarkers) {
  const Laid laid = Lay({Content("a . b")}, {});
  ASSERT_EQ(laid.works.size(), 1u);
  EXPECT_EQ(laid.works[0].tokens, (Ids{2, 6, 8, 7, 3}));
  EXPECT_EQ(laid.works[0].scored, (Ids{0, 1, 3, 4}));
  EXPECT_EQ(laid.works[0].sequences[0].unseen, 0);
}

TEST_F(MultiVector, QueriesHaveTheirMarkerAndAreExpanded) {
  const Laid laid = Lay({Content("a."), Content("a b a b a")}, {.role = TextRole::kQuery});
  ASSERT_EQ(laid.works.size(), 2u);
  EXPECT_EQ(laid.works[0].tokens, (Ids{2, 5, 6, 8, 3, 4}));
  EXPECT_EQ(laid.works[0].scored, (Ids{0, 1, 2, 3, 4, 5}));  // of a query the punctuation too
  EXPECT_EQ(laid.works[0].sequences[0].unseen, 1);
  EXPECT_EQ(laid.works[0].positions, (Ids{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(laid.works[1].tokens, (Ids{2, 5, 6, 7, 6, 3}));
  EXPECT_EQ(laid.works[1].sequences[0].unseen, 0);
  EXPECT_EQ(laid.items[1].total, 8u);
  EXPECT_EQ(laid.prompt, "query");
}

TEST_F(MultiVector, SeenExpansionIsOrdinary) {
  recipe_.query.expansion->attend = true;
  const Laid laid = Lay({Content("a")}, {.role = TextRole::kQuery});
  EXPECT_EQ(laid.works[0].tokens, (Ids{2, 5, 6, 3, 4, 4}));
  EXPECT_EQ(laid.works[0].sequences[0].unseen, 0);
}

TEST_F(MultiVector, LongQueriesStayWhereTheLengthIsAFloor) {
  recipe_.query.expansion->fixed = false, ids_.query_length = 8;
  const Laid laid = Lay({Content("a b a b a"), Content("a")}, {.role = TextRole::kQuery});
  EXPECT_EQ(laid.works[0].tokens, (Ids{2, 5, 6, 7, 6, 7, 6, 3}));
  EXPECT_EQ(laid.works[1].tokens.size(), 6u);
}

TEST_F(MultiVector, TheNameOfARoleChoosesIt) {
  const Laid laid = Lay({Content("a")}, {.prompt_name = "query"});
  EXPECT_EQ(laid.works[0].tokens, (Ids{2, 5, 6, 3, 4, 4}));
  const auto role = std::ranges::find(laid.options, "role", &EffectiveOption::name);
  ASSERT_NE(role, laid.options.end());
  EXPECT_EQ(role->value, "query");
}

TEST_F(MultiVector, DocumentsHaveTheirLength) {
  const Laid laid = Lay({Content("a b a b a")}, {.role = TextRole::kDocument});
  EXPECT_EQ(laid.works[0].tokens, (Ids{2, 6, 7, 6, 3}));
  EXPECT_EQ(laid.items[0].total, 7u);
}

// COV-R4: final ids are used as they are; what begins as a query keeps its punctuation, and its expansion is
// no key.
TEST_F(MultiVector, IdsAreFinal) {
  const Laid laid = Lay({Content(TokenIds{2, 6, 8, 3}), Content(TokenIds{2, 5, 8, 3, 4, 4})}, {});
  EXPECT_EQ(laid.works[0].tokens, (Ids{2, 6, 8, 3}));
  EXPECT_EQ(laid.works[0].scored, (Ids{0, 1, 3}));
  EXPECT_EQ(laid.works[1].scored, (Ids{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(laid.works[1].sequences[0].unseen, 2);
}

// With nothing to see there is no text: classes differ in what they then make of a row.
TEST_F(MultiVector, ExpansionAloneIsNoTextUnlessItIsSeen) {
  const MultiVectorRequest alone{{Content(TokenIds{4, 4})}, {.role = TextRole::kQuery}};
  auto laid = Make().Lay(alone);
  ASSERT_FALSE(laid && laid->items[0].error == std::nullopt);
  recipe_.query.expansion->attend = true;
  laid = Make().Lay(alone);
  ASSERT_TRUE(laid);
  EXPECT_EQ(laid->works[0].tokens, (Ids{4, 4}));
}

TEST_F(MultiVector, OnlyKeptTokensOfDocuments) {
  ids_.kept = {6};
  EXPECT_EQ(Lay({Content("a b")}, {}).works[0].scored, Ids{1});
  EXPECT_EQ(Lay({Content("a b")}, {.role = TextRole::kQuery}).works[0].scored.size(), 6u);
}

TEST_F(MultiVector, RefusesWhatThePackageDoesNotDeclare) {
  EXPECT_EQ(Refusal({.role = TextRole::kQuery, .max_length = 5}).where.option, "max-length");
  recipe_.base.prompts.clear(), recipe_.query = {};
  const Error e = Refusal({.role = TextRole::kQuery});
  EXPECT_EQ(e.code, Code::kUnsupportedOption);
  EXPECT_EQ(e.where.option, "role");
  EXPECT_EQ(Refusal({.prompt = "x", .role = TextRole::kDocument}).where.option, "role");
}

TEST_F(MultiVector, OnlyScoredRowsAreKept) {
  const MultiVectorTask task = Make();
  auto laid = task.Lay(MultiVectorRequest{{Content("a.")}, {}});
  ASSERT_TRUE(laid);
  const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8};
  const Kept kept = task.Keep(laid->works[0], {numbers.data(), 4, 2, 2});
  EXPECT_EQ(kept.values, (std::vector<float>{1, 2, 3, 4, 7, 8}));
  auto out = task.Finish(MultiVectorRequest{}, *laid, std::vector<Kept>{kept});
  ASSERT_TRUE(out);
  EXPECT_EQ(std::get<MultiVectors>(*out).texts[0].token_ids, (Ids{2, 6, 3}));
  const float infinite = std::numeric_limits<float>::infinity();
  ASSERT_TRUE(task.Finish(MultiVectorRequest{}, *laid, std::vector<Kept>{{{infinite}, {}}}));
  EXPECT_EQ(laid->items[0].error->code, Code::kNumericalFailure);
}

}  // namespace
}  // namespace candor::tasks

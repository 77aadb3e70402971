// Input: what is read, and the exact refusal of what is not.
#include "apps/input.h"

#include <gtest/gtest.h>

namespace candor::apps {
namespace {

std::vector<Item> Items(Planned<std::vector<Item>> items) {
  EXPECT_TRUE(items) << (items ? "" : Message(items.error().front()));
  return items ? std::move(items).value() : std::vector<Item>{};
}

TEST(Input, JsonLinesKeepTextIdsAndId) {
  const auto items =
      Items(ParseJsonLines("{\"text\":\"a\\u00e9\",\"id\":7}\n"
                           "{\"id\":{\"k\":[1,\"x\",null]},\"text\":\"\"}\r\n"
                           "{\"ids\":[101,0,2147483647]}\n"
                           "{\"ids\":[],\"id\":null}",
                           LineForm::kText));
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(std::get<std::string>(items[0].content), "a\xc3\xa9");
  EXPECT_EQ(items[0].id, "7");
  EXPECT_EQ(items[1].id, R"({"k":[1,"x",null]})");
  EXPECT_EQ(std::get<std::string>(items[1].content), "");
  EXPECT_EQ(std::get<TokenIds>(items[2].content), (TokenIds{101, 0, 2147483647}));
  EXPECT_EQ(items[2].id, "");
  EXPECT_TRUE(std::get<TokenIds>(items[3].content).empty());
  EXPECT_EQ(items[3].id, "null");
  for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i].line, static_cast<std::int64_t>(i) + 1);
}

TEST(Input, IdIsCarriedAsItWasSpelled) {
  const char* spelled[] = {
      "1.0", "-0",  "1e2", "123456789012345678901234567890", R"("\u00e9\/}\",")", "[1, {\"a\":\"]\"} ]",
      "{}",  "null"};
  for (const std::string id : spelled) {
    for (const std::string& line :
         {"{\"text\":\"a,}\\\"\",\"id\": " + id + " }", "{ \"id\":" + id + ",\"text\":\"id\"}"}) {
      const auto items = Items(ParseJsonLines(line, LineForm::kText));
      ASSERT_EQ(items.size(), 1u);
      EXPECT_EQ(items[0].id, id) << line;
    }
  }
  EXPECT_EQ(Items(ParseJsonLines(R"({"text":"a","\u0069d":7})", LineForm::kText)).at(0).id, "7");
}

TEST(Input, PairsAndDocuments) {
  const auto pairs = Items(ParseJsonLines(R"({"text":"a","pair":"b"})", LineForm::kTextPair));
  EXPECT_EQ(pairs.at(0).pair, "b");
  const auto lists =
      Items(ParseJsonLines("{\"query\":\"q\",\"documents\":[\"a\",\"\"]}\n"
                           "{\"documents\":[\"z\"],\"text\":\"t\",\"id\":\"x\"}\n",
                           LineForm::kDocuments));
  EXPECT_EQ(std::get<std::string>(lists.at(0).content), "q");
  EXPECT_EQ(lists.at(0).documents, (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(std::get<std::string>(lists.at(1).content), "t");
}

// Well-formed, but not to be answered: the item's error, not the run's.
TEST(Input, IdsOutsideEveryVocabularyFailAsItems) {
  const auto items = Items(ParseJsonLines(
      "{\"ids\":[-1]}\n{\"ids\":[4294967296]}\n{\"ids\":[18446744073709551615]}", LineForm::kText));
  ASSERT_EQ(items.size(), 3u);
  const char* found[] = {"-1", "4294967296", "18446744073709551615"};
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(items[i].error);
    EXPECT_EQ(*items[i].error->where.field.c_str(), 'i');
    EXPECT_EQ(items[i].error->found, found[i]);
    EXPECT_EQ(items[i].error->where.line, static_cast<std::int64_t>(i) + 1);
  }
  const auto empty = Items(ParseJsonLines(R"({"text":"a","documents":[]})", LineForm::kDocuments));
  ASSERT_TRUE(empty.at(0).error);
  EXPECT_EQ(empty.at(0).error->code, Code::kEmptyInput);
}

struct Wrong {
  std::string line;
  LineForm form;
  std::string field, found, allowed;  // "*": the JSON reader's words
};

TEST(Input, WrongLinesAreNamedByLineAndField) {
  const Wrong cases[] = {
      {"", LineForm::kText, "", "an empty line", "one JSON object a line"},
      {"  \t", LineForm::kText, "", "an empty line", "one JSON object a line"},
      {"hello", LineForm::kText, "", "*", "*"},
      {"{\"text\":\"a\"} x", LineForm::kText, "", "*", "*"},
      {"{\"text\":\"a\"", LineForm::kText, "", "*", "*"},
      {"{'text':'a'}", LineForm::kText, "", "*", "*"},
      {"\xef\xbb\xbf{\"text\":\"a\"}", LineForm::kText, "", "*", "*"},
      {"{\"text\":\"\\ud800\"}", LineForm::kText, "*", "*", "*"},
      {"{\"text\":\"\xff\"}", LineForm::kText, "", "a byte at 9 that is not UTF-8", "UTF-8"},
      {"[\"a\"]", LineForm::kText, "", "array", "an object"},
      {"\"a\"", LineForm::kText, "", "string", "an object"},
      {"{}", LineForm::kText, "text", "none", "text or ids, and id"},
      {"{\"id\":1}", LineForm::kText, "text", "none", "text or ids, and id"},
      {"{\"text\":\"a\",\"text\":\"b\"}", LineForm::kText, "text", "*", "*"},
      {"{\"text\":\"a\",\"id\":1,\"id\":2}", LineForm::kText, "id", "*", "*"},
      {"{\"text\":\"a\",\"ids\":[1]}", LineForm::kText, "ids", "a second input in one line", "one"},
      {"{\"text\":\"a\",\"Text\":\"b\"}", LineForm::kText, "Text", "an unknown key", "text or ids, and id"},
      {"{\"text\":\"a\",\"pair\":\"b\"}", LineForm::kText, "pair", "an unknown key", "text or ids, and id"},
      {"{\"text\":1}", LineForm::kText, "text", "*", "a string"},
      {"{\"text\":null}", LineForm::kText, "text", "null", "a string"},
      {"{\"ids\":\"1\"}", LineForm::kText, "ids", "string", "a list of token ids"},
      {"{\"ids\":[1.5]}", LineForm::kText, "ids", "*", "whole numbers"},
      {"{\"ids\":[\"1\"]}", LineForm::kText, "ids", "string", "whole numbers"},
      {"{\"ids\":[1]}", LineForm::kTextPair, "ids", "an unknown key", "text, pair, id"},
      {"{\"text\":\"a\",\"pair\":[]}", LineForm::kTextPair, "pair", "array", "a string"},
      {"{\"query\":\"a\"}", LineForm::kDocuments, "documents", "none", "a list of strings"},
      {"{\"documents\":[\"a\"]}", LineForm::kDocuments, "text", "none", "text or query, documents, id"},
      {"{\"query\":\"a\",\"documents\":\"b\"}", LineForm::kDocuments, "documents", "string",
       "a list of strings"},
      {"{\"query\":\"a\",\"documents\":[1]}", LineForm::kDocuments, "documents", "*", "strings"},
      {"{\"query\":\"a\",\"text\":\"b\",\"documents\":[\"c\"]}", LineForm::kDocuments, "text",
       "a second input in one line", "one"},
  };
  for (const Wrong& wrong : cases) {
    SCOPED_TRACE(wrong.line);
    const std::string good =
        wrong.form == LineForm::kDocuments ? R"({"text":"a","documents":["b"]})" : R"({"text":"a"})";
    const auto items = ParseJsonLines(good + '\n' + wrong.line + '\n' + good + '\n', wrong.form);
    ASSERT_FALSE(items);
    ASSERT_EQ(items.error().size(), 1u);
    const Error& error = items.error().front();
    EXPECT_EQ(error.code, Code::kInvalidInput);
    EXPECT_EQ(Info(error.code).exit_code, 2);
    EXPECT_EQ(error.where.line, 2);
    EXPECT_TRUE(error.where.file.empty() && error.where.pointer.empty());
    if (wrong.field != "*") {
      EXPECT_EQ(error.where.field, wrong.field);
    }
    if (wrong.found != "*") {
      EXPECT_EQ(error.found, wrong.found);
    }
    if (wrong.allowed != "*") {
      EXPECT_EQ(error.allowed, wrong.allowed);
    }
  }
}

TEST(Input, AllWrongLinesAreReportedTogether) {
  const auto items = ParseJsonLines("{\"text\":1}\n{\"text\":\"a\"}\n{\"b\":1}\n", LineForm::kText);
  ASSERT_FALSE(items);
  ASSERT_EQ(items.error().size(), 2u);
  EXPECT_EQ(items.error()[0].where.line, 1);
  EXPECT_EQ(items.error()[1].where.line, 3);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "x\n";
  const auto limited = ParseJsonLines(many, LineForm::kText);
  ASSERT_FALSE(limited);
  EXPECT_EQ(limited.error().size(), 20u);
}

TEST(Input, PlainTextIsOneItemALine) {
  const auto items = Items(ParseTextLines("one\r\n\n{\"text\":\"not json here\"}\nlast", LineForm::kText));
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(std::get<std::string>(items[0].content), "one");
  EXPECT_EQ(std::get<std::string>(items[1].content), "");
  EXPECT_EQ(std::get<std::string>(items[2].content), "{\"text\":\"not json here\"}");
  EXPECT_EQ(std::get<std::string>(items[3].content), "last");
  EXPECT_EQ(items[3].line, 4);
  const auto damaged = ParseTextLines("fine\nb\xc3(\n", LineForm::kText);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().front().where.line, 2);
  EXPECT_EQ(damaged.error().front().found, "a byte at 1 that is not UTF-8");
}

TEST(Input, PlainTextsForSimilarityAreTheFirstAgainstTheRest) {
  const auto items = Items(ParseTextLines("q\na\nb\n", LineForm::kDocuments));
  ASSERT_EQ(items.size(), 1u);
  EXPECT_EQ(std::get<std::string>(items[0].content), "q");
  EXPECT_EQ(items[0].documents, (std::vector<std::string>{"a", "b"}));
  const auto alone = Items(ParseTextLines("q\n", LineForm::kDocuments));
  ASSERT_TRUE(alone.at(0).error);
  EXPECT_EQ(alone.at(0).error->code, Code::kEmptyInput);
}

TEST(Input, NothingToAnswerIsRefused) {
  Options options;
  const auto waiting = ReadItems(options, LineForm::kText, true);
  ASSERT_FALSE(waiting);
  EXPECT_EQ(waiting.error().front().code, Code::kEmptyInput);
  options.input = "/dev/null";
  const auto empty = ReadItems(options, LineForm::kText, false);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().front().code, Code::kEmptyInput);
  EXPECT_EQ(empty.error().front().where.option, "input");
  options.input = "no/such/file";
  const auto missing = ReadItems(options, LineForm::kText, false);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().front().code, Code::kInvalidInput);
  EXPECT_EQ(missing.error().front().found, "no/such/file: No such file or directory");
  options.input.reset();
  options.texts = {"fine", "\xff"};
  const auto bytes = ReadItems(options, LineForm::kText, false);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().front().where.option, "text");
}

}  // namespace
}  // namespace candor::apps

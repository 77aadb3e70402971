// Refusals with their exact place, facts, limits and long inputs.
#include "text/tokenizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "text/test_support.h"
#include "text/truncation.h"

namespace candor::text {
namespace {

void ExpectRefused(const Answer& answer, const std::vector<Want>& wanted) {
  EXPECT_EQ(Difference(answer, wanted), "");
}

std::shared_ptr<const Tokenizer> Plain() {
  auto answer = Read(File());
  EXPECT_TRUE(answer) << Message(answer.error().front());
  return answer ? *answer : nullptr;
}

// Without tokenizer.json a class must say how to read what there is.
constexpr std::string_view kClasses =
    "tokenizer.json, or the files of AlbertTokenizer, BartTokenizer, BertTokenizer, CamembertTokenizer, "
    "ConvBertTokenizer, DebertaV2Tokenizer, DistilBertTokenizer, ElectraTokenizer, GPT2Tokenizer, "
    "GemmaTokenizer, LEDTokenizer, LayoutLMTokenizer, LlamaTokenizer, LongformerTokenizer, LxmertTokenizer, "
    "MPNetTokenizer, MobileBertTokenizer, Qwen2Tokenizer, RobertaTokenizer, SqueezeBertTokenizer, "
    "T5Tokenizer, XLMRobertaTokenizer";

TEST(TokenizerRead, NamesWhatIsMissing) {
  ExpectRefused(Read(""), {{Code::kComponentMissing, "tokenizer.json:", "nothing", std::string(kClasses)}});
}

TEST(TokenizerRead, VocabularyAloneIsNotEnough) {
  const package::TestFolder folder("tokenizer");
  folder.Write("vocab.txt", "[PAD]\n");
  const auto package = package::Package::Open(folder.path());
  ASSERT_TRUE(package);
  ExpectRefused(Tokenizer::Read(**package, std::make_shared<package::ReadLog>()),
                {{Code::kComponentMissing, "tokenizer.json:", "nothing", std::string(kClasses)}});
}

// BR-088: unknown components of four kinds in one file, all reported, each with what its table knows.
TEST(TokenizerRead, UnknownComponentsAreRefusedTogether) {
  const auto answer =
      Read(File(R"("normalizer":{"type":"FancyNormalizer"})", R"("pre_tokenizer":{"type":"FancySplit"})",
                R"("post_processor":{"type":"FancyProcessing"})",
                R"("model":{"type":"FancyModel","vocab":{},"unk_token":"x"})", R"("version":"2.0")"));
  ASSERT_FALSE(answer);
  struct Row {
    std::string place, found, allowed;  // one that is allowed
  };
  const Row rows[] = {{"/version", "\"2.0\"", "1.0"},
                      {"/normalizer/type", "FancyNormalizer", "BertNormalizer, "},
                      {"/pre_tokenizer/type", "FancySplit", "BertPreTokenizer, "},
                      {"/post_processor/type", "FancyProcessing", "TemplateProcessing"},
                      {"/model/type", "FancyModel", "WordPiece"}};
  ASSERT_EQ(answer.error().size(), std::size(rows));
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    const Error& error = answer.error()[i];
    EXPECT_EQ(error.code, Code::kUnsupportedProcessorRecipe);
    EXPECT_EQ(error.where.pointer, rows[i].place);
    EXPECT_EQ(error.found, rows[i].found);
    EXPECT_NE(error.allowed.find(rows[i].allowed), std::string::npos) << error.allowed;
  }
}

TEST(TokenizerRead, UnknownKeysInsideKnownComponents) {
  ExpectRefused(
      Read(File(R"("normalizer":{"type":"NFC","fancy":1})")),
      {{Code::kUnsupportedProcessorRecipe, "tokenizer.json:/normalizer/fancy", "unknown key", "type"}});
  ExpectRefused(
      Read(File(R"("normalizer":{"type":"Sequence","normalizers":[{"type":"Strip","strip_left":1}]})")),
      {{Code::kInvalidPackageSchema, "tokenizer.json:/normalizer/normalizers/0/strip_left", "1",
        "true or false"},
       {Code::kInvalidPackageSchema, "tokenizer.json:/normalizer/normalizers/0/strip_right", "nothing",
        "true or false"}});
  ExpectRefused(
      Read(File(R"("normalizer":{"type":"Replace","pattern":{"Regex":"(a)\\1"},"content":"b"})")),
      {{Code::kUnsupportedProcessorRecipe, "tokenizer.json:/normalizer/pattern/Regex", "\\1",
        "alternatives, groups, look-around, greedy, lazy and possessive repeats, sets of code points"}});
}

TEST(TokenizerRead, DamagedVocabulary) {
  constexpr std::string_view kHead =
      R"("model":{"type":"WordPiece","continuing_subword_prefix":"##","max_input_chars_per_word":100,)";
  ExpectRefused(
      Read(File(kNormalizer, kPre, "",
                std::string(kHead) + R"("unk_token":"[UNK]","vocab":{"a":-1,"b/":1.5}})")),
      {{Code::kInvalidPackageSchema, "tokenizer.json:/model/vocab/a", "-1", "an id from 0 to 2147483646"},
       {Code::kInvalidPackageSchema, "tokenizer.json:/model/vocab/b~1", "1.5", "an id from 0 to 2147483646"},
       {Code::kUnsupportedProcessorRecipe, "tokenizer.json:/model/unk_token", "[UNK]",
        "a token of the vocabulary"}});
  ExpectRefused(
      Read(File(kNormalizer, kPre, "", std::string(kHead) + R"("unk_token":"[UNK]"})")),
      {{Code::kInvalidPackageSchema, "tokenizer.json:/model/vocab", "nothing", "an object of tokens and ids"},
       {Code::kUnsupportedProcessorRecipe, "tokenizer.json:/model/unk_token", "[UNK]",
        "a token of the vocabulary"}});
}

TEST(TokenizerRead, TemplatesMustNameWhatExists) {
  const auto answer =
      Read(File(kNormalizer, kPre,
                R"("post_processor":{"type":"TemplateProcessing",)"
                R"("single":[{"SpecialToken":{"id":"[X]","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],)"
                R"("pair":[{"Sequence":{"id":"C","type_id":0}}],)"
                R"("special_tokens":{"[Y]":{"id":"[Y]","ids":[1,2],"tokens":["[Y]"]}}})"));
  ExpectRefused(
      answer,
      {{Code::kInvalidPackageSchema, "tokenizer.json:/post_processor/special_tokens/[Y]/ids", "[1,2]",
        "as many ids as tokens: 1"},
       {Code::kUnsupportedProcessorRecipe, "tokenizer.json:/post_processor/single/0/SpecialToken/id", "[X]",
        "a token of special_tokens"},
       {Code::kUnsupportedProcessorRecipe, "tokenizer.json:/post_processor/single/1/Sequence/id", "B", "A"},
       {Code::kUnsupportedProcessorRecipe, "tokenizer.json:/post_processor/pair/0/Sequence/id", "C",
        "A, B"}});
}

// The library would give [MASK] the id 7 and only warn.
TEST(TokenizerRead, AddedTokenIdsMustBeTheLibrarys) {
  constexpr std::string_view kAdded =
      R"("added_tokens":[{"id":9,"content":"[MASK]","single_word":false,"lstrip":false,"rstrip":false,)"
      R"("normalized":false,"special":true}])";
  ExpectRefused(Read(File(kNormalizer, kPre, kPost, kModel, kAdded)),
                {{Code::kEvidenceConflict, "tokenizer.json:/added_tokens/0/id", "9",
                  "7, the id that the vocabulary leads to"}});
}

TEST(TokenizerRead, AddedTokensThatNormaliseAlike) {
  const auto token = [](std::string_view id, std::string_view content) {
    return R"({"id":)" + std::string(id) + R"(,"content":")" + std::string(content) +
           R"(","single_word":false,"lstrip":false,"rstrip":false,"normalized":true,"special":false})";
  };
  ExpectRefused(Read(File(kNormalizer, kPre, kPost, kModel,
                          "\"added_tokens\":[" + token("7", "Foo") + "," + token("8", "foo") + "]")),
                {{Code::kUnsupportedProcessorRecipe, "tokenizer.json:/added_tokens/1/content", "foo",
                  "tokens that stay distinct, not empty and within 512 bytes when normalised"}});
}

TEST(TokenizerConfig, KeysThatMayChangeIdsAreRefused) {
  ExpectRefused(
      Read(File(), R"({"do_basic_tokenize":false,"truncation_side":"middle"})"),
      {{Code::kUnsupportedProcessorRecipe, "tokenizer_config.json:/truncation_side", "middle", "left, right"},
       {Code::kUnsupportedProcessorRecipe, "tokenizer_config.json:/do_basic_tokenize", "false", "true"}});
  ExpectRefused(Read(File(R"("normalizer":{"type":"Lowercase"})"), R"({"do_lower_case":false})"),
                {{Code::kEvidenceConflict, "tokenizer.json:/normalizer/type", "Lowercase",
                  "BertNormalizer, which keys of tokenizer_config.json describe"}});
  ExpectRefused(Read(File(), R"({"do_lower_case":false,"tokenizer_class":"RobertaTokenizer"})"),
                {{Code::kUnsupportedProcessorRecipe, "tokenizer_config.json:/tokenizer_class",
                  "RobertaTokenizer", "a BERT class, PreTrainedTokenizerFast, TokenizersBackend"}});
}

// CAP-05, EVI-09: what nobody knows is not refused here; the plan lists it and the case is unqualified.
// The class that config.json names counts where tokenizer_config.json names none.
TEST(TokenizerConfig, ClassOfTheModelsConfig) {
  const auto read = [](std::string_view says) {
    const package::TestFolder folder("tokenizer");
    folder.Write("tokenizer.json", File());
    folder.Write("tokenizer_config.json", says);
    folder.Write("config.json", R"({"tokenizer_class":"RobertaTokenizer"})");
    return Tokenizer::Read(*package::Package::Open(folder.path()).value(),
                           std::make_shared<package::ReadLog>());
  };
  ExpectRefused(read(R"({"do_lower_case":false})"),
                {{Code::kUnsupportedProcessorRecipe, "config.json:/tokenizer_class", "RobertaTokenizer",
                  "a BERT class, PreTrainedTokenizerFast, TokenizersBackend"}});
  EXPECT_TRUE(read(R"({"do_lower_case":false,"tokenizer_class":"BertTokenizer"})"));
  EXPECT_TRUE(read("{}"));
}

TEST(TokenizerConfig, UnknownKeysAreLeftToThePlan) { EXPECT_TRUE(Read(File(), R"({"fancy_mode":true})")); }

// A class of its own has an unknown token by default, a plain one when it is written; a written null takes it
// away.
TEST(TokenizerConfig, TheUnknownTokenOfTheClass) {
  const auto of = [](const char* says) {
    const auto answer = Read(File(), says);
    return answer ? (*answer)->facts().unk_token_id : std::optional<std::int32_t>(-1);
  };
  EXPECT_EQ(of("{}"), std::nullopt);
  EXPECT_EQ(of(R"({"unk_token":"[UNK]"})"), 1);
  EXPECT_EQ(of(R"({"unk_token":"[CLS]"})"), 2);
  EXPECT_EQ(of(R"({"tokenizer_class":"BertTokenizer"})"), 1);
  EXPECT_EQ(of(R"({"tokenizer_class":"BertTokenizer","unk_token":null})"), std::nullopt);
}

TEST(TokenizerConfig, Facts) {
  const auto answer =
      Read(File(kNormalizer, kPre, kPost, kModel,
                R"("truncation":{"direction":"Left","max_length":12,"strategy":"LongestFirst","stride":0})"),
           R"({"model_max_length":512,"truncation_side":"left","pad_token":"[PAD]",)"
           R"("cls_token":{"__type":"AddedToken","content":"[CLS]"},"mask_token":null,)"
           R"("chat_template":"x","max_length":4})");
  ASSERT_TRUE(answer) << Message(answer.error().front());
  const TokenizerFacts& facts = (*answer)->facts();
  EXPECT_EQ(facts.model_max_length, 512u);
  EXPECT_TRUE(facts.truncation_left);
  EXPECT_EQ(facts.file_truncation, 12u);
  EXPECT_TRUE(facts.file_truncation_left);
  EXPECT_EQ(facts.vocabulary, 7u);
  EXPECT_EQ(facts.pad_id, 0);
  EXPECT_EQ(facts.cls_id, 2);
  EXPECT_EQ(facts.unk_id, 1);
  EXPECT_EQ(facts.unk_token_id, std::nullopt);  // of a plain class, which has none of its own
  EXPECT_TRUE(facts.marks_continuation);
  EXPECT_EQ(facts.sep_id, std::nullopt);
  EXPECT_EQ((*answer)->TokenOf(4), "a");
  EXPECT_EQ((*answer)->TokenOf(7), "");
  EXPECT_EQ((*answer)->IdOf("[SEP]"), 3);
  const auto old = Read(File(), R"({"max_len":14})");
  ASSERT_TRUE(old) << Message(old.error().front());
  EXPECT_EQ((*old)->facts().model_max_length, 14u);
  const auto unlimited = Read(File(), R"({"model_max_length":1000000000000000019884624838656})");
  ASSERT_TRUE(unlimited) << Message(unlimited.error().front());
  EXPECT_EQ((*unlimited)->facts().model_max_length, std::nullopt);
}

// BR-086: the offset of the first bad byte; a later good text is unharmed.
TEST(TokenizerEncode, InvalidUtf8IsRefusedWithItsPlace) {
  const auto tokenizer = Plain();
  ASSERT_NE(tokenizer, nullptr);
  const std::pair<std::string, std::string> bad[] = {{"a\xc3\x28", "byte 0xc3 at offset 1"},
                                                     {"\xed\xa0\x80", "byte 0xed at offset 0"},
                                                     {"ab\xf4\x90\x80\x80", "byte 0xf4 at offset 2"},
                                                     {"\xc0\xaf", "byte 0xc0 at offset 0"},
                                                     {"a\xe2\x82", "byte 0xe2 at offset 1"}};
  for (const auto& [text, found] : bad) {
    const auto encoding = tokenizer->Encode(text);
    ASSERT_FALSE(encoding);
    EXPECT_EQ(encoding.error().code, Code::kInvalidInput);
    EXPECT_EQ(encoding.error().found, found);
  }
  const auto good = tokenizer->Encode(
      "a\xc2\xa0"
      "b");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->ids, (std::vector<std::int32_t>{2, 4, 6, 3}));
}

TEST(TokenizerEncode, TooSmallForTheSpecialTokens) {
  const auto encoding = Plain()->EncodePair("a", "b", {.max_length = 2});
  ASSERT_FALSE(encoding);
  EXPECT_EQ(encoding.error().code, Code::kUnsupportedOption);
  EXPECT_EQ(encoding.error().where, Where::Option("max-length"));
  EXPECT_EQ(encoding.error().found, "2");
  EXPECT_EQ(encoding.error().allowed, "at least the 3 special tokens");
}

// BR-076: text that spells a separator cannot move the border between the two texts.
TEST(TokenizerEncode, SpelledSeparatorsDoNotChangeTypes) {
  constexpr std::string_view kAdded =
      R"("added_tokens":[{"id":3,"content":"[SEP]","single_word":false,"lstrip":false,"rstrip":false,)"
      R"("normalized":false,"special":true}])";
  const auto answer = Read(File(kNormalizer, kPre, kPost, kModel, kAdded));
  ASSERT_TRUE(answer);
  const auto encoding = (*answer)->EncodePair("a [SEP] b", "a");
  ASSERT_TRUE(encoding);
  EXPECT_EQ(encoding->ids, (std::vector<std::int32_t>{2, 4, 3, 6, 3, 4, 3}));
  EXPECT_EQ(encoding->type_ids, (std::vector<std::int32_t>{0, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(encoding->special, (std::vector<std::uint8_t>{1, 0, 0, 0, 1, 0, 1}));
  EXPECT_EQ(encoding->sequence, (std::vector<std::int8_t>{-1, 0, 0, 0, -1, 1, -1}));
}

// do_lower_case of the sentence-transformers config stands in front of everything.
TEST(TokenizerEncode, LowercaseFirst) {
  const package::TestFolder folder("tokenizer");
  folder.Write("tokenizer.json", File("\"normalizer\":null"));
  const auto package = package::Package::Open(folder.path());
  ASSERT_TRUE(package);
  for (const bool lower : {false, true}) {
    const auto tokenizer = Tokenizer::Read(**package, std::make_shared<package::ReadLog>(), lower);
    ASSERT_TRUE(tokenizer);
    EXPECT_EQ((*tokenizer)->Encode("A")->ids[1], lower ? 4 : 1);
  }
}

// BR-084: growth from 100k to 1M characters is at most 15-fold, in processor time, which other programs on
// the machine do not lengthen; the half second is for first touches of memory. Anything quadratic takes
// minutes.
TEST(TokenizerEncode, LongRunsGrowLinearly) {
  const auto tokenizer = Plain();
  for (const std::string_view unit : {"a", "_", " ", "\xe4\xb8\x80"}) {
    double seconds[2] = {1e9, 1e9};
    for (int repeat = 0; repeat < 3; ++repeat) {
      for (int size = 0; size < 2; ++size) {
        std::string text;
        for (int i = 0; i < (size == 0 ? 100'000 : 1'000'000); ++i) text += unit;
        const std::clock_t begin = std::clock();
        const auto encoding = tokenizer->Encode(text);
        const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        seconds[size] = std::min(seconds[size], took);
        ASSERT_TRUE(encoding);
        // A word over the limit is one unknown token; single characters are one each.
        const std::size_t pieces = unit == " " ? 0 : unit == "a" ? 1 : text.size() / unit.size();
        ASSERT_EQ(encoding->ids.size(), pieces + 2);
      }
    }
    EXPECT_LT(seconds[1], 15 * seconds[0] + 0.5) << unit;
  }
}

// Values of the library's own rule, by hand.
TEST(Truncation, Strategies) {
  using Pair = std::pair<std::size_t, std::size_t>;
  using enum TruncationStrategy;
  const auto longest = [](std::size_t first, std::optional<std::size_t> second, std::size_t room) {
    return *Truncate(first, second, room, kLongestFirst);
  };
  EXPECT_EQ(longest(5, std::nullopt, 3), (Pair{3, 0}));
  EXPECT_EQ(longest(2, 3, 5), (Pair{2, 3}));
  EXPECT_EQ(longest(2, 30, 10), (Pair{2, 8}));
  EXPECT_EQ(longest(30, 2, 10), (Pair{8, 2}));
  EXPECT_EQ(longest(30, 20, 11), (Pair{6, 5}));
  EXPECT_EQ(longest(20, 30, 11), (Pair{5, 6}));
  EXPECT_EQ(longest(20, 20, 11), (Pair{5, 6}));
  EXPECT_EQ(longest(7, 8, 0), (Pair{0, 0}));
  EXPECT_EQ(*Truncate(7, 8, 9, kOnlyFirst), (Pair{1, 8}));
  EXPECT_EQ(*Truncate(7, 8, 9, kOnlySecond), (Pair{7, 2}));
  EXPECT_EQ(*Truncate(7, std::nullopt, 3, kOnlyFirst), (Pair{3, 0}));
  EXPECT_EQ(*Truncate(7, std::nullopt, 7, kOnlySecond), (Pair{7, 0}));
  EXPECT_EQ(*Truncate(7, 8, 0, kOnlySecond), (Pair{0, 0}));
  const auto alone = Truncate(7, std::nullopt, 3, kOnlySecond);
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code, Code::kUnsupportedOption);
  EXPECT_EQ(alone.error().found, "only_second, for one text");
  const auto empty = Truncate(7, 8, 7, kOnlySecond);
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, Code::kInputTooLarge);
  EXPECT_EQ(empty.error().found, "only_second, to take 8 tokens from a text of 8");
}

}  // namespace
}  // namespace candor::text

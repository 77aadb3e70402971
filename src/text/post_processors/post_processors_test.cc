// Post-processors alone and one after the other: ids, types, mask and trimmed offsets of a pair as tokenizers
// 0.23.3 gave them for one small tokenizer whose tokens begin with the letter for a blank.
#include <gtest/gtest.h>

#include "text/blanks.h"
#include "text/test_support.h"

namespace candor::text {
namespace {

constexpr std::string_view kBlankModel =
    R"("model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",)"
    R"("max_input_chars_per_word":100,"vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"a":4,"##a":5,"b":6,)"
    "\"\xc4\xa0"
    "a\":7,\"\xc4\xa0"
    "b\":8}}";
constexpr std::string_view kBlankPre =
    "\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"\xc4\xa0\",\"prepend_scheme\":\"never\"}";
constexpr std::string_view kUnknownAdded =
    R"("added_tokens":[{"id":1,"content":"[UNK]","single_word":false,"lstrip":true,"rstrip":false,)"
    R"("normalized":false,"special":true}])";

std::string Roberta(std::string_view flags) {
  return R"({"type":"RobertaProcessing","sep":["[SEP]",3],"cls":["[CLS]",2],)" + std::string(flags) + "}";
}
std::string ByteLevel(std::string_view flags) { return R"({"type":"ByteLevel",)" + std::string(flags) + "}"; }
constexpr std::string_view kBoth = R"("trim_offsets":true,"add_prefix_space":true)";
constexpr std::string_view kTrim = R"("trim_offsets":true,"add_prefix_space":false)";
constexpr std::string_view kNeither = R"("trim_offsets":false,"add_prefix_space":false)";

Answer With(std::string_view post) {
  return Read(File("", kBlankPre, R"("post_processor":)" + std::string(post), kBlankModel, kUnknownAdded));
}

struct Expected {
  std::vector<std::int32_t> ids, types;
  std::vector<Offset> offsets;
  std::vector<std::uint8_t> special;
};

void ExpectPair(std::string_view post, bool add_special, const Expected& expected) {
  const auto tokenizer = With(post);
  ASSERT_TRUE(tokenizer) << Message(tokenizer.error().front());
  const auto e = (*tokenizer)->EncodePair(" a b [UNK]", "b a", {.add_special = add_special, .tokens = true});
  ASSERT_TRUE(e);
  EXPECT_EQ(e->ids, expected.ids) << post;
  EXPECT_EQ(e->type_ids, expected.types) << post;
  EXPECT_EQ(e->offsets, expected.offsets) << post;
  EXPECT_EQ(e->special, expected.special) << post;
  EXPECT_EQ(e->total, expected.ids.size());
  EXPECT_EQ(e->tokens.size(), expected.ids.size());
}

const std::vector<std::int32_t> kRobertaIds = {2, 7, 8, 1, 3, 3, 6, 7, 3}, kZeros(9, 0);
const std::vector<std::uint8_t> kRobertaMask = {1, 0, 0, 0, 1, 1, 0, 0, 1};

TEST(RobertaProcessing, TrimsOffsets) {
  ExpectPair(Roberta(kBoth), true,
             {kRobertaIds,
              kZeros,
              {{0, 0}, {0, 2}, {3, 4}, {5, 10}, {0, 0}, {0, 0}, {0, 1}, {2, 3}, {0, 0}},
              kRobertaMask});
  ExpectPair(Roberta(kTrim), true,
             {kRobertaIds,
              kZeros,
              {{0, 0}, {1, 2}, {3, 4}, {5, 10}, {0, 0}, {0, 0}, {0, 1}, {2, 3}, {0, 0}},
              kRobertaMask});
  ExpectPair(Roberta(kNeither), true,
             {kRobertaIds,
              kZeros,
              {{0, 0}, {0, 2}, {2, 4}, {4, 10}, {0, 0}, {0, 0}, {0, 1}, {1, 3}, {0, 0}},
              kRobertaMask});
  // Types are 0 without special tokens too.
  ExpectPair(Roberta(kTrim), false,
             {{7, 8, 1, 6, 7}, {0, 0, 0, 0, 0}, {{1, 2}, {3, 4}, {5, 10}, {0, 1}, {2, 3}}, {0, 0, 0, 0, 0}});
}

TEST(ByteLevelProcessing, TrimsAndAddsNothing) {
  ExpectPair(ByteLevel(kTrim), true,
             {{7, 8, 1, 6, 7}, {0, 0, 0, 1, 1}, {{1, 2}, {3, 4}, {5, 10}, {0, 1}, {2, 3}}, {0, 0, 0, 0, 0}});
}

// What stood in a list before is special no longer, and the second step still sees where the text begins.
TEST(PostProcessorSequence, OneAfterTheOther) {
  const std::string bert = R"({"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]})";
  ExpectPair(
      R"({"type":"Sequence","processors":[)" + Roberta(kNeither) + "," + ByteLevel(kBoth) + "," + bert + "]}",
      true,
      {{2, 2, 7, 8, 1, 3, 3, 3, 6, 7, 3, 3},
       {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
       {{0, 0}, {0, 0}, {0, 2}, {3, 4}, {5, 10}, {0, 0}, {0, 0}, {0, 0}, {0, 1}, {2, 3}, {0, 0}, {0, 0}},
       {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}});
  // Two templates: the second would meet three lists, where the library stops.
  const std::string sequence = R"({"Sequence":{"id":"A","type_id":0}})";
  const std::string cls = R"({"SpecialToken":{"id":"c","type_id":0}})";
  const std::string three = R"({"type":"TemplateProcessing","single":[)" + cls + "," + sequence + "," + cls +
                            R"(],"pair":[],"special_tokens":{"c":{"id":"c","ids":[2],"tokens":["[CLS]"]}}})";
  const auto twice = With(R"({"type":"Sequence","processors":[)" + three + "," + three + "]}");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error()[0].where.pointer, "/post_processor/type");
}

TEST(Encoding, TokensAreTheLibrarys) {
  const auto tokenizer = With(Roberta(kBoth));
  ASSERT_TRUE(tokenizer);
  const auto e = (*tokenizer)->Encode("b [UNK]", {.tokens = true});
  ASSERT_TRUE(e);
  EXPECT_EQ(e->tokens, (std::vector<std::string>{"[CLS]", "b", " [UNK]", "[SEP]"}));
  EXPECT_TRUE((*tokenizer)->Encode("b")->tokens.empty());
}

// What Unigram cannot spell is called by its text, whose blanks count.
TEST(Encoding, UnknownPiecesOfUnigramAreText) {
  const auto tokenizer =
      Read(File("", "", R"("post_processor":)" + ByteLevel(kTrim),
                R"("model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0.0],["a",-1.0]]})"));
  ASSERT_TRUE(tokenizer) << Message(tokenizer.error().front());
  const auto e = (*tokenizer)->Encode("a x a", {.tokens = true});
  ASSERT_TRUE(e);
  EXPECT_EQ(e->ids, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(e->tokens, (std::vector<std::string>{"a", " x ", "a"}));
  EXPECT_EQ(e->offsets, (std::vector<Offset>{{0, 1}, {2, 3}, {4, 5}}));
}

// Ids do not hang on offsets being asked for, though "first" is a question of where a piece came from.
TEST(Encoding, WithoutOffsetsIsTheSame) {
  constexpr std::string_view kFirst =
      "\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Metaspace\",\"replacement\":"
      "\"\xc4\xa0\",\"prepend_scheme\":\"first\"}]}";
  const auto tokenizer =
      Read(File(R"("normalizer":{"type":"Strip","strip_left":true,"strip_right":false})", kFirst,
                R"("post_processor":)" + Roberta(kBoth), kBlankModel, kUnknownAdded));
  ASSERT_TRUE(tokenizer) << Message(tokenizer.error().front());
  for (const std::string_view text : {"a[UNK]b", " a", "\xc3\xa9[UNK]a", "", "[UNK]a"}) {
    const auto with = (*tokenizer)->Encode(text);
    const auto without = (*tokenizer)->Encode(text, {.offsets = false});
    ASSERT_TRUE(with && without);
    EXPECT_EQ(with->ids, without->ids) << text;
    EXPECT_TRUE(without->offsets.empty());
  }
  EXPECT_EQ((*tokenizer)->Encode("a[UNK]b", {.offsets = false})->ids,
            (std::vector<std::int32_t>{2, 7, 1, 6, 3}));
  // What was stripped in front counts: the first character that stays is not the first of the input.
  EXPECT_EQ((*tokenizer)->Encode(" a", {.offsets = false})->ids, (std::vector<std::int32_t>{2, 4, 3}));
}

TEST(Blanks, OfBothKindsAtBothEnds) {
  const Blanks both = CountBlanks("\xc4\xa0 a \xe3\x80\x80");
  EXPECT_EQ(both.leading, 2);
  EXPECT_EQ(both.trailing, 2);
  const Blanks only = CountBlanks("\xc4\xa0\xc4\xa0");
  EXPECT_EQ(only.leading, 2);
  EXPECT_EQ(only.trailing, 2);
  EXPECT_FALSE(CountBlanks("a b").any());
}

}  // namespace
}  // namespace candor::text

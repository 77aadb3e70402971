// Differences from the reference that tools/tokenizers/compare.py found, each with the reference's answer.
#include <gtest/gtest.h>

#include "text/test_answer.h"
#include "text/test_support.h"

namespace candor::text {
namespace {

std::string AnswerOf(const std::string& file, std::string_view request, std::string_view config = {}) {
  const auto tokenizer = Read(file, config);
  if (!tokenizer) return Message(tokenizer.error().front());
  return AnswerTo(**tokenizer, *io::ParseJson(request, "request"));
}

std::string WithAdded(std::string_view content, std::string_view flags) {
  return File(
      "", "", "", kModel,
      R"("added_tokens":[{"id":7,"content":")" + std::string(content) + "\"," + std::string(flags) + "}]");
}

// A token of blanks takes the blanks around it; those that match again inside have nothing left to be.
TEST(Differences, BlanksThatATokenOfBlanksTook) {
  constexpr std::string_view kBoth =
      R"("single_word":false,"lstrip":true,"rstrip":true,"normalized":false,"special":false)";
  EXPECT_EQ(AnswerOf(WithAdded("   ", kBoth), R"({"a":"      ","tokens":true})"),
            R"([[7],[0],[[0,6]],[0],1,["      "]])");
  EXPECT_EQ(AnswerOf(WithAdded("\\n\\n", kBoth), R"({"a":"a\n\n\n\nb","tokens":true})"),
            R"([[4,7,6],[0,0,0],[[0,1],[1,5],[5,6]],[0,0,0],3,["a","\n\n\n\n","b"]])");
}

// A token that only takes blanks behind it is found again in what it took.
TEST(Differences, BlanksThatMatchAgain) {
  constexpr std::string_view kRight =
      R"("single_word":false,"lstrip":false,"rstrip":true,"normalized":false,"special":false)";
  EXPECT_EQ(AnswerOf(WithAdded("   ", kRight), R"({"a":"      ","tokens":true})"),
            R"([[7,7],[0,0],[[0,6],[3,6]],[0,0],2,["      ","   "]])");
}

// What Unigram cannot spell is named by its text, also where a second piece is spelt like the unknown token.
TEST(Differences, UnknownTokenTwiceInUnigram) {
  const std::string file = File("", "", "",
                                R"("model":{"type":"Unigram","unk_id":0,"byte_fallback":false,)"
                                R"("vocab":[["<unk>",0.0],["a",-1.0],["<unk>",-2.0]]})");
  EXPECT_EQ(AnswerOf(file, R"({"a":"azz<unk>","tokens":true})"),
            R"([[1,0,2],[0,0,0],[[0,1],[1,3],[3,8]],[0,0,0],3,["a","zz","<unk>"]])");
}

// ByteLevel rewrites what a piece stands for in the input: one that a normalizer inserted keeps its text too.
TEST(Differences, ByteLevelSpellsInsertedTextTwice) {
  const std::string file =
      File(R"("normalizer":{"type":"Replace","pattern":{"Regex":"x*"},"content":"-"})",
           R"("pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,)"
           R"("use_regex":true})",
           "",
           R"("model":{"type":"WordLevel","unk_token":"[UNK]",)"
           R"("vocab":{"[UNK]":0,"-":1,"--":2,"\u0120-":3,"d":4}})");
  EXPECT_EQ(AnswerOf(file, R"({"a":"d"})"), "[[2,4,1],[0,0,0],[[0,0],[0,1],[0,1]],[0,0,0],3]");
  EXPECT_EQ(AnswerOf(file, R"({"a":" "})"), "[[2,3],[0,0],[[0,0],[0,1]],[0,0],2]");
  EXPECT_EQ(AnswerOf(file, R"({"a":"xd"})"), "[[1,4,1],[0,0,0],[[0,1],[1,2],[1,2]],[0,0,0],3]");
  const auto tokenizer = Read(file);  // the same ids where nobody asks for offsets
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ((*tokenizer)->Encode("d", {.offsets = false})->ids, (std::vector<std::int32_t>{2, 4, 1}));
}

// A name makes a listed token special, a list of further tokens does not.
TEST(Differences, ListedTokensThatAreNamed) {
  constexpr std::string_view kFlags =
      R"("single_word":false,"lstrip":false,"rstrip":false,"normalized":false,)"
      R"("special":false)";
  const std::string decoder =
      R"({"split_special_tokens":true,"added_tokens_decoder":{"7":{"content":"<m>",)" + std::string(kFlags) +
      "}},";
  const std::string file = File("", "", "");
  constexpr std::string_view kRequest = R"({"a":"a<m>","tokens":true})";
  constexpr std::string_view kToken = R"([[4,7],[0,0],[[0,1],[1,4]],[0,0],2,["a","<m>"]])";
  constexpr std::string_view kText = R"([[1],[0],[[0,4]],[0],1,["[UNK]"]])";
  EXPECT_EQ(AnswerOf(file, kRequest, decoder + R"("extra_special_tokens":["<m>"]})"), kToken);
  EXPECT_EQ(AnswerOf(file, kRequest, decoder + R"("mask_token":"<m>"})"), kText);
  const std::string listed = WithAdded("<m>", kFlags);
  EXPECT_EQ(AnswerOf(listed, kRequest, R"({"split_special_tokens":true,"extra_special_tokens":["<m>"]})"),
            kToken);
  EXPECT_EQ(AnswerOf(listed, kRequest, R"({"split_special_tokens":true,"mask_token":"<m>"})"), kText);
}

// A token that is added again without `normalized` is looked for as it is, but still decoded in its normal
// form.
TEST(Differences, NormalFormOfATokenThatWasNormalised) {
  const std::string file =
      File(R"("normalizer":{"type":"Lowercase"})", "", "", kModel,
           R"("added_tokens":[{"id":7,"content":"Y","single_word":false,"lstrip":false,"rstrip":false,)"
           R"("normalized":true,"special":false}])");
  EXPECT_EQ(AnswerOf(file, R"({"a":"aYy","tokens":true,"text":true})",
                     R"({"added_tokens_decoder":{"7":{"content":"Y","normalized":false}}})"),
            R"([[4,7,1],[0,0,0],[[0,1],[1,2],[2,3]],[0,0,0],3,["a","Y","[UNK]"],"a y [UNK]","a y [UNK]"])");
}

// add_prefix_space is written into every ByteLevel of a chain, whatever the first one says.
TEST(Differences, PrefixSpaceOfTwoByteLevels) {
  constexpr std::string_view kChain =
      R"("pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"ByteLevel","add_prefix_space":false,)"
      R"("trim_offsets":true,"use_regex":false},{"type":"ByteLevel","add_prefix_space":true,)"
      R"("trim_offsets":true,"use_regex":false}]})";
  EXPECT_EQ(AnswerOf(File("", kChain, ""), R"({"a":"a","tokens":true})",
                     R"({"add_prefix_space":false,"tokenizer_class":"GPT2Tokenizer"})"),
            R"([[4],[0],[[0,1]],[0],1,["a"]])");
}

}  // namespace
}  // namespace candor::text

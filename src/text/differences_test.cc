// Differences from the reference that tools/tokenizers/compare.py found, each with the reference's answer.
#include <gtest/gtest.h>

#include "text/test_answer.h"
#include "text/test_support.h"

namespace candor::text {
namespace {

std::string AnswerOf(const std::string& file, std::string_view request) {
  const auto tokenizer = Read(file);
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

}  // namespace
}  // namespace candor::text

// What hostile files and texts may not do: multiply, go round in squares, count past the last id.
#include "text/limits.h"

#include <gtest/gtest.h>

#include <ctime>

#include "text/normalizers/normalizer.h"
#include "text/test_support.h"

namespace candor::text {
namespace {

void ExpectRefused(const Answer& answer, const std::vector<Want>& wanted) {
  EXPECT_EQ(Difference(answer, wanted), "");
}

std::string Replaces(int steps, std::string_view pattern, std::string_view content) {
  std::string out = R"("normalizer":{"type":"Sequence","normalizers":[)";
  for (int i = 0; i < steps; ++i) {
    if (i > 0) out += ",";
    out += R"({"type":"Replace","pattern":{"String":")" + std::string(pattern) + R"("},"content":")" +
           std::string(content) + R"("})";
  }
  return out + "]}";
}

// LIM: forty doublings of one letter would be a terabyte.
TEST(TokenizerRead, NormalizersThatMultiplyAreRefused) {
  const std::vector<Want> refused = {{Code::kUnsupportedProcessorRecipe, "tokenizer.json:/normalizer",
                                      "steps that can make a text more than 64 times longer",
                                      "at most 64 times"}};
  ExpectRefused(Read(File(Replaces(40, "a", "aa"))), refused);
  ExpectRefused(Read(File(Replaces(7, "a", "aa"))), refused);
  ExpectRefused(Read(File(Replaces(1, "a", std::string(65, 'a')))), refused);
  ExpectRefused(Read(File(Replaces(2, "ab", std::string(17, 'a')))), refused);  // 9 times 9
  const auto most = Read(File(Replaces(6, "a", "aa")));
  ASSERT_TRUE(most) << Message(most.error().front());
  const auto encoding = (*most)->Encode("a");
  ASSERT_TRUE(encoding);
  EXPECT_EQ(encoding->ids.size(), 2u + 64u);  // a, then ##a, between the special tokens
  EXPECT_TRUE(Read(File(Replaces(500, "aa", "bb"))));
}

// A prefix is added once, not for every byte: 11 times, 3 bytes more and 3 times are 42 of one byte, not 132.
TEST(TokenizerRead, PrefixesAddAndDoNotMultiply) {
  constexpr std::string_view kReplace = R"({"type":"Replace","pattern":{"String":")";
  const std::string chain = R"("normalizer":{"type":"Sequence","normalizers":[)" + std::string(kReplace) +
                            R"(a"},"content":"bbbbbbbbbbb"},{"type":"Prepend","prepend":"▁"},)" +
                            std::string(kReplace) + R"(b"},"content":"aaa"},)" + std::string(kReplace) +
                            R"(▁"},"content":""}]})";
  const auto read = Read(File(chain));
  ASSERT_TRUE(read) << Message(read.error().front());
  const auto encoding = (*read)->Encode("a");
  ASSERT_TRUE(encoding);
  EXPECT_EQ(encoding->ids.size(), 2u + 33u);
  const auto prefixes = [](int count) {
    std::string out = R"("normalizer":{"type":"Sequence","normalizers":[)";
    for (int i = 0; i < count; ++i) out += R"({"type":"Prepend","prepend":"▁"},)";
    out.back() = ']';
    return out + "}";
  };
  EXPECT_TRUE(Read(File(prefixes(21))));  // 1 + 63
  EXPECT_FALSE(Read(File(prefixes(22))));
  EXPECT_EQ(Growth::Of(2, 1).Then(Growth::Of(3, 5)).times, 6u);
  EXPECT_EQ(Growth::Of(2, 1).Then(Growth::Of(3, 5)).more, 8u);
}

// LIM: what a normaliser builds is bounded like a text, over all parts between added tokens together.
TEST(TokenizerEncode, NormalisedTextIsBounded) {
  constexpr std::string_view kAdded =
      R"("added_tokens":[{"id":3,"content":"[SEP]","single_word":false,"lstrip":false,"rstrip":false,)"
      R"("normalized":false,"special":true}])";
  const auto answer = Read(File(Replaces(1, "a", std::string(64, 'a')), kPre, kPost, kModel, kAdded));
  ASSERT_TRUE(answer) << Message(answer.error().front());
  const std::string half(1 << 19, 'a');  // 32 MiB when normalised
  const auto encoding = (*answer)->Encode(half + "[SEP]" + half + "b");
  ASSERT_FALSE(encoding);
  EXPECT_EQ(encoding.error().code, Code::kInputTooLarge);
  EXPECT_EQ(encoding.error().found, "more than 67108864 bytes when normalised");
  EXPECT_EQ(encoding.error().allowed, "at most 67108864");
}

// Exactly what fits is built; behind it nothing, and the text stays UTF-8 throughout.
TEST(Normalized, BuildsAtMostItsLimit) {
  const auto doubled = [](std::size_t most) {
    Normalized text("\xc3\xa9z", 0, most);  // é becomes e and a mark of two bytes
    ApplyForm(text, NormalForm::kNfd);
    return text;
  };
  EXPECT_EQ(doubled(4).exceeded(), TextLimit::kNone);
  EXPECT_EQ(doubled(4).text(), "e\xcc\x81z");
  EXPECT_EQ(doubled(3).exceeded(), TextLimit::kBytes);
  EXPECT_EQ(doubled(3).text(), "e\xcc\x81");
  EXPECT_EQ(doubled(2).exceeded(), TextLimit::kBytes);
  EXPECT_EQ(doubled(2).text(), "");
}

std::string Added(std::int64_t id, std::string_view content, std::string_view flags = {}) {
  std::string out = R"({"id":)" + std::to_string(id) + R"(,"content":")" + std::string(content) + "\"";
  for (const std::string_view flag : {"single_word", "lstrip", "rstrip", "normalized", "special"}) {
    const bool set = flags.find(flag) != std::string_view::npos;
    out += ",\"" + std::string(flag) + "\":" + (set ? "true" : "false");
  }
  return out + "}";
}

std::string AddedList(const std::vector<std::string>& tokens) {
  std::string out;
  for (const std::string& token : tokens) out += (out.empty() ? "" : ",") + token;
  return "\"added_tokens\":[" + out + "]";
}

// LIM: each is looked for from every place of a text.
TEST(TokenizerRead, TokensOfExcessiveLengthAreRefused) {
  const std::string longest(512, 'a'), beyond(513, 'a');
  EXPECT_TRUE(Read(File(kNormalizer, kPre, kPost, kModel, AddedList({Added(7, longest)}))));
  const auto want = [](std::string place) {
    return std::vector<Want>{
        {Code::kUnsupportedProcessorRecipe, std::move(place), "a token of 513 bytes", "at most 512 bytes"}};
  };
  ExpectRefused(Read(File(kNormalizer, kPre, kPost, kModel, AddedList({Added(7, beyond)}))),
                want("tokenizer.json:/added_tokens/0/content"));
  ExpectRefused(Read(File(), R"({"mask_token":")" + beyond + "\"}"),
                want("tokenizer_config.json:/mask_token"));
  ExpectRefused(Read(File(), R"({"additional_special_tokens":[")" + beyond + "\"]}"),
                want("tokenizer_config.json:/additional_special_tokens"));
  // 128 ideographs of 3 bytes, each between two blanks when normalised.
  std::string ideographs;
  for (int i = 0; i < 128; ++i) ideographs += "\xe4\xb8\x80";
  ExpectRefused(Read(File(kNormalizer, kPre, kPost, kModel, AddedList({Added(7, ideographs, "normalized")}))),
                {{Code::kUnsupportedProcessorRecipe, "tokenizer.json:/added_tokens/0/content", ideographs,
                  "tokens that stay distinct, not empty and within 512 bytes when normalised"}});
}

TEST(TokenizerRead, WordPieceLookUpsAreBounded) {
  const auto model = [](int characters, std::size_t token) {
    return R"("model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",)"
           R"("max_input_chars_per_word":)" +
           std::to_string(characters) + R"(,"vocab":{"[UNK]":0,"[CLS]":2,"[SEP]":3,")" +
           std::string(token, 'a') + "\":1}}";
  };
  EXPECT_TRUE(Read(File(kNormalizer, kPre, kPost, model(100, 100'000))));
  EXPECT_TRUE(Read(File(kNormalizer, kPre, kPost, model(100'000, 512))));
  ExpectRefused(Read(File(kNormalizer, kPre, kPost, model(100'000, 513))),
                {{Code::kUnsupportedProcessorRecipe, "tokenizer.json:/model/max_input_chars_per_word",
                  "100000, with a token of 513 bytes", "at most 512 while a token has more than 512 bytes"}});
}

// The vocabulary's largest id leaves none for what comes after it.
TEST(TokenizerRead, IdsEndWithThirtyOneBits) {
  const auto refused = [](std::string place) {
    return std::vector<Want>{{Code::kUnsupportedProcessorRecipe, std::move(place),
                              "a token that comes behind id 2147483646", "ids from 0 to 2147483646"}};
  };
  constexpr std::string_view kTop =
      R"("model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",)"
      R"("max_input_chars_per_word":100,"vocab":{"[UNK]":0,"top":2147483646}})";
  const auto top = AddedList({Added(2147483646, "top")});
  const auto whole = Read(File(kNormalizer, kPre, "", kTop, top));
  ASSERT_TRUE(whole) << Message(whole.error().front());
  EXPECT_EQ((*whole)->facts().vocabulary, 2147483647u);
  ExpectRefused(Read(File(kNormalizer, kPre, "", kTop, top), R"({"mask_token":"[MASK]"})"),
                refused("tokenizer_config.json:/mask_token"));
  ExpectRefused(
      Read(
          File(kNormalizer, kPre, "", kTop, top),
          R"({"added_tokens_decoder":{"7":{"content":"x","lstrip":false,"rstrip":false,"normalized":false}}})"),
      refused("tokenizer_config.json:/added_tokens_decoder/7"));
}

TEST(TokenizerRead, TemplateTokensMustBeAList) {
  const auto post = [](std::string_view tokens) {
    return R"("post_processor":{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}}],)"
           R"("pair":[],"special_tokens":{"[X]":{"id":"[X]","ids":[1])" +
           std::string(tokens) + "}}}";
  };
  const std::string place = "tokenizer.json:/post_processor/special_tokens/[X]/tokens";
  const std::pair<std::string_view, std::string> bad[] = {{R"(,"tokens":"[X]")", "string"},
                                                          {R"(,"tokens":null)", "nothing"},
                                                          {R"(,"tokens":7)", "integer"},
                                                          {R"(,"tokens":{"a":1})", "object"},
                                                          {"", "nothing"}};
  for (const auto& [tokens, found] : bad) {
    ExpectRefused(Read(File(kNormalizer, kPre, post(tokens))),
                  {{Code::kInvalidPackageSchema, place, found, "a list of strings"}});
  }
  EXPECT_TRUE(Read(File(kNormalizer, kPre, post(R"(,"tokens":["[X]"])"))));
}

// A run of blanks is measured once, whichever side takes it and however often the token is found in it: at
// most 0.2 s here in processor time. A walk through the run from every place in it is 10^12 steps.
TEST(TokenizerEncode, RunsOfBlanksGrowLinearly) {
  constexpr int kMany = 1'000'000;
  for (const std::string_view flags : {"lstrip", "rstrip", "lstrip rstrip"}) {
    for (const std::string_view content : {" ", "b"}) {
      const auto answer = Read(
          File(kNormalizer, kPre, kPost, kModel, AddedList({Added(content == "b" ? 6 : 7, content, flags)})));
      ASSERT_TRUE(answer) << Message(answer.error().front());
      const std::string text = std::string(kMany, ' ') + "b" + std::string(kMany, ' ');
      const std::clock_t begin = std::clock();
      ASSERT_TRUE((*answer)->Encode(text));
      EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 3) << flags << content;
    }
  }
}

}  // namespace
}  // namespace candor::text

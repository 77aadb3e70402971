// Decoders: texts as tokenizers 0.23.3 gave them, and what is kept of a decoder that cannot be read.
#include <gtest/gtest.h>

#include "text/test_support.h"

namespace candor::text {
namespace {

// A tokenizer with just these tokens, from id 1 on.
Answer With(std::string_view decoder, const std::vector<std::string>& tokens) {
  std::string vocabulary = R"("u":0)";
  int id = 0;
  for (const std::string& token : tokens) vocabulary += ",\"" + token + "\":" + std::to_string(++id);
  return Read(File("", "", "",
                   R"("model":{"type":"WordPiece","unk_token":"u","continuing_subword_prefix":"##",)"
                   R"("max_input_chars_per_word":100,"vocab":{)" +
                       vocabulary + "}}",
                   decoder.empty() ? "" : R"("decoder":)" + std::string(decoder)));
}

std::string Decode(std::string_view decoder, const std::vector<std::string>& tokens) {
  const auto tokenizer = With(decoder, tokens);
  if (!tokenizer) return "refused: " + Message(tokenizer.error().front());
  std::vector<std::int32_t> ids;
  for (std::size_t i = 0; i < tokens.size(); ++i) ids.push_back(static_cast<std::int32_t>(i + 1));
  const auto text = (*tokenizer)->Decode(ids);
  return text ? *text : "error: " + text.error().found;
}

TEST(Decode, WithoutDecoderTokensAreJoined) { EXPECT_EQ(Decode("", {"a", "b"}), "a b"); }

TEST(Decode, Bytes) {
  constexpr std::string_view kByteLevel =
      R"({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true})";
  // Two bytes of four that do not go on are one U+FFFD; a token that is not spelt in letters stands as it is.
  EXPECT_EQ(Decode(kByteLevel, {"\xc4\xa0"
                                "a",
                                "\xc3\x83", "\xc2\xa9", "\xc3\xa9 ", "\xc3\xb0", "\xc5\x81", "b"}),
            " a\xc3\xa9\xc3\xa9 \xef\xbf\xbd"
            "b");
  EXPECT_EQ(Decode(R"({"type":"ByteFallback"})",
                   {"<0xC3>", "<0xA9>", "a", "<0xc3>", "b", "<0x+A>", "<0xe4>", "<0xB8>"}),
            "\xc3\xa9"
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Decode, Words) {
  EXPECT_EQ(Decode(R"({"type":"WordPiece","prefix":"##","cleanup":true})",
                   {"##a", "##b", "do", "not", ".", "'", "s"}),
            "##ab do not. ' s");
  EXPECT_EQ(Decode(R"({"type":"WordPiece","prefix":"##","cleanup":false})", {"##a", "##b", "."}), "##ab .");
  EXPECT_EQ(Decode(R"({"type":"Metaspace","replacement":"_"})", {"_a_", "_b"}), "a b");
  EXPECT_EQ(Decode(R"({"type":"Metaspace","replacement":"_","prepend_scheme":"never"})", {"_a_", "_b"}),
            " a  b");
  EXPECT_EQ(Decode(R"({"type":"BPEDecoder","suffix":"</w>"})", {"a</w>", "b</w>"}), "a b");
  EXPECT_EQ(Decode(R"({"type":"BPEDecoder","suffix":""})", {"a\xc3\xa9", "b"}), " a \xc3\xa9 b");
  EXPECT_EQ(Decode(R"({"type":"CTC","pad_token":"p","word_delimiter_token":"|","cleanup":true})",
                   {"a", "p", "|", "b", "pb", "."}),
            "a bb.");
}

TEST(Decode, Strings) {
  EXPECT_EQ(Decode(R"({"type":"Fuse"})", {"a", "b"}), "ab");
  constexpr std::string_view kStrip = R"({"type":"Strip","content":"_","start":1,"stop":1})";
  EXPECT_EQ(Decode(kStrip, {"__a__", "b"}), "_a_b");
  EXPECT_EQ(Decode(kStrip, {"_"}), "error: a token of nothing but what Strip takes from its ends");
  EXPECT_EQ(Decode(R"({"type":"Replace","pattern":{"String":"ab"},"content":"-"})", {"abab", "b"}), "--b");
  EXPECT_EQ(
      Decode(R"({"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"_"},"content":" "},)"
             R"({"type":"ByteFallback"},{"type":"Fuse"},{"type":"Strip","content":" ","start":1,"stop":0}]})",
             {"_a", "_b", "<0x0A>"}),
      "a b\n");
}

// Embedding needs no decoder: one that cannot be read is refused where text is asked for.
TEST(Decode, UnreadableDecoderStopsOnlyDecoding) {
  const auto tokenizer = With(R"({"type":"Fancy"})", {"a"});
  ASSERT_TRUE(tokenizer);
  EXPECT_TRUE((*tokenizer)->Encode("a"));
  const std::int32_t ids[] = {1};
  const auto text = (*tokenizer)->Decode(ids);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().where, Where::At("tokenizer.json", "/decoder/type"));
  EXPECT_EQ(text.error().found, "Fancy");
}

TEST(Decode, PassesOverUnknownAndSpecialIds) {
  const auto tokenizer = Read(
      File("", kPre, "", kModel,
           R"("added_tokens":[{"id":3,"content":"[SEP]","single_word":false,"lstrip":false,"rstrip":false,)"
           R"("normalized":false,"special":true}])"));
  ASSERT_TRUE(tokenizer);
  const std::int32_t ids[] = {4, 3, 1000, -1, 6};
  EXPECT_EQ(*(*tokenizer)->Decode(ids), "a b");
  EXPECT_EQ(*(*tokenizer)->Decode(ids, false), "a [SEP] b");
  EXPECT_EQ(*(*tokenizer)->Decode({}), "");
}

// Each step may multiply; the sum is bounded.
TEST(Decode, DecodersThatMultiplyAreBounded) {
  const std::string step =
      R"({"type":"Replace","pattern":{"String":"a"},"content":")" + std::string(1000, 'a') + "\"}";
  const std::string steps = step + "," + step + "," + step;
  EXPECT_EQ(Decode(R"({"type":"Sequence","decoders":[)" + steps + "]}", {"a"}),
            "error: more than 67108864 bytes when decoded");
}

}  // namespace
}  // namespace candor::text

// Pieces of the pre-tokenizers that look at characters alone, as the reference cuts them.
#include <gtest/gtest.h>

#include "text/limits.h"
#include "text/pre_tokenizers/pre_tokenizer.h"
#include "text/test_support.h"

namespace candor::text {
namespace {

// The pieces, each followed by a bar.
std::string Pieces(const std::string& json, std::string_view text) {
  auto parsed = io::ParseJson(json, "t.json");
  if (!parsed) return "no JSON";
  const auto document = std::make_shared<const io::Json>(std::move(*parsed));
  const package::Config config(document, document.get(), "t.json", "", std::make_shared<package::ReadLog>());
  Problems problems;
  const PreTokenizerPtr splitter = ReadPreTokenizer(config, problems);
  if (!problems.empty()) return problems[0].where.pointer + ": " + problems[0].found;
  PreTokenized whole{Normalized(text, 0, kMaxTextBytes), {{0, text.size()}}};
  splitter->Split(whole);
  std::string out;
  for (const Piece& piece : whole.pieces) {
    out += whole.text.text().substr(piece.begin, piece.end - piece.begin) + "|";
  }
  return out;
}

TEST(Punctuation, FiveBehaviours) {
  const auto cut = [](const std::string& behavior) {
    return Pieces(R"({"type":"Punctuation","behavior":")" + behavior + R"("})", "!a?!b.");
  };
  EXPECT_EQ(cut("Removed"), "a|b|");
  EXPECT_EQ(cut("Isolated"), "!|a|?|!|b|.|");
  EXPECT_EQ(cut("MergedWithPrevious"), "!|a?|!|b.|");
  EXPECT_EQ(cut("MergedWithNext"), "!a|?|!b|.|");
  EXPECT_EQ(cut("Contiguous"), "!|a|?!|b|.|");
  EXPECT_EQ(cut("Other"), "/behavior: Other");
  EXPECT_EQ(Pieces(R"({"type":"Punctuation"})", "a?!"), "a|?|!|");
}

TEST(Digits, AreNumericInAnyScript) {
  EXPECT_EQ(Pieces(R"({"type":"Digits","individual_digits":false})",
                   "a12\xd9\xa4\xc2\xbd\xe2\x91\xa0"
                   "b3"),
            "a|12\xd9\xa4\xc2\xbd\xe2\x91\xa0|b|3|");
  EXPECT_EQ(Pieces(R"({"type":"Digits","individual_digits":true})",
                   "a12\xd9\xa4"
                   "b"),
            "a|1|2|\xd9\xa4|b|");
  EXPECT_EQ(Pieces(R"({"type":"Digits"})", "a"), "/individual_digits: nothing");
}

TEST(CharDelimiterSplit, IsRemoved) {
  EXPECT_EQ(Pieces(R"({"type":"CharDelimiterSplit","delimiter":"-"})", "-a--b"), "a|b|");
  EXPECT_EQ(Pieces(R"({"type":"CharDelimiterSplit","delimiter":"\u00e9"})",
                   "a\xc3\xa9"
                   "b"),
            "a|b|");
  EXPECT_EQ(Pieces(R"({"type":"CharDelimiterSplit","delimiter":"ab"})", "a"), "/delimiter: ab");
  EXPECT_EQ(Pieces(R"({"type":"CharDelimiterSplit","delimiter":""})", "a"), "/delimiter: an empty string");
}

TEST(FixedLength, CountsCharacters) {
  EXPECT_EQ(Pieces(R"({"type":"FixedLength"})", "Hello world"), "Hello| worl|d|");
  EXPECT_EQ(Pieces(R"({"type":"FixedLength","length":3})", "Hello \xf0\x9f\x91\x8b world"),
            "Hel|lo |\xf0\x9f\x91\x8b w|orl|d|");
  EXPECT_NE(Pieces(R"({"type":"FixedLength","length":0})", "a").find("/length: "), std::string::npos);
}

// Blanks in front go, those behind stay; kana count as Han, and so does the mark between them.
TEST(UnicodeScripts, CutsWhereTheScriptChanges) {
  const std::string type = R"({"type":"UnicodeScripts"})";
  const std::string japanese = "\xe4\xba\xac \xe3\x82\xab\xe3\x83\xbc \xe3\x81\x84";
  EXPECT_EQ(Pieces(type, " 1axb," + japanese), "1|axb|,|" + japanese + "|");
  EXPECT_EQ(Pieces(type, "  "), "");
  EXPECT_EQ(Pieces(type,
                   "\xd0\xb0"
                   "a"),
            "\xd0\xb0|a|");
}

}  // namespace
}  // namespace candor::text

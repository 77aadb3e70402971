// Matches that a hand finds, every refusal of the translation once, and time that stays linear.
#include "text/regex/regex.h"

#include <gtest/gtest.h>

#include <ctime>

#include "text/test_support.h"

namespace candor::text {
namespace {

RegexPtr Pattern(std::string_view kind, std::string_view pattern, Problems& problems) {
  io::JsonWriter out;
  out.BeginObject().Key("pattern").BeginObject().Member(kind, pattern).EndObject().EndObject();
  auto json = io::ParseJson(out.Take(), "file");
  if (!json) return nullptr;
  const auto document = std::make_shared<const io::Json>(std::move(*json));
  const package::Config config(document, document.get(), "file", "", std::make_shared<package::ReadLog>());
  return ReadPattern(config, "pattern", problems);
}

// Matches between bars: "a|b||c" is a, then b and an empty one, then c.
std::string Matches(const Regex& regex, std::string_view text) {
  std::string out;
  const TextLimit limit = regex.ForEachMatch(text, [&](std::size_t begin, std::size_t end) {
    out += "|" + std::string(text.substr(begin, end - begin));
  });
  return limit == TextLimit::kNone ? out : "exceeded";
}
std::string Matches(std::string_view pattern, std::string_view text, std::string_view kind = "Regex") {
  Problems problems;
  const RegexPtr regex = Pattern(kind, pattern, problems);
  return regex == nullptr ? "refused: " + problems.front().found : Matches(*regex, text);
}

TEST(Regex, Literals) {
  EXPECT_EQ(Matches("aa", "aaaab", "String"), "|aa|aa");
  EXPECT_EQ(Matches(".", "a.b", "String"), "|.");
  EXPECT_EQ(Matches("", "a\xc3\xa9", "String"), "|||");  // at 0, 1 and 3
  EXPECT_EQ(Matches("", "", "String"), "");
}

TEST(Regex, Gpt2) {
  EXPECT_EQ(Matches(Gpt2Regex(), "it's  12 e\xcc\x81 \t x!?\n"), "|it|'s| | 12| e|\xcc\x81| \t| x|!?|\n");
  EXPECT_EQ(Matches(Gpt2Regex(), "I'M   "), "|I|'|M|   ");
}

TEST(Regex, EmptyMatchesStandNotBehindOthers) {
  EXPECT_EQ(Matches("a*", "aab"), "|aa|");  // and at the end
  EXPECT_EQ(Matches("$", "a\nb\n"), "|||");
  EXPECT_EQ(Matches("^", "a\nb\n"), "||");  // no line begins at the end
}

TEST(Regex, RubySyntax) {
  EXPECT_EQ(Matches(".+", "ab\ncd"), "|ab|cd");
  EXPECT_EQ(Matches("a{,2}b", "aaab"), "|aab");
  EXPECT_EQ(Matches("a{2}+b", "aaaaab"), "|aaaab");  // twice, repeated
  EXPECT_EQ(Matches("(?i:S)", "sS\xc5\xbf"), "|s|S|\xc5\xbf");
  EXPECT_EQ(Matches("\\h+", "xFFg"), "|FF");
  EXPECT_EQ(Matches("\\w", "\xc2\xb2"), "|\xc2\xb2");  // the superscript two is a word's character
  EXPECT_EQ(Matches("[\\w]", "\xc2\xb2"), "");         // but not in a bracket
  EXPECT_EQ(Matches("[a-z&&[^aeiou]]+", "hello"), "|h|ll");
  EXPECT_EQ(Matches("(?<=a)b|\\Ac", "cbabc"), "|c|b");
}

TEST(Regex, RefusesWhatItDoesNotTranslate) {
  const std::pair<std::string_view, std::string_view> refused[] = {
      {"(a)\\1", "\\1"},
      {"\\G", "\\G"},
      {"\\R", "\\R"},
      {"\\X", "\\X"},
      {"a**", "a repeat of a repeat"},
      {"^*", "a repeat of an assertion"},
      {"*a", "a repeat of nothing"},
      {"(?:a*)*", "a repeat of what may be empty"},
      {"a{2}?", "{n}?"},
      {"a{3,1}", "a repeat that ends before it begins"},
      {"a{", "a { that begins no repeat of up to 1000"},
      {"(?<=a*)b", "a repeat in a look-behind"},
      {"(?<=(?:a))b", "a group in a look-behind"},
      {"(?~a)", "the group (?~"},
      {"(?x:a b)", "the group (?x"},
      {"(a", "a group that does not end"},
      {"a)", "a ) without its ("},
      {"[a", "a bracket that does not end"},
      {"[]", "an empty bracket, or ] as its first"},
      {"[[:foo:]]", "a bracket [: without a known name"},
      {"[a-z-9]", "a - in a bracket that is neither first nor last nor in a range"},
      {"\\p{Foo}", "the property Foo"},
      {"(?i:\xc3\xa9)", "ignoring case of a letter beyond ASCII"},
      {"(?i:ss)", "ignoring case of \"ss\""},
      {"(?i:[\\p{L}])", "ignoring case in a bracket of more than ASCII letters"},
      {"\\xe9", "\\x that is no code point"},
  };
  for (const auto& [pattern, found] : refused) {
    EXPECT_EQ(Matches(pattern, ""), "refused: " + std::string(found)) << pattern;
  }
}

// Seconds of the processor for a megabyte: each under 0.1 where nothing else runs.
TEST(Regex, LongRunsStayLinear) {
  const std::string_view patterns[] = {
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|"
      "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
      "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", " {2,}", "\\s+"};
  for (const std::string_view pattern : patterns) {
    Problems problems;
    const RegexPtr regex = Pattern("Regex", pattern, problems);
    ASSERT_NE(regex, nullptr) << pattern;
    for (const std::string_view unit : {" ", "a", "A", "\n", " \n", "!", "1", "\xcc\x81"}) {
      std::string text;
      while (text.size() < 1'000'000) text += unit;
      const std::clock_t begin = std::clock();
      EXPECT_NE(Matches(*regex, text), "exceeded");
      EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 3) << pattern << unit;
    }
  }
}

// Patterns that go back without end, and one that reads to the end from every place.
TEST(Regex, GivesUpOnCatastrophes) {
  const std::string text(200'000, 'a');
  for (const std::string_view pattern : {"(?:a+)+b", "(?:a|a)+b", "a+b", "a*a*a*a*b"}) {
    const std::clock_t begin = std::clock();
    EXPECT_EQ(Matches(pattern, text), "exceeded") << pattern;
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 20) << pattern;
  }
}

}  // namespace
}  // namespace candor::text

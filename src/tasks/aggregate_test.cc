// Spans by hand: each case is small enough to follow with pencil and transformers' pipeline beside it.
#include "tasks/aggregate.h"

#include <gtest/gtest.h>

namespace candor::tasks {
namespace {

const std::vector<std::string> kLabels{"O", "B-PER", "I-PER", "I-LOC"};

struct Given {
  std::vector<float> scores;
  text::Offset at;
  bool continues = false;
};

std::vector<std::string> Spans(Aggregation how, const std::vector<Given>& tokens,
                               const std::vector<std::string>& labels = kLabels) {
  std::vector<ScoredToken> scored;
  for (const Given& g : tokens) scored.push_back({g.scores, g.at, g.continues});
  std::vector<std::string> out;
  for (const LabelledTokens::Span& s : Aggregate(how, scored, labels)) {
    out.push_back(s.label + " " + std::to_string(s.begin) + "-" + std::to_string(s.end) + " " +
                  std::to_string(s.score).substr(0, 5));
  }
  return out;
}

using Texts = std::vector<std::string>;

// Scores of one label, the rest of each row spread evenly.
std::vector<float> Sure(std::size_t label, float score) {
  std::vector<float> out(kLabels.size(), (1 - score) / 3);
  out[label] = score;
  return out;
}

// TSK-15: neighbours of one kind, whatever lies between them in the text.
TEST(Aggregate, SimpleJoinsNeighboursOfOneKind) {
  EXPECT_EQ(Spans(Aggregation::kSimple, {{Sure(1, 0.5f), {0, 4}},
                                         {Sure(2, 0.75f), {5, 9}},
                                         {Sure(0, 0.9f), {10, 12}},
                                         {Sure(3, 0.5f), {13, 15}},
                                         {Sure(3, 1.0f), {15, 20}}}),
            (Texts{"PER 0-9 0.625", "LOC 13-20 0.750"}));
}

TEST(Aggregate, BeginsAnotherSpanAtB) {
  EXPECT_EQ(Spans(Aggregation::kSimple, {{Sure(1, 0.5f), {0, 1}}, {Sure(1, 0.75f), {2, 3}}}),
            (Texts{"PER 0-1 0.500", "PER 2-3 0.750"}));
  // I- begins one too where the kind is another.
  EXPECT_EQ(Spans(Aggregation::kSimple, {{Sure(2, 0.5f), {0, 1}}, {Sure(3, 0.75f), {2, 3}}}),
            (Texts{"PER 0-1 0.500", "LOC 2-3 0.750"}));
  EXPECT_EQ(Spans(Aggregation::kSimple, {{Sure(2, 0.5f), {0, 1}}, {Sure(1, 0.75f), {2, 3}}}),
            (Texts{"PER 0-1 0.500", "PER 2-3 0.750"}));
}

// The library shows what stands behind the first hyphen, and leaves out what it then calls O; a label without
// B- or I- counts whole when it is compared.
TEST(Aggregate, LabelsWithHyphens) {
  const std::vector<std::string> labels{"O", "work-of-art", "S-art", "B-O", "-"};
  const auto sure = [](std::size_t label) {
    std::vector<float> row(5, 0.0f);
    row[label] = 1;
    return row;
  };
  EXPECT_EQ(Spans(Aggregation::kSimple,
                  {{sure(1), {0, 1}}, {sure(1), {1, 2}}, {sure(2), {2, 3}}, {sure(3), {3, 4}}}, labels),
            (Texts{"of-art 0-2 1.000", "art 2-3 1.000"}));
  EXPECT_EQ(Spans(Aggregation::kSimple, {{sure(0), {0, 1}}, {sure(3), {1, 2}}, {sure(0), {2, 3}}}, labels),
            Texts());
  EXPECT_EQ(Spans(Aggregation::kSimple, {{sure(4), {0, 1}}}, labels), (Texts{" 0-1 1.000"}));
}

// One word of three tokens. The first says PER by 0.4; the means are O 0.2333, B-PER 0.2333, I-PER 0.1667,
// I-LOC 0.3667; the largest score is the third's 0.7 for I-LOC.
TEST(Aggregate, WordsHaveOneLabel) {
  const std::vector<Given> word{{{0.1f, 0.4f, 0.3f, 0.2f}, {0, 2}},
                                {{0.6f, 0.1f, 0.1f, 0.2f}, {2, 4}, true},
                                {{0.0f, 0.2f, 0.1f, 0.7f}, {4, 6}, true}};
  EXPECT_EQ(Spans(Aggregation::kFirst, word), (Texts{"PER 0-6 0.400"}));
  EXPECT_EQ(Spans(Aggregation::kAverage, word), (Texts{"LOC 0-6 0.366"}));
  EXPECT_EQ(Spans(Aggregation::kMax, word), (Texts{"LOC 0-6 0.700"}));
  // Each token by itself: PER, O and LOC.
  EXPECT_EQ(Spans(Aggregation::kSimple, word), (Texts{"PER 0-2 0.400", "LOC 4-6 0.700"}));
  EXPECT_EQ(Spans(Aggregation::kNone, word), Texts());
}

// BR-063: one word whose rest is split, with tokenizers that mark the rest of a word and such that mark its
// beginning.
TEST(Aggregate, ASplitWordIsOneSpanWhereWordsCount) {
  const std::u32string text = U"Groenlinks praat";
  struct Token {
    const char* spelling;
    text::Offset at;
  };
  const std::vector<Token> prefixed{
      {"Groen", {0, 5}}, {"##link", {5, 9}}, {"##s", {9, 10}}, {"praat", {11, 16}}};
  const std::vector<Token> spaced{
      {"\u2581Groen", {0, 5}}, {"link", {5, 9}}, {"s", {9, 10}}, {"\u2581praat", {10, 16}}};
  const std::vector<std::string> labels{"O", "B-ORG", "I-ORG"};
  const std::vector<std::vector<float>> scores{
      {0.25f, 0.75f, 0.0f}, {0.75f, 0.25f, 0.0f}, {0.125f, 0.125f, 0.75f}, {1.0f, 0.0f, 0.0f}};
  for (const bool by_prefix : {true, false}) {
    const std::vector<Token>& tokens = by_prefix ? prefixed : spaced;
    std::vector<Given> given;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool rest = ContinuesWord({.prefixed = by_prefix}, 7, tokens[i].spelling, tokens[i].at, text);
      EXPECT_EQ(rest, i == 1 || i == 2) << tokens[i].spelling;
      given.push_back({scores[i], tokens[i].at, rest});
    }
    EXPECT_EQ(Spans(Aggregation::kSimple, given, labels), (Texts{"ORG 0-5 0.750", "ORG 9-10 0.750"}));
    EXPECT_EQ(Spans(Aggregation::kFirst, given, labels), (Texts{"ORG 0-10 0.750"}));
    EXPECT_EQ(Spans(Aggregation::kMax, given, labels), (Texts{"ORG 0-10 0.750"}));
    // The means are O 0.375, B-ORG 0.375 and I-ORG 0.25: of equal ones the first.
    EXPECT_EQ(Spans(Aggregation::kAverage, given, labels), Texts());
  }
}

// A span's score is the mean of its words', each counted once.
TEST(Aggregate, SpansOfWords) {
  const std::vector<Given> words{{Sure(1, 0.5f), {0, 2}},
                                 {Sure(3, 0.9f), {2, 4}, true},
                                 {Sure(2, 1.0f), {5, 6}},
                                 {Sure(2, 0.25f), {6, 8}, true}};
  EXPECT_EQ(Spans(Aggregation::kFirst, words), (Texts{"PER 0-8 0.750"}));
  EXPECT_EQ(Spans(Aggregation::kMax, words), (Texts{"LOC 0-4 0.900", "PER 5-8 1.000"}));
}

// Of equal scores the first label, and of equal tokens the first.
TEST(Aggregate, TiesGoToTheFirst) {
  const std::vector<Given> tie{{{0.0f, 0.0f, 0.5f, 0.5f}, {0, 1}}, {{0.0f, 0.0f, 0.0f, 0.5f}, {1, 2}, true}};
  EXPECT_EQ(Spans(Aggregation::kSimple, tie), (Texts{"PER 0-1 0.500", "LOC 1-2 0.500"}));
  EXPECT_EQ(Spans(Aggregation::kMax, tie), (Texts{"PER 0-2 0.500"}));
  EXPECT_EQ(Spans(Aggregation::kAverage, tie), (Texts{"LOC 0-2 0.500"}));
}

TEST(Aggregate, AFirstTokenThatContinuesBeginsAWordAllTheSame) {
  for (const Aggregation how : {Aggregation::kFirst, Aggregation::kAverage, Aggregation::kMax}) {
    EXPECT_EQ(Spans(how, {{Sure(3, 0.5f), {0, 1}, true}}), (Texts{"LOC 0-1 0.500"}));
    EXPECT_EQ(Spans(how, {}), Texts());
  }
}

// By the prefix, lengths are compared: of "##ing" and "ing", but also of "e" and "é" written as two.
TEST(ContinuesWord, ByPrefix) {
  const WordRule rule{.prefixed = true, .unknown = 1};
  const std::u32string text = U"a re\u0301ading";
  EXPECT_FALSE(ContinuesWord(rule, 7, "re", {2, 4}, text));
  EXPECT_TRUE(ContinuesWord(rule, 7, "re", {2, 5}, text));
  EXPECT_TRUE(ContinuesWord(rule, 7, "##ing", {7, 10}, text));
  EXPECT_FALSE(ContinuesWord(rule, 1, "[UNK]", {2, 5}, text));
  EXPECT_TRUE(ContinuesWord(rule, 7, "[UNK]", {2, 4}, text));
  EXPECT_FALSE(ContinuesWord({.prefixed = true}, 7, "\u00e9", {3, 4}, text));
}

// Without one, by blanks: the token's first character or the one in front of it.
TEST(ContinuesWord, ByBlanks) {
  const WordRule rule{.prefixed = false, .unknown = 3};
  const std::u32string text = U" a bc\nd";
  EXPECT_FALSE(ContinuesWord(rule, 7, "\u2581a", {0, 2}, text));   // the beginning
  EXPECT_FALSE(ContinuesWord(rule, 7, "a", {1, 2}, text));         // behind a blank
  EXPECT_FALSE(ContinuesWord(rule, 7, "\u2581bc", {2, 5}, text));  // with its blank
  EXPECT_TRUE(ContinuesWord(rule, 7, "c", {4, 5}, text));
  EXPECT_TRUE(ContinuesWord(rule, 7, "d", {6, 7}, text));  // a line break is no blank
  EXPECT_FALSE(ContinuesWord(rule, 3, "<unk>", {4, 5}, text));
  EXPECT_TRUE(ContinuesWord(rule, 7, "", {7, 7}, text));  // at the end there is nothing else to see
}

}  // namespace
}  // namespace candor::tasks

#include "tasks/aggregate.h"

#include <algorithm>

#include "base/utf8.h"

namespace candor::tasks {
namespace {

// Tokens with one label: a word, or where words do not count a token.
struct Piece {
  std::size_t label = 0;
  float score = 0;
  text::Offset at;
};

std::size_t Best(std::span<const float> scores) {
  return static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
}

// Of scores in double, rounded once; the library sums in float32.
std::vector<float> MeanScores(std::span<const ScoredToken> word) {
  std::vector<float> out(word.front().scores.size());
  for (std::size_t label = 0; label < out.size(); ++label) {
    double sum = 0;
    for (const ScoredToken& token : word) sum += token.scores[label];
    out[label] = static_cast<float>(sum / static_cast<double>(word.size()));
  }
  return out;
}

Piece PieceOf(Aggregation how, std::span<const ScoredToken> word) {
  std::vector<float> mean;
  std::span<const float> scores = word.front().scores;
  if (how == Aggregation::kAverage && word.size() > 1) {
    scores = mean = MeanScores(word);
  } else if (how == Aggregation::kMax) {
    const auto largest = [](const ScoredToken& token) { return token.scores[Best(token.scores)]; };
    scores = std::ranges::max_element(word, {}, largest)->scores;
  }
  const std::size_t best = Best(scores);
  return {best, scores[best], {word.front().at.begin, word.back().at.end}};
}

std::vector<Piece> Pieces(Aggregation how, std::span<const ScoredToken> tokens) {
  std::vector<Piece> out;
  for (std::size_t begin = 0, end = 0; begin < tokens.size(); begin = end) {
    end = begin + 1;
    while (how != Aggregation::kSimple && end < tokens.size() && tokens[end].continues) ++end;
    out.push_back(PieceOf(how, tokens.subspan(begin, end - begin)));
  }
  return out;
}

bool Begins(std::string_view label) { return label.starts_with("B-"); }

// What labels of one span share.
std::string_view Kind(std::string_view label) {
  return Begins(label) || label.starts_with("I-") ? label.substr(2) : label;
}

// Not Kind: the library cuts at the first hyphen whatever stands before it.
std::string_view Shown(std::string_view label) {
  const std::size_t hyphen = label.find('-');
  return hyphen == std::string_view::npos ? label : label.substr(hyphen + 1);
}

}  // namespace

std::string_view Name(Aggregation how) {
  switch (how) {
    case Aggregation::kNone:
      return "none";
    case Aggregation::kSimple:
      return "simple";
    case Aggregation::kFirst:
      return "first";
    case Aggregation::kAverage:
      return "average";
    case Aggregation::kMax:
      return "max";
  }
  return "";
}

bool ContinuesWord(const WordRule& rule, std::int32_t id, std::string_view token, text::Offset at,
                   std::u32string_view text) {
  if (rule.unknown == id) return false;
  const auto begin = static_cast<std::size_t>(at.begin);
  if (rule.prefixed) {
    const std::u32string_view slice = text.substr(begin, static_cast<std::size_t>(at.end) - begin);
    return CountUtf8(token) != slice.size();
  }
  return begin > 0 && text.substr(begin - 1, 2).find(U' ') == std::u32string_view::npos;
}

std::vector<LabelledTokens::Span> Aggregate(Aggregation how, std::span<const ScoredToken> tokens,
                                            std::span<const std::string> labels) {
  std::vector<LabelledTokens::Span> out;
  if (how == Aggregation::kNone) return out;
  const std::vector<Piece> pieces = Pieces(how, tokens);
  for (std::size_t begin = 0, end = 0; begin < pieces.size(); begin = end) {
    const std::string_view label = labels[pieces[begin].label];
    double sum = pieces[begin].score;
    for (end = begin + 1; end < pieces.size(); ++end) {
      const std::string_view next = labels[pieces[end].label];
      if (Begins(next) || Kind(next) != Kind(label)) break;
      sum += pieces[end].score;
    }
    if (Shown(label) == "O") continue;
    out.push_back({.label = std::string(Shown(label)),
                   .score = static_cast<float>(sum / static_cast<double>(end - begin)),
                   .begin = pieces[begin].at.begin,
                   .end = pieces[end - 1].at.end});
  }
  return out;
}

}  // namespace candor::tasks

// Labels of tokens to labels of spans, as transformers 5.24's token-classification pipeline makes them
// (pipelines/token_classification.py). Pure functions; any thread.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "candor/types.h"
#include "text/offset.h"

namespace candor::tasks {

std::string_view Name(Aggregation how);  // "none", "simple", "first", "average", "max"

// What tells the first token of a word from the others.
struct WordRule {
  bool prefixed = false;  // tokens that continue a word are longer than their text: "##ing"
  std::optional<std::int32_t> unknown = {};
};
// Whether a token is the rest of the word before it. With a prefix: when its spelling and its text differ in
// length, which a normaliser can bring about as well ("e" and an accent are "e"). Without: when it does not
// begin the text, and neither its first character nor the one in front of it is a blank. The unknown token
// never is.
bool ContinuesWord(const WordRule& rule, std::int32_t id, std::string_view token, text::Offset at,
                   std::u32string_view text);

// A token of the text itself; those of the template are left out.
struct ScoredToken {
  std::span<const float> scores;  // one per label
  text::Offset at;
  bool continues = false;  // the word before it
};

// kSimple: neighbours of one kind become a span; B- in front of a label begins another. kFirst, kAverage and
// kMax first give all tokens of a word one label: that of its first token, the best of their mean scores, or
// that of the token with the largest score. A span's score is the mean over its tokens, or words. Labels of
// spans are without what stands before their first hyphen; spans "O" are left out. kNone: none.
std::vector<LabelledTokens::Span> Aggregate(Aggregation how, std::span<const ScoredToken> tokens,
                                            std::span<const std::string> labels);

}  // namespace candor::tasks

// Output lines (CLI.md): one JSON object for one item. Pure functions; each line ends with a line break.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/input.h"
#include "candor/types.h"

namespace candor::apps {

struct Cut {  // tokens before and after truncation; equal: not cut
  std::size_t tokens = 0, kept = 0;
};

// A vector of bytes as the numbers that they are.
std::vector<std::int32_t> Numbers(const Embeddings& all, std::size_t row);
bool IsSigned(VectorType type);

std::string EmbedLine(const Item& item, const Embeddings& all, std::size_t row, const ItemReport& report);
std::string SimilarityLine(const Item& item, std::span<const float> scores, const Cut& cut);
// `row` of the classes, in the order of the labels' ids.
std::string ClassifyLine(const Item& item, const Classes& classes, std::size_t row, const ItemReport& report);
std::string SparseLine(const Item& item, const SparseVector& vector, const ItemReport& report);
std::string TokenVectorsLine(const Item& item, const MultiVectors& all, std::size_t text,
                             const ItemReport& report);
// With spans where an aggregation was asked for.
std::string TokenClassesLine(const Item& item, const TokenClasses& classes, std::size_t text,
                             Aggregation aggregation, const ItemReport& report);
// The id of the largest score of a token, the first of equal ones.
std::size_t BestLabel(const TokenClasses& classes, const LabelledTokens& tokens, std::size_t token);
// `top_n`: also the ranking's first so many; 0: none.
std::string RerankLine(const Item& item, const Ranks& ranks, std::size_t top_n, const Cut& cut);
std::string TokenLine(const Item& item, const TokenizedText& text);
// In the place of an answer. The item's line is added where the error has no place of its own.
std::string ErrorLine(const Item& item, const Error& error);
Error Placed(const Item& item, Error error);

}  // namespace candor::apps

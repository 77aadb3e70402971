// A golden case of a head for tokens, as goldens/README.md describes it.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "golden.h"

namespace candor::goldens {

struct TokenSpan {
  std::string label;
  double score = 0;
  std::int32_t begin = 0, end = 0;
  std::size_t index = 0;  // of a single token
};

struct TokenItem {
  std::string text;
  std::vector<std::int32_t> ids, special;
  std::vector<std::pair<std::int32_t, std::int32_t>> offsets;
  std::size_t tokens_before_truncation = 0;
  std::map<std::string, std::vector<TokenSpan>> spans;  // by aggregation; empty where the case has none
};

struct TokenGolden {
  std::string name, family, package;
  std::size_t max_length = 0;
  std::vector<std::string> labels;
  std::vector<TokenItem> items;
  Array logits;  // f64, a row per token of each item in order
  double delta = 0;
};

// goldens/token_heads/*. Failures are test failures.
std::vector<std::string> TokenNames();
TokenGolden LoadTokens(const std::string& name);

// Plans of the cases whose logits are within their bound: what they prove.
std::vector<std::string> ProvenTokenPlans();

}  // namespace candor::goldens

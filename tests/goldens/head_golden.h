// A golden case of a head, as goldens/README.md describes it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "golden.h"

namespace candor::goldens {

struct HeadItem {
  std::string text;
  std::optional<std::string> pair;
  std::vector<std::int32_t> ids, type_ids;
  std::size_t tokens_before_truncation = 0;
};

struct HeadGolden {
  std::string name, family, package, task, activation, prompt;  // prompt: the default one
  bool chats = false;                                           // texts go through a chat template
  std::size_t max_length = 0;
  std::vector<std::string> labels;
  std::vector<HeadItem> items;
  Array logits, scores;  // f64, a row per item
  double delta = 0;
  Array pooled;  // f64, what goes into the last product
  double pooled_delta = 0;
};

// goldens/heads/*. Failures are test failures.
std::vector<std::string> HeadNames();
HeadGolden LoadHead(const std::string& name);

// Plans of the cases whose logits are within their bound: what they prove.
std::vector<std::string> ProvenHeadPlans();

}  // namespace candor::goldens

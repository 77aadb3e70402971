// A golden case of late interaction, as goldens/README.md describes it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "golden.h"

namespace candor::goldens {

struct LateItem {
  std::string text;
  std::optional<TextRole> role;
  std::vector<std::int32_t> ids;  // as the model sees them, expansion included
  std::vector<std::size_t> scored;
  std::size_t expansion = 0, unseen = 0, total = 0;
};

struct LateGolden {
  std::string name, family, package, similarity;
  std::size_t max_length = 0, dimensions = 0;
  std::vector<LateItem> items;
  Array rows;    // f64, the scored rows of all items in order
  Array scores;  // f64, a row per query, a column per document
  Hidden hidden;
  double delta = 0;
};

// goldens/late_interaction/*. Failures are test failures.
std::vector<std::string> LateNames();
LateGolden LoadLate(const std::string& name);

// Plans of the cases whose rows are within their bound: what they prove.
std::vector<std::string> ProvenLatePlans();

}  // namespace candor::goldens

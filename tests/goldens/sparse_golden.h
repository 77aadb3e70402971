// A golden case of a sparse encoder, as goldens/README.md describes it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "candor/types.h"
#include "golden.h"

namespace candor::goldens {

struct SparseItem {
  std::string text;
  std::optional<TextRole> role;
  std::vector<std::int32_t> ids;
  std::size_t tokens_before_truncation = 0;
};

struct SparseGolden {
  std::string name, family, package, similarity;
  std::size_t max_length = 0, dimension = 0;
  std::vector<SparseItem> items;
  Array vectors, similarity_matrix;  // f64, a row per item, zeros written
  double delta = 0;
  std::vector<Hidden> logits;  // of the first rows of some items
};

// goldens/sparse/*. Failures are test failures.
std::vector<std::string> SparseNames();
SparseGolden LoadSparse(const std::string& name);

// Plans of the cases whose vectors are within their bound: what they prove.
std::vector<std::string> ProvenSparsePlans();

}  // namespace candor::goldens

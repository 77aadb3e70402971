// Similarity functions of embeddings, computed in double: cosine, dot, and the negative distances euclidean
// and manhattan (sentence-transformers 6.2, util/similarity.py).
#pragma once
#include <string_view>
#include <vector>

#include "candor/result.h"
#include "candor/types.h"

namespace candor::tasks {

// What every function is made of: sums over the columns of two vectors. A column where both are zero may be
// left out.
class ColumnSums {
 public:
  void Add(double x, double y);
  double Score(std::string_view function) const;

 private:
  double dot_ = 0, x_ = 0, y_ = 0, squares_ = 0, absolute_ = 0;
};

// Scores of `one`'s first vector against each of `many`, by their function. embedding_space_mismatch when the
// two do not belong together.
Result<std::vector<float>> Similarity(const SparseEmbeddings& one, const SparseEmbeddings& many);

}  // namespace candor::tasks

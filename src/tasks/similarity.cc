#include "tasks/similarity.h"

#include <algorithm>
#include <cmath>

namespace candor::tasks {
namespace {

// Columns of either vector, in order.
double Score(std::string_view function, const SparseVector& a, const SparseVector& b) {
  ColumnSums sums;
  std::size_t i = 0, j = 0;
  while (i < a.indices.size() || j < b.indices.size()) {
    const bool left = j == b.indices.size() || (i < a.indices.size() && a.indices[i] <= b.indices[j]);
    const bool right = i == a.indices.size() || (j < b.indices.size() && b.indices[j] <= a.indices[i]);
    const double x = left ? static_cast<double>(a.values[i]) : 0,
                 y = right ? static_cast<double>(b.values[j]) : 0;
    sums.Add(x, y);
    i += left ? 1 : 0, j += right ? 1 : 0;
  }
  return sums.Score(function);
}

}  // namespace

void ColumnSums::Add(double x, double y) {
  dot_ += x * y, x_ += x * x, y_ += y * y;
  squares_ += (x - y) * (x - y), absolute_ += std::abs(x - y);
}

double ColumnSums::Score(std::string_view function) const {
  if (function == "dot") return dot_;
  if (function == "euclidean") return -std::sqrt(squares_);
  if (function == "manhattan") return -absolute_;
  // As the reference: each vector is divided by its norm, and by 1e-12 when that is smaller.
  return dot_ / (std::max(std::sqrt(x_), 1e-12) * std::max(std::sqrt(y_), 1e-12));
}

Result<std::vector<float>> Similarity(const SparseEmbeddings& one, const SparseEmbeddings& many) {
  if (one.space != many.space || one.dimensions != many.dimensions || one.vectors.empty()) {
    return Error{Code::kEmbeddingSpaceMismatch,
                 {},
                 many.space + ", " + std::to_string(many.dimensions) + " dimensions",
                 one.space + ", " + std::to_string(one.dimensions) + " dimensions",
                 Phase::kRequest};
  }
  std::vector<float> scores;
  for (const SparseVector& vector : many.vectors)
    scores.push_back(static_cast<float>(Score(one.similarity, one.vectors.front(), vector)));
  return scores;
}

}  // namespace candor::tasks

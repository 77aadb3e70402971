#include "tasks/max_sim.h"

#include <algorithm>
#include <span>

namespace candor::tasks {
namespace {

constexpr double kNoVectors = -1e9;

double Sum(const TokenVectors& query, const TokenVectors& document, std::size_t d) {
  if (document.values.empty()) return kNoVectors;
  double sum = 0;
  for (std::size_t q = 0; q < query.values.size(); q += d) {
    double best = -1e300;
    for (std::size_t t = 0; t < document.values.size(); t += d) {
      double dot = 0;
      for (std::size_t c = 0; c < d; ++c)
        dot += static_cast<double>(query.values[q + c]) * static_cast<double>(document.values[t + c]);
      best = std::max(best, dot);
    }
    sum += best;
  }
  return sum;
}

}  // namespace

Result<std::vector<float>> MaxSim(const MultiVectors& query, const MultiVectors& documents) {
  const std::size_t d = query.dimensions;
  if (query.space != documents.space || d != documents.dimensions || d == 0 || query.texts.empty()) {
    return Error{Code::kEmbeddingSpaceMismatch,
                 {},
                 documents.space + ", " + std::to_string(documents.dimensions) + " dimensions",
                 query.space + ", " + std::to_string(d) + " dimensions, and a text",
                 Phase::kRequest};
  }
  const TokenVectors& one = query.texts.front();
  const double count = static_cast<double>(std::max<std::size_t>(one.values.size() / d, 1));
  const double by = query.similarity == "meanmaxsim" ? count : 1;
  std::vector<float> scores;
  scores.reserve(documents.texts.size());
  for (const TokenVectors& document : documents.texts)
    scores.push_back(static_cast<float>(Sum(one, document, d) / by));
  return scores;
}

}  // namespace candor::tasks

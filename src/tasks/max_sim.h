// MaxSim: how late interaction scores two texts by the vectors of their tokens. Pure.
#pragma once
#include <vector>

#include "candor/result.h"
#include "candor/types.h"

namespace candor::tasks {

// Text 0 of `query` against each of `documents`, by the similarity that both name: the sum over the query's
// vectors of the largest dot product with one of the document's, and for meanmaxsim divided by the number of
// the query's vectors. -1e9 for a document without vectors, 0 for a query without
// (sentence-transformers 6.2, util/similarity.py). embedding_space_mismatch where the spaces differ.
Result<std::vector<float>> MaxSim(const MultiVectors& query, const MultiVectors& documents);

}  // namespace candor::tasks

// What of a dense row stays: by hand. The task on real packages: tests/goldens/sparse_golden_test.cc.
#include "tasks/sparse.h"

#include <gtest/gtest.h>

#include "tasks/similarity.h"

namespace candor::tasks {
namespace {

// Of equal sizes the lower index stays; signs do not count.
TEST(Sparse, KeepsTheLargest) {
  const SparseVector all{{2, 3, 5, 8, 9}, {1, -4, 2, 2, 0.5f}};
  const auto kept = [&](std::size_t most) {
    SparseVector v = all;
    KeepLargest(v, most);
    return v;
  };
  EXPECT_EQ(kept(1).indices, (std::vector<std::int32_t>{3}));
  EXPECT_EQ(kept(2).indices, (std::vector<std::int32_t>{3, 5}));
  EXPECT_EQ(kept(2).values, (std::vector<float>{-4, 2}));
  EXPECT_EQ(kept(3).indices, (std::vector<std::int32_t>{3, 5, 8}));
  EXPECT_EQ(kept(5).indices, all.indices);
  EXPECT_EQ(kept(9).values, all.values);
}

// Columns 1 to 3 of (1, 2, 0) and (0, 3, 4), by hand.
TEST(Sparse, SimilarityOfTwoVectors) {
  const auto score = [](const char* function) {
    const SparseEmbeddings one{4, function, "s", {{{1, 2}, {1, 2}}}},
        many{4, function, "s", {{{2, 3}, {3, 4}}, {}}};
    const auto scores = Similarity(one, many);
    EXPECT_TRUE(scores);
    return *scores;
  };
  EXPECT_EQ(score("dot"), (std::vector<float>{6, 0}));
  EXPECT_EQ(score("manhattan"), (std::vector<float>{-6, -3}));
  EXPECT_FLOAT_EQ(score("euclidean")[0], -4.2426405f);
  EXPECT_FLOAT_EQ(score("cosine")[0], 0.53665632f);
  EXPECT_EQ(score("cosine")[1], 0.0f);
  const auto other = Similarity(SparseEmbeddings{4, "dot", "s", {{{1}, {1}}}},
                                SparseEmbeddings{4, "dot", "t", {{{1}, {1}}}});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, Code::kEmbeddingSpaceMismatch);
}

}  // namespace
}  // namespace candor::tasks

// What of a dense row stays: by hand. The task on real packages: tests/goldens/sparse_golden_test.cc.
#include "tasks/sparse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

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

// BR-059: special ids have no weight, of a repeated word the largest counts, what is not above zero is
// absent.
TEST(Sparse, TokenWeightsFoldByWord) {
  const std::vector<std::int32_t> ids{0, 7, 7, 5, 2};  // CLS a a b SEP
  const Kept kept =
      FoldByWord(ids, std::vector<float>{9, 0.2f, 0.5f, -1, 9}, std::vector<std::int32_t>{0, 1, 2, 3});
  EXPECT_EQ(kept.indices, (std::vector<std::int32_t>{7}));
  EXPECT_EQ(kept.values, (std::vector<float>{0.5f}));
  // What is not a number hides behind no other.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<float>& weights : {std::vector<float>{nan, 1, 0}, {1, nan, 2}, {1, 2, nan}})
    EXPECT_TRUE(std::isnan(FoldByWord(std::vector<std::int32_t>{4, 4, 4}, weights, {}).values.at(0)));
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

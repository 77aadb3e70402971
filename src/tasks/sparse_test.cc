// What of a dense row stays: by hand. The task on real packages: tests/goldens/sparse_golden_test.cc.
#include "tasks/sparse.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace candor::tasks

#include "base/checked.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace candor {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

TEST(Checked, MulAtTheEdge) {
  EXPECT_EQ(CheckedMul<std::uint64_t>(kMax / 3, 3), kMax);
  EXPECT_FALSE(CheckedMul<std::uint64_t>(kMax / 2 + 1, 2));
  EXPECT_EQ(CheckedMul<std::uint64_t>(0, kMax), 0u);
  EXPECT_FALSE(CheckedMul<std::uint32_t>(1u << 16, 1u << 16));
}

TEST(Checked, RangeFits) {
  EXPECT_TRUE(RangeFits<std::uint64_t>(0, 0, 0));
  EXPECT_TRUE(RangeFits<std::uint64_t>(3, 2, 5));
  EXPECT_FALSE(RangeFits<std::uint64_t>(3, 3, 5));
  EXPECT_FALSE(RangeFits<std::uint64_t>(6, 0, 5));
  EXPECT_FALSE(RangeFits<std::uint64_t>(2, kMax, 5));
  EXPECT_FALSE(RangeFits<std::uint64_t>(kMax, 2, 5));
}

}  // namespace
}  // namespace candor

#include "model/input_rule.h"

#include <gtest/gtest.h>

#include <vector>

namespace candor {
namespace {

std::vector<std::int32_t> Positions(const InputRule& rule, const std::vector<std::int32_t>& tokens) {
  std::vector<std::int32_t> out(tokens.size());
  FillPositions(rule, tokens, out);
  return out;
}

TEST(FillPositions, CountFromZero) {
  EXPECT_EQ(Positions({}, {7, 1, 0}), (std::vector<std::int32_t>{0, 1, 2}));
}

// BR-011: "[0,5,6,2] padded with two 1s" with padding id 1 stands at 2, 3, 4, 5 and pads at 1.
TEST(FillPositions, CountBehindThePaddingId) {
  const InputRule roberta{.padding = 1};
  EXPECT_EQ(Positions(roberta, {0, 5, 6, 2, 1, 1}), (std::vector<std::int32_t>{2, 3, 4, 5, 1, 1}));
  // What create_position_ids_from_input_ids gives for a padding token inside a text.
  EXPECT_EQ(Positions(roberta, {0, 1, 6, 2}), (std::vector<std::int32_t>{2, 1, 3, 4}));
  EXPECT_EQ(Positions({.padding = 0}, {4, 0, 3}), (std::vector<std::int32_t>{1, 0, 2}));
  EXPECT_TRUE(Positions(roberta, {}).empty());
}

}  // namespace
}  // namespace candor

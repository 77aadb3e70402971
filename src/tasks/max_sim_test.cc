// MaxSim on vectors of two numbers, by hand.
#include "tasks/max_sim.h"

#include <gtest/gtest.h>

namespace candor::tasks {
namespace {

MultiVectors Of(std::vector<std::vector<float>> texts, std::string similarity = "maxsim") {
  MultiVectors out;
  out.dimensions = 2, out.similarity = std::move(similarity), out.space = "s";
  for (std::vector<float>& values : texts)
    out.texts.push_back({std::vector<std::int32_t>(values.size() / 2), std::move(values)});
  return out;
}

// (1, 0) meets (0.5, 2) and (-3, 1): 0.5; (0, -2) meets them: -2 as the larger of -4 and -2.
TEST(MaxSim, SumsTheBestOfEveryVectorOfTheQuery) {
  const MultiVectors query = Of({{1, 0, 0, -2}}), documents = Of({{0.5, 2, -3, 1}, {2, 0}});
  const auto scores = MaxSim(query, documents);
  ASSERT_TRUE(scores);
  EXPECT_EQ(*scores, (std::vector<float>{0.5f - 2, 2}));
}

TEST(MaxSim, TheMeanIsByTheQuerysVectors) {
  const MultiVectors query = Of({{1, 0, 0, -2}}, "meanmaxsim"),
                     documents = Of({{0.5, 2, -3, 1}, {}}, "meanmaxsim");
  EXPECT_EQ(*MaxSim(query, documents), (std::vector<float>{-0.75f, -5e8f}));
}

TEST(MaxSim, OfNothing) {
  EXPECT_EQ(*MaxSim(Of({{1, 0}}), Of({{}})), std::vector<float>{-1e9f});
  EXPECT_EQ(*MaxSim(Of({{}}), Of({{1, 2}})), std::vector<float>{0});
  EXPECT_TRUE(MaxSim(Of({{1, 0}}), Of({}))->empty());
}

TEST(MaxSim, SpacesAreNeverMixed) {  // TSK-12
  MultiVectors other = Of({{1, 0}});
  other.space = "t";
  const auto scores = MaxSim(Of({{1, 0}}), other);
  ASSERT_FALSE(scores);
  EXPECT_EQ(scores.error().code, Code::kEmbeddingSpaceMismatch);
}

}  // namespace
}  // namespace candor::tasks

#include "engine/packer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace candor::engine {
namespace {

std::vector<tasks::Work> Works(std::initializer_list<std::size_t> lengths) {
  std::vector<tasks::Work> out;
  for (const std::size_t n : lengths) {
    tasks::Work w;
    w.tokens.resize(n);
    w.sequences = {{.begin = 0, .end = static_cast<std::int32_t>(n)}};
    w.runs = w.sequences;
    out.push_back(std::move(w));
  }
  return out;
}

plan::Limits LimitsOf(std::size_t tokens, std::size_t sequences) {
  plan::Limits limits;
  limits.max_batch_tokens = limits.batch_tokens = tokens, limits.max_sequences = sequences;
  return limits;
}

TEST(Pack, EveryWorkOnceAndWithinLimits) {  // BAT-02, LIM-01
  const auto works = Works({5, 100, 1, 64, 64, 64, 2, 2, 2, 90, 33, 17});
  for (const std::size_t threads : {1u, 2u, 3u, 8u}) {
    std::vector<std::size_t> seen;
    for (const auto& batch : Pack(works, LimitsOf(100, 4), threads)) {
      std::size_t rows = 0;
      for (const std::size_t i : batch) rows += works[i].tokens.size();
      EXPECT_LE(rows, 100u);
      EXPECT_LE(batch.size(), 4u);
      EXPECT_FALSE(batch.empty());
      seen.insert(seen.end(), batch.begin(), batch.end());
    }
    std::ranges::sort(seen);
    std::vector<std::size_t> all(works.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    EXPECT_EQ(seen, all);
  }
}

// A pass may be long where one text is; the others are not put into one for that.
TEST(Pack, ALongTextIsAPassOfItsOwn) {
  plan::Limits limits = LimitsOf(1000, 500);
  limits.batch_tokens = 100;
  const auto works = Works({900, 60, 60, 60, 60});
  const auto batches = Pack(works, limits, 1);
  EXPECT_EQ(batches[0], std::vector<std::size_t>{0});
  for (const auto& batch : batches) EXPECT_LE(batch.size(), 2u);
}

// TSK: texts without a token still need a pass.
TEST(Pack, TextsWithoutATokenShareABatch) {
  EXPECT_EQ(Pack(Works({0, 0, 0}), LimitsOf(100, 4), 2).size(), 1u);
  EXPECT_EQ(Pack(Works({0, 0, 0, 0, 0}), LimitsOf(100, 4), 2).size(), 2u);
}

TEST(Pack, NothingGivesNoBatch) { EXPECT_TRUE(Pack({}, LimitsOf(100, 4), 2).empty()); }

// A batch runs with one adapter, however little there is of each.
TEST(Pack, AdaptersDoNotMix) {
  auto works = Works({2, 9, 2, 4, 7});
  for (const std::size_t i : {1u, 4u}) works[i].adapter = 3;
  works[2].adapter = 0;
  std::size_t seen = 0;
  for (const auto& batch : Pack(works, LimitsOf(1024, 512), 1)) {
    for (const std::size_t i : batch) EXPECT_EQ(works[i].adapter, works[batch.front()].adapter);
    seen += batch.size();
  }
  EXPECT_EQ(seen, works.size());
}

TEST(Pack, OneShortTextIsOneBatch) { EXPECT_EQ(Pack(Works({8}), LimitsOf(1024, 512), 2).size(), 1u); }

TEST(Pack, EnoughWorkIsSharedEvenly) {
  const auto works = Works({128, 128, 128, 128});
  const auto batches = Pack(works, LimitsOf(1024, 512), 2);
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_EQ(batches[0].size(), 2u);
  EXPECT_EQ(batches[1].size(), 2u);
}

}  // namespace
}  // namespace candor::engine

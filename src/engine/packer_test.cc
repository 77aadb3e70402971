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
      for (const std::size_t i : batch.works) rows += works[i].tokens.size();
      EXPECT_LE(rows, 100u);
      EXPECT_LE(batch.works.size(), 4u);
      EXPECT_FALSE(batch.works.empty());
      EXPECT_TRUE(batch.shares.empty());
      seen.insert(seen.end(), batch.works.begin(), batch.works.end());
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
  EXPECT_EQ(batches[0].works, std::vector<std::size_t>{0});
  for (const auto& batch : batches) EXPECT_LE(batch.works.size(), 2u);
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
    for (const std::size_t i : batch.works) EXPECT_EQ(works[i].adapter, works[batch.works.front()].adapter);
    seen += batch.works.size();
  }
  EXPECT_EQ(seen, works.size());
}

TEST(Pack, OneShortTextIsOneBatch) { EXPECT_EQ(Pack(Works({8}), LimitsOf(1024, 512), 2).size(), 1u); }

TEST(Pack, EnoughWorkIsSharedEvenly) {
  const auto works = Works({128, 128, 128, 128});
  const auto batches = Pack(works, LimitsOf(1024, 512), 2);
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_EQ(batches[0].works.size(), 2u);
  EXPECT_EQ(batches[1].works.size(), 2u);
}

// Texts of `common` equal tokens and so many of their own, which differ from the first one on.
std::vector<tasks::Work> Continued(std::size_t common, std::initializer_list<std::size_t> own) {
  std::vector<tasks::Work> out;
  for (const std::size_t n : own) {
    tasks::Work w = std::move(Works({common + n}).front());
    std::iota(w.tokens.begin(), w.tokens.end(), 0);
    for (std::size_t i = common; i < w.tokens.size(); ++i)
      w.tokens[i] = 1000 * static_cast<int>(out.size() + 1);
    w.positions.resize(w.tokens.size());
    std::iota(w.positions.begin(), w.positions.end(), 0);
    out.push_back(std::move(w));
  }
  return out;
}

plan::Limits Sharing(std::size_t tokens, std::size_t sequences) {
  plan::Limits limits = LimitsOf(tokens, sequences);
  limits.shares_prefixes = true;
  return limits;
}

TEST(Pack, WhatTextsBeginWithIsComputedOnce) {
  const auto works = Continued(40, {5, 1, 9});
  const auto one = Pack(works, Sharing(1000, 10), 1);
  ASSERT_EQ(one.size(), 1u);
  ASSERT_EQ(one[0].shares.size(), 1u);
  EXPECT_EQ(one[0].shares[0].first, 0u);
  EXPECT_EQ(one[0].shares[0].count, 3u);
  EXPECT_EQ(one[0].shares[0].length, 40u);
  EXPECT_EQ(one[0].shares[0].spared(), 80u);
  EXPECT_TRUE(Pack(works, LimitsOf(1000, 10), 1)[0].shares.empty());
}

// Each batch computes the beginning for itself: 40 + 5 + 1 rows, then 40 + 9 alone, which share nothing.
TEST(Pack, SharesFitTheLimits) {
  const auto works = Continued(40, {5, 1, 9});
  const auto batches = Pack(works, Sharing(50, 10), 1);
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_EQ(batches[0].works, (std::vector<std::size_t>{0, 1}));
  ASSERT_EQ(batches[0].shares.size(), 1u);
  EXPECT_EQ(batches[0].shares[0].count, 2u);
  EXPECT_TRUE(batches[1].shares.empty());
  // The beginning is a sequence too.
  for (const PackedBatch& batch : Pack(works, Sharing(1000, 3), 1)) EXPECT_LE(batch.works.size(), 2u);
}

TEST(Pack, WhatMayNotBeShared) {
  EXPECT_TRUE(Pack(Continued(15, {5, 1, 9}), Sharing(1000, 10), 1)[0].shares.empty());  // too little
  // Of two equal texts each keeps its last row.
  const auto twice = Pack(Continued(40, {0, 0}), Sharing(1000, 10), 1);
  ASSERT_EQ(twice[0].shares.size(), 1u);
  EXPECT_EQ(twice[0].shares[0].length, 39u);
  for (int what = 0; what < 5; ++what) {
    auto works = Continued(40, {5, 1});
    if (what == 0) works[0].sequences[0].unseen = 1;
    if (what == 1) works[1].scored = {3};
    if (what == 2) works[1].runs.push_back(works[1].runs[0]);
    if (what == 3) works[0].adapter = 2;
    if (what == 4) works[1].positions[4] = 7;
    for (const PackedBatch& batch : Pack(works, Sharing(1000, 10), 1))
      EXPECT_TRUE(batch.shares.empty()) << what;
  }
}

// Two share much more than the third has: those alone.
TEST(Pack, AShortCommonBeginningIsNotWorthALongOne) {
  auto works = Continued(100, {5, 5, 5});
  for (std::size_t i = 20; i < 105; ++i) works[2].tokens[i] = 5000;
  const auto batches = Pack(works, Sharing(1000, 10), 1);
  ASSERT_EQ(batches[0].shares.size(), 1u);
  EXPECT_EQ(batches[0].shares[0].count, 2u);
  EXPECT_EQ(batches[0].shares[0].length, 100u);
}

}  // namespace
}  // namespace candor::engine

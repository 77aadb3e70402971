// Every text of goldens/tokenizer, goldens/formats, goldens/keys and goldens/field: ids, type ids, offsets,
// special marks and totals, exactly. Covers every component and flag, random chains of them, added tokens,
// pairs, truncation, the keys of tokenizer_config.json, and every class whose older files are read.
#include <gtest/gtest.h>

#include "text/test_goldens.h"

namespace candor::text {
namespace {

// TSK-08.
TEST(TokenizerGolden, EqualsTheReference) {
  std::size_t texts = 0;
  const std::size_t written = CompareTokenizerGoldens([&](const ComparedGolden& golden) {
    EXPECT_EQ(golden.difference, "") << golden.name;
    texts += golden.texts;
  });
  EXPECT_EQ(texts, written);
  EXPECT_GE(texts, 20000u);
}

TEST(Formats, GoldensOfEveryClass) {
  std::size_t packages = 0;
  CompareFormatGoldens([&](const ComparedGolden& golden) {
    EXPECT_EQ(golden.difference, "") << golden.name;
    EXPECT_GT(golden.texts, 0u) << golden.name;
    ++packages;
  });
  EXPECT_GE(packages, 22u);
}

// One package for each key beside tokenizer.json: its answers are those of tokenizer.json with what the key
// means written into it. What is refused is written_keys_test.cc's.
TEST(WrittenKeys, AnswersOfEveryKey) {
  std::size_t packages = 0;
  CompareKeyGoldens([&](const ComparedGolden& golden) {
    EXPECT_EQ(golden.difference, "") << golden.name;
    EXPECT_EQ(golden.texts, 11u) << golden.name;
    ++packages;
  });
  EXPECT_GE(packages, 29u);
}

// BR-066, BR-067, BR-069 with all 16 of its combinations, BR-071, BR-072, BR-074, BR-076, BR-077, BR-078,
// BR-080, BR-081, BR-083, BR-085, BR-086, BR-090: a tokenizer for each, and the text that shows the fault.
TEST(FieldLog, AnswersOfEveryClass) {
  std::size_t packages = 0;
  CompareFieldGoldens([&](const ComparedGolden& golden) {
    EXPECT_EQ(golden.difference, "") << golden.name;
    EXPECT_GT(golden.texts, 0u) << golden.name;
    ++packages;
  });
  EXPECT_GE(packages, 60u);
}

// BR-084: texts of a million characters without a break. Each takes under 0.5 s here; a square is minutes.
TEST(FieldLog, LongTexts) {
  std::size_t texts = 0;
  CompareLongGoldens([&](const ComparedGolden& golden) {
    EXPECT_EQ(golden.difference, "") << golden.name;
    EXPECT_LT(golden.seconds, 20) << golden.name;
    ++texts;
  });
  EXPECT_GE(texts, 36u);
}

}  // namespace
}  // namespace candor::text

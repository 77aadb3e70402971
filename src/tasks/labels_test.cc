// TSK-14: labels by id, and what makes scores of logits. Expected activations are those of
// transformers 5.24's pipelines/text_classification.py; expected scores are written by hand.
#include "tasks/labels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

namespace candor::tasks {
namespace {

struct Read {
  std::shared_ptr<package::ReadLog> log = std::make_shared<package::ReadLog>();
  Problems problems;
  Labels labels;
  std::size_t count = 0;
  explicit Read(const std::string& members) {
    const auto document =
        std::make_shared<const io::Json>(io::ParseJson("{" + members + "}", "config.json").value());
    const package::Config config(document, document.get(), "config.json", "", log);
    labels = ReadLabels(config, problems);
    Problems others;
    count = LabelCount(config, others);
  }
};

const std::string kThree = R"("id2label":{"2":"c","0":"a","1":"b"})", kOne = R"("id2label":{"0":"x"})";

TEST(Labels, AreInTheOrderOfTheirIds) {
  const Read r(kThree + R"(,"label2id":{"a":0})");
  EXPECT_TRUE(r.problems.empty());
  EXPECT_EQ(r.labels.names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(r.count, 3u);
}

TEST(Labels, ActivationIsThePipelines) {
  const std::pair<std::string, ScoreActivation> kCases[] = {
      {kThree, ScoreActivation::kSoftmax},
      {kOne, ScoreActivation::kSigmoid},
      {kThree + R"(,"problem_type":"single_label_classification")", ScoreActivation::kSoftmax},
      {kThree + R"(,"problem_type":"multi_label_classification")", ScoreActivation::kSigmoid},
      {kOne + R"(,"problem_type":"regression")", ScoreActivation::kNone},
      {kThree + R"(,"problem_type":null)", ScoreActivation::kSoftmax},
  };
  for (const auto& [members, activation] : kCases) {
    const Read r(members);
    EXPECT_TRUE(r.problems.empty()) << members;
    EXPECT_EQ(r.labels.activation, activation) << members;
  }
}

TEST(Labels, Refusals) {
  struct Case {
    std::string members;
    Code code;
    const char *pointer, *found;
  };
  const Case kCases[] = {
      {"", Code::kLabelsMissing, "/id2label", "absent"},
      {R"("id2label":null)", Code::kLabelsMissing, "/id2label", "null"},
      {R"("id2label":{})", Code::kLabelsMissing, "/id2label", "{}"},
      {R"("id2label":{"0":"a","2":"b"})", Code::kInvalidPackageSchema, "/id2label/2", "\"2\""},
      {R"("id2label":{"0":"a","00":"b"})", Code::kInvalidPackageSchema, "/id2label/00", "\"00\""},
      {R"("id2label":{"-1":"a"})", Code::kInvalidPackageSchema, "/id2label/-1", "\"-1\""},
      {R"("id2label":{"0":7})", Code::kInvalidPackageSchema, "/id2label/0", "7"},
      {kThree + R"(,"num_labels":2)", Code::kEvidenceConflict, "/num_labels", "2"},
      {kThree + R"(,"problem_type":"ranking")", Code::kUnsupportedConfigVariant, "/problem_type", "ranking"},
      {kOne + R"(,"problem_type":"single_label_classification")", Code::kUnsupportedConfigVariant,
       "/problem_type", "single_label_classification"},
  };
  for (const Case& c : kCases) {
    const Read r(c.members);
    ASSERT_EQ(r.problems.size(), 1u) << c.members;
    EXPECT_EQ(r.problems[0].code, c.code) << c.members;
    EXPECT_EQ(r.problems[0].where, Where::At("config.json", c.pointer)) << c.members;
    EXPECT_EQ(r.problems[0].found, c.found) << c.members;
    EXPECT_TRUE(r.labels.names.empty()) << c.members;
  }
}

TEST(Labels, WithoutNamesALibraryCountsTwo) {
  EXPECT_EQ(Read("").count, 2u);
  EXPECT_EQ(Read(R"("num_labels":5)").count, 5u);
}

// 1 / (1 + e^-x); e^x over their sum, large logits included.
TEST(Labels, ScoresByHand) {
  const float logits[] = {0.0f, std::log(3.0f), 1000.0f};
  float scores[3] = {};
  Activate(ScoreActivation::kSigmoid, logits, 3, scores);
  EXPECT_EQ(scores[0], 0.5f);
  EXPECT_NEAR(scores[1], 0.75, 1e-7);
  EXPECT_EQ(scores[2], 1.0f);
  Activate(ScoreActivation::kSoftmax, logits, 2, scores);
  EXPECT_NEAR(scores[0], 0.25, 1e-7);
  EXPECT_NEAR(scores[1], 0.75, 1e-7);
  Activate(ScoreActivation::kSoftmax, logits, 3, scores);
  EXPECT_EQ(scores[2], 1.0f);
  Activate(ScoreActivation::kNone, logits, 3, scores);
  EXPECT_EQ(scores[2], 1000.0f);
}

}  // namespace
}  // namespace candor::tasks

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/check.h"
#include "candor/result.h"

namespace candor {
namespace {

// SPEC section 11: exit codes by class: input 2, resource 4, lifecycle 5, execution and internal 70, the
// rest 3.
TEST(ErrorTable, ExitCodeFollowsTheClass) {
  for (const CodeInfo& row : AllCodes()) {
    int want = 3;
    if (row.class_name == "input") want = 2;
    if (row.class_name == "resource") want = 4;
    if (row.class_name == "lifecycle") want = 5;
    if (row.class_name == "execution" || row.class_name == "internal") want = 70;
    EXPECT_EQ(row.exit_code, want) << row.name;
  }
}

TEST(ErrorTable, NamesAreUniqueSnakeCaseAndSummariesPresent) {
  std::set<std::string_view> names;
  for (const CodeInfo& row : AllCodes()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos) << row.name;
    EXPECT_FALSE(row.summary.empty()) << row.name;
  }
  EXPECT_EQ(AllCodes().size(), 59u);
}

// The HTTP column of SPEC section 11, a code from each row.
TEST(ErrorTable, HttpStatus) {
  EXPECT_EQ(Info(Code::kArtifactMissing).http_status, 404);
  EXPECT_EQ(Info(Code::kArtifactStale).http_status, 409);
  EXPECT_EQ(Info(Code::kComponentMissing).http_status, 422);
  EXPECT_EQ(Info(Code::kArtifactTooLarge).http_status, 413);
  EXPECT_EQ(Info(Code::kPathEscape).http_status, 422);
  EXPECT_EQ(Info(Code::kUnknownFamily).http_status, 422);
  EXPECT_EQ(Info(Code::kCustomCodeDenied).http_status, 403);
  EXPECT_EQ(Info(Code::kInsufficientMemory).http_status, 503);
  EXPECT_EQ(Info(Code::kOverloaded).http_status, 429);
  EXPECT_EQ(Info(Code::kNotReady).http_status, 503);
  EXPECT_EQ(Info(Code::kInvalidInput).http_status, 400);
  EXPECT_EQ(Info(Code::kInputTooLarge).http_status, 413);
  EXPECT_EQ(Info(Code::kUnsupportedOption).http_status, 422);
  EXPECT_EQ(Info(Code::kRuntimeFailure).http_status, 500);
  EXPECT_EQ(Info(Code::kExecutionAborted).http_status, 499);
  EXPECT_EQ(Info(Code::kDeadlineExceeded).http_status, 504);
  EXPECT_EQ(Info(Code::kInternalInvariant).http_status, 500);
}

// ERR-01: retry-unchanged differs from after-change.
TEST(ErrorTable, RetryKinds) {
  EXPECT_EQ(Name(Info(Code::kOverloaded).retry), "unchanged");
  EXPECT_EQ(Name(Info(Code::kShapeMismatch).retry), "after_change");
  EXPECT_EQ(Name(Info(Code::kCustomCodeDenied).retry), "never");
}

TEST(ErrorTable, PlacesAndSentences) {
  EXPECT_EQ(ToString(Where::At("config.json", "/hidden_act")), "config.json:/hidden_act");
  EXPECT_EQ(ToString(Where::Tensor("m.safetensors", "a.weight")), "m.safetensors: tensor a.weight");
  EXPECT_EQ(ToString(Where::Line(3, "text")), "line 3: text");
  EXPECT_EQ(ToString(Where{}), "");
  EXPECT_EQ(Message({Code::kUnsupportedConfigVariant, Where::At("config.json", "/hidden_act"), "\"selu\"",
                     "gelu, relu"}),
            "config.json:/hidden_act: the configuration asks for something that is not implemented: "
            "found \"selu\", allowed gelu, relu");
  EXPECT_EQ(Message({Code::kOverloaded}), "too many requests");
}

TEST(ErrorTable, ExitCodeOfProblems) {
  EXPECT_EQ(ExitCode({}), 0);
  EXPECT_EQ(ExitCode({{Code::kOverloaded}, {Code::kInvalidInput}}), 4);
}

TEST(ErrorTable, PhasesHaveNames) {
  EXPECT_EQ(Name(Phase::kResolve), "resolve");
  EXPECT_EQ(Name(Phase::kRun), "run");
}

TEST(Check, ThrowsWithItsPlaceAndOnlyWhenFalse) {
  EXPECT_NO_THROW(CANDOR_CHECK(1 + 1 == 2, "arithmetic"));
  try {
    CANDOR_CHECK(1 + 1 == 3, "arithmetic");
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_STREQ(error.condition(), "1 + 1 == 3");
    EXPECT_STREQ(error.what(), "arithmetic");
    EXPECT_GT(error.line(), 0);
  }
}

}  // namespace
}  // namespace candor

#include "plan/all_problems.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace candor::plan {
namespace {

// A package whose weights are an index that names an absent shard: two tensors, one place told.
std::shared_ptr<const package::Package> WithoutShard() {
  std::string path = testing::TempDir() + "all_problemsXXXXXX";
  EXPECT_NE(::mkdtemp(path.data()), nullptr);
  std::ofstream(path + "/config.json") << "{}";
  std::ofstream(path + "/model.safetensors.index.json")
      << R"({"weight_map":{"a":"model-00001-of-00001.safetensors","b":"model-00001-of-00001.safetensors"}})";
  auto package = package::Package::Open(path);
  EXPECT_TRUE(package);
  return std::move(package).value();
}

Error At(Code code, Where where, std::string found, Phase phase = Phase::kTensors) {
  return {code, std::move(where), std::move(found), "", phase};
}

// ERR-03, ART-06: what follows from a damaged file is not a second fault; a fault of its own stays.
TEST(AllProblems, OnlyFaultsOfTheirOwn) {
  const auto package = WithoutShard();
  ASSERT_EQ(package->problems().size(), 1u);
  const std::string index = "model.safetensors.index.json";
  const Problems all = AllProblems(
      *package, {At(Code::kComponentMissing, Where::At("model.safetensors"), "no tensors"),
                 At(Code::kMissingRequiredTensor, Where::Tensor(index, "a"), "absent"),
                 At(Code::kMissingRequiredTensor, Where::Tensor(index, "c"), "absent"),
                 At(Code::kComponentMissing, Where::At("2_Dense/model.safetensors"), "no tensors")});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].code, Code::kShardIndexMismatch);
  EXPECT_EQ(all[1].where.tensor, "c");
  EXPECT_EQ(all[2].where.file, "2_Dense/model.safetensors");
}

TEST(AllProblems, ByStageAndOnceEach) {
  const auto package = WithoutShard();
  const Where place = Where::At("config.json", "/x");
  const Problems all =
      AllProblems(*package, {At(Code::kInvalidPackageSchema, place, "7", Phase::kProcessing),
                             At(Code::kUnsupportedProcessorRecipe, place, "none", Phase::kProcessing),
                             At(Code::kUnknownFamily, Where::At("config.json", "/y"), "z", Phase::kFamily),
                             At(Code::kUnknownFamily, Where::At("config.json", "/y"), "z", Phase::kFamily)});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[1].code, Code::kUnknownFamily);
  EXPECT_EQ(all[2].found, "7");  // of a value of the wrong kind nothing more is said
}

}  // namespace
}  // namespace candor::plan

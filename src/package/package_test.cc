#include "package/package.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "package/roles.h"
#include "package/test_folder.h"

namespace candor::package {
namespace {

std::shared_ptr<const Package> Opened(const std::string& path) {
  auto package = Package::Open(path);
  EXPECT_TRUE(package) << path;
  if (!package) return nullptr;
  for (const Error& problem : (*package)->problems()) ADD_FAILURE() << Message(problem);
  return *package;
}

std::vector<float> Values(const TensorInfo& tensor) {
  std::vector<float> out(tensor.Count());
  EXPECT_TRUE(ReadF32(tensor, 0, out.size(), out.data()));
  return out;
}

TEST(Package, ReadsAValidFolder) {
  const TestFolder folder("valid");
  folder.WriteValid();
  const auto package = Opened(folder.path());
  ASSERT_EQ(package->tensors().size(), 2u);
  EXPECT_EQ(package->tensors()[0].name, "a");
  EXPECT_EQ(package->tensors()[0].shape, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(Values(package->tensors()[0]), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(Values(package->tensors()[1]), (std::vector<float>{5, 6, 7}));
  EXPECT_EQ(package->tensor_folders(), (std::vector<std::string>{""}));
  EXPECT_TRUE(package->tensors("none").empty());
  EXPECT_TRUE(package->Has("1_Pooling/config.json"));
  EXPECT_FALSE(package->Has("none"));
  ASSERT_NE(package->Document("1_Pooling/config.json"), nullptr);
  EXPECT_EQ(package->Document("none"), nullptr);
  EXPECT_TRUE(package->Read("config.json", std::make_shared<ReadLog>()));
  EXPECT_FALSE(package->Read("none", std::make_shared<ReadLog>()));
  EXPECT_TRUE(package->CheckUnchanged());
}

// The tensors of a head's own file stand under its name, and its bytes decide answers.
TEST(Package, HeadsOfTheirOwn) {
  const TestFolder folder("heads");
  folder.WriteValid();
  const std::string before = *Opened(folder.path())->Digest();
  const char* file = "sparse_linear.safetensors";
  folder.Write(file,
               WithHeader(R"({"bias":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", F32Bytes({2})));
  folder.Write("other_linear.safetensors", "none");  // of nobody
  const auto package = Opened(folder.path());
  EXPECT_EQ(package->tensors().size(), 2u);
  ASSERT_EQ(package->tensors(file).size(), 1u);
  EXPECT_EQ(package->tensors(file)[0].name, "bias");
  EXPECT_EQ(package->tensors(file)[0].file, file);
  EXPECT_EQ(Values(package->tensors(file)[0]), (std::vector<float>{2}));
  EXPECT_NE(*package->Digest(), before);
  for (const FileFact& fact : package->files()) {
    const bool linear = fact.path.ends_with("_linear.safetensors");
    if (linear) {
      EXPECT_EQ(fact.in_closure, fact.path == file);
    }
  }
  EXPECT_EQ(WeightsFile(file), file);
  EXPECT_EQ(WeightsFile("2_Dense/"), "2_Dense/model.safetensors");
}

// ART-09, BR-099: scalars, empty tensors, NaN and trailing blanks of the header are legal.
TEST(Package, LegalOddities) {
  const TestFolder folder("odd");
  folder.WriteValid();
  const std::string header =
      R"({"__metadata__":{"format":"pt"},"s":{"dtype":"F32","shape":[],"data_offsets":[0,4]},)"
      R"("e":{"dtype":"BF16","shape":[0,3],"data_offsets":[4,4]},)"
      R"("i":{"dtype":"I64","shape":[1],"data_offsets":[4,12]}}   )";
  folder.Write("model.safetensors", WithHeader(header, F32Bytes({std::numeric_limits<float>::quiet_NaN()}) +
                                                           std::string(8, '\1')));
  const auto package = Opened(folder.path());
  ASSERT_EQ(package->tensors().size(), 3u);
  EXPECT_TRUE(std::isnan(Values(package->tensors()[0])[0]));
  EXPECT_EQ(package->tensors()[1].Count(), 0u);
  EXPECT_EQ(package->tensors()[2].type, StoredType::kI64);
  EXPECT_EQ(package->metadata().at("model.safetensors: format"), "pt");
}

// The 65 bytes of a header in Python's spacing (BR-099).
TEST(Package, HeaderAsPythonWritesIt) {
  const TestFolder folder("python");
  folder.WriteValid();
  const std::string header = R"({"w": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}})";
  ASSERT_EQ(header.size(), 65u);
  folder.Write("model.safetensors", WithHeader(header, F32Bytes({1, 2, 3, 4})));
  EXPECT_EQ(folder.Read("model.safetensors").substr(0, 8), std::string("\x41\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(Values(Opened(folder.path())->tensors()[0]), (std::vector<float>{1, 2, 3, 4}));
}

// ART-15 and BR-097: shards, both forms with the same bytes, and an index that lists the single file.
TEST(Package, ShardedAndSingleFormsAgree) {
  const TestFolder folder("shards");
  folder.WriteSharded();
  const auto check = [](const Package& package) {
    ASSERT_EQ(package.tensors().size(), 2u);
    EXPECT_EQ(Values(package.tensors()[0]), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(Values(package.tensors()[1]), (std::vector<float>{5, 6, 7}));
  };
  check(*Opened(folder.path()));
  folder.Write("model.safetensors", SafetensorsOf({{"a", "F32", "[2,2]", F32Bytes({1, 2, 3, 4})},
                                                   {"b", "F32", "[3]", F32Bytes({5, 6, 7})}}));
  check(*Opened(folder.path()));
  folder.Remove("model-00001-of-00002.safetensors");
  folder.Remove("model-00002-of-00002.safetensors");
  folder.Write("model.safetensors.index.json",
               R"({"weight_map":{"a":"model.safetensors","b":"model.safetensors"}})");
  check(*Opened(folder.path()));
}

TEST(Package, ModuleFoldersHaveTheirOwnTensors) {
  const TestFolder folder("dense");
  folder.WriteValid();
  folder.Write("modules.json", R"([{"path":"","type":"T"},{"path":"2_Dense/","type":"D"}])");
  folder.Write("2_Dense/config.json", R"({"in_features":2})");
  folder.Write("2_Dense/model.safetensors", SafetensorsOf({{"linear.weight", "F32", "[1]", F32Bytes({9})}}));
  const auto package = Opened(folder.path());
  EXPECT_EQ(package->tensor_folders(), (std::vector<std::string>{"", "2_Dense/"}));
  ASSERT_EQ(package->tensors("2_Dense/").size(), 1u);
  EXPECT_EQ(package->tensors("2_Dense/")[0].file, "2_Dense/model.safetensors");
}

// ART-04: code and pickles are recorded, never part of what decides answers.
TEST(Package, RecordsWhatItNeverOpens) {
  const TestFolder folder("code");
  folder.WriteValid();
  folder.Write("modeling_x.py", "raise SystemExit");
  folder.Write("pytorch_model.bin", "pickle");
  folder.Write("onnx/model.onnx", "onnx");
  folder.Write("onnx/config.json", "not JSON");
  const auto package = Opened(folder.path());
  for (const FileFact& file : package->files()) {
    if (file.path == "modeling_x.py") {
      EXPECT_EQ(file.role, "code");
      EXPECT_EQ(file.note, "the package's own code: never run");
      EXPECT_FALSE(file.in_closure);
    }
    if (file.path == "pytorch_model.bin") {
      EXPECT_EQ(file.role, "pickle");
      EXPECT_EQ(file.note, "pickled weights: never opened");
      EXPECT_EQ(file.bytes, 6u);
      EXPECT_FALSE(file.in_closure);
    }
    if (file.path == "onnx/config.json") {
      EXPECT_EQ(file.role, "other");
    }
  }
}

TEST(Roles, Names) {
  EXPECT_EQ(RoleOf("model.safetensors.index.json", false).name, "index");
  EXPECT_EQ(RoleOf("sentence_xlm-roberta_config.json", false).name, "module");
  EXPECT_EQ(RoleOf("README.md", false).name, "other");
  EXPECT_EQ(RoleOf("LICENSE", false).name, "license");
  EXPECT_EQ(RoleOf("licenses/NOTICE.txt", false).name, "license");
  EXPECT_FALSE(RoleOf("COPYING", false).in_closure);
  EXPECT_EQ(RoleOf("LICENSE.py", false).name, "code");
  EXPECT_EQ(RoleOf("1_Pooling/config.json", true).name, "config");
  EXPECT_EQ(RoleOf("openvino/config.json", false).name, "other");
  EXPECT_EQ(RoleOf("chat_template.jinja", false).name, "template");
  EXPECT_TRUE(RoleOf("additional_chat_templates/rag.jinja", false).in_closure);
  EXPECT_FALSE(RoleOf("additional_chat_templates/readme.txt", false).in_closure);
  EXPECT_FALSE(RoleOf("other/rag.jinja", false).in_closure);
  EXPECT_EQ(RoleOf("openvino_model.bin", false).name, "foreign");
  EXPECT_EQ(RoleOf("training_args.bin", false).name, "pickle");
  EXPECT_TRUE(IsShardName("model-00001-of-00002.safetensors"));
  EXPECT_FALSE(IsShardName("model-0001-of-00002.safetensors"));
  EXPECT_FALSE(IsShardName("model-x0001-of-00002.safetensors"));
  EXPECT_FALSE(IsShardName("model.safetensors"));
}

}  // namespace
}  // namespace candor::package

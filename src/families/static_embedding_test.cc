// Static tables: what makes a package one, sizes from stored tensors, and what config.json of model2vec may
// say.
#include "families/static_embedding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "families/test_support.h"
#include "package/test_folder.h"

namespace candor::families {
namespace {

using package::F32Bytes;
using package::SafetensorsOf;
using package::TestTensor;

constexpr const char* kModule =
    R"([{"idx":0,"name":"0","path":"T","type":"sentence_transformers.models.StaticEmbedding"}])";

TestTensor Floats(const char* name, const char* shape, std::size_t count) {
  return {name, "F32", shape, F32Bytes(std::vector<float>(count, 1.0f))};
}
TestTensor Ids(std::size_t count) {
  return {"mapping", "I32", "[" + std::to_string(count) + "]", std::string(4 * count, '\0')};
}

// A folder that is read again after every change.
class StaticTableTest : public testing::Test {
 protected:
  void Open() {
    auto package = package::Package::Open(folder_.path());
    ASSERT_TRUE(package);
    package_ = std::move(package).value();
    problems_.clear();
    log_ = std::make_shared<package::ReadLog>();
    found_ = FindModel(*package_, log_, problems_);
  }
  void Table(const std::string& file, const std::vector<TestTensor>& tensors) {
    folder_.Write(file, SafetensorsOf(tensors));
  }
  const StaticSpec& spec() const { return dynamic_cast<const StaticModel&>(*found_.model).spec(); }
  std::string Choice(std::string_view fact) const {
    for (const package::Evidence& e : log_->evidence())
      if (e.choice && e.fact == fact) return e.value;
    return "";
  }
  void ExpectOne(Code code, const Where& where, std::string_view found, std::string_view allowed) {
    EXPECT_EQ(found_.model, nullptr);
    ASSERT_EQ(problems_.size(), 1u);
    EXPECT_EQ(problems_[0].code, code);
    EXPECT_EQ(problems_[0].where, where) << ToString(problems_[0].where);
    EXPECT_EQ(problems_[0].found, found);
    EXPECT_EQ(problems_[0].allowed, allowed);
  }

  package::TestFolder folder_{"static_table"};
  std::shared_ptr<const package::Package> package_;
  std::shared_ptr<package::ReadLog> log_;
  Problems problems_;
  Found found_;
};

TEST_F(StaticTableTest, AModulesTableIsInItsFolder) {
  folder_.Write("modules.json", kModule);
  Table("T/model.safetensors", {Floats("embedding.weight", "[5, 3]", 15)});
  Open();
  EXPECT_TRUE(package_->problems().empty());  // neither config.json nor weights in the root are missed
  ASSERT_EQ(found_.family, &kStaticFamily);
  ASSERT_NE(found_.model, nullptr);
  EXPECT_EQ(found_.model->width(), 3u);
  EXPECT_EQ(found_.model->input().vocabulary, 5u);
  EXPECT_EQ(found_.model->input().max_length, kLongestSequence);
  EXPECT_EQ(Choice("table") + Choice("mapping") + Choice("weights"), "embedding.weightnonenone");
  std::vector<TensorDecl> wanted;
  found_.model->DeclareTensors(Scope(wanted));
  ASSERT_EQ(wanted.size(), 1u);
  EXPECT_EQ(wanted[0].folder, "T/");
  EXPECT_TRUE(MatchPackage(wanted, *package_, found_.family->names).problems.empty());
}

// embedding.weight goes before model2vec's names, and what stands beside it then is not explained.
TEST_F(StaticTableTest, ItsOwnNameGoesFirst) {
  folder_.Write("modules.json", kModule);
  Table("T/model.safetensors",
        {Floats("embedding.weight", "[5, 3]", 15), Floats("embeddings", "[2, 3]", 6), Ids(4)});
  Open();
  ASSERT_NE(found_.model, nullptr);
  EXPECT_EQ(spec().table, "embedding.weight");
  EXPECT_EQ(spec().ids, 5u);
  std::vector<TensorDecl> wanted;
  found_.model->DeclareTensors(Scope(wanted));
  EXPECT_EQ(MatchPackage(wanted, *package_, found_.family->names).unexpected.size(), 2u);
}

TEST_F(StaticTableTest, AMappingSaysHowManyIdsThereAre) {
  folder_.Write("config.json", R"({"model_type":"model2vec"})");
  Table("model.safetensors", {Floats("embeddings", "[2, 3]", 6), Ids(7), Floats("weights", "[7]", 7)});
  Open();
  ASSERT_NE(found_.model, nullptr);
  EXPECT_EQ(spec().ids, 7u);
  EXPECT_EQ(spec().stored, 2u);
  EXPECT_TRUE(spec().mapped && spec().scaled && spec().whole_numbers);
}

// torch keeps no whole numbers as parameters; model2vec does, and weights make them fractions.
TEST_F(StaticTableTest, WhoTakesWholeNumbers) {
  folder_.Write("modules.json", kModule);
  Table("T/model.safetensors", {Floats("embeddings", "[2, 3]", 6)});
  Open();
  EXPECT_FALSE(spec().whole_numbers);
  Table("T/model.safetensors", {Floats("embeddings", "[2, 3]", 6), Floats("weights", "[2]", 2)});
  Open();
  EXPECT_TRUE(spec().whole_numbers);
}

// A file of model2vec that does not say so: its tensors do. Any other config.json must.
TEST_F(StaticTableTest, WithoutModelType) {
  folder_.Write("config.json", R"({"normalize":true,"vocabulary_quantization":2})");
  Table("model.safetensors", {Floats("embeddings", "[2, 3]", 6)});
  Open();
  EXPECT_EQ(found_.family, &kStaticFamily);
  EXPECT_TRUE(problems_.empty());
  Table("model.safetensors", {Floats("embeddings", "[2, 3]", 6), Floats("bias", "[3]", 3)});
  Open();
  EXPECT_EQ(found_.family, nullptr);
  ASSERT_EQ(problems_.size(), 1u);
  EXPECT_EQ(problems_[0].code, Code::kUnknownFamily);
  Table("model.safetensors", {Floats("embeddings", "[2, 3]", 6)});
  folder_.Write("config.json", R"({"architectures":["BertModel"]})");
  Open();
  EXPECT_EQ(found_.family, nullptr);
}

TEST_F(StaticTableTest, AnotherFirstModuleIsAConflict) {
  folder_.Write("config.json", R"({"model_type":"model2vec"})");
  folder_.Write("modules.json",
                R"([{"name":"0","path":"","type":"sentence_transformers.models.Transformer"}])");
  Table("model.safetensors", {Floats("embeddings", "[2, 3]", 6)});
  Open();
  ExpectOne(Code::kEvidenceConflict, Where::At("modules.json", "/0/type"),
            "sentence_transformers.models.Transformer", "StaticEmbedding, which runs model_type model2vec");
}

TEST_F(StaticTableTest, WhatTheTensorsDoNotSay) {
  folder_.Write("modules.json", kModule);
  const std::string file = "T/model.safetensors";
  Open();
  ExpectOne(Code::kComponentMissing, Where::At(file), "no tensors", "safetensors weights of this module");
  Table(file, {Floats("table", "[2, 3]", 6)});
  Open();
  ExpectOne(Code::kMissingRequiredTensor, Where::Tensor(file, "embedding.weight"), "absent",
            "table [rows, width]");
  for (const auto& [shape, count] :
       {std::pair{"[6]", 6u}, {"[0, 3]", 0u}, {"[3, 0]", 0u}, {"[1, 2, 3]", 6u}}) {
    Table(file, {Floats("embedding.weight", shape, count)});
    Open();
    ExpectOne(Code::kShapeMismatch, Where::Tensor(file, "embedding.weight"), shape,
              "[rows, width], neither 0");
  }
  Table(file, {Floats("embeddings", "[2, 3]", 6), {"mapping", "I32", "[2, 1]", std::string(8, '\0')}});
  Open();
  ExpectOne(Code::kShapeMismatch, Where::Tensor(file, "mapping"), "[2, 1]", "[ids], not 0");
}

// The keys that a distilled model's config.json has: none of them is unknown but those the recipe reads.
TEST(StaticConfig, Keys) {
  const ReadResult r = Read(
      R"({"model_type":"model2vec","architectures":["StaticModel"],"tokenizer_name":"x","apply_pca":256,"apply_zipf":true,
          "sif_coefficient":1e-4,"hidden_dim":256,"seq_length":1000000,"pooling":"mean","embedding_dtype":"float32",
          "vocabulary_quantization":null,"normalize":true,"max_length":512})");
  EXPECT_NE(r.model, nullptr);
  EXPECT_TRUE(r.problems.empty());
  EXPECT_EQ(r.unread, (std::vector<std::string>{"/normalize", "/max_length"}));
}

TEST(StaticConfig, AnotherArchitecture) {
  const ReadResult r = Read(R"({"model_type":"model2vec","architectures":["BertModel"]})");
  EXPECT_EQ(r.model, nullptr);
  ASSERT_EQ(r.problems.size(), 1u);
  EXPECT_EQ(r.problems[0].code, Code::kEvidenceConflict);
  EXPECT_EQ(r.problems[0].allowed, "for model_type model2vec: StaticModel");
}

}  // namespace
}  // namespace candor::families

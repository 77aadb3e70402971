#include "families/registry.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "families/bert.h"

namespace candor::families {
namespace {

struct Parsed {
  std::shared_ptr<package::ReadLog> log = std::make_shared<package::ReadLog>();
  std::shared_ptr<const io::Json> document;
  package::Config config() const { return {document, document.get(), "config.json", "", log}; }
};

Parsed Parse(const std::string& text) {
  Parsed p;
  auto json = io::ParseJson(text, "config.json");
  EXPECT_TRUE(json);
  p.document = std::make_shared<const io::Json>(std::move(json).value());
  return p;
}

// The one problem of recognising `text`.
Error Refusal(const std::string& text) {
  const Parsed p = Parse(text);
  Problems problems;
  EXPECT_EQ(Recognise(p.config(), problems), nullptr);
  EXPECT_EQ(problems.size(), 1u);
  return problems.empty() ? Error{} : problems[0];
}

void Expect(const Error& e, Code code, std::string_view pointer, std::string_view found) {
  EXPECT_EQ(e.code, code);
  EXPECT_EQ(e.where.file, "config.json");
  EXPECT_EQ(e.where.pointer, pointer);
  EXPECT_EQ(e.found, found);
}

TEST(Recognise, ByModelTypeAndArchitecture) {
  for (const char* text :
       {R"({"model_type":"bert"})", R"({"model_type":"bert","architectures":["BertModel"]})",
        R"({"model_type":"bert","architectures":["BertForMaskedLM"],"auto_map":null})"}) {
    const Parsed p = Parse(text);
    Problems problems;
    EXPECT_EQ(Recognise(p.config(), problems), &kBertFamily);
    EXPECT_TRUE(problems.empty());
  }
}

// Text encoders that are not implemented are refused by name, with the nearest that is.
TEST(Recognise, UnimplementedEncodersNameTheNearest) {
  const std::pair<const char*, const char*> kCases[] = {
      {"albert", "bert"}, {"electra", "bert"}, {"t5", "bert"}, {"xlm-roberta-xl", "xlm-roberta"}};
  for (const auto& [type, nearest] : kCases) {
    const Error e = Refusal(R"({"model_type":")" + std::string(type) + R"("})");
    Expect(e, Code::kUnknownFamily, "/model_type", type);
    EXPECT_TRUE(e.allowed.ends_with("; the nearest is " + std::string(nearest))) << e.allowed;
  }
}

// EVI-08
TEST(Recognise, WithoutModelTypeNothingIsGuessed) {
  const Error e = Refusal(R"({"architectures":["BertModel"],"_name_or_path":"bert-base"})");
  Expect(e, Code::kUnknownFamily, "/model_type", "absent");
  EXPECT_EQ(e.allowed, "bert, roberta, xlm-roberta, camembert, distilbert, mpnet, modernbert, deberta-v2");
}

TEST(Recognise, UnknownModelTypeNamesTheKnown) {
  const Error e = Refusal(R"({"model_type":"qwen9","architectures":["RobertaModel"]})");
  Expect(e, Code::kUnknownFamily, "/model_type", "qwen9");
  EXPECT_EQ(e.allowed, "bert, roberta, xlm-roberta, camembert, distilbert, mpnet, modernbert, deberta-v2");
}

TEST(Recognise, UnregisteredClass) {
  Expect(Refusal(R"({"model_type":"bert","architectures":["BertModel","MyBert"]})"), Code::kUnknownFamily,
         "/architectures/1", "MyBert");
}

// SEC: Jina's remote code also says bert.
TEST(Recognise, CodeOfThePackageIsDenied) {
  Expect(Refusal(R"({"model_type":"bert","auto_map":{"AutoModel":"modeling_bert.JinaBertModel"}})"),
         Code::kCustomCodeDenied, "/auto_map", R"({"AutoModel":"modeling_bert.JinaBertModel"})");
}

TEST(Recognise, ModelTypeOfTheWrongType) {
  Expect(Refusal(R"({"model_type":3})"), Code::kInvalidPackageSchema, "/model_type", "3");
}

// EVI-04: one family's type beside another's class.
TEST(Recognise, ConflictWithAnotherFamily) {
  static constexpr std::string_view kOther[] = {"OtherModel"};
  static const Family other{.name = "other",
                            .version = "other/v1",
                            .model_type = "other",
                            .read = nullptr,
                            .names = {},
                            .architectures = kOther,
                            .descriptive = {},
                            .neutral = {}};
  static constexpr const Family* kTable[] = {&kBertFamily, &other};
  const Parsed p = Parse(R"({"model_type":"bert","architectures":["OtherModel"]})");
  Problems problems;
  EXPECT_EQ(Recognise(p.config(), problems, kTable), nullptr);
  ASSERT_EQ(problems.size(), 1u);
  Expect(problems[0], Code::kEvidenceConflict, "/architectures/0", "OtherModel");
}

}  // namespace
}  // namespace candor::families

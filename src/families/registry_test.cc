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
  for (const char* text : {R"({"model_type":"bert"})", R"({"model_type":"bert","architectures":[]})",
                           R"({"model_type":"bert","architectures":["BertModel"]})",
                           R"({"model_type":"bert","architectures":["BertForMaskedLM"],"auto_map":null})"}) {
    const Parsed p = Parse(text);
    Problems problems;
    EXPECT_EQ(Recognise(p.config(), problems), &kBertFamily);
    EXPECT_TRUE(problems.empty());
  }
}

// Text models that are not implemented are refused by name, with the nearest that is.
TEST(Recognise, UnimplementedTypesNameTheNearest) {
  const std::pair<const char*, const char*> kCases[] = {{"albert", "bert"},
                                                        {"electra", "bert"},
                                                        {"t5", "bert"},
                                                        {"xlm-roberta-xl", "xlm-roberta"},
                                                        {"phi3", "llama"},
                                                        {"granite", "llama"},
                                                        {"lfm2", "llama"},
                                                        {"qwen3_5", "qwen3_5_text"},
                                                        {"qwen3_5_moe_text", "qwen3_5_text"}};
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
  EXPECT_EQ(e.allowed,
            "bert, roberta, xlm-roberta, camembert, distilbert, mpnet, modernbert, deberta-v2, eurobert, "
            "ultrabert, nomic_bert, gte, new, jina_embeddings_v3, llama, llama_bidirec, qwen2, qwen3, "
            "qwen3_moe, bidirectional_pplx_qwen3, qwen3_5_text, mistral, ministral3, gemma, gemma2, "
            "gemma3_text, model2vec");
}

TEST(Recognise, UnknownModelTypeNamesTheKnown) {
  const Error e = Refusal(R"({"model_type":"qwen9","architectures":["RobertaModel"]})");
  Expect(e, Code::kUnknownFamily, "/model_type", "qwen9");
  EXPECT_EQ(e.allowed,
            "bert, roberta, xlm-roberta, camembert, distilbert, mpnet, modernbert, deberta-v2, eurobert, "
            "ultrabert, nomic_bert, gte, new, jina_embeddings_v3, llama, llama_bidirec, qwen2, qwen3, "
            "qwen3_moe, bidirectional_pplx_qwen3, qwen3_5_text, mistral, ministral3, gemma, gemma2, "
            "gemma3_text, model2vec");
}

// BR-105: of two classes the second is looked at too.
TEST(Recognise, UnregisteredClass) {
  Expect(Refusal(R"({"model_type":"bert","architectures":["BertModel","MyBert"]})"), Code::kUnknownFamily,
         "/architectures/1", "MyBert");
}

// SEC, BR-108: others' code also says bert.
TEST(Recognise, CodeOfThePackageIsDenied) {
  Expect(Refusal(R"({"model_type":"bert","auto_map":{"AutoModel":"modeling_bert.OurBertModel"}})"),
         Code::kCustomCodeDenied, "/auto_map", R"({"AutoModel":"modeling_bert.OurBertModel"})");
}

// Classes that a family is are evidence of it; one other class in the map, and nothing is recognised.
TEST(Recognise, ClassesThatAFamilyReplaces) {
  static constexpr std::string_view kOfOne[] = {"lab/one--modeling.Model", "lab/one--modeling.Config"};
  static constexpr std::string_view kOfAny[] = {"modeling_own.Own", "configuration_own.Config",
                                                "lab/own--modeling.Model"};
  static constexpr std::string_view kModel[] = {"Model"};
  static const Family plain{.name = "plain",
                            .version = "plain/v1",
                            .model_type = "t",
                            .read = nullptr,
                            .names = {},
                            .architectures = kModel,
                            .descriptive = {},
                            .neutral = {}};
  static const Family one{.name = "one",
                          .version = "one/v1",
                          .model_type = "t",
                          .read = nullptr,
                          .names = {},
                          .architectures = kModel,
                          .descriptive = {},
                          .neutral = {},
                          .replaces = kOfOne};
  static const Family any{.name = "any",
                          .version = "any/v1",
                          .model_type = "u",
                          .read = nullptr,
                          .names = {},
                          .architectures = kModel,
                          .descriptive = {},
                          .neutral = {},
                          .replaces = kOfAny};
  static constexpr const Family* kTable[] = {&plain, &one, &any};
  const std::pair<const char*, const Family*> kCases[] = {
      {R"({"model_type":"t"})", &plain},
      {R"({"model_type":"t","auto_map":{}})", &plain},
      {R"({"model_type":"t","auto_map":{"AutoModel":"lab/one--modeling.Model"}})", &one},
      {R"({"model_type":"t","auto_map":{"AutoConfig":"lab/one--modeling.Config","AutoModel":"lab/one--modeling.Model"}})",
       &one},
      {R"({"model_type":"t","auto_map":{"AutoModel":"modeling.Model"}})", nullptr},
      {R"({"model_type":"t","auto_map":{"AutoModel":"lab/two--modeling.Model"}})", nullptr},
      {R"({"model_type":"t","auto_map":{"AutoModel":"lab/one--modeling.Model","AutoTokenizer":["t.T",null]}})",
       nullptr},
      {R"({"model_type":"t","auto_map":{"AutoModel":"lab/one--modeling.Model","X":"lab/one--modeling.X"}})",
       nullptr},
      {R"({"model_type":"t","auto_map":["lab/one--modeling.Model"]})", nullptr},
      {R"({"model_type":"u","auto_map":{"AutoModel":"modeling_own.Own"}})", &any},
      {R"({"model_type":"u","auto_map":{"AutoModel":"any/body--modeling_own.Own"}})", &any},
      {R"({"model_type":"u","auto_map":{"AutoModel":"modeling_own.Other"}})", nullptr},
      // Files of the package's own are a copy of the listed repository's beside a configuration that is this
      // family anywhere, and not elsewhere.
      {R"({"model_type":"u","auto_map":{"AutoConfig":"configuration_own.Config","AutoModel":"modeling.Model"}})",
       &any},
      {R"({"model_type":"u","auto_map":{"AutoModel":"modeling.Model"}})", nullptr},
      {R"({"model_type":"u","auto_map":{"AutoConfig":"a/b--configuration_own.Config","AutoModel":"modeling.Model"}})",
       nullptr},
      {R"({"model_type":"u","auto_map":{"AutoConfig":"configuration_own.Config","AutoModel":"a/b--modeling.Model"}})",
       nullptr},
      {R"({"model_type":"u","auto_map":{"AutoConfig":"configuration_own.Config","AutoModel":"odeling.Model"}})",
       nullptr},
      {R"({"model_type":"u"})", &any},
  };
  for (const auto& [text, family] : kCases) {
    const Parsed p = Parse(text);
    Problems problems;
    EXPECT_EQ(Recognise(p.config(), problems, kTable), family) << text;
    ASSERT_EQ(problems.size(), family == nullptr ? 1u : 0u) << text;
    if (family == nullptr) {
      EXPECT_EQ(problems[0].code, Code::kCustomCodeDenied) << text;
      EXPECT_EQ(problems[0].where.pointer, "/auto_map") << text;
    }
  }
  // A type is listed once, however many families have it.
  const Parsed p = Parse(R"({"model_type":"v"})");
  Problems problems;
  EXPECT_EQ(Recognise(p.config(), problems, kTable), nullptr);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].allowed, "t, u");
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

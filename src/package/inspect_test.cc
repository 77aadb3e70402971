#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "io/json.h"
#include "package/package.h"
#include "package/test_folder.h"

namespace candor::package {
namespace {

std::string Inspected(const std::string& path) {
  const auto package = Package::Open(path);
  EXPECT_TRUE(package);
  return package ? InspectJson(**package) : "";
}

void WriteRich(const TestFolder& folder) {
  folder.WriteValid();
  folder.Write(
      "config.json",
      R"({"architectures":["BertModel","BertForMaskedLM"],"model_type":"bert","hidden_size":2,)"
      R"("num_hidden_layers":1,"hidden_act":"gelu","torch_dtype":"float16","max_position_embeddings":512,)"
      R"("auto_map":{"AutoModel":"modeling_x.Model"},"id2label":{"0":"no"}})");
  folder.Write("sentence_bert_config.json", R"({"max_seq_length":256,"do_lower_case":false})");
  folder.Write("config_sentence_transformers.json",
               R"({"prompts":{"query":"q: ","document":null},"similarity_fn_name":"dot","truncate_dim":2})");
  folder.Write("modeling_x.py", "x");
  folder.Write("README.md", "---\nlicense: mit\n---\n");
  folder.Write("LICENSE", "x");
}

std::string FactAt(const Package& package, const std::string& name, const std::string& file) {
  for (const Fact& fact : package.facts()) {
    if (fact.name == name && fact.file == file) return fact.value + " " + fact.pointer;
  }
  return "none";
}

TEST(Facts, EachWithItsPlace) {
  const TestFolder folder("facts");
  WriteRich(folder);
  const auto opened = Package::Open(folder.path());
  ASSERT_TRUE(opened);
  const Package& p = **opened;
  EXPECT_EQ(FactAt(p, "architecture", "config.json"), "BertModel /architectures/0");
  EXPECT_EQ(FactAt(p, "hidden_size", "config.json"), "2 /hidden_size");
  EXPECT_EQ(FactAt(p, "activation", "config.json"), "gelu /hidden_act");
  EXPECT_EQ(FactAt(p, "dtype", "config.json"), "F16 /torch_dtype");
  EXPECT_EQ(FactAt(p, "dtype", "model.safetensors"), "F32 ");
  EXPECT_EQ(FactAt(p, "text_limit", "sentence_bert_config.json"), "256 /max_seq_length");
  EXPECT_EQ(FactAt(p, "tokenizer_limit", "tokenizer_config.json"), "1e+30 /model_max_length");
  EXPECT_EQ(FactAt(p, "positions", "config.json"), "512 /max_position_embeddings");
  EXPECT_EQ(FactAt(p, "lower_first", "sentence_bert_config.json"), "false /do_lower_case");
  EXPECT_EQ(FactAt(p, "pooling.1_Pooling", "1_Pooling/config.json"), "mean /pooling_mode_mean_tokens");
  EXPECT_EQ(FactAt(p, "module.1", "modules.json"), "sentence_transformers.models.Pooling /1/type");
  EXPECT_EQ(FactAt(p, "prompt.query", "config_sentence_transformers.json"), "q:  /prompts/query");
  EXPECT_EQ(FactAt(p, "prompt.document", "config_sentence_transformers.json"), "none");
  EXPECT_EQ(FactAt(p, "similarity", "config_sentence_transformers.json"), "dot /similarity_fn_name");
  EXPECT_EQ(FactAt(p, "tokenizer_model", "tokenizer.json"), "WordPiece /model/type");
  EXPECT_EQ(FactAt(p, "custom_code.AutoModel", "config.json"), "modeling_x.Model /auto_map/AutoModel");
  EXPECT_EQ(FactAt(p, "labels", "config.json"), "{\"0\":\"no\"} /id2label");
}

// EVI-04: disagreement is kept, not resolved.
TEST(Facts, ConflictsStandSideBySide) {
  const TestFolder folder("conflicts");
  WriteRich(folder);
  const auto opened = Package::Open(folder.path());
  ASSERT_TRUE(opened);
  EXPECT_EQ((*opened)->conflicts(), (std::vector<std::string>{"architecture", "dtype"}));
  const TestFolder plain("plain");
  plain.WriteValid();
  EXPECT_TRUE((*Package::Open(plain.path()))->conflicts().empty());
}

// ART-03: two runs and a copy give identical JSON, without the folder's own path.
TEST(Inspect, StableAndWithoutPlace) {
  const TestFolder folder("inspect"), copy("inspect2");
  WriteRich(folder);
  folder.Write("vocab.json", "[");
  folder.Link("merges.txt", "gone");
  const std::string once = Inspected(folder.path());
  EXPECT_EQ(Inspected(folder.path()), once);
  folder.CopyTo(copy);
  EXPECT_EQ(Inspected(copy.path()), once);
  EXPECT_EQ(once.find(folder.path()), std::string::npos);
  const auto json = io::ParseJson(once, "inspect");
  ASSERT_TRUE(json);
  ASSERT_EQ(json->Find("problems")->items().size(), 1u);
  const io::Json& problem = json->Find("problems")->items()[0];
  EXPECT_EQ(problem.Find("code")->as_string(), "artifact_missing");
  EXPECT_EQ(problem.Find("class")->as_string(), "artifact");
  EXPECT_EQ(problem.Find("phase")->as_string(), "resolve");
  EXPECT_EQ(problem.Find("where")->Dump(), R"({"file":"merges.txt"})");
  EXPECT_EQ(
      json->Find("components")->Dump(),
      R"({"weights":"present","config":"present","tokenizer":"invalid","module":"present","labels":"absent",)"
      R"("template":"absent"})");
}

// The committed schema accepts what is written, for a rich, a damaged and an empty folder, and rejects a
// foreign key.
TEST(Inspect, FollowsItsSchema) {
  const TestFolder folder("schema"), empty("schema2"), out("schema3");
  WriteRich(folder);
  folder.Write("tokenizer.json", "{");
  folder.Write("1_Pooling/config.json", "7");
  out.Write("rich.json", Inspected(folder.path()));
  out.Write("empty.json", Inspected(empty.path()));
  const std::string good = out.Read("empty.json");
  out.Write("foreign.json", "{\"foreign\": 1," + good.substr(1));
  const std::string check = "python3 " CANDOR_SOURCE_DIR "/tools/check_schema.py " CANDOR_SOURCE_DIR
                            "/schemas/inspect.schema.json ";
  const auto run = [&](const std::string& file) {
    return std::system((check + out.path() + "/" + file + " > " + out.path() + "/log").c_str());
  };
  EXPECT_EQ(run("rich.json"), 0) << out.Read("log");
  EXPECT_EQ(run("empty.json"), 0) << out.Read("log");
  EXPECT_NE(run("foreign.json"), 0);
}

}  // namespace
}  // namespace candor::package

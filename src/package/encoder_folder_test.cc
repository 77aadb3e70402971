// Which folders are encoders', as sentence-transformers 6.2 loads modules by their paths, and whose files
// they are then.
#include "package/encoder_folder.h"

#include <gtest/gtest.h>

#include "package/test_folder.h"

namespace candor::package {
namespace {

constexpr std::string_view kClass = "sentence_transformers.base.modules.transformer.Transformer";

std::string Chain(const std::string& path, const std::string& type = std::string(kClass)) {
  return R"([{"idx":0,"name":"0","path":")" + path + R"(","type":")" + type + R"("},)" +
         R"({"idx":1,"name":"1","path":"1_Pooling","type":"sentence_transformers.models.Pooling"}])";
}

// The valid folder's encoder, moved from the root.
void MoveEncoder(const TestFolder& folder, const std::string& to) {
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}) {
    folder.Write(to + file, folder.Read(file));
    folder.Remove(file);
  }
}

std::shared_ptr<const Package> Opened(const TestFolder& folder) {
  return Package::Open(folder.path()).value();
}

std::string Told(const Package& package) {
  std::string out;
  for (const Error& e : package.problems()) out += ToString(e.where) + ": " + e.found + "\n";
  return out;
}

std::string Places(const Package& package) {
  std::string out;
  for (const EncoderPlace& e : package.encoders()) out += "[" + e.folder + "] " + e.file + e.pointer + "\n";
  return out;
}

TEST(EncoderFolder, IsTheFirstModulesPath) {
  const TestFolder folder("encoder");
  folder.WriteValid();
  const std::string before = *Opened(folder)->Digest();
  EXPECT_EQ(Opened(folder)->encoder(), "");
  MoveEncoder(folder, "0_Transformer/");
  folder.Write("modules.json", Chain("./0_Transformer/"));
  folder.Write("config.json", R"({"__version__":"0.2.5"})");  // the library's own once, read by nobody
  const auto package = Opened(folder);
  EXPECT_EQ(Told(*package), "");
  EXPECT_EQ(Places(*package), "[0_Transformer/] modules.json/0/path\n");
  EXPECT_EQ(package->InEncoder("config.json"), "0_Transformer/config.json");
  EXPECT_EQ(package->tensors(package->encoder()).size(), 2u);
  EXPECT_TRUE(package->tensors().empty());
  EXPECT_NE(*package->Digest(), before);
  for (const FileFact& file : package->files()) EXPECT_TRUE(file.in_closure) << file.path;
  std::string facts;
  for (const Fact& f : package->facts())
    if (f.name == "encoder.0" || f.name == "model_type" || f.name == "dtype")
      facts += f.name + "=" + f.value + " " + f.file + f.pointer + "\n";
  EXPECT_EQ(facts,
            "encoder.0=0_Transformer/ modules.json/0/path\n"
            "model_type=bert 0_Transformer/config.json/model_type\n"
            "dtype=F32 0_Transformer/model.safetensors\n");
}

// What an encoder's folder lacks is missing there, and what the root lacks is not missed.
TEST(EncoderFolder, MissesItsOwnFiles) {
  const TestFolder folder("encoder_missing");
  folder.WriteValid();
  folder.Write("modules.json", Chain("0_Transformer"));
  EXPECT_EQ(Told(*Opened(folder)),
            "0_Transformer/model.safetensors: no weights\n0_Transformer/config.json: nothing\n");
  folder.Write("modules.json", Chain("../out"));
  const auto outside = Opened(folder);
  EXPECT_EQ(outside->encoder(), "");
  ASSERT_EQ(outside->problems().size(), 1u);
  EXPECT_EQ(outside->problems()[0].code, Code::kPathEscape);
}

std::string RouterOf(const std::string& types, const std::string& structure) {
  return R"({"types":{)" + types + R"(},"structure":{)" + structure + R"(},"parameters":{}})";
}

TEST(EncoderFolder, IsThatOfTheRoutes) {
  const TestFolder folder("encoder_routes");
  folder.WriteValid();
  MoveEncoder(folder, "document_0_Transformer/");
  folder.Write("modules.json", Chain("", "sentence_transformers.base.modules.router.Router"));
  const std::string types = R"("query_0_T":"sentence_transformers.models.SparseStaticEmbedding",)"
                            R"("document_0_Transformer":")" +
                            std::string(kClass) +
                            R"(",)"
                            R"("other":")" +
                            std::string(kClass) + '"';
  // A folder that no route names is no encoder's; one that two routes name is one encoder's.
  folder.Write("router_config.json",
               RouterOf(types, R"("query":["query_0_T"],"document":["document_0_Transformer"],)"
                               R"("passage":["document_0_Transformer"])"));
  const auto one = Opened(folder);
  EXPECT_EQ(Places(*one), "[document_0_Transformer/] router_config.json/structure/document/0\n");
  EXPECT_EQ(Told(*one), "");
  // Several are all there, with facts of their own; none is chosen here.
  folder.Write("router_config.json",
               RouterOf(types, R"("query":["other"],"a/b":["document_0_Transformer"])"));
  folder.Write("other/config.json", R"({"model_type":"mpnet"})");
  const auto two = Opened(folder);
  EXPECT_EQ(Places(*two),
            "[other/] router_config.json/structure/query/0\n"
            "[document_0_Transformer/] router_config.json/structure/a~1b/0\n");
  EXPECT_EQ(Told(*two), "other/model.safetensors: no weights\n");
  std::string facts;
  for (const Fact& f : two->facts())
    if (f.name.starts_with("model_type")) facts += f.name + "=" + f.value + "\n";
  EXPECT_EQ(facts, "model_type.0=mpnet\nmodel_type.1=bert\n");
  EXPECT_TRUE(two->conflicts().empty());
}

}  // namespace
}  // namespace candor::package

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/sha256.h"
#include "package/package.h"
#include "package/test_folder.h"

namespace candor::package {
namespace {

std::string DigestOf(const std::string& path) {
  const auto package = Package::Open(path);
  EXPECT_TRUE(package);
  const auto digest = (*package)->Digest();
  EXPECT_TRUE(digest);
  return digest ? *digest : "";
}

void Change(const TestFolder& folder, const std::string& file) {
  folder.Write(file, folder.Read(file) + " ");
}

// The definition, written out: one line per file of the closure, sorted by path.
TEST(Digest, ByDefinition) {
  const TestFolder folder("definition");
  folder.WriteValid();
  folder.Write("README.md", "for people");
  std::string lines;
  for (const char* file : {"1_Pooling/config.json", "config.json", "model.safetensors", "modules.json",
                           "tokenizer.json", "tokenizer_config.json"}) {
    const std::string text = folder.Read(file);
    lines += file + std::string(1, '\0') + std::to_string(text.size()) + " sha256:" + Sha256Hex(text) + "\n";
  }
  EXPECT_EQ(DigestOf(folder.path()), "sha256:" + Sha256Hex(lines));
}

// ART-01, BR-104: a copy, a renamed folder and the cache's links have the digest of the plain folder.
TEST(Digest, PlaceDoesNotMatter) {
  const TestFolder folder("place"), copy("place2"), cache("place3");
  folder.WriteValid();
  folder.CopyTo(copy);
  EXPECT_EQ(DigestOf(copy.path()), DigestOf(folder.path()));
  const std::string snapshot = "models--o--n/snapshots/abc/";
  for (const char* file :
       {"config.json", "model.safetensors", "modules.json", "tokenizer.json", "tokenizer_config.json"}) {
    cache.Write("models--o--n/blobs/" + Sha256Hex(file), folder.Read(file));
    cache.Write(snapshot + "x", "");
    cache.Link(snapshot + file, "../../blobs/" + Sha256Hex(file));
  }
  cache.Write("models--o--n/blobs/0", folder.Read("1_Pooling/config.json"));
  cache.Write(snapshot + "1_Pooling/x", "");
  cache.Link(snapshot + "1_Pooling/config.json", "../../../blobs/0");
  EXPECT_EQ(DigestOf(cache.path() + "/" + snapshot), DigestOf(folder.path()));
}

// ART-02: a byte of each kind changes it; what no plan reads does not.
TEST(Digest, EveryKindCounts) {
  const TestFolder folder("kinds");
  folder.WriteSharded();
  const char* counted[] = {"config.json",
                           "generation_config.json",
                           "modules.json",
                           "1_Pooling/config.json",
                           "tokenizer.json",
                           "tokenizer_config.json",
                           "special_tokens_map.json",
                           "added_tokens.json",
                           "vocab.txt",
                           "merges.txt",
                           "sentencepiece.bpe.model",
                           "sentence_bert_config.json",
                           "config_sentence_transformers.json",
                           "preprocessor_config.json",
                           "adapter_config.json",
                           "chat_template.jinja",
                           "labels.txt",
                           "model.safetensors.index.json"};
  for (const char* file : counted) {
    if (folder.Read(file).empty()) folder.Write(file, "{}");
  }
  std::string last = DigestOf(folder.path());
  for (const char* file : counted) {
    Change(folder, file);
    const std::string next = DigestOf(folder.path());
    EXPECT_NE(next, last) << file;
    last = next;
  }
  folder.Write("model-00002-of-00002.safetensors", SafetensorsOf({{"b", "F32", "[3]", F32Bytes({5, 6, 8})}}));
  EXPECT_NE(DigestOf(folder.path()), last);
  last = DigestOf(folder.path());
  for (const char* file : {"README.md", "LICENSE", "onnx/model.onnx", "openvino/config.json",
                           "pytorch_model.bin", "train.py", ".gitattributes"}) {
    folder.Write(file, "x");
    EXPECT_EQ(DigestOf(folder.path()), last) << file;
  }
}

// ART-12: a file that changes after it was opened is seen, before and after the digest.
TEST(Digest, ChangesAreStale) {
  const TestFolder folder("stale");
  folder.WriteValid();
  const auto package = Package::Open(folder.path());
  ASSERT_TRUE(package);
  ASSERT_TRUE((*package)->Digest());
  std::filesystem::resize_file(folder.path() + "/model.safetensors", 20);
  const auto unchanged = (*package)->CheckUnchanged();
  ASSERT_FALSE(unchanged);
  EXPECT_EQ(unchanged.error().code, Code::kArtifactStale);
  EXPECT_EQ(unchanged.error().where.file, "model.safetensors");

  folder.WriteValid();
  const auto again = Package::Open(folder.path());
  folder.Write("new.json", folder.Read("tokenizer.json"));
  std::filesystem::rename(folder.path() + "/new.json", folder.path() + "/tokenizer.json");
  const auto digest = (*again)->Digest();
  ASSERT_FALSE(digest);
  EXPECT_EQ(digest.error().code, Code::kArtifactStale);
  EXPECT_EQ(digest.error().where.file, "tokenizer.json");
}

TEST(Digest, OnceFromManyThreads) {
  const TestFolder folder("threads");
  folder.WriteValid();
  const auto package = Package::Open(folder.path());
  ASSERT_TRUE(package);
  std::vector<std::string> digests(4);
  {
    std::vector<std::jthread> threads;
    for (std::string& digest : digests) threads.emplace_back([&] { digest = *(*package)->Digest(); });
  }
  for (const std::string& digest : digests) EXPECT_EQ(digest, DigestOf(folder.path()));
}

}  // namespace
}  // namespace candor::package

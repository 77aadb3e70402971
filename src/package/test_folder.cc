#include "package/test_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>

namespace candor::package {
namespace fs = std::filesystem;

std::string WithHeader(std::string_view header, std::string_view data) {
  std::string out(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<char>((header.size() >> (8 * i)) & 0xff);
  return out + std::string(header) + std::string(data);
}

std::string SafetensorsOf(const std::vector<TestTensor>& tensors, std::string_view metadata) {
  std::string header = "{", data;
  if (!metadata.empty()) header += "\"__metadata__\":" + std::string(metadata) + (tensors.empty() ? "" : ",");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TestTensor& t = tensors[i];
    header += (i == 0 ? "\"" : ",\"") + t.name + "\":{\"dtype\":\"" + t.dtype + "\",\"shape\":" + t.shape +
              ",\"data_offsets\":[" + std::to_string(data.size()) + "," +
              std::to_string(data.size() + t.bytes.size()) + "]}";
    data += t.bytes;
  }
  return WithHeader(header + "}", data);
}

std::string F32Bytes(const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TestFolder::TestFolder(std::string_view name)
    : base_((fs::temp_directory_path() / ("candor_" + std::string(name) + "_XXXXXX")).string()) {
  if (::mkdtemp(base_.data()) == nullptr) base_.clear();
  path_ = base_ + "/package";
  fs::create_directories(path_);
}

TestFolder::~TestFolder() {
  std::error_code ignored;
  fs::remove_all(base_, ignored);
}

void TestFolder::Write(std::string_view file, std::string_view text) const {
  const fs::path path = fs::path(path_) / file;
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string TestFolder::Read(std::string_view file) const {
  std::ifstream in(fs::path(path_) / file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void TestFolder::Remove(std::string_view file) const { fs::remove_all(fs::path(path_) / file); }

void TestFolder::Link(std::string_view file, std::string_view target) const {
  Remove(file);
  fs::create_symlink(target, fs::path(path_) / file);
}

void TestFolder::CopyTo(const TestFolder& other) const {
  fs::copy(
      path_, other.path_,
      fs::copy_options::recursive | fs::copy_options::copy_symlinks | fs::copy_options::overwrite_existing);
}

void TestFolder::WriteValid() const {
  Write("config.json", R"({"architectures":["BertModel"],"model_type":"bert","hidden_size":2})");
  Write("modules.json",
        R"([{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"},)"
        R"({"idx":1,"name":"1","path":"1_Pooling","type":"sentence_transformers.models.Pooling"}])");
  Write("1_Pooling/config.json", R"({"word_embedding_dimension":2,"pooling_mode_mean_tokens":true})");
  Write("tokenizer.json", R"({"version":"1.0","model":{"type":"WordPiece","vocab":{"[UNK]":0}}})");
  Write("tokenizer_config.json", R"({"model_max_length":1000000000000000019884624838656})");
  Write("model.safetensors", SafetensorsOf({{"a", "F32", "[2,2]", F32Bytes({1, 2, 3, 4})},
                                            {"b", "F32", "[3]", F32Bytes({5, 6, 7})}}));
}

void TestFolder::WriteSharded() const {
  WriteValid();
  Remove("model.safetensors");
  Write("model-00001-of-00002.safetensors", SafetensorsOf({{"a", "F32", "[2,2]", F32Bytes({1, 2, 3, 4})}}));
  Write("model-00002-of-00002.safetensors", SafetensorsOf({{"b", "F32", "[3]", F32Bytes({5, 6, 7})}}));
  Write("model.safetensors.index.json",
        R"({"metadata":{"total_size":28},"weight_map":{"a":"model-00001-of-00002.safetensors",)"
        R"("b":"model-00002-of-00002.safetensors"}})");
}

}  // namespace candor::package

// For tests: a package folder in a temporary place, valid when made, to be damaged one way at a time.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace candor::package {

struct TestTensor {
  std::string name, dtype, shape;  // shape as JSON: "[2, 3]"
  std::string bytes;
};

std::string WithHeader(std::string_view header, std::string_view data);  // length, header, data
std::string SafetensorsOf(const std::vector<TestTensor>& tensors, std::string_view metadata = {});
std::string F32Bytes(const std::vector<float>& values);

// Removed with the object. One thread.
class TestFolder {
 public:
  explicit TestFolder(std::string_view name);
  ~TestFolder();
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  const std::string& path() const { return path_; }
  void Write(std::string_view file, std::string_view text) const;
  std::string Read(std::string_view file) const;
  void Remove(std::string_view file) const;
  void Link(std::string_view file, std::string_view target) const;
  void CopyTo(const TestFolder& other) const;
  // Two F32 tensors "a" [2, 2] and "b" [3], a config, a module chain with Pooling, tokenizer files.
  void WriteValid() const;
  void WriteSharded() const;  // "a" and "b" in two shards under an index instead

 private:
  std::string base_, path_;
};

}  // namespace candor::package

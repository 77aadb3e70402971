// Any bytes as model.safetensors of a package: opening it answers with tensors that lie in the file, or with
// problems that name the file, what was found and what is allowed.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "package/package.h"

namespace {

// One folder per process, removed when the process ends.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("candor_package_fuzz_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
    std::ofstream(path_ / "config.json") << R"({"model_type":"bert","architectures":["BertModel"]})";
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  std::ofstream(folder.path() / "model.safetensors", std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto package = candor::package::Package::Open(folder.path().string());
  if (!package) std::abort();
  for (const candor::Error& problem : (*package)->problems()) {
    if (problem.where.file.empty() || problem.found.empty() || problem.allowed.empty()) std::abort();
  }
  for (const candor::TensorInfo& tensor : (*package)->tensors()) {
    if (tensor.offset > size || tensor.bytes > size - tensor.offset) std::abort();
    if (tensor.bytes != tensor.Count() * candor::SizeOf(tensor.type)) std::abort();
  }
  return 0;
}

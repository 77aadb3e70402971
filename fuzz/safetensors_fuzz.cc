// Any bytes as a safetensors file: reading its header answers with tensors that lie in the file, or with
// problems that name the file, what was found and what is allowed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "io/byte_source.h"
#include "package/safetensors.h"

namespace {

class Bytes final : public candor::io::ByteSource {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : bytes_(data, data + size) {}
  std::uint64_t size() const override { return bytes_.size(); }
  candor::Result<void> Read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) std::abort();  // read past a known end
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
    return {};
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  candor::Problems problems;
  const auto read = candor::package::ReadSafetensors(std::make_shared<Bytes>(data, size), "model.safetensors",
                                                     {}, problems);
  for (const candor::Error& problem : problems)
    if (problem.where.file != "model.safetensors" || problem.found.empty() || problem.allowed.empty())
      std::abort();
  for (const candor::TensorInfo& tensor : read.tensors) {
    if (tensor.offset > size || tensor.bytes > size - tensor.offset) std::abort();
    if (tensor.bytes != tensor.Count() * candor::SizeOf(tensor.type)) std::abort();
  }
  return 0;
}

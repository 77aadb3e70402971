#include "model/synthetic.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

namespace candor {
namespace {

class MemorySource final : public io::ByteSource {
 public:
  explicit MemorySource(std::span<const float> values)
      : bytes_(std::as_bytes(values).begin(), std::as_bytes(values).end()) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Result<void> Read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset)
      return Error{Code::kArtifactStale, {}, "fewer bytes", std::to_string(bytes_.size()), Phase::kLoad};
    std::ranges::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset),
                        static_cast<std::ptrdiff_t>(out.size()), out.begin());
    return {};
  }

 private:
  std::vector<std::byte> bytes_;
};

// splitmix64: the same values everywhere.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : state_(seed) {}
  float Next() {  // in [-1/4, 1/4)
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<float>((z ^ (z >> 31)) >> 40) / 33554432.0f - 0.25f;
  }

 private:
  std::uint64_t state_;
};

}  // namespace

TensorInfo MemoryTensor(std::string name, std::vector<std::size_t> shape, std::span<const float> values,
                        std::string file) {
  TensorInfo t;
  t.name = std::move(name), t.shape = std::move(shape), t.file = std::move(file);
  t.bytes = values.size_bytes(), t.source = std::make_shared<MemorySource>(values);
  return t;
}

std::vector<TensorInfo> GenerateTensors(std::span<const TensorDecl> wanted, std::uint32_t seed,
                                        std::string_view prefix) {
  std::vector<TensorInfo> out;
  Uniform random(seed);
  std::set<std::string> made;  // a tensor may be part of several slots
  for (const TensorDecl& d : wanted) {
    const bool scale = d.role == Role::kVector && d.name.ends_with(".weight");
    for (const Part& p : d.parts) {
      if (!made.insert(p.name).second) continue;
      const std::vector<std::size_t> shape = d.Shape(p);
      std::vector<float> values(
          std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies()));
      for (float& v : values) v = (scale ? 1.0f : 0.0f) + random.Next();
      out.push_back(MemoryTensor(std::string(prefix) + p.name, shape, values));
    }
  }
  return out;
}

}  // namespace candor

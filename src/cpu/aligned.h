// AlignedFloats: an owning array of floats on cache-line boundaries. Values are not initialised.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <memory>

namespace candor::cpu {

class AlignedFloats {
 public:
  AlignedFloats() = default;
  // Empty (data() null) when there is no memory.
  static AlignedFloats Try(std::size_t count);
  float* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(float* p) const { std::free(p); }
  };
  std::unique_ptr<float[], Free> data_;
};

}  // namespace candor::cpu

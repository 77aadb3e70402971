// OpBench: one backend at work on one test case, for suites that run operations. Test programs only.
//
// Matrices lie one float off the start of wider rows, so that nothing is aligned and everything is strided;
// the margins hold a known value and are looked at afterwards. Values come from a fixed generator.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ops/backend.h"
#include "tensor/workspace.h"

namespace candor {

// splitmix64: the same values everywhere. Mostly within [-1, 1), a few much larger, as activations are.
class TestRandom {
 public:
  explicit TestRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next();
  std::vector<float> Values(std::size_t n);

 private:
  std::uint64_t state_;
};

class OpBench {
 public:
  explicit OpBench(const Backend& backend);
  Matrix Place(const std::vector<float>& values, std::size_t rows, std::size_t cols);
  Weight Make(const std::vector<float>& values, std::size_t rows, std::size_t cols,
              Role role = Role::kMatrix);
  Weight Vector(const std::vector<float>& values) { return Make(values, values.size(), 1, Role::kVector); }
  Linear MakeLinear(const std::vector<float>& weight, std::size_t out, const std::vector<float>& bias);
  Routing PlaceRouting(std::size_t rows, std::size_t top_k);
  std::vector<float> Fetch(const Matrix& m);
  bool MarginsIntact();  // nothing was written beside a placed matrix

  std::unique_ptr<Ops> ops;
  DType stored = DType::kF32;  // of the weights that are made from now on: their values must fit

 private:
  const Backend& backend_;
  std::unique_ptr<Memory> memory_;
  Workspace ws_;
  std::vector<Matrix> wide_;
  std::vector<std::unique_ptr<const PreparedWeight>> kept_;
};

}  // namespace candor

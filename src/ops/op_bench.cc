#include "ops/op_bench.h"

#include <algorithm>
#include <utility>

namespace candor {
namespace {

constexpr std::size_t kBytes = std::size_t{16} << 20;
constexpr float kMargin = 7.0f;

struct Values final : RowReader {
  Values(const std::vector<float>& v, std::size_t c) : values(v), cols(c) {}
  Result<void> Read(std::size_t first, std::size_t count, float* out) const override {
    std::copy_n(values.data() + first * cols, count * cols, out);
    return {};
  }
  const std::vector<float>& values;
  std::size_t cols;
};

}  // namespace

std::uint64_t TestRandom::Next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::vector<float> TestRandom::Values(std::size_t n) {
  std::vector<float> v(n);
  for (float& x : v) {
    const std::uint64_t bits = Next();
    x = static_cast<float>(bits >> 40) / 8388608.0f - 1.0f;
    if (bits % 61 == 0) x *= 12.0f;
  }
  return v;
}

OpBench::OpBench(const Backend& backend)
    : ops(backend.NewOps()),
      backend_(backend),
      memory_(backend.Allocate(kBytes).value()),
      ws_(memory_->address(), kBytes, DType::kF32, backend.space()) {}

Matrix OpBench::Place(const std::vector<float>& values, std::size_t rows, std::size_t cols) {
  const Matrix wide = ws_.Rows(rows, cols + 4);
  ops->Upload(std::vector<float>(rows * (cols + 4), kMargin), wide);
  const Matrix m = wide.Cols(1, cols);
  ops->Upload(values, m);
  wide_.push_back(wide);
  return m;
}

Weight OpBench::Make(const std::vector<float>& values, std::size_t rows, std::size_t cols, Role role) {
  const Values reader(values, cols);
  kept_.push_back(
      backend_
          .Prepare(
              {.role = role, .rows = rows, .cols = cols, .reader = &reader, .label = "w", .stored = stored},
              Profile::kF32)
          .value());
  return {kept_.back().get(), rows, cols};
}

Linear OpBench::MakeLinear(const std::vector<float>& weight, std::size_t out,
                           const std::vector<float>& bias) {
  return {Make(weight, out, weight.size() / out), bias.empty() ? Weight() : Vector(bias)};
}

Routing OpBench::PlaceRouting(std::size_t rows, std::size_t top_k) {
  return {ws_.RowsI32(rows, top_k + 1).Cols(1, top_k), Place(std::vector<float>(rows * top_k), rows, top_k)};
}

std::vector<float> OpBench::Fetch(const Matrix& m) {
  std::vector<float> out(m.rows() * m.cols());
  ops->Download(m, out);
  return out;
}

bool OpBench::MarginsIntact() {
  for (const Matrix& wide : wide_) {
    const std::vector<float> all = Fetch(wide);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t c = i % wide.cols();
      if ((c == 0 || c + 3 >= wide.cols()) && all[i] != kMargin) return false;
    }
  }
  return true;
}

}  // namespace candor

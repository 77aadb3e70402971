// Weights as families hold them: what they are for, never how they are stored.
//
// A Weight is a handle to something a backend prepared (converted, packed, uploaded). Its number format
// and layout were chosen by the plan and are known only to that backend. A vector is a Weight with one
// column, always f32. Copy freely; the model's storage must outlive the handle.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "candor/result.h"
#include "tensor/tensor.h"

namespace candor {

// What a backend made of a slot. Each backend derives its own and is given back only its own.
struct PreparedWeight {
  virtual ~PreparedWeight() = default;
};

class Weight {
 public:
  Weight() = default;
  Weight(const PreparedWeight* prepared, std::size_t rows, std::size_t cols)
      : prepared_(prepared), rows_(rows), cols_(cols) {}
  explicit operator bool() const { return rows_ != 0; }  // false: an optional tensor the package lacks
  std::size_t rows() const { return rows_; }             // output features, or table entries
  std::size_t cols() const { return cols_; }             // input features
  const PreparedWeight* prepared() const { return prepared_; }

 private:
  const PreparedWeight* prepared_ = nullptr;
  std::size_t rows_ = 0, cols_ = 0;
};

// What a prepared tensor is for. Only a matrix follows the profile; tables and vectors keep their precision.
enum class Role : std::uint8_t { kMatrix, kTable, kVector };

// Gives the rows of one slot as f32, in the order the family wants them, straight from the package: nothing
// is gathered beforehand, so loading needs the packed weights and a few rows beside them. Thread-safe.
class RowReader {
 public:
  virtual ~RowReader() = default;
  virtual Result<void> Read(std::size_t first, std::size_t count, float* out) const = 0;
};

// One slot for a backend to prepare. `reader` is valid during Prepare only.
struct WeightSource {
  Role role = Role::kMatrix;
  bool exact = false;  // f32 products whatever the profile: small heads
  std::size_t rows = 0, cols = 0;
  const RowReader* reader = nullptr;
  std::string label = {};  // of the first tensor; names the weight in plans, receipts and errors
  // What every value comes from, unchanged: kF16 or kBf16, which a backend may keep, and otherwise kF32.
  DType stored = DType::kF32;
};

// The functions of transformers' ACT2FN, torch's modules and sentence-transformers' SpladePooling that are
// implemented exactly.
enum class Activation : std::uint8_t {
  kNone,
  kRelu,
  kRelu6,      // min(max(x, 0), 6)
  kRelu2,      // relu(x)^2
  kLeakyRelu,  // slope 0.01, torch's default
  kElu,        // alpha 1
  kHardtanh,   // clamp to [-1, 1]
  kGeluErf,    // the exact one
  kGeluTanh,   // the tanh form; never exchanged with the exact one
  kGelu10,     // clamp(gelu_erf(x), -10, 10)
  kQuickGelu,  // x sigmoid(1.702 x)
  kSilu,
  kTanh,
  kSigmoid,
  kMish,          // x tanh(log(1 + exp(x)))
  kHardswish,     // x hardsigmoid(x)
  kHardsigmoid,   // min(max(x + 3, 0), 6) / 6
  kHardshrink,    // 0 in [-0.5, 0.5]
  kSoftshrink,    // towards zero by 0.5
  kTanhshrink,    // x - tanh(x)
  kSoftplus,      // log(1 + exp(x)); torch's threshold of 20
  kSqrtSoftplus,  // sqrt(softplus(x))
  kLogSigmoid,    // log(sigmoid(x))
  kSoftsign,      // x / (1 + |x|)
  kSelu,
  kLaplace,     // the normal distribution function, mean 0.707107, deviation 0.282095
  kReluLog,     // log(1 + relu(x)): SPLADE (arXiv:2107.05720)
  kReluLogLog,  // log(1 + log(1 + relu(x))) (arXiv:2504.14839)
};
inline constexpr std::size_t kActivationCount = 28;

// y = activation(x W^T + b); weight is [out, in] as checkpoints store it.
struct Linear {
  Weight weight;
  Weight bias;  // vector of out; absent means zero
  std::size_t out() const { return weight.rows(); }
  explicit operator bool() const { return static_cast<bool>(weight); }
};

// Over a row, with a scale and a shift:
//   kLayer  (x - mean) / sqrt(variance + eps)
//   kRms    x / sqrt(mean(x^2) + eps)
struct Norm {
  enum class Kind : std::uint8_t { kIdentity, kLayer, kRms };
  Kind kind = Kind::kIdentity;
  Weight scale = {};  // vector of width; absent means all ones
  Weight shift = {};  // vector of width; absent means zero
  float eps = 0;
  explicit operator bool() const { return kind != Kind::kIdentity; }
};

// down(activation(up x)); gated: down(activation(first half of up x) * second half of up x).
struct Mlp {
  Linear up;
  Linear down;
  Activation activation = Activation::kNone;
  bool gated = false;
  std::size_t inner() const { return gated ? up.out() / 2 : up.out(); }
};

// Chooses experts for a row: those with the top_k largest of softmax(gate x) over all experts, which are also
// their weights. Of equal ones the lower number is first.
struct Router {
  Linear gate;  // one output per expert
  std::size_t top_k = 1;
  bool renormalise = false;  // the weights of the chosen are divided by their sum
  Weight expert_scale = {};  // vector: of each expert, what its weight is multiplied by at last; absent: 1
};

// Experts of one shape, and what is added to the weighted sum of a row's once.
struct ExpertSet {
  std::vector<Mlp> experts;
  Weight shared_bias = {};  // vector of the width; absent means zero
};

}  // namespace candor

// Weights as families hold them: what they are for, never how they are stored.
//
// A Weight is a handle to something a backend prepared (converted, packed, uploaded). Its number format
// and layout were chosen by the plan and are known only to that backend. A vector is a Weight with one
// column, always f32. Copy freely; the model's storage must outlive the handle.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "candor/result.h"
#include "tensor/batch.h"
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
enum class Role : std::uint8_t { kMatrix, kTable, kVector, kHost };

// Gives the rows of one slot as f32, in the order the family wants them, straight from the package: nothing is
// gathered beforehand, so loading needs the packed weights and a few rows beside them. Thread-safe.
class RowReader {
 public:
  virtual ~RowReader() = default;
  virtual Result<void> Read(std::size_t first, std::size_t count, float* out) const = 0;
};

// One slot for a backend to prepare. `reader` is valid during Prepare only.
struct WeightSource {
  Role role = Role::kMatrix;
  bool exact = false;  // f32 products whatever the profile: routers, small heads
  std::size_t rows = 0, cols = 0, experts = 0;
  const RowReader* reader = nullptr;
  std::string label;  // of the first tensor; names the weight in plans, receipts and errors
};

enum class Activation : std::uint8_t {
  kNone,
  kRelu,
  kGeluErf,
  kGeluTanh,
  kQuickGelu,
  kSilu,
  kTanh,
  kSigmoid,
  kSoftplus,
  kLog1pRelu,
};

// y = x W^T + b. W is [out, in].
struct Linear {
  Weight weight;
  Weight bias;  // vector of out, optional
  std::size_t out() const { return weight.rows(); }
  explicit operator bool() const { return static_cast<bool>(weight); }
};

// LayerNorm or RMSNorm over a row (or over each head of a row). An absent Norm is the identity.
// A "(1 + w)" scale is folded into `scale` when the weight is bound, so there is one kind of scale.
struct Norm {
  enum class Kind : std::uint8_t { kIdentity, kLayer, kRms };
  Kind kind = Kind::kIdentity;
  Weight scale;  // vector of width; absent means all ones
  Weight shift;  // vector of width, LayerNorm only; absent means zero
  float eps = 0;
  explicit operator bool() const { return kind != Kind::kIdentity; }
};

// down(activation(up x)), or with a gate down(activation(gate x) * up x).
// When gated, `up` stacks gate then up: the activated half always comes first here, whatever the
// checkpoint's order; binding swaps halves where it must.
struct Mlp {
  Linear up;
  Linear down;
  Activation activation = Activation::kNone;
  bool gated = false;
  std::size_t inner() const { return gated ? up.out() / 2 : up.out(); }
};

// `count` MLPs stacked by rows: expert e owns rows [e * up.rows/count, ...) of mlp.up, same for mlp.down.
struct ExpertSet {
  Mlp mlp;
  std::size_t count = 0;
  Weight shared_bias;  // vector of width, added once per token, optional
};

struct Router {
  Linear gate;          // [experts, width]
  Weight expert_scale;  // vector of experts, multiplies the chosen weights, optional
  std::size_t top_k = 1;
  bool renormalise = false;  // chosen weights sum to one
};

// Rotary position embedding, as data. Frequency f turns the pair it owns by positions[axis[f]] * inv_freq[f].
// Pairs are (i, i + block/2) inside consecutive blocks, or (2i, 2i+1) when interleaved; a head's columns
// past blocks are left alone. This one form covers partial rotary, scaled and zeroed frequencies, 2-D
// patches (Pixtral, Qwen-VL, Gemma) and chunked or interleaved multi-axis text positions.
struct Rope {
  std::vector<float> inv_freq;     // one per pair
  std::vector<std::uint8_t> axis;  // which coordinate each pair reads; empty means axis 0
  std::size_t block = 0;           // columns per block; inv_freq.size() == blocks * block / 2
  bool interleaved = false;
  float magnitude = 1.0f;  // multiplies cos and sin (YaRN)
  explicit operator bool() const { return !inv_freq.empty(); }
};

// Which keys a query may see, in ordinals within its sequence: query - left <= key <= query + right.
struct Reach {
  static constexpr std::int32_t kFar = 1 << 30;
  std::int32_t left = kFar, right = kFar;
  static constexpr Reach All() { return {}; }
  static constexpr Reach Causal() { return {kFar, 0}; }
  static constexpr Reach Within(std::int32_t radius) { return {radius, radius}; }
  static constexpr Reach CausalWindow(std::int32_t size) { return {size - 1, 0}; }
};

// Distance (query - key) to a row of a learned table, for distances [-(n-1), n-1], clamped outside.
struct DistanceBuckets {
  std::vector<std::int32_t> bucket;  // 2n - 1 entries; bucket[n - 1] is distance zero
  std::int32_t At(std::int32_t distance) const {
    const std::int32_t last = static_cast<std::int32_t>(bucket.size() / 2);
    return bucket[static_cast<std::size_t>(std::clamp(distance, -last, last) + last)];
  }
};

// Terms added to the scaled attention score. All depend on the distance alone.
struct AlibiBias {
  std::span<const float> slopes;  // one per head: -slope * |distance|
};
struct DistanceBias {
  Matrix scores;   // [buckets, heads]: added as it is (T5, MPNet); empty when unused
  Matrix keys;     // [buckets, heads*d]: adds scale * q_i . keys (content to position)
  Matrix queries;  // [buckets, heads*d]: adds scale * k_j . queries (position to content)
  const DistanceBuckets* buckets = nullptr;
};
using ScoreBias = std::variant<std::monostate, AlibiBias, DistanceBias>;

}  // namespace candor

// What a set of kernels for one instruction set offers: plain functions on raw rows, each with its own name.
//
// One constant table per instruction set; the backend picks one at start. In f32 every table gives the same
// bits. Kernels own nothing, allocate nothing and may run in any number of threads on disjoint outputs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ops/ops.h"

namespace candor::cpu {

// Floats of scratch that attention needs for any sequence up to kLongestSequence, whatever the head; and
// those for a line of score biases beside them.
inline constexpr std::size_t kScratchFloats = std::size_t{1} << 18;
inline constexpr std::size_t kBiasFloats = kLongestSequence + 256;
inline constexpr std::size_t kWidestHead = 1024;
// For relative positions: tables of at most kTableFloats (rows by columns of a head), packed, and two tiles.
inline constexpr std::size_t kTableFloats = std::size_t{1} << 17;
inline constexpr std::size_t kPackedTableFloats = kTableFloats + 64 * kWidestHead;  // whole panels
inline constexpr std::size_t kPositionTileFloats = 64 * 256;
inline constexpr std::size_t kThreadFloats =
    kScratchFloats + kBiasFloats + 2 * (kPackedTableFloats + kPositionTileFloats);
// Products have operations' rows in the first kScratchFloats of these, and a widened panel behind them.
inline constexpr std::size_t kWidenedFloats = kThreadFloats - kScratchFloats;

struct Rows {
  float* data = nullptr;
  std::size_t stride = 0;
  float* Row(std::size_t r) const { return data + r * stride; }
};
struct ConstRows {
  const float* data = nullptr;
  std::size_t stride = 0;
  const float* Row(std::size_t r) const { return data + r * stride; }
};

// The 16 bits of a stored value, which kernels widen to f32 as they read it: exact, and half the bytes.
struct Bf16 {
  std::uint16_t bits;
};
struct F16 {
  std::uint16_t bits;
};

// Values of a matrix or a table: f32 or one of the above.
struct Held {
  const std::byte* data = nullptr;
  DType type = DType::kF32;
  Held From(std::size_t i) const { return {data + i * SizeOf(type), type}; }
  template <class T>
  const T* As() const {
    return reinterpret_cast<const T*>(data);
  }
};

// out[0, rows) columns of panels [first, last): out = (accumulate ? out : 0) + activation(in W + bias).
// `panels` is [ceil(outer / width)][inner][width], zero past outer; `bias` is padded likewise, or null.
struct GemmArgs {
  ConstRows in;
  std::size_t rows = 0, inner = 0, outer = 0;
  Held panels = {};
  const float* bias = nullptr;
  float* widened = nullptr;  // kWidenedFloats, where panels are not f32
  std::size_t first = 0, last = 0;
  Activation activation = Activation::kNone;
  bool accumulate = false;
  Rows out;
};

// LayerNorm of rows, or without centring their RMS norm; in may be out. Null scale is ones, null shift zeros.
struct NormArgs {
  ConstRows in;
  std::size_t rows = 0, cols = 0;
  const float* scale = nullptr;
  const float* shift = nullptr;
  float eps = 0;
  bool centred = true;
  Rows out;
};

// One head of one sequence, query rows [first, last) of `length`. Rows are counted from the prefix's first,
// if there is one: its `known` keys and values lie apart, and `first` is not among them.
struct AttentionHead {
  ConstRows q, k, v;  // such that row `known` is the sequence's first, at the head's first column
  ConstRows known_k = {}, known_v = {};
  std::size_t known = 0;
  std::size_t length = 0, dim = 0, first = 0, last = 0;
  std::size_t keys = 0;  // the first so many rows are seen; a query that sees none gets zeros
  float scale = 1;
  float softcap = 0;  // scores become softcap * tanh(score / softcap); 0: as they are
  // Query i meets key j if i - before <= j <= i + behind.
  std::size_t before = kLongestSequence, behind = kLongestSequence;
  ConstRows bias = {};  // the head's column: row reach + j - i is added; null: none
  std::size_t reach = 0;
  // Tables of relative positions, the head's columns; null: none. bucket[j - i] is the row of both that query
  // i and key j meet in.
  ConstRows position_keys = {}, position_queries = {};
  const std::int32_t* bucket = nullptr;  // of distance 0
  Rows out;
  float* scratch = nullptr;  // kThreadFloats
};

// Every head of rows turned in place: columns i and i + pairs by the angle whose cosine and sine are in
// columns i and i + pairs of `angles`.
struct RotateArgs {
  Rows x;
  std::size_t rows = 0, heads = 0, dim = 0, pairs = 0;
  ConstRows angles;
};

// Softmax of rows of scores, one per expert, and the top_k best of each, of equal ones the lower number
// first.
struct RouteArgs {
  Rows scores;  // become exponentials
  std::size_t rows = 0, experts = 0, top_k = 0;
  bool renormalise = false;
  const float* expert_scale = nullptr;  // of each expert; null is ones
  std::int32_t* chosen = nullptr;
  std::size_t chosen_stride = 0;
  Rows weights;
};

struct EmbedTable {
  Held values;
  const std::int32_t* ids;
};

struct PoolArgs {
  ConstRows in;  // at the run's first row
  std::size_t rows = 0, cols = 0, skipped = 0;
  Pooling pooling = Pooling::kMean;
  float* out = nullptr;
};

// The rows of a run, or the next of them, into one: the largest of each column or the sum, in their order.
// `begin`: out holds nothing yet. What is not finite leaves no finite number behind it.
struct FoldArgs {
  ConstRows in;
  std::size_t rows = 0, cols = 0;
  Reduce reduce = Reduce::kMax;
  bool begin = true;
  float* out = nullptr;
};

// Rows of a causal convolution of each column by itself. weight is [taps][cols]: the last is the row's own.
// Rows before the first are `before`, taps - 1 of them, or zeros where that is null. out is not in.
struct ConvolveArgs {
  ConstRows in, before;
  std::size_t rows = 0, cols = 0, taps = 1;
  ConstRows weight;
  Rows out;
};

// Some columns of one head's state through rows of a sequence (GatedDeltaArgs). The state is
// [key][kDeltaColumns], of which `cols` count and the others are zeros; step, beta and log_rate are the
// head's.
inline constexpr std::size_t kDeltaColumns = 32;
struct DeltaArgs {
  ConstRows q, k, v;
  ConstRows step, beta;
  float log_rate = 0;
  std::size_t rows = 0, key = 0, cols = 0;
  float query_scale = 1, key_scale = 1;
  float* state = nullptr;
  Rows out;  // may be v
};

template <class F>
struct Kernel {
  F* run = nullptr;
  std::string_view name = {};  // where the code really comes from: "cpu.avx2.norm_f32"
};

struct KernelTable {
  std::string_view isa;       // "avx2"
  std::size_t panel = 0;      // columns of a packed panel
  std::size_t tile_rows = 0;  // rows of a full product tile
  Kernel<void(const GemmArgs&)> gemm;
  Kernel<void(const AttentionHead&)> attention;
  Kernel<void(const NormArgs&)> norm;
  Kernel<void(const NormArgs&)> norm_l2;  // rows divided by their length; scale, shift, eps unused
  Kernel<void(Activation, ConstRows in, std::size_t rows, std::size_t cols, Rows out)> activate;
  Kernel<void(float alpha, ConstRows x, float beta, ConstRows y, std::size_t rows, std::size_t cols,
              Rows out)>
      combine;
  Kernel<void(const RotateArgs&)> rotate;
  // out = activation(first cols of in) * next cols of in; out may be in
  Kernel<void(Activation, ConstRows in, std::size_t rows, std::size_t cols, Rows out)> gate;
  // out = activation(gate) * in, a gate for each of `parts` equal parts of a row; out may be in
  Kernel<void(Activation, ConstRows gate, std::size_t parts, ConstRows in, std::size_t rows, std::size_t cols,
              Rows out)>
      gate_by;
  Kernel<void(const ConvolveArgs&)> convolve;
  Kernel<void(const DeltaArgs&)> delta;
  Kernel<void(const RouteArgs&)> route;
  Kernel<void(const EmbedTable* tables, std::size_t count, std::size_t rows, std::size_t cols, Rows out)>
      embed;
  Kernel<void(const PoolArgs&)> pool;
  Kernel<void(const FoldArgs&)> fold;
  Kernel<void(ConstRows in, std::size_t rows, std::size_t cols, float* panel)>
      pack;  // rows to a panel's columns
  // Values that came from 16 bits back to them.
  Kernel<void(const float* values, std::size_t count, DType type, std::byte* out)> narrow;
  Kernel<bool(const float* values, std::size_t count)> finite;
};

extern const KernelTable kScalarTable;
#if defined(__x86_64__)
extern const KernelTable kAvx2Table;
extern const KernelTable kAvx512Table;
#endif

}  // namespace candor::cpu

// LowRank: what adapters add to a product or a table (LoRA, arXiv:2106.09685), scale * up(down(x)), one pair
// of small matrices for each adapter, stored side by side.
//
// A model that has adapters always runs one, and without a choice adds nothing of it: what is planned,
// measured and compared is then one sequence of operations, and x + 0 * y is x for every finite y.
#pragma once
#include <cstddef>
#include <vector>

#include "model/tensor_decl.h"
#include "ops/ops.h"
#include "tensor/batch.h"
#include "tensor/workspace.h"

namespace candor::families {

struct LowRankSizes {
  std::size_t adapters = 0, rank = 0;
  float scale = 1;
};

// Which adapter of a model runs, and how much of it.
struct ChosenAdapter {
  std::size_t index = 0;
  float scale = 0;
};
ChosenAdapter Chosen(const LowRankSizes& sizes, const Batch& batch);

// Beside a product x W^T.
class LowRankLinear {
 public:
  // `scope` is the product's module: its tensors are lora_A [adapters, rank, in] and lora_B [adapters, out,
  // rank].
  void Declare(const Scope& scope, const LowRankSizes& sizes, std::size_t out, std::size_t in);
  // Onto `out`, which holds the product; the epilogue's activation must be none.
  void Add(Matrix in, const ChosenAdapter& adapter, Matrix out, Ops& ops, Workspace& ws,
           const Norm* norm = nullptr) const;

 private:
  struct Pair {
    Linear down, up;
  };
  std::vector<Pair> pairs_;
};

// Beside a table's rows.
class LowRankTable {
 public:
  // lora_A [adapters, entries, rank] and lora_B [adapters, rank, width].
  void Declare(const Scope& scope, const LowRankSizes& sizes, std::size_t entries, std::size_t width);
  void Add(const Index& ids, const ChosenAdapter& adapter, Matrix out, Ops& ops, Workspace& ws,
           const Norm* norm = nullptr) const;

 private:
  struct Pair {
    Weight down;
    Linear up;
  };
  std::vector<Pair> pairs_;
};

}  // namespace candor::families

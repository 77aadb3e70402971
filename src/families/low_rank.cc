#include "families/low_rank.h"

namespace candor::families {
namespace {

// low holds down(x) of the adapter.
void AddScaled(Matrix low, const Linear& up, float scale, Matrix out, Ops& ops, const Norm* norm) {
  ops.Combine(scale, low, 0.0f, low, low);
  ops.Project(low, up, out, {.accumulate = true, .norm = norm});
}

}  // namespace

ChosenAdapter Chosen(const LowRankSizes& sizes, const Batch& batch) {
  if (batch.adapter == Batch::kNoAdapter) return {};
  return {static_cast<std::size_t>(batch.adapter), sizes.scale};
}

void LowRankLinear::Declare(const Scope& scope, const LowRankSizes& sizes, std::size_t out, std::size_t in) {
  pairs_.resize(sizes.adapters);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Slice one{i, sizes.adapters};
    scope.Exact().LinearOf("lora_A", pairs_[i].down, sizes.rank, in, one);
    scope.Exact().LinearOf("lora_B", pairs_[i].up, out, sizes.rank, one);
  }
}

void LowRankLinear::Add(Matrix in, const ChosenAdapter& adapter, Matrix out, Ops& ops, Workspace& ws,
                        const Norm* norm) const {
  const auto frame = ws.Mark();
  const Pair& pair = pairs_[adapter.index];
  const Matrix low = ws.Rows(in.rows(), pair.down.out());
  ops.Project(in, pair.down, low);
  AddScaled(low, pair.up, adapter.scale, out, ops, norm);
}

void LowRankTable::Declare(const Scope& scope, const LowRankSizes& sizes, std::size_t entries,
                           std::size_t width) {
  pairs_.resize(sizes.adapters);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Slice one{i, sizes.adapters};
    scope.TableOf("lora_A", pairs_[i].down, entries, sizes.rank, one);
    scope.Exact().TransposedOf("lora_B", pairs_[i].up, width, sizes.rank, one);
  }
}

void LowRankTable::Add(const Index& ids, const ChosenAdapter& adapter, Matrix out, Ops& ops, Workspace& ws,
                       const Norm* norm) const {
  const auto frame = ws.Mark();
  const Pair& pair = pairs_[adapter.index];
  const Matrix low = ws.Rows(ids.size(), pair.down.cols());
  ops.Embed({{pair.down, ids}}, {}, low);
  AddScaled(low, pair.up, adapter.scale, out, ops, norm);
}

}  // namespace candor::families

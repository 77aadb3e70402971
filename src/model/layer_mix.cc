#include "model/layer_mix.h"

#include <numeric>
#include <span>

#include "model/layers.h"

namespace candor {
namespace {

// One layer after the other, so that a row's sum has one order in any batch.
class Sum final : public LayerSink {
 public:
  // No weights: the planner's pass, which computes nothing.
  Sum(std::size_t first, std::span<const float> weights, Matrix out)
      : first_(first),
        weights_(weights),
        total_(std::reduce(weights.begin(), weights.end(), 0.0)),
        out_(out) {}
  void Take(Matrix rows, Ops& ops) override {
    const std::size_t i = at_++;
    if (i < first_) return;
    const float share = weights_.empty() ? 0 : static_cast<float>(double{weights_[i - first_]} / total_);
    // The first finds nothing in `out` that counts.
    if (i == first_)
      ops.Combine(share, rows, 0, rows, out_);
    else
      ops.Combine(share, rows, 1, out_, out_);
  }

 private:
  std::size_t first_, at_ = 0;
  std::span<const float> weights_;
  double total_;
  Matrix out_;
};

}  // namespace

Matrix LayerMix::Forward(const Model& model, const Batch& batch, Ops& ops, Workspace& ws) const {
  const Matrix out = ws.RowsF32(batch.rows(), model.width());
  Sum sum(first_, weights_, out);
  Batch listening = batch;
  listening.layers = &sum;
  model.Forward(listening, ops, ws);
  return out;
}

}  // namespace candor

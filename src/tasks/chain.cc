#include "tasks/chain.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace candor::tasks {

ModuleChain::ModuleChain(std::vector<Module> modules, std::size_t width)
    : modules_(std::move(modules)), width_(width), slots_(modules_.size()) {}

void ModuleChain::DeclareTensors(const Scope& root) {
  for (std::size_t i = 0; i < modules_.size(); ++i) {
    // Small products on pooled rows: their precision is not the profile's to lower.
    // In the encoder's folder it stands in the encoder's files, beside the encoder's tensors.
    const std::string& folder = modules_[i].folder;
    const Scope scope = (folder == root.folder() ? root.Beside() : root.In(folder)).Exact();
    if (const auto* dense = std::get_if<DenseStep>(&modules_[i].step)) {
      scope.Linear(dense->tensors, slots_[i].linear, dense->out, dense->in, Scope::BiasIf(dense->bias));
      if (dense->residual && dense->in != dense->out)
        scope.Linear("residual", slots_[i].residual, dense->out, dense->in, Scope::Bias::kNone);
    } else if (const auto* norm = std::get_if<LayerNormStep>(&modules_[i].step)) {
      scope.LayerNorm("norm", slots_[i].norm, norm->width, 1e-5f);
    }
  }
}

std::size_t ModuleChain::out() const {
  std::size_t width = width_;
  for (const Module& m : modules_) {
    if (!m.IsOn(0)) continue;  // every route gives the same
    if (const auto* pooling = std::get_if<PoolingStep>(&m.step)) width *= pooling->modes.size();
    if (const auto* dense = std::get_if<DenseStep>(&m.step)) width = dense->out;
  }
  return width;
}

bool ModuleChain::ReadsLastRows() const {
  bool pools = false, last = true;
  for (const Module& m : modules_)
    if (const auto* pooling = std::get_if<PoolingStep>(&m.step))
      pools = true,
      last = last && std::ranges::all_of(pooling->modes, [](Pooling p) { return p == Pooling::kLast; });
  return pools && last;
}

void ModuleChain::Apply(Matrix hidden, const Sequences& runs, Matrix out, Ops& ops, Workspace& ws,
                        std::size_t route) const {
  const std::size_t n = out.rows();  // of runs where the first module pools, else of all rows
  std::size_t end = modules_.size();
  while (end > 1 && !modules_[end - 1].IsOn(route)) --end;
  Matrix x = hidden;
  if (modules_.empty()) ops.Combine(1.0f, x, 0.0f, x, out);
  for (std::size_t i = 0; i < end; ++i) {
    if (!modules_[i].IsOn(route)) continue;
    const bool last = i + 1 == end;
    const auto& step = modules_[i].step;
    if (const auto* pooling = std::get_if<PoolingStep>(&step)) {
      const Matrix y = last ? out : ws.RowsF32(n, width_ * pooling->modes.size());
      for (std::size_t m = 0; m < pooling->modes.size(); ++m)
        ops.Pool(x, runs, pooling->modes[m], y.Cols(m * width_, width_));
      x = y;
    } else if (const auto* dense = std::get_if<DenseStep>(&step)) {
      const Matrix y = last ? out : ws.RowsF32(n, dense->out);
      ops.Project(x, slots_[i].linear, y, {.activation = dense->activation});
      if (dense->residual && dense->in == dense->out) {
        ops.Combine(1.0f, y, 1.0f, x, y);
      } else if (dense->residual) {
        const auto frame = ws.Mark();
        const Matrix projected = ws.RowsF32(n, dense->out);
        ops.Project(x, slots_[i].residual, projected);
        ops.Combine(1.0f, y, 1.0f, projected, y);
      }
      x = y;
    } else {
      const Matrix y = last ? out : x;
      if (std::holds_alternative<LayerNormStep>(step))
        ops.Normalize(x, slots_[i].norm, y);
      else
        ops.NormalizeL2(x, y);
      x = y;
    }
  }
}

}  // namespace candor::tasks

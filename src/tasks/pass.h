// One forward pass of a model under a task. The planner's dry pass and every session call this one function,
// so what was planned is what runs.
#pragma once
#include "tasks/task.h"

namespace candor::tasks {

// Numbers of the batch, [out_rows, OutputWidth] f32, in `ws` until the caller's frame ends.
inline Matrix Pass(const Model& model, const Task& task, const Packed& packed, std::size_t out_rows, Ops& ops,
                   Workspace& ws) {
  const Matrix out = ws.RowsF32(out_rows, task.OutputWidth());
  const auto frame = ws.Mark();
  const LayerMix* const mix = task.layer_mix();
  const Matrix hidden =
      mix == nullptr ? model.Forward(packed.batch, ops, ws) : mix->Forward(model, packed.batch, ops, ws);
  task.Compute(packed, hidden, out, ops, ws);
  return out;
}

}  // namespace candor::tasks

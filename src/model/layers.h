// Layers: the rows that a forward pass has on its way, for what reads more than the last of them.
//
// A family hands them on as transformers' hidden_states has them: behind the embeddings, then behind each
// layer in order; the last are those that Forward returns, behind the final norm where there is one. Who
// listens is in the batch (Batch::layers), so that a pass without a listener costs nothing.
#pragma once
#include "ops/ops.h"

namespace candor {

class LayerSink {
 public:
  virtual ~LayerSink() = default;
  // `rows` change with the next layer: what is wanted of them is taken before this returns.
  virtual void Take(Matrix rows, Ops& ops) = 0;
};

// For families: one line behind the embeddings and behind each layer.
inline void Give(const Batch& batch, Matrix rows, Ops& ops) {
  if (batch.layers != nullptr) batch.layers->Take(rows, ops);
}

}  // namespace candor

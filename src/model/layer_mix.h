// LayerMix: hidden rows as a weighted mean of the rows of several layers, sum w h / sum w, from one layer to
// the last. Weights of sum zero make rows that are not finite, as there. Immutable once its weights are read.
// Reference: sentence_transformers 6.2, sentence_transformer/modules/weighted_layer_pooling.py.
#pragma once
#include <cstddef>
#include <vector>

#include "model/model.h"

namespace candor {

class LayerMix {
 public:
  // `count` layers from number `first` on, the embeddings being number 0: first + count is the model's
  // given_layers().
  LayerMix(std::size_t first, std::size_t count) : first_(first), count_(count) {}
  void DeclareTensors(const Scope& root) { root.Values("layer_weights", weights_, count_); }
  // As Model::Forward. One matrix more than that lives meanwhile, however many layers there are.
  Matrix Forward(const Model& model, const Batch& batch, Ops& ops, Workspace& ws) const;

 private:
  std::size_t first_, count_;
  std::vector<float> weights_;
};

}  // namespace candor

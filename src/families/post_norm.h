// PostNormLayer: the layer of BERT and its relatives, which differ in what their scores have beside q k^T.
//
//   h = norm(h + out(attention(h)))
//   h = norm(h + mlp(h))
#pragma once
#include <cstddef>
#include <string_view>

#include "model/tensor_decl.h"
#include "ops/ops.h"
#include "tensor/workspace.h"

namespace candor::families {

// What a family's files call the parts of a layer.
struct PostNormNames {
  std::string_view query, key, value, out, attention_norm, up, down, mlp_norm;
};

struct PostNormSizes {
  std::size_t width = 0, inner = 0;
  float eps = 0;
  Activation activation = Activation::kNone;
};

struct PostNormLayer {
  Linear qkv, out;
  Norm query_norm = {}, key_norm = {};  // of all heads of a row together; most families have none
  Norm attention_norm;
  Mlp mlp;
  Norm mlp_norm;

  // Three products and a plain MLP, all with biases. A family that stores them otherwise declares the
  // members.
  void Declare(const Scope& scope, const PostNormNames& names, const PostNormSizes& sizes);
  void DeclareAttention(const Scope& scope, const PostNormNames& names, std::size_t width, float eps);

  // h in place. `scores` says how rows meet; its q, k, v and out are this layer's own. With `angles` every
  // head of q and k turns by them first.
  void Run(Matrix h, const AttentionArgs& scores, Ops& ops, Workspace& ws, Matrix angles = {}) const;
  // The first half: sum = norm(sum + out(attention(h))); `sum` may be h.
  void Attend(Matrix h, Matrix sum, AttentionArgs scores, Ops& ops, Workspace& ws, Matrix angles = {}) const;
};

// 1 / sqrt of the width of a head.
float HeadScale(std::size_t width, std::size_t heads);

}  // namespace candor::families

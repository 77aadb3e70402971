#include "families/post_norm.h"

#include <cmath>
#include <string>

namespace candor::families {

void PostNormLayer::DeclareAttention(const Scope& scope, const PostNormNames& names, std::size_t width,
                                     float eps) {
  const auto part = [&](std::string_view name) { return Part{std::string(name), width}; };
  scope.Stacked(std::string(names.query.substr(0, names.query.rfind('.'))) + ".qkv", qkv, width,
                Scope::Bias::kRequired, {part(names.query), part(names.key), part(names.value)});
  scope.Linear(names.out, out, width, width);
  scope.LayerNorm(names.attention_norm, attention_norm, width, eps);
}

void PostNormLayer::Declare(const Scope& scope, const PostNormNames& names, const PostNormSizes& s) {
  DeclareAttention(scope, names, s.width, s.eps);
  scope.Linear(names.up, mlp.up, s.inner, s.width);
  scope.Linear(names.down, mlp.down, s.width, s.inner);
  scope.LayerNorm(names.mlp_norm, mlp_norm, s.width, s.eps);
  mlp.activation = s.activation;
}

void PostNormLayer::Attend(Matrix h, Matrix sum, AttentionArgs scores, Ops& ops, Workspace& ws,
                           Matrix angles) const {
  const auto frame = ws.Mark();  // what a layer takes, it gives back
  const std::size_t n = h.rows(), w = h.cols();
  const Matrix all = ws.Rows(n, 3 * w), context = ws.Rows(n, w);
  scores.q = all.Cols(0, w), scores.k = all.Cols(w, w), scores.v = all.Cols(2 * w, w), scores.out = context;
  ops.Project(h, qkv, all);
  if (query_norm) ops.Normalize(scores.q, query_norm, scores.q);
  if (key_norm) ops.Normalize(scores.k, key_norm, scores.k);
  if (!angles.empty()) ops.Rotate(all.Cols(0, 2 * w), 2 * scores.heads, angles);
  ops.Attention(scores);
  ops.Project(context, out, sum, {.accumulate = true, .norm = &attention_norm});
}

void PostNormLayer::Run(Matrix h, const AttentionArgs& scores, Ops& ops, Workspace& ws, Matrix angles) const {
  Attend(h, h, scores, ops, ws, angles);
  ops.FeedForward(h, mlp, h, {.accumulate = true, .norm = &mlp_norm});
}

float HeadScale(std::size_t width, std::size_t heads) {
  return 1.0f / std::sqrt(static_cast<float>(width / heads));
}

}  // namespace candor::families

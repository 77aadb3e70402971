#include "families/modernbert.h"

#include <algorithm>
#include <cmath>

#include "model/layers.h"

namespace candor::families {

void ModernBertModel::DeclareTensors(const Scope& root) {
  const ModernBertSpec& s = spec_;
  const auto norm = Scope::BiasIf(s.norm_bias), attention = Scope::BiasIf(s.attention_bias),
             mlp = Scope::BiasIf(s.mlp_bias);
  root.Table("embeddings.tok_embeddings", word_, s.vocabulary, s.width);
  root.LayerNorm("embeddings.norm", norm_, s.width, s.eps, norm);
  layers_.resize(s.is_global.size());
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    Layer& l = layers_[i];
    const Scope p = root.Down("layers", i);
    if (i != 0) p.LayerNorm("attn_norm", l.attention_norm, s.width, s.eps, norm);
    p.Linear("attn.Wqkv", l.qkv, 3 * s.width, s.width, attention);
    p.Linear("attn.Wo", l.out, s.width, s.width, attention);
    p.LayerNorm("mlp_norm", l.mlp_norm, s.width, s.eps, norm);
    p.Linear("mlp.Wi", l.mlp.up, 2 * s.inner, s.width, mlp);  // the activated half first
    p.Linear("mlp.Wo", l.mlp.down, s.width, s.inner, mlp);
    l.mlp.activation = s.activation, l.mlp.gated = true;
  }
  root.LayerNorm("final_norm", final_norm_, s.width, s.eps, norm);
}

Matrix ModernBertModel::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const std::size_t n = b.rows(), w = spec_.width, heads = spec_.heads;
  const Matrix h = ws.Rows(n, w);  // the residual stream
  const Matrix x = ws.Rows(n, w);  // its norm, which every block reads
  const auto angles = [&](bool global) {
    if (std::ranges::find(spec_.is_global, global) == spec_.is_global.end()) return Matrix();
    const Rope& rope = global ? spec_.global : spec_.local;
    const Matrix out = ws.RowsF32(n, 2 * rope.pairs());
    ops.Angles(b.positions, b.sequences, rope, out);
    return out;
  };
  const Matrix global = angles(true), local = angles(false);
  ops.Embed({{word_, b.tokens}}, norm_, h);
  Give(b, h, ops);
  ops.Normalize(h, layers_[0].attention_norm, x);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& l = layers_[i];
    const auto frame = ws.Mark();
    const Matrix qkv = ws.Rows(n, 3 * w), context = ws.Rows(n, w);
    ops.Project(x, l.qkv, qkv);
    ops.Rotate(qkv.Cols(0, 2 * w), 2 * heads, spec_.is_global[i] ? global : local);
    ops.Attention({.q = qkv.Cols(0, w),
                   .k = qkv.Cols(w, w),
                   .v = qkv.Cols(2 * w, w),
                   .out = context,
                   .sequences = b.sequences,
                   .heads = heads,
                   .scale = 1.0f / std::sqrt(static_cast<float>(w / heads)),
                   .radius = spec_.is_global[i] ? AttentionArgs::kEveryRow : spec_.radius});
    ops.Project(context, l.out, h, {.accumulate = true, .norm = &l.mlp_norm, .normed = x});
    const Norm& next = i + 1 < layers_.size() ? layers_[i + 1].attention_norm : final_norm_;
    ops.FeedForward(x, l.mlp, h, {.accumulate = true, .norm = &next, .normed = x});
    Give(b, i + 1 < layers_.size() ? h : x, ops);  // the last behind the final norm
  }
  return x;
}

}  // namespace candor::families

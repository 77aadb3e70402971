#include "families/jina_code.h"

#include "families/bert.h"

namespace candor::families {

void JinaCodeModel::DeclareTensors(const Scope& root) {
  const JinaSpec& s = spec();
  DeclareEmbeddings(root);
  layers_.resize(s.layers);
  for (std::size_t i = 0; i < s.layers; ++i) {
    Layer& l = layers_[i];
    const Scope p = root.Down(kBertNames.layers, i);
    l.DeclareAttention(p, kBertNames.layer, s.width, s.eps);
    p.LayerNorm("attention.self.layer_norm_q", l.query_norm, s.width, s.eps);
    p.LayerNorm("attention.self.layer_norm_k", l.key_norm, s.width, s.eps);
    p.LayerNorm("layer_norm_1", l.second_norm, s.width, s.eps);
    if (s.gated) {  // the activated half first, which is stored behind
      p.Stacked("mlp.up_gated_layer", l.mlp.up, s.width, Scope::Bias::kNone,
                {{"mlp.up_gated_layer", s.inner, s.inner, 2 * s.inner},
                 {"mlp.up_gated_layer", s.inner, 0, 2 * s.inner}});
    } else {
      p.Linear("mlp.up_layer", l.mlp.up, s.inner, s.width, Scope::Bias::kNone);
    }
    p.Linear("mlp.down_layer", l.mlp.down, s.width, s.inner);
    p.LayerNorm("layer_norm_2", l.mlp_norm, s.width, s.eps);
    l.mlp.activation = s.activation, l.mlp.gated = s.gated;
  }
}

Matrix JinaCodeModel::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const Matrix h = Embed(b, ops, ws), attended = ws.Rows(b.rows(), spec().width);
  for (const Layer& l : layers_) {
    ops.Combine(1.0f, h, 0.0f, h, attended);
    l.Attend(h, attended, Scores(b), ops, ws);
    ops.Combine(1.0f, h, 1.0f, attended, h);
    ops.Normalize(h, l.second_norm, h);
    ops.FeedForward(h, l.mlp, h, {.accumulate = true, .norm = &l.mlp_norm});
  }
  return h;
}

}  // namespace candor::families

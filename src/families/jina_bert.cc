#include "families/jina_bert.h"

#include "families/bert.h"

namespace candor::families {

void JinaBertModel::DeclareTensors(const Scope& root) {
  const JinaSpec& s = spec();
  DeclareEmbeddings(root);
  layers_.resize(s.layers);
  for (std::size_t i = 0; i < s.layers; ++i) {
    PostNormLayer& l = layers_[i];
    const Scope p = root.Down(kBertNames.layers, i);
    if (!s.gated) {
      l.Declare(p, kBertNames.layer, {s.width, s.inner, s.eps, s.activation});
      continue;
    }
    l.DeclareAttention(p, kBertNames.layer, s.width, s.eps);
    // The activated half is stored first.
    p.Linear("mlp.gated_layers", l.mlp.up, 2 * s.inner, s.width, Scope::Bias::kNone);
    p.Linear("mlp.wo", l.mlp.down, s.width, s.inner);
    p.LayerNorm("mlp.layernorm", l.mlp_norm, s.width, s.eps);
    l.mlp.activation = s.activation, l.mlp.gated = true;
  }
}

Matrix JinaBertModel::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const Matrix h = Embed(b, ops, ws);
  for (const PostNormLayer& l : layers_) l.Run(h, Scores(b), ops, ws);
  return h;
}

}  // namespace candor::families

#include "families/nomic_bert.h"

namespace candor::families {

void NomicBertModel::DeclareTensors(const Scope& root) {
  const NomicBertSpec& s = spec_;
  const std::size_t w = s.width;
  root.Table("embeddings.word_embeddings", word_, s.vocabulary, w);
  if (s.segments != 0) root.Table("embeddings.token_type_embeddings", segment_, s.segments, w);
  root.LayerNorm("emb_ln", norm_, w, s.eps);
  layers_.resize(s.layers);
  for (std::size_t i = 0; i < s.layers; ++i) {
    PostNormLayer& l = layers_[i];
    const Scope p = root.Down("encoder.layers", i);
    p.Stacked("attn.Wqkv", l.qkv, w, Scope::BiasIf(s.attention_bias),
              {{{"attn.Wqkv", 3 * w}},
               {{"self_attn.q_proj", w}, {"self_attn.k_proj", w}, {"self_attn.v_proj", w}}});
    p.Linear("attn.out_proj", l.out, w, w, Scope::BiasIf(s.attention_bias));
    p.LayerNorm("norm1", l.attention_norm, w, s.eps);
    if (s.gated)  // fc12 is the activated half
      p.Stacked("mlp.fc12+fc11", l.mlp.up, w, Scope::BiasIf(s.up_bias),
                {{"mlp.fc12", s.inner}, {"mlp.fc11", s.inner}});
    else
      p.Linear("mlp.fc1", l.mlp.up, s.inner, w, Scope::BiasIf(s.up_bias));
    p.Linear("mlp.fc2", l.mlp.down, w, s.inner, Scope::BiasIf(s.down_bias));
    p.LayerNorm("norm2", l.mlp_norm, w, s.eps);
    l.mlp.activation = s.activation, l.mlp.gated = s.gated;
  }
}

Matrix NomicBertModel::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const std::size_t n = b.rows();
  const Matrix h = ws.Rows(n, spec_.width), angles = ws.RowsF32(n, 2 * spec_.rope.pairs());
  ops.Angles(b.positions, b.sequences, spec_.rope, angles);
  ops.Embed({{word_, b.tokens}, {segment_, b.segments}}, norm_, h);
  const AttentionArgs scores{
      .sequences = b.sequences, .heads = spec_.heads, .scale = HeadScale(spec_.width, spec_.heads)};
  for (const PostNormLayer& l : layers_) l.Run(h, scores, ops, ws, angles);
  return h;
}

}  // namespace candor::families

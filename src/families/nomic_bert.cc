#include "families/nomic_bert.h"

#include <string>

#include "model/layers.h"

namespace candor::families {

void NomicBertModel::DeclareMlp(const Scope& scope, Mlp& mlp) const {
  const NomicBertSpec& s = spec_;
  if (s.gated)  // fc12 is the activated half
    scope.Stacked("fc12+fc11", mlp.up, s.width, Scope::BiasIf(s.up_bias),
                  {{"fc12", s.inner}, {"fc11", s.inner}});
  else
    scope.Linear("fc1", mlp.up, s.inner, s.width, Scope::BiasIf(s.up_bias));
  scope.Linear("fc2", mlp.down, s.width, s.inner, Scope::BiasIf(s.down_bias));
  mlp.activation = s.activation, mlp.gated = s.gated;
}

// Each tensor has one expert below the other, and its rows are the features between an expert's two products:
// outputs of the first, inputs of the second, which is therefore stored the other way round.
void NomicBertModel::DeclareExperts(const Scope& scope, Layer& layer) const {
  const std::size_t w = spec_.width, inner = spec_.inner, all = spec_.experts * inner;
  scope.Exact().Linear("router.layer", layer.router.gate, spec_.experts, w, Scope::Bias::kNone);
  layer.router.top_k = spec_.top_k;
  layer.set.experts.resize(spec_.experts);
  for (Mlp& expert : layer.set.experts) expert.activation = spec_.activation;
  for (std::size_t e = 0; e < spec_.experts; ++e)
    scope.Bare("experts.mlp.w1." + std::to_string(e), layer.set.experts[e].up.weight, w,
               {"experts.mlp.w1", inner, e * inner, all});
  for (std::size_t e = 0; e < spec_.experts; ++e)
    scope.Bare("experts.mlp.w2." + std::to_string(e), layer.set.experts[e].down.weight, inner,
               {"experts.mlp.w2", w, e * inner, all, Take::kTranspose});
  scope.Vector("experts.bias", layer.set.shared_bias, w);
}

void NomicBertModel::DeclareTensors(const Scope& root) {
  const NomicBertSpec& s = spec_;
  const std::size_t w = s.width;
  root.Table("embeddings.word_embeddings", word_, s.vocabulary, w);
  if (s.segments != 0) root.Table("embeddings.token_type_embeddings", segment_, s.segments, w);
  root.LayerNorm("emb_ln", norm_, w, s.eps);
  layers_.resize(s.layers);
  for (std::size_t i = 0; i < s.layers; ++i) {
    PostNormLayer& l = layers_[i].block;
    const Scope p = root.Down("encoder.layers", i);
    p.Stacked("attn.Wqkv", l.qkv, w, Scope::BiasIf(s.attention_bias),
              {{{"attn.Wqkv", 3 * w}},
               {{"self_attn.q_proj", w}, {"self_attn.k_proj", w}, {"self_attn.v_proj", w}}});
    p.Linear("attn.out_proj", l.out, w, w, Scope::BiasIf(s.attention_bias));
    p.LayerNorm("norm1", l.attention_norm, w, s.eps);
    if (s.Routed(i))
      DeclareExperts(p.Down("mlp"), layers_[i]);
    else
      DeclareMlp(p.Down("mlp"), l.mlp);
    p.LayerNorm("norm2", l.mlp_norm, w, s.eps);
  }
}

Matrix NomicBertModel::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const std::size_t n = b.rows();
  const Matrix h = ws.Rows(n, spec_.width), angles = ws.RowsF32(n, 2 * spec_.rope.pairs());
  ops.Angles(b.positions, b.sequences, spec_.rope, angles);
  ops.Embed({{word_, b.tokens}, {segment_, b.segments}}, norm_, h);
  Give(b, h, ops);
  const AttentionArgs scores{
      .sequences = b.sequences, .heads = spec_.heads, .scale = HeadScale(spec_.width, spec_.heads)};
  for (const Layer& l : layers_) {
    if (l.set.experts.empty()) {
      l.block.Run(h, scores, ops, ws, angles);
      Give(b, h, ops);
      continue;
    }
    l.block.Attend(h, h, scores, ops, ws, angles);
    const auto frame = ws.Mark();
    const Routing routing{ws.RowsI32(n, spec_.top_k), ws.RowsF32(n, spec_.top_k)};
    ops.Route(h, l.router, routing);
    ops.Experts(h, l.set, routing, h, {.accumulate = true, .norm = &l.block.mlp_norm});
  }
  return h;
}

}  // namespace candor::families

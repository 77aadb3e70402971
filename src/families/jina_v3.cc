#include "families/jina_v3.h"

#include "model/layers.h"

namespace candor::families {

void JinaV3Model::DeclareTensors(const Scope& root) {
  const JinaV3Spec& s = spec_;
  const std::size_t w = s.width;
  const bool adapted = !s.adapters.empty();
  const Scope e = root.Down("embeddings");
  e.Table("word_embeddings", word_, s.vocabulary, w);
  if (!s.rope) e.Table("position_embeddings", position_, s.max_length, w);
  e.Table("token_type_embeddings", segment_, s.segments, w);
  if (adapted) {
    word_adapters_.Declare(e.Down("word_embeddings"), s.low_rank, s.vocabulary, w);
    segment_adapters_.Declare(e.Down("token_type_embeddings"), s.low_rank, s.segments, w);
    adapters_.resize(s.layers);
  }
  root.LayerNorm("emb_ln", norm_, w, s.eps);
  layers_.resize(s.layers);
  for (std::size_t i = 0; i < s.layers; ++i) {
    PostNormLayer& l = layers_[i];
    const Scope p = root.Down("encoder.layers", i);
    p.Stacked("mixer.Wqkv", l.qkv, w, Scope::Bias::kRequired,
              {{{"mixer.Wqkv", 3 * w}},
               {{"self_attn.q_proj", w}, {"self_attn.k_proj", w}, {"self_attn.v_proj", w}}});
    p.Linear("mixer.out_proj", l.out, w, w);
    p.LayerNorm("norm1", l.attention_norm, w, s.eps);
    p.Linear("mlp.fc1", l.mlp.up, s.inner, w);
    p.Linear("mlp.fc2", l.mlp.down, w, s.inner);
    p.LayerNorm("norm2", l.mlp_norm, w, s.eps);
    l.mlp.activation = s.activation;
    if (!adapted) continue;
    LayerAdapters& a = adapters_[i];
    a.qkv.Declare(p.Down("mixer.Wqkv"), s.low_rank, 3 * w, w);
    a.out.Declare(p.Down("mixer.out_proj"), s.low_rank, w, w);
    a.up.Declare(p.Down("mlp.fc1"), s.low_rank, s.inner, w);
    a.down.Declare(p.Down("mlp.fc2"), s.low_rank, w, s.inner);
  }
}

void JinaV3Model::Embed(const Batch& b, Matrix h, Ops& ops, Workspace& ws) const {
  if (adapters_.empty()) {
    return ops.Embed({{word_, b.tokens}, {position_, b.positions}, {segment_, b.segments}}, norm_, h);
  }
  const ChosenAdapter chosen = Chosen(spec_.low_rank, b);
  ops.Embed({{word_, b.tokens}, {segment_, b.segments}}, {}, h);
  word_adapters_.Add(b.tokens, chosen, h, ops, ws);
  segment_adapters_.Add(b.segments, chosen, h, ops, ws, &norm_);
}

// PostNormLayer::Run with something added to each product before it is used.
void JinaV3Model::RunAdapted(std::size_t layer, const Batch& b, Matrix h, AttentionArgs scores, Matrix angles,
                             Ops& ops, Workspace& ws) const {
  const auto frame = ws.Mark();
  const PostNormLayer& l = layers_[layer];
  const LayerAdapters& a = adapters_[layer];
  const ChosenAdapter chosen = Chosen(spec_.low_rank, b);
  const std::size_t n = h.rows(), w = h.cols();
  {
    const auto attention = ws.Mark();
    const Matrix all = ws.Rows(n, 3 * w), context = ws.Rows(n, w);
    ops.Project(h, l.qkv, all);
    a.qkv.Add(h, chosen, all, ops, ws);
    ops.Rotate(all.Cols(0, 2 * w), 2 * scores.heads, angles);
    scores.q = all.Cols(0, w), scores.k = all.Cols(w, w), scores.v = all.Cols(2 * w, w);
    scores.out = context;
    ops.Attention(scores);
    ops.Project(context, l.out, h, {.accumulate = true});
    a.out.Add(context, chosen, h, ops, ws, &l.attention_norm);
  }
  const Matrix middle = ws.Rows(n, spec_.inner);
  ops.Project(h, l.mlp.up, middle);
  a.up.Add(h, chosen, middle, ops, ws);
  ops.Activate(middle, l.mlp.activation, middle);
  ops.Project(middle, l.mlp.down, h, {.accumulate = true});
  a.down.Add(middle, chosen, h, ops, ws, &l.mlp_norm);
}

Matrix JinaV3Model::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const std::size_t n = b.rows();
  const Matrix h = ws.Rows(n, spec_.width);
  Matrix angles;
  if (spec_.rope) {
    angles = ws.RowsF32(n, 2 * spec_.rope->pairs());
    ops.Angles(b.positions, b.sequences, *spec_.rope, angles);
  }
  Embed(b, h, ops, ws);
  Give(b, h, ops);
  const AttentionArgs scores{
      .sequences = b.sequences, .heads = spec_.heads, .scale = HeadScale(spec_.width, spec_.heads)};
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (adapters_.empty())
      layers_[i].Run(h, scores, ops, ws, angles);
    else
      RunAdapted(i, b, h, scores, angles, ops, ws);
    Give(b, h, ops);
  }
  return h;
}

}  // namespace candor::families

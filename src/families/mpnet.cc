#include "families/mpnet.h"

#include <algorithm>
#include <cmath>

namespace candor::families {

std::int32_t MpnetBucket(std::int32_t distance) {
  constexpr double kFarthest = 128;
  constexpr std::int32_t half = kMpnetBuckets / 2, exact = half / 2;
  const std::int32_t far = std::abs(distance);
  const std::int32_t side = distance > 0 ? half : 0;
  if (far < exact) return side + far;
  // f32 as in the reference, so that a distance on the border of two buckets falls on the same side.
  const float grown = std::log(static_cast<float>(far) / static_cast<float>(exact)) /
                      static_cast<float>(std::log(kFarthest / exact)) * static_cast<float>(half - exact);
  return side + std::min(exact + static_cast<std::int32_t>(grown), half - 1);
}

MpnetModel::MpnetModel(const MpnetSpec& spec) : spec_(spec) {
  const auto reach = static_cast<std::int32_t>(longest()) - 1;
  for (std::int32_t d = -reach; d <= reach; ++d) buckets_.push_back(MpnetBucket(d));
}

void MpnetModel::DeclareTensors(const Scope& root) {
  const MpnetSpec& s = spec_;
  const Scope e = root.Down("embeddings");
  e.Table("word_embeddings", word_, s.vocabulary, s.width);
  e.Table("position_embeddings", position_, s.max_positions, s.width);
  e.LayerNorm("LayerNorm", norm_, s.width, s.eps);
  root.Table("encoder.relative_attention_bias", relative_, s.buckets, s.heads);
  layers_.resize(s.layers);
  for (std::size_t i = 0; i < s.layers; ++i) {
    Layer& l = layers_[i];
    const Scope p = root.Down("encoder.layer", i);
    p.Stacked("attention.attn.qkv", l.qkv, s.width, Scope::Bias::kRequired,
              {{"attention.attn.q", s.width}, {"attention.attn.k", s.width}, {"attention.attn.v", s.width}});
    p.Linear("attention.attn.o", l.out, s.width, s.width);
    p.LayerNorm("attention.LayerNorm", l.attention_norm, s.width, s.eps);
    p.Linear("intermediate.dense", l.mlp.up, s.inner, s.width);
    p.Linear("output.dense", l.mlp.down, s.width, s.inner);
    p.LayerNorm("output.LayerNorm", l.mlp_norm, s.width, s.eps);
    l.mlp.activation = s.activation;
  }
}

InputRule MpnetModel::input() const {
  return {.max_length = longest(), .vocabulary = spec_.vocabulary, .padding = kMpnetPadding};
}

void MpnetModel::Precompute(Ops& ops, Workspace& constants) {
  distance_bias_ = constants.RowsF32(buckets_.size(), spec_.heads);
  ops.Embed({{relative_, ops.Stage(buckets_)}}, {}, distance_bias_);
}

Matrix MpnetModel::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const std::size_t n = b.rows(), w = spec_.width;
  const Matrix h = ws.Rows(n, w);
  ops.Embed({{word_, b.tokens}, {position_, b.positions}}, norm_, h);
  for (const Layer& l : layers_) {
    const auto frame = ws.Mark();
    const Matrix qkv = ws.Rows(n, 3 * w), context = ws.Rows(n, w);
    ops.Project(h, l.qkv, qkv);
    ops.Attention({.q = qkv.Cols(0, w),
                   .k = qkv.Cols(w, w),
                   .v = qkv.Cols(2 * w, w),
                   .out = context,
                   .sequences = b.sequences,
                   .heads = spec_.heads,
                   .scale = 1.0f / std::sqrt(static_cast<float>(w / spec_.heads)),
                   .distance_bias = distance_bias_});
    ops.Project(context, l.out, h, {.accumulate = true, .norm = &l.attention_norm});
    ops.FeedForward(h, l.mlp, h, {.accumulate = true, .norm = &l.mlp_norm});
  }
  return h;
}

}  // namespace candor::families

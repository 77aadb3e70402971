#include "families/mpnet.h"

#include <algorithm>
#include <cmath>

#include "model/layers.h"

namespace candor::families {
namespace {

constexpr PostNormNames kNames{
    .query = "attention.attn.q",
    .key = "attention.attn.k",
    .value = "attention.attn.v",
    .out = "attention.attn.o",
    .attention_norm = "attention.LayerNorm",
    .up = "intermediate.dense",
    .down = "output.dense",
    .mlp_norm = "output.LayerNorm",
};

}  // namespace

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
  for (std::size_t i = 0; i < s.layers; ++i)
    layers_[i].Declare(root.Down("encoder.layer", i), kNames, {s.width, s.inner, s.eps, s.activation});
}

InputRule MpnetModel::input() const {
  return {
      .max_length = longest(), .vocabulary = spec_.vocabulary, .padding = kMpnetPadding, .may_hide = true};
}

void MpnetModel::Precompute(Ops& ops, Workspace& constants) {
  distance_bias_ = constants.RowsF32(buckets_.size(), spec_.heads);
  ops.Embed({{relative_, ops.Stage(buckets_)}}, {}, distance_bias_);
}

Matrix MpnetModel::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const Matrix h = ws.Rows(b.rows(), spec_.width);
  ops.Embed({{word_, b.tokens}, {position_, b.positions}}, norm_, h);
  Give(b, h, ops);
  for (const PostNormLayer& l : layers_) {
    l.Run(h,
          {.sequences = b.sequences,
           .heads = spec_.heads,
           .scale = HeadScale(spec_.width, spec_.heads),
           .distance_bias = distance_bias_},
          ops, ws);
    Give(b, h, ops);
  }
  return h;
}

}  // namespace candor::families

#include "families/deberta.h"

#include <algorithm>
#include <cmath>

#include "model/layers.h"

namespace candor::families {
namespace {

// The farthest two rows can be apart.
constexpr auto kReach = static_cast<std::int32_t>(kLongestSequence - 1);

constexpr PostNormNames kNames{
    .query = "attention.self.query_proj",
    .key = "attention.self.key_proj",
    .value = "attention.self.value_proj",
    .out = "attention.output.dense",
    .attention_norm = "attention.output.LayerNorm",
    .up = "intermediate.dense",
    .down = "output.dense",
    .mlp_norm = "output.LayerNorm",
};

// f32 throughout, as the reference computes it: a distance on the border of two buckets falls on the same
// side.
std::int32_t LogBucket(std::int32_t distance, std::int32_t buckets, std::int32_t max_relative) {
  const std::int32_t middle = buckets / 2, far = std::abs(distance);
  if (far <= middle) return distance;
  const auto half = static_cast<float>(middle);
  const float grown = std::log(static_cast<float>(far) / half) /
                      std::log(static_cast<float>(static_cast<double>(max_relative - 1) / middle)) *
                      static_cast<float>(middle - 1);
  const float bucket = std::ceil(grown) + half;
  return static_cast<std::int32_t>(distance < 0 ? -bucket : bucket);
}

}  // namespace

std::int32_t DebertaRow(const DebertaSpec& s, std::int32_t distance) {
  const std::int32_t bucket = s.buckets > 0 ? LogBucket(distance, s.buckets, s.max_relative) : distance;
  return std::clamp(bucket + s.span(), 0, 2 * s.span() - 1);
}

DebertaModel::DebertaModel(const DebertaSpec& spec) : spec_(spec) {
  if (!has_terms()) return;
  const std::int32_t rows = 2 * spec_.span();
  for (std::int32_t d = -kReach; d <= kReach; ++d) buckets_.push_back(rows - 1 - DebertaRow(spec_, -d));
  for (std::int32_t r = rows; r-- > 0;) rows_.push_back(r);
}

void DebertaModel::DeclareTensors(const Scope& root) {
  const DebertaSpec& s = spec_;
  const Scope e = root.Down("embeddings"), encoder = root.Down("encoder");
  e.Table("word_embeddings", word_, s.vocabulary, s.embedding);
  if (s.positions_in_input) e.Table("position_embeddings", position_, s.max_positions, s.embedding);
  if (s.segments != 0) e.Table("token_type_embeddings", segment_, s.segments, s.embedding);
  if (s.embedding != s.width) e.Linear("embed_proj", widen_, s.width, s.embedding, Scope::Bias::kNone);
  e.LayerNorm("LayerNorm", norm_, s.width, s.eps);
  if (s.relative) encoder.Table("rel_embeddings", relative_, 2 * static_cast<std::size_t>(s.span()), s.width);
  if (s.norm_relative) encoder.LayerNorm("LayerNorm", relative_norm_, s.width, s.eps);
  if (s.conv_taps != 0) {
    encoder.Convolution("conv.conv", conv_, s.width, s.width, s.conv_taps);
    encoder.LayerNorm("conv.LayerNorm", conv_norm_, s.width, s.eps);
  }
  layers_.resize(s.layers);
  for (std::size_t i = 0; i < s.layers; ++i) {
    Layer& l = layers_[i];
    const Scope p = encoder.Down("layer", i);
    l.Declare(p, kNames, {s.width, s.inner, s.eps, s.activation});
    if (s.relative && !s.share_keys) {
      if (s.content_to_position) p.Linear("attention.self.pos_key_proj", l.position_key, s.width, s.width);
      if (s.position_to_content)
        p.Linear("attention.self.pos_query_proj", l.position_query, s.width, s.width);
    }
  }
}

InputRule DebertaModel::input() const {
  return {.max_length = spec_.max_positions,
          .elastic = !spec_.positions_in_input,
          .vocabulary = spec_.vocabulary,
          .segments = spec_.segments};
}

// The reference projects the table in every pass; it depends on weights alone.
void DebertaModel::Precompute(Ops& ops, Workspace& constants) {
  if (!has_terms()) return;
  staged_ = ops.Stage(buckets_);
  const std::size_t rows = rows_.size(), w = spec_.width;
  for (Layer& l : layers_) {
    if (spec_.content_to_position) l.keys = constants.Rows(rows, w);
    if (spec_.position_to_content) l.queries = constants.Rows(rows, w);
  }
  const auto frame = constants.Mark();
  const Matrix table = constants.Rows(rows, w), all = constants.Rows(rows, 3 * w);
  ops.Embed({{relative_, ops.Stage(rows_)}}, relative_norm_, table);
  for (Layer& l : layers_) {
    if (spec_.share_keys) {
      ops.Project(table, l.qkv, all);
      const Matrix queries = all.Cols(0, w), keys = all.Cols(w, w);
      if (!l.keys.empty()) ops.Combine(1.0f, keys, 0.0f, keys, l.keys);
      if (!l.queries.empty()) ops.Combine(1.0f, queries, 0.0f, queries, l.queries);
    } else {
      if (!l.keys.empty()) ops.Project(table, l.position_key, l.keys);
      if (!l.queries.empty()) ops.Project(table, l.position_query, l.queries);
    }
  }
}

Matrix DebertaModel::Embed(const Batch& b, Ops& ops, Workspace& ws) const {
  const Matrix h = ws.Rows(b.rows(), spec_.width);
  if (!widen_) {
    ops.Embed({{word_, b.tokens}, {position_, b.positions}, {segment_, b.segments}}, norm_, h);
    return h;
  }
  const auto frame = ws.Mark();
  const Matrix narrow = ws.Rows(b.rows(), spec_.embedding);
  ops.Embed({{word_, b.tokens}, {position_, b.positions}, {segment_, b.segments}}, {}, narrow);
  ops.Project(narrow, widen_, h, {.norm = &norm_});
  return h;
}

Matrix DebertaModel::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const std::size_t n = b.rows(), w = spec_.width;
  const std::size_t terms = 1 + (spec_.content_to_position ? 1u : 0u) + (spec_.position_to_content ? 1u : 0u);
  const Matrix h = Embed(b, ops, ws);
  Give(b, h, ops);
  Matrix around;  // what the convolution beside the first layer reads
  if (conv_) {
    around = ws.Rows(n, w * spec_.conv_taps);
    ops.Unfold(h, b.sequences, spec_.conv_taps, around);
  }
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& l = layers_[i];
    l.Run(h,
          {.sequences = b.sequences,
           .heads = spec_.heads,
           .scale = HeadScale(w * terms, spec_.heads),
           .position_keys = l.keys,
           .position_queries = l.queries,
           .buckets = staged_},
          ops, ws);
    if (i == 0 && conv_) {
      ops.Project(around, conv_, h,
                  {.activation = spec_.conv_activation, .accumulate = true, .norm = &conv_norm_});
    }
    Give(b, h, ops);
  }
  return h;
}

}  // namespace candor::families

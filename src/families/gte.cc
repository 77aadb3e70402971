#include "families/gte.h"

#include <cmath>

#include "model/layers.h"

namespace candor::families {

std::vector<float> NtkFrequencies(double base, double factor, std::optional<double> mixed,
                                  std::size_t pairs) {
  const auto half = static_cast<double>(pairs);
  std::vector<float> out = Frequencies(mixed ? base : base * factor, pairs);
  const float a =
      mixed ? std::log(static_cast<float>(factor)) / static_cast<float>(std::pow(half, *mixed)) : 0.0f;
  for (std::size_t i = 0; i < pairs; ++i) {
    // f32 in each step, as upstream computes it.
    const float slower = mixed ? std::exp(a * std::pow(static_cast<float>(i + 1), static_cast<float>(*mixed)))
                               : static_cast<float>(std::pow(factor, 1 / half));
    out[i] /= slower;
  }
  return out;
}

void GteModel::DeclareTensors(const Scope& root) {
  const GteSpec& s = spec_;
  const Scope e = root.Down("embeddings");
  e.Table("word_embeddings", word_, s.vocabulary, s.width);
  if (s.segments != 0) e.Table("token_type_embeddings", segment_, s.segments, s.width);
  if (!s.rope) e.Table("position_embeddings", position_, s.max_positions, s.width);
  e.LayerNorm("LayerNorm", norm_, s.width, s.eps);
  layers_.resize(s.layers);
  for (std::size_t i = 0; i < s.layers; ++i) {
    PostNormLayer& l = layers_[i];
    const Scope p = root.Down("encoder.layer", i);
    const auto norm = [&](std::string_view name, Norm& slot) {
      s.rms ? p.RmsNorm(name, slot, s.width, s.eps) : p.LayerNorm(name, slot, s.width, s.eps);
    };
    p.Stacked(
        "attention.qkv_proj", l.qkv, s.width, Scope::Bias::kRequired,
        {{{"attention.qkv_proj", 3 * s.width}},
         {{"attention.q_proj", s.width}, {"attention.k_proj", s.width}, {"attention.v_proj", s.width}}});
    p.Linear("attention.o_proj", l.out, s.width, s.width);
    norm("attn_ln", l.attention_norm);
    // The activated half first, which a file that has both in one stores behind.
    p.Stacked(
        "mlp.up_gate_proj", l.mlp.up, s.width, Scope::Bias::kNone,
        {{{"mlp.up_gate_proj", s.inner, s.inner, 2 * s.inner}, {"mlp.up_gate_proj", s.inner, 0, 2 * s.inner}},
         {{"mlp.gate_proj", s.inner}, {"mlp.up_proj", s.inner}}});
    p.Linear("mlp.down_proj", l.mlp.down, s.width, s.inner);
    norm("mlp_ln", l.mlp_norm);
    l.mlp.activation = s.activation, l.mlp.gated = true;
  }
}

Matrix GteModel::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const std::size_t n = b.rows();
  const Matrix h = ws.Rows(n, spec_.width);
  Matrix angles;
  if (spec_.rope) {
    angles = ws.RowsF32(n, 2 * spec_.rope->pairs());
    ops.Angles(b.positions, b.sequences, *spec_.rope, angles);
  }
  ops.Embed({{word_, b.tokens}, {segment_, b.segments}, {position_, b.positions}}, norm_, h);
  Give(b, h, ops);
  for (const PostNormLayer& l : layers_) {
    l.Run(h, {.sequences = b.sequences, .heads = spec_.heads, .scale = HeadScale(spec_.width, spec_.heads)},
          ops, ws, angles);
    Give(b, h, ops);
  }
  return h;
}

}  // namespace candor::families

#include "families/qwen3_5.h"

#include <cmath>

#include "model/layers.h"

namespace candor::families {
namespace {

constexpr auto kLessOne = Scope::Scales::kLessOne;
constexpr float kLengthEps = 1e-6f;  // of q and k of the delta rule: x / sqrt(|x|^2 + eps)

}  // namespace

// Each head's rows of q_proj are those of its query, then those of its gate.
void Qwen35Model::DeclareAttention(const Scope& p, Layer& l) const {
  const Qwen35Spec& s = spec_;
  const auto bias = Scope::BiasIf(s.attention_bias);
  const std::size_t w = s.head_width, keys = s.key_heads * w, all = 2 * s.heads * w;
  std::vector<Part> parts;
  for (std::size_t h = 0; h < s.heads; ++h) parts.push_back({"q_proj", w, 2 * h * w, all});
  parts.push_back({"k_proj", keys});
  parts.push_back({"v_proj", keys});
  for (std::size_t h = 0; h < s.heads; ++h) parts.push_back({"q_proj", w, (2 * h + 1) * w, all});
  p.StackedParts("qkv_gate_proj", l.in, s.width, bias, parts);
  p.RmsNorm("q_norm", l.query_norm, w, s.eps, kLessOne);
  p.RmsNorm("k_norm", l.key_norm, w, s.eps, kLessOne);
  p.Linear("o_proj", l.out, s.width, s.heads * w, bias);
}

void Qwen35Model::DeclareDelta(const Scope& p, Layer& l) const {
  const Qwen35Spec::Delta& d = spec_.delta;
  constexpr auto kNone = Scope::Bias::kNone;
  p.Stacked("in_proj_qkvz", l.in, spec_.width, kNone,
            {{"in_proj_qkv", d.mixed()}, {"in_proj_z", d.values()}});
  p.Linear("in_proj_a", l.step, d.heads, spec_.width, kNone);
  p.Vector("dt_bias", l.step.bias, d.heads);
  p.Linear("in_proj_b", l.beta, d.heads, spec_.width, kNone);
  p.Taps("conv1d.weight", l.taps, d.mixed(), d.taps);
  p.Vector("A_log", l.log_rate, d.heads);
  p.RmsNorm("norm", l.value_norm, d.value_width, spec_.eps);
  p.Linear("out_proj", l.out, spec_.width, d.values(), kNone);
}

void Qwen35Model::DeclareTensors(const Scope& root) {
  const Qwen35Spec& s = spec_;
  constexpr auto kNone = Scope::Bias::kNone;
  root.Table("embed_tokens", word_, s.vocabulary, s.width);
  layers_.resize(s.attends.size());
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    Layer& l = layers_[i];
    const Scope p = root.Down("layers", i);
    p.RmsNorm("input_layernorm", l.mix_norm, s.width, s.eps, kLessOne);
    if (s.attends[i])
      DeclareAttention(p.Down("self_attn"), l);
    else
      DeclareDelta(p.Down("linear_attn"), l);
    p.RmsNorm("post_attention_layernorm", l.mlp_norm, s.width, s.eps, kLessOne);
    p.Stacked("mlp.gate_up_proj", l.mlp.up, s.width, kNone,
              {{"mlp.gate_proj", s.inner}, {"mlp.up_proj", s.inner}});
    p.Linear("mlp.down_proj", l.mlp.down, s.width, s.inner, kNone);
    l.mlp.activation = s.activation, l.mlp.gated = true;
  }
  root.RmsNorm("norm", final_norm_, s.width, s.eps, kLessOne);
}

Matrix Qwen35Model::Attend(const Layer& l, Matrix x, Matrix angles, const Batch& b, Ops& ops,
                           Workspace& ws) const {
  const Qwen35Spec& s = spec_;
  const std::size_t queries = s.heads * s.head_width, keys = s.key_heads * s.head_width;
  const Matrix all = ws.Rows(x.rows(), 2 * queries + 2 * keys), context = ws.Rows(x.rows(), queries);
  ops.Project(x, l.in, all);
  const Matrix q = all.Cols(0, queries), k = all.Cols(queries, keys);
  ops.Normalize(q, l.query_norm, q, s.heads);
  ops.Normalize(k, l.key_norm, k, s.key_heads);
  ops.Rotate(all.Cols(0, queries + keys), s.heads + s.key_heads, angles);
  ops.Attention({.q = q,
                 .k = k,
                 .v = all.Cols(queries + keys, keys),
                 .out = context,
                 .sequences = b.sequences,
                 .heads = s.heads,
                 .kv_heads = s.key_heads,
                 .scale = 1.0f / std::sqrt(static_cast<float>(s.head_width)),
                 .causal = s.causal});
  ops.Gate(all.Cols(queries + 2 * keys, queries), Activation::kSigmoid, context, context);
  return context;
}

Matrix Qwen35Model::Recur(const Layer& l, Matrix x, const Batch& b, Ops& ops, Workspace& ws) const {
  const Qwen35Spec::Delta& d = spec_.delta;
  const std::size_t n = x.rows(), mixed = d.mixed(), keys = d.keys(), values = d.values();
  const auto width = static_cast<float>(d.key_width);
  const Matrix all = ws.Rows(n, mixed + values), step = ws.Rows(n, d.heads), beta = ws.Rows(n, d.heads),
               near = ws.Rows(n, mixed);
  ops.Project(x, l.in, all);
  ops.Project(x, l.step, step, {.activation = Activation::kSoftplus});
  ops.Project(x, l.beta, beta, {.activation = Activation::kSigmoid});
  ops.ShortConvolution({.in = all.Cols(0, mixed),
                        .out = near,
                        .sequences = b.sequences,
                        .weight = l.taps,
                        .taps = d.taps,
                        .activation = spec_.activation});
  const Matrix q = near.Cols(0, keys), k = near.Cols(keys, keys), v = near.Cols(2 * keys, values);
  // An RMS norm makes vectors sqrt(width) long; the scales take that off.
  const Norm length{.kind = Norm::Kind::kRms, .eps = kLengthEps / width};
  ops.Normalize(q, length, q, d.key_heads);
  ops.Normalize(k, length, k, d.key_heads);
  ops.GatedDelta({.q = q,
                  .k = k,
                  .v = v,
                  .step = step,
                  .beta = beta,
                  .out = v,
                  .sequences = b.sequences,
                  .heads = d.heads,
                  .key_heads = d.key_heads,
                  .log_rate = l.log_rate,
                  .query_scale = 1.0f / width,
                  .key_scale = 1.0f / std::sqrt(width)});
  ops.Normalize(v, l.value_norm, v, d.heads);
  ops.Gate(all.Cols(mixed, values), Activation::kSilu, v, v);
  return v;
}

Matrix Qwen35Model::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const std::size_t n = b.rows();
  const Matrix h = ws.Rows(n, spec_.width);  // the residual stream
  const Matrix x = ws.Rows(n, spec_.width);  // its norm, which every block reads
  const Matrix angles = ws.RowsF32(n, 2 * spec_.rope.pairs());
  ops.Angles(b.positions, b.sequences, spec_.rope, angles);
  ops.Embed({{word_, b.tokens}}, {}, h);
  Give(b, h, ops);
  ops.Normalize(h, layers_[0].mix_norm, x);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& l = layers_[i];
    const bool last = i + 1 == layers_.size();
    const auto frame = ws.Mark();
    const Matrix mixed = spec_.attends[i] ? Attend(l, x, angles, b, ops, ws) : Recur(l, x, b, ops, ws);
    ops.Project(mixed, l.out, h, {.accumulate = true, .norm = &l.mlp_norm, .normed = x});
    const Norm& next = last ? final_norm_ : layers_[i + 1].mix_norm;
    ops.FeedForward(x, l.mlp, h, {.accumulate = true, .norm = &next, .normed = x});
    Give(b, last ? x : h, ops);  // the last behind the final norm
  }
  return x;
}

}  // namespace candor::families

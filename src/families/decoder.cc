#include "families/decoder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/layers.h"

namespace candor::families {

void DecoderModel::DeclareMlp(const Scope& scope, Layer& layer) const {
  const DecoderSpec& s = spec_;
  const auto bias = Scope::BiasIf(s.mlp_bias);
  Mlp& mlp = layer.mlp;
  scope.Stacked("gate_up_proj", mlp.up, s.width, bias, {{"gate_proj", s.inner}, {"up_proj", s.inner}});
  scope.Linear("down_proj", mlp.down, s.width, s.inner, bias);
  mlp.activation = s.activation, mlp.gated = true;
}

// Files have a module for each expert, as they are published, or one parameter of all, as the reference's
// class.
void DecoderModel::DeclareExperts(const Scope& scope, Layer& layer) const {
  const DecoderSpec::Experts& e = spec_.experts;
  scope.Exact().Linear("gate", layer.router.gate, e.count, spec_.width, Scope::Bias::kNone);
  layer.router.top_k = e.top_k, layer.router.renormalise = e.renormalise;
  layer.set.experts.resize(e.count);
  for (std::size_t i = 0; i < e.count; ++i) {
    Mlp& mlp = layer.set.experts[i];
    const std::string own = "experts." + std::to_string(i) + ".";
    scope.StackedOrOf(own + "gate_up_proj", mlp.up, spec_.width,
                      {{own + "gate_proj", e.inner}, {own + "up_proj", e.inner}}, "experts.gate_up_proj",
                      {i, e.count});
    scope.StackedOrOf(own + "down_proj", mlp.down, e.inner, {{own + "down_proj", spec_.width}},
                      "experts.down_proj", {i, e.count});
    mlp.activation = spec_.activation, mlp.gated = true;
  }
}

void DecoderModel::DeclareTensors(const Scope& root) {
  const DecoderSpec& s = spec_;
  const auto qkv = Scope::BiasIf(s.qkv_bias), out = Scope::BiasIf(s.out_bias);
  const std::size_t queries = s.heads * s.head_width, keys = s.key_heads * s.head_width;
  root.Table("embed_tokens", word_, s.vocabulary, s.width);
  layers_.resize(s.layers.size());
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    Layer& l = layers_[i];
    const Scope p = root.Down("layers", i);
    const auto norm = [&](std::string_view name, Norm& slot, std::size_t width) {
      p.RmsNorm(name, slot, width, s.eps, s.norm_scales);
    };
    norm("input_layernorm", l.attention_norm, s.width);
    p.Stacked("self_attn.qkv_proj", l.qkv, s.width, qkv,
              {{"self_attn.q_proj", queries}, {"self_attn.k_proj", keys}, {"self_attn.v_proj", keys}});
    if (s.head_norms) {
      norm("self_attn.q_norm", l.query_norm, s.head_width);
      norm("self_attn.k_norm", l.key_norm, s.head_width);
    }
    p.Linear("self_attn.o_proj", l.out, s.width, queries, out);
    norm("post_attention_layernorm", s.post_norms ? l.after_attention : l.mlp_norm, s.width);
    if (s.post_norms) {
      norm("pre_feedforward_layernorm", l.mlp_norm, s.width);
      norm("post_feedforward_layernorm", l.after_mlp, s.width);
    }
    if (s.layers[i].routed)
      DeclareExperts(p.Down("mlp"), l);
    else
      DeclareMlp(p.Down("mlp"), l);
  }
  root.RmsNorm("norm", final_norm_, s.width, s.eps, s.norm_scales);
}

InputRule DecoderModel::input() const {
  // Angles that depend on how long a text is make its first rows depend on its last.
  const bool alone = std::ranges::all_of(spec_.layers, &DecoderSpec::Layer::causal) &&
                     std::ranges::none_of(spec_.ropes, [](const Rope& r) { return r.dynamic || r.beyond; });
  return {.max_length = spec_.max_length,
          .elastic = true,
          .vocabulary = spec_.vocabulary,
          .may_hide = true,
          .may_share = alone};
}

Matrix DecoderModel::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const DecoderSpec& s = spec_;
  const std::size_t n = b.rows();
  const std::size_t queries = s.heads * s.head_width, keys = s.key_heads * s.head_width;
  const Matrix h = ws.Rows(n, s.width);  // the residual stream
  const Matrix x = ws.Rows(n, s.width);  // its norm, which every block reads
  // Those of all bases below each other: whole heads turn, so they are equally wide.
  const Matrix angles = ws.RowsF32(s.ropes.size() * n, s.head_width);
  for (std::size_t i = 0; i < s.ropes.size(); ++i)
    ops.Angles(b.positions, b.sequences, s.ropes[i], angles.Rows(i * n, n));
  ops.Embed({{word_, b.tokens}}, {}, h);
  if (s.embedding_scale != 1) ops.Combine(s.embedding_scale, h, 0, h, h);
  Give(b, h, ops);
  ops.Normalize(h, layers_[0].attention_norm, x);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& l = layers_[i];
    const DecoderSpec::Layer& at = s.layers[i];
    const auto frame = ws.Mark();
    const Matrix qkv = ws.Rows(n, queries + 2 * keys), context = ws.Rows(n, queries);
    ops.Project(x, l.qkv, qkv);
    const Matrix q = qkv.Cols(0, queries), k = qkv.Cols(queries, keys);
    if (s.head_norms) {
      ops.Normalize(q, l.query_norm, q, s.heads);
      ops.Normalize(k, l.key_norm, k, s.key_heads);
    }
    const auto turn = [&](Matrix heads, std::size_t count, std::size_t rope) {
      ops.Rotate(heads, count, angles.Rows(rope * n, n));
    };
    if (at.query_rope) {
      turn(q, s.heads, *at.query_rope);
      turn(k, s.key_heads, at.rope);
    } else {
      turn(qkv.Cols(0, queries + keys), s.heads + s.key_heads, at.rope);
    }
    ops.Attention(
        {.q = q,
         .k = k,
         .v = qkv.Cols(queries + keys, keys),
         .out = context,
         .sequences = b.sequences,
         .heads = s.heads,
         .kv_heads = s.key_heads,
         .scale = s.score_scale != 0 ? s.score_scale : 1.0f / std::sqrt(static_cast<float>(s.head_width)),
         .softcap = s.softcap,
         .radius = at.radius,
         .causal = at.causal});
    const Norm& next = i + 1 < layers_.size() ? layers_[i + 1].attention_norm : final_norm_;
    const auto feed = [&](Matrix out, const Epilogue& epilogue) {
      if (!at.routed) return ops.FeedForward(x, l.mlp, out, epilogue);
      const Routing routing{ws.RowsI32(n, s.experts.top_k), ws.RowsF32(n, s.experts.top_k)};
      ops.Route(x, l.router, routing);
      ops.Experts(x, l.set, routing, out, epilogue);
    };
    if (s.post_norms) {
      ops.Project(context, l.out, x, {.norm = &l.after_attention});
      ops.Combine(1, x, 1, h, h);
      ops.Normalize(h, l.mlp_norm, x);
      feed(x, {.norm = &l.after_mlp});
      ops.Combine(1, x, 1, h, h);
      ops.Normalize(h, next, x);
    } else {
      ops.Project(context, l.out, h, {.accumulate = true, .norm = &l.mlp_norm, .normed = x});
      feed(h, {.accumulate = true, .norm = &next, .normed = x});
    }
    Give(b, i + 1 < layers_.size() ? h : x, ops);  // the last behind the final norm
  }
  return x;
}

}  // namespace candor::families

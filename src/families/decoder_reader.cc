#include "families/decoder_reader.h"

#include <algorithm>
#include <string>

#include "families/activations.h"
#include "families/masked_heads.h"
#include "families/rope_keys.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// Columns of a head: its own key, or a share of the width.
std::size_t ReadHeadWidth(const package::Config& c, const DecoderDefaults& d, std::size_t width,
                          std::size_t heads, Problems& problems) {
  if (!c.Has("head_dim") && d.head_width == 0)
    return 2 * ReadPairs(c, "num_attention_heads", width, heads, problems);
  const std::size_t columns = c.Size("head_dim", d.head_width, problems, 1);
  if (columns % 2 != 0) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("head_dim"), std::to_string(columns),
                        "an even number of columns, which turn in pairs", Phase::kConfig});
  }
  return columns;
}

// A null is as many as heads, whatever the class's own number.
std::size_t ReadKeyHeads(const package::Config& c, const DecoderDefaults& d, std::size_t heads,
                         Problems& problems) {
  constexpr std::string_view kKey = "num_key_value_heads";
  const bool silent = d.key_heads == 0 || IsNull(c, kKey);
  const std::size_t key_heads = c.Size(kKey, silent ? heads : d.key_heads, problems, 1);
  if (key_heads != 0 && heads % key_heads != 0) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At(kKey), std::to_string(key_heads),
                        "a divisor of num_attention_heads " + std::to_string(heads), Phase::kConfig});
  }
  return key_heads;
}

}  // namespace

DecoderSpec ReadDecoder(const package::Config& c, const DecoderDefaults& d, Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c,
              {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
               "max_position_embeddings", "rms_norm_eps", d.activation_key},
              problems);
  if (d.head_width != 0) RefuseNulls(c, {"head_dim"}, problems);
  DecoderSpec s;
  s.vocabulary = c.Size("vocab_size", d.vocabulary, problems, 1);
  s.width = c.Size("hidden_size", d.width, problems, 1);
  const bool divides = d.width_in_heads || (d.head_width == 0 && !c.Has("head_dim"));
  s.heads = ReadHeads(c, "num_attention_heads", d.heads, divides && problems.size() == before ? s.width : 0,
                      "hidden_size", problems);
  s.layers.resize(ReadLayers(c, "num_hidden_layers", d.layers, problems));
  s.inner = c.Size("intermediate_size", d.inner, problems, 1);
  s.max_length = c.Size("max_position_embeddings", d.max_length, problems, 1);
  s.eps = ReadEpsilon(c, "rms_norm_eps", d.eps, problems);
  s.activation = ReadActivation(c, d.activation_key, d.activation, problems);
  if (d.gelu_is_tanh && c.Shown(d.activation_key) == "\"gelu\"") s.activation = Activation::kGeluTanh;
  if (problems.size() != before) return s;
  s.key_heads = ReadKeyHeads(c, d, s.heads, problems);
  s.head_width = ReadHeadWidth(c, d, s.width, s.heads, problems);
  c.Choice("head_dim", s.head_width * s.heads == s.width ? "shares" : "own", "head_dim");
  c.Choice("key_heads", s.key_heads == s.heads ? "own" : "shared", "num_key_value_heads");
  return s;
}

void ReadBiases(const package::Config& c, DecoderSpec& s, Problems& problems) {
  RefuseNulls(c, {"attention_bias", "mlp_bias"}, problems);
  s.qkv_bias = s.out_bias = ReadSwitch(c, "attention_bias", false, problems);
  s.mlp_bias = ReadSwitch(c, "mlp_bias", false, problems);
}

bool ReadCausal(const package::Config& c, Problems& problems) {
  RefuseNulls(c, {"is_causal"}, problems);
  return ReadSwitch(c, "is_causal", true, problems);
}

DecoderSpec::Layer Sight(bool causal, std::optional<std::size_t> window) {
  if (!window) return {.causal = causal};
  return {.causal = causal, .radius = static_cast<std::int32_t>(*window) - (causal ? 1 : 0)};
}

void ReadQwenLayers(const package::Config& c, bool causal, DecoderSpec& s, Problems& problems) {
  constexpr std::string_view kUse = "use_sliding_window", kWindow = "sliding_window",
                             kFirst = "max_window_layers", kTypes = "layer_types";
  const std::size_t before = problems.size();
  RefuseNulls(c, {kUse, kFirst}, problems);
  const bool use = ReadSwitch(c, kUse, false, problems);
  std::optional<std::size_t> window;
  if (use && !IsNull(c, kWindow)) window = c.Size(kWindow, 4096, problems, 1);
  std::vector<bool> full(s.layers.size(), true);
  const std::size_t first = c.Size(kFirst, 28, problems);
  for (std::size_t i = 0; window && i < full.size(); ++i) full[i] = i < first;
  if (!use) c.Ignore(kWindow, "use_sliding_window is not on");
  if (problems.size() != before) return;
  full = ReadLayerTypes(c, full, "", problems);
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (!full[i] && !window) {  // the reference has no mask for them
      Where where = c.At(kTypes);
      where.pointer += "/" + std::to_string(i);
      problems.push_back({Code::kEvidenceConflict, std::move(where), std::string(kSlidingAttention),
                          std::string(kFullAttention) + ", where no window is used", Phase::kConfig});
    }
    c.Choice("layer_type", full[i] ? kFullAttention : kSlidingAttention, kTypes);
    s.layers[i] = Sight(causal, full[i] ? std::nullopt : window);
  }
}

void SetLayers(DecoderSpec& s, const DecoderSpec::Layer& layer) { std::ranges::fill(s.layers, layer); }

HeadSpec LastRowHead(const package::Config&, const HeadSizes& sizes, Problems&) {
  return {.pooling = Pooling::kLast,
          .steps = {{.dense = "score", .out = sizes.labels, .bias = Scope::Bias::kNone}}};
}

HeadSpec EachRowHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  constexpr std::string_view kKey = "token_classification_bias";
  RefuseNulls(c, {kKey}, problems);
  return {.pooling = std::nullopt,
          .steps = {{.dense = "score",
                     .out = sizes.labels,
                     .bias = Scope::BiasIf(ReadSwitch(c, kKey, true, problems))}}};
}

HeadSpec NextWordHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  HeadStep step{.dense = "lm_head", .out = sizes.labels, .bias = Scope::Bias::kNone};
  if (ReadTied(c, false, problems)) step.twins.table = "embed_tokens";
  return {.pooling = Pooling::kLast, .steps = {std::move(step)}};
}

}  // namespace candor::families

// Row of Qwen3-MoE: Qwen3 whose layers may have experts, and windows in all of its layers or in none.
// Defaults are those of transformers 5.24's Qwen3MoeConfig.
#include <algorithm>
#include <string>

#include "families/decoder_reader.h"
#include "families/rope_types.h"

namespace candor::families {
namespace {

// Layers that keep an MLP, whatever decoder_sparse_step says. In the reference a number without a layer says
// nothing.
std::vector<bool> ReadDenseLayers(const package::Config& c, std::size_t layers, Problems& problems) {
  constexpr std::string_view kKey = "mlp_only_layers";
  std::vector<bool> out(layers, false);
  const io::Json* list = c.Raw(kKey);
  if (list == nullptr || list->is_null()) return out;
  const auto whole = [](const io::Json& n) { return n.is_integer(); };
  if (!list->is_array() || !std::ranges::all_of(list->items(), whole)) {
    problems.push_back(
        {Code::kInvalidPackageSchema, c.At(kKey), list->Dump(), "a list of whole numbers", Phase::kConfig});
    return out;
  }
  for (const io::Json& n : list->items()) {
    if (n.kind() == io::Json::Kind::kInt && n.as_int() >= 0 && n.as_uint() < layers) out[n.as_uint()] = true;
  }
  return out;
}

void ReadExperts(const package::Config& c, DecoderSpec& s, Problems& problems) {
  const std::size_t before = problems.size();
  const std::string_view count = Spelling(c, "num_experts", "num_local_experts", problems);
  RefuseNulls(c,
              {"num_experts", "num_local_experts", "num_experts_per_tok", "moe_intermediate_size",
               "decoder_sparse_step", "norm_topk_prob"},
              problems);
  DecoderSpec::Experts& e = s.experts;
  e.count = c.Size(count, 128, problems);
  e.top_k = c.Size("num_experts_per_tok", 8, problems, 1);
  e.inner = c.Size("moe_intermediate_size", 768, problems, 1);
  e.renormalise = ReadSwitch(c, "norm_topk_prob", false, problems);
  const std::size_t step = c.Size("decoder_sparse_step", 1, problems, 1);
  const std::vector<bool> dense = ReadDenseLayers(c, s.layers.size(), problems);
  if (problems.size() != before) return;
  std::size_t routed = 0;
  for (std::size_t i = 0; i < s.layers.size(); ++i) {
    s.layers[i].routed = e.count != 0 && !dense[i] && (i + 1) % step == 0;
    routed += s.layers[i].routed ? 1u : 0u;
    c.Choice("mlp", s.layers[i].routed ? "experts" : "dense", "decoder_sparse_step");
  }
  if (routed == 0) return;
  if (e.count > kMostExperts / routed) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At(count), c.Shown(count),
                        "at most " + std::to_string(kMostExperts) + " in all layers together",
                        Phase::kConfig});
  }
  if (e.top_k > e.count) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("num_experts_per_tok"),
                        c.Shown("num_experts_per_tok"), "from 1 to num_experts " + std::to_string(e.count),
                        Phase::kConfig});
  }
}

// One for all layers; a null is none. Neither `layer_types` nor `max_window_layers` is read by this class.
std::optional<std::size_t> ReadWindow(const package::Config& c, Problems& problems) {
  constexpr std::string_view kUse = "use_sliding_window", kWindow = "sliding_window";
  RefuseNulls(c, {kUse}, problems);
  if (!ReadSwitch(c, kUse, false, problems)) {
    c.Ignore(kWindow, "use_sliding_window is not on");
    return std::nullopt;
  }
  const bool none = IsNull(c, kWindow);
  c.Choice("window", none ? "none" : "set", kWindow);
  return none ? std::nullopt : std::optional(c.Size(kWindow, 4096, problems, 1));
}

// The class takes a share of the width where head_dim is not written.
std::unique_ptr<Model> ReadQwen3Moe(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  const bool causal = ReadCausal(c, problems);
  RefuseNulls(c, {"head_dim", "num_key_value_heads", "attention_bias"}, problems);
  DecoderSpec s = ReadDecoder(c,
                              {.vocabulary = 151936,
                               .width = 2048,
                               .inner = 6144,
                               .layers = 24,
                               .heads = 32,
                               .max_length = 32768,
                               .eps = 1e-6,
                               .key_heads = 4,
                               .width_in_heads = false},
                              problems);
  s.qkv_bias = s.out_bias = ReadSwitch(c, "attention_bias", false, problems);
  s.head_norms = true;
  const std::optional<std::size_t> window = ReadWindow(c, problems);
  if (problems.size() != before) return nullptr;
  s.ropes = {ReadRopeOfAnyType(c, {.pairs = s.head_width / 2, .max_length = s.max_length}, problems)};
  SetLayers(s, Sight(causal, window));
  ReadExperts(c, s, problems);
  return problems.size() == before ? std::make_unique<DecoderModel>(std::move(s)) : nullptr;
}

constexpr std::string_view kArchitectures[] = {
    "Qwen3MoeModel",
    "Qwen3MoeForCausalLM",
    "Qwen3MoeForSequenceClassification",
    "Qwen3MoeForTokenClassification",
};

constexpr std::string_view kUnread = "the class does not read it";
constexpr DescriptiveKey kDescriptive[] = {
    {"attention_dropout", kTrainingOnly},
    {"router_aux_loss_coef", kTrainingOnly},
    {"output_router_logits", "selects extra outputs, not the numbers"},
    {"token_classification_bias", kOfAHead},
    {"layer_types", kUnread},
    {"max_window_layers", kUnread},
};

}  // namespace

constinit const Family kQwen3MoeFamily{
    .name = "qwen3_moe",
    .version = "qwen3_moe/v1",
    .model_type = "qwen3_moe",
    .read = ReadQwen3Moe,
    .names = {kDecoderDialects, kDecoderKnown},
    .architectures = kArchitectures,
    .descriptive = kDescriptive,
    .neutral = kDecoderNeutral,
    .sequence_head = LastRowHead,
    .token_head = EachRowHead,
};

}  // namespace candor::families

// Rows of Mistral and Ministral3: what config.json and tensor names may say, in both generations of its keys.
// Defaults are those of transformers 5.24's MistralConfig and Ministral3Config.
#include <cmath>
#include <string>

#include "families/decoder_reader.h"
#include "families/rope_types.h"

namespace candor::families {
namespace {

constexpr std::string_view kWindow = "sliding_window", kBeta = "llama_4_scaling_beta",
                           kOriginal = "original_max_position_embeddings", kLimit = "max_position_embeddings";

// One for all layers; a null is none.
std::optional<std::size_t> ReadWindow(const package::Config& c, std::optional<std::size_t> fallback,
                                      Problems& problems) {
  std::optional<std::size_t> window = IsNull(c, kWindow) ? std::nullopt : fallback;
  if (c.Has(kWindow)) window = c.Size(kWindow, 0, problems, 1);
  c.Choice("window", window ? "set" : "none", kWindow);
  return window;
}

std::unique_ptr<Model> ReadMistral(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  const bool causal = ReadCausal(c, problems);
  DecoderSpec s = ReadDecoder(c,
                              {.vocabulary = 32000,
                               .width = 4096,
                               .inner = 14336,
                               .layers = 32,
                               .heads = 32,
                               .max_length = 131072,
                               .eps = 1e-6,
                               .key_heads = 8,
                               .width_in_heads = false},
                              problems);
  const std::optional<std::size_t> window = ReadWindow(c, 4096, problems);
  if (problems.size() != before) return nullptr;
  s.ropes = {ReadRopeOfAnyType(c, {.pairs = s.head_width / 2, .max_length = s.max_length}, problems)};
  SetLayers(s, Sight(causal, window));
  return problems.size() == before ? std::make_unique<DecoderModel>(std::move(s)) : nullptr;
}

// How queries grow with their position: beside the rotation's own parameters. The class has some where none
// are written, for the sizes of its first release: packages write theirs.
Rope ReadQueryRope(const package::Config& c, Rope rope, Problems& problems) {
  const std::optional<package::Config> own = RopeObject(c, problems);
  if (!own) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("rope_parameters"), "absent",
                        "the parameters of the rotation and of the queries' growth", Phase::kConfig});
    return rope;
  }
  if (own->Has(kLimit)) own->Ignore(kLimit, "no class of this family reads it here");
  const double beta = own->Real(kBeta, -1, problems);
  if (!(beta >= 0) || !std::isfinite(static_cast<float>(beta))) {
    problems.push_back({Code::kUnsupportedConfigVariant, own->At(kBeta), own->Shown(kBeta),
                        "a number of at least 0", Phase::kConfig});
  }
  if (!own->Has(kOriginal)) {
    problems.push_back({Code::kUnsupportedConfigVariant, own->At(kOriginal), own->Shown(kOriginal),
                        "a whole number of at least 1, beside " + std::string(kBeta), Phase::kConfig});
    return rope;
  }
  rope.growth =
      Rope::Growth{.beta = static_cast<float>(beta), .trained = own->Size(kOriginal, 1, problems, 1)};
  return rope;
}

std::unique_ptr<Model> ReadMinistral3(const package::Config& c, Problems& problems) {
  constexpr std::string_view kMore[] = {kBeta, kOriginal, kLimit};
  const std::size_t before = problems.size();
  const bool causal = ReadCausal(c, problems);
  DecoderSpec s = ReadDecoder(c,
                              {.vocabulary = 131072,
                               .width = 4096,
                               .inner = 14336,
                               .layers = 34,
                               .heads = 32,
                               .max_length = 262144,
                               .eps = 1e-5,
                               .key_heads = 8,
                               .head_width = 128,
                               .width_in_heads = false},
                              problems);
  const std::optional<std::size_t> window = ReadWindow(c, std::nullopt, problems);
  if (problems.size() != before) return nullptr;
  const Rope rope = ReadRopeOfAnyType(
      c, {.pairs = s.head_width / 2, .max_length = s.max_length, .more_keys = kMore}, problems);
  s.ropes = {rope, ReadQueryRope(c, rope, problems)};
  DecoderSpec::Layer layer = Sight(causal, window);
  layer.query_rope = 1;
  SetLayers(s, layer);
  return problems.size() == before ? std::make_unique<DecoderModel>(std::move(s)) : nullptr;
}

constexpr std::string_view kMistralArchitectures[] = {
    "MistralModel",
    "MistralForCausalLM",
    "MistralForSequenceClassification",
    "MistralForTokenClassification",
};

constexpr std::string_view kMinistral3Architectures[] = {
    "Ministral3Model",
    "Ministral3ForCausalLM",
    "Ministral3ForSequenceClassification",
    "Ministral3ForTokenClassification",
};

}  // namespace

constinit const Family kMistralFamily{
    .name = "mistral",
    .version = "mistral/v1",
    .model_type = "mistral",
    .read = ReadMistral,
    .names = {kDecoderDialects, kDecoderKnown},
    .architectures = kMistralArchitectures,
    .descriptive = kDecoderDescriptive,
    .neutral = kDecoderNeutral,
    .sequence_head = LastRowHead,
    .token_head = EachRowHead,
    .causal_head = NextWordHead,
};

constinit const Family kMinistral3Family{
    .name = "ministral3",
    .version = "ministral3/v1",
    .model_type = "ministral3",
    .read = ReadMinistral3,
    .names = {kDecoderDialects, kDecoderKnown},
    .architectures = kMinistral3Architectures,
    .descriptive = kDecoderDescriptive,
    .neutral = kDecoderNeutral,
    .sequence_head = LastRowHead,
    .token_head = EachRowHead,
    .causal_head = NextWordHead,
};

}  // namespace candor::families

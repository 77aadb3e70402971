#include "families/masked_heads.h"

#include "families/activations.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

constexpr std::string_view kWords = "embeddings.word_embeddings";

// The last step. `twins` count where the config ties; without a word it does.
HeadStep Decoder(const package::Config& config, std::string_view name, const HeadSizes& sizes,
                 const Scope::Twins& twins, Problems& problems) {
  const bool tied = config.Flag("tie_word_embeddings", true, problems);
  config.Choice("head.decoder", tied ? "tied" : "own", "tie_word_embeddings");
  return {.dense = std::string(name), .out = sizes.labels, .twins = tied ? twins : Scope::Twins{}};
}

}  // namespace

HeadSpec BertMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  return {.pooling = std::nullopt,
          .steps = {{.dense = "cls.predictions.transform.dense",
                     .out = sizes.width,
                     .activation = ReadActivation(c, "hidden_act", "gelu", problems),
                     .norm = "cls.predictions.transform.LayerNorm",
                     .eps = ReadEpsilon(c, "layer_norm_eps", 1e-12, problems)},
                    Decoder(c, "cls.predictions.decoder", sizes,
                            {.table = kWords, .bias = "cls.predictions.bias"}, problems)}};
}

// Its activation is the exact GELU, whatever hidden_act says.
HeadSpec RobertaMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  return {
      .pooling = std::nullopt,
      .steps = {{.dense = "lm_head.dense",
                 .out = sizes.width,
                 .activation = Activation::kGeluErf,
                 .norm = "lm_head.layer_norm",
                 .eps = ReadEpsilon(c, "layer_norm_eps", 1e-12, problems)},
                Decoder(c, "lm_head.decoder", sizes, {.table = kWords, .bias = "lm_head.bias"}, problems)}};
}

HeadSpec DistilBertMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  return {.pooling = std::nullopt,
          .steps = {{.dense = "vocab_transform",
                     .out = sizes.width,
                     .activation = ReadActivation(c, "activation", "gelu", problems),
                     .norm = "vocab_layer_norm",
                     .eps = 1e-12f},
                    Decoder(c, "vocab_projector", sizes, {.table = kWords}, problems)}};
}

HeadSpec ModernBertMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  HeadStep decoder = Decoder(c, "decoder", sizes, {.table = "embeddings.tok_embeddings"}, problems);
  decoder.bias = Scope::BiasIf(ReadSwitch(c, "decoder_bias", true, problems));
  return {.pooling = std::nullopt,
          .steps = {{.dense = "head.dense",
                     .out = sizes.width,
                     .bias = Scope::BiasIf(ReadSwitch(c, "classifier_bias", false, problems)),
                     .activation = ReadActivation(c, "classifier_activation", "gelu", problems),
                     .norm = "head.norm",
                     .eps = ReadEpsilon(c, "norm_eps", 1e-5, problems),
                     .norm_bias = Scope::BiasIf(c.Flag("norm_bias", false, problems))},
                    std::move(decoder)}};
}

}  // namespace candor::families

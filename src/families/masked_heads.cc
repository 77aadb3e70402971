#include "families/masked_heads.h"

#include "families/activations.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// The last step.
HeadStep Decoder(const package::Config& config, std::string_view name, const HeadSizes& sizes,
                 const Scope::Twins& twins, Problems& problems, bool tied_without_a_word = true) {
  const bool tied = ReadTied(config, tied_without_a_word, problems);
  return {.dense = std::string(name), .out = sizes.labels, .twins = tied ? twins : Scope::Twins{}};
}

// The step before it, as wide as the rows.
HeadStep Transform(std::string_view dense, const HeadSizes& sizes, Activation activation,
                   std::string_view norm, float eps) {
  return {.dense = std::string(dense),
          .out = sizes.width,
          .activation = activation,
          .norm = std::string(norm),
          .eps = eps};
}

// Its activation is the exact GELU, whatever hidden_act says.
HeadSpec RobertaHead(const package::Config& c, const HeadSizes& sizes, double eps, Problems& problems) {
  return {.pooling = std::nullopt,
          .steps = {
              Transform("lm_head.dense", sizes, Activation::kGeluErf, "lm_head.layer_norm",
                        ReadEpsilon(c, "layer_norm_eps", eps, problems)),
              Decoder(c, "lm_head.decoder", sizes, {.table = kWordTable, .bias = "lm_head.bias"}, problems)}};
}

}  // namespace

bool ReadTied(const package::Config& config, bool fallback, Problems& problems) {
  const bool tied = config.Flag("tie_word_embeddings", fallback, problems);
  config.Choice("head.decoder", tied ? "tied" : "own", "tie_word_embeddings");
  return tied;
}

HeadSpec BertMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  return {.pooling = std::nullopt,
          .steps = {Transform("cls.predictions.transform.dense", sizes,
                              ReadActivation(c, "hidden_act", "gelu", problems),
                              "cls.predictions.transform.LayerNorm",
                              ReadEpsilon(c, "layer_norm_eps", 1e-12, problems)),
                    Decoder(c, "cls.predictions.decoder", sizes,
                            {.table = kWordTable, .bias = kBertDecoderBias}, problems)}};
}

HeadSpec RobertaMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  return RobertaHead(c, sizes, 1e-12, problems);
}

HeadSpec JinaV3MaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  return RobertaHead(c, sizes, 1e-5, problems);
}

HeadSpec DistilBertMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  return {.pooling = std::nullopt,
          .steps = {Transform("vocab_transform", sizes, ReadActivation(c, "activation", "gelu", problems),
                              "vocab_layer_norm", 1e-12f),
                    Decoder(c, "vocab_projector", sizes, {.table = kWordTable}, problems)}};
}

HeadSpec ModernBertMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  HeadStep transform =
      Transform("head.dense", sizes, ReadActivation(c, "classifier_activation", "gelu", problems),
                "head.norm", ReadEpsilon(c, "norm_eps", 1e-5, problems));
  transform.bias = Scope::BiasIf(ReadSwitch(c, "classifier_bias", false, problems));
  transform.norm_bias = Scope::BiasIf(c.Flag("norm_bias", false, problems));
  HeadStep decoder = Decoder(c, "decoder", sizes, {.table = "embeddings.tok_embeddings"}, problems);
  decoder.bias = Scope::BiasIf(ReadSwitch(c, "decoder_bias", true, problems));
  return {.pooling = std::nullopt, .steps = {std::move(transform), std::move(decoder)}};
}

// Both multiply by the word table, whose rows may be narrower than the hidden ones: the older layout goes
// down to that width, the newer has no way there. It is also tied whatever config.json says.
HeadSpec DebertaMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  RefuseNulls(c, {"legacy"}, problems);
  const bool legacy = ReadSwitch(c, "legacy", true, problems);
  const std::size_t embedding = c.Size("embedding_size", sizes.width, problems, 1);
  const Activation activation = ReadActivation(c, "hidden_act", "gelu", problems);
  const float eps = ReadEpsilon(c, "layer_norm_eps", 1e-7, problems);
  if (legacy) {
    HeadStep transform = Transform("cls.predictions.transform.dense", sizes, activation,
                                   "cls.predictions.transform.LayerNorm", eps);
    transform.out = embedding;
    return {
        .pooling = std::nullopt,
        .steps = {std::move(transform), Decoder(c, "cls.predictions.decoder", sizes,
                                                {.table = kWordTable, .bias = kBertDecoderBias}, problems)}};
  }
  if (embedding != sizes.width) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("embedding_size"), std::to_string(embedding),
                        std::to_string(sizes.width) + ", the width, where legacy is false", Phase::kConfig});
  }
  c.Choice("head.decoder", "tied", "legacy");
  return {.pooling = std::nullopt,
          .steps = {Transform("lm_predictions.lm_head.dense", sizes, activation,
                              "lm_predictions.lm_head.LayerNorm", eps),
                    {.dense = "lm_predictions.lm_head",
                     .out = sizes.labels,
                     .twins = {.table = kWordTable, .never_stored = true}}}};
}

// One product, whose bias the class has by the MLPs' key.
HeadSpec EuroBertMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  HeadStep decoder = Decoder(c, "lm_head", sizes, {.table = "embed_tokens"}, problems, false);
  decoder.bias = Scope::BiasIf(ReadSwitch(c, "mlp_bias", false, problems));
  return {.pooling = std::nullopt, .steps = {std::move(decoder)}};
}

// Through a narrow middle and back, without biases and norms.
HeadSpec UltraBertMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  RefuseNulls(c, {"prediction_head_size"}, problems);
  const std::size_t middle = c.Size("prediction_head_size", 768, problems, 1);
  HeadStep decoder = Decoder(c, "head.decoder", sizes, {.table = "embed_tokens"}, problems, false);
  decoder.bias = Scope::Bias::kNone;
  const auto step = [](std::string_view dense, std::size_t out) {
    return HeadStep{.dense = std::string(dense),
                    .out = out,
                    .bias = Scope::Bias::kNone,
                    .activation = Activation::kGeluTanh};
  };
  return {.pooling = std::nullopt,
          .steps = {step("head.linear1", middle), step("head.linear2", sizes.width), std::move(decoder)}};
}

// The exact GELU whatever hidden_act says, as RoBERTa's; the decoder's bias has one name.
HeadSpec GteMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  return {.pooling = std::nullopt,
          .steps = {Transform("lm_head.dense", sizes, Activation::kGeluErf, "lm_head.norm",
                              ReadEpsilon(c, "layer_norm_eps", 1e-12, problems)),
                    Decoder(c, "lm_head.decoder", sizes, {.table = kWordTable}, problems)}};
}

// A layer norm whatever layer_norm_type says.
HeadSpec NewMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  return {.pooling = std::nullopt,
          .steps = {Transform("lm_head.dense", sizes, ReadActivation(c, "hidden_act", "gelu", problems),
                              "lm_head.norm", ReadEpsilon(c, "layer_norm_eps", 1e-12, problems)),
                    Decoder(c, "lm_head.decoder", sizes, {.table = kWordTable}, problems)}};
}

}  // namespace candor::families

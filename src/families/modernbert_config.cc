// ModernBERT's row: what config.json and tensor names may say, in both generations of its keys. Defaults are
// those of transformers 5.24's ModernBertConfig.
#include <string>

#include "families/activations.h"
#include "families/masked_heads.h"
#include "families/modernbert.h"
#include "families/rope_keys.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// Which layers see everything: by list, or every so many. The list wins in the reference; here the two must
// agree.
std::vector<bool> ReadGlobalLayers(const package::Config& c, std::size_t layers, Problems& problems) {
  constexpr std::string_view kEvery = "global_attn_every_n_layers";
  const std::size_t every = c.Size(kEvery, 3, problems, 1);
  std::vector<bool> global(layers);
  for (std::size_t i = 0; i < layers; ++i) global[i] = i % every == 0;
  return ReadLayerTypes(c, global, c.Has(kEvery) ? kEvery : "", problems);
}

// Rows on either side: half of local_attention, rounded down. Releases since 5 may write the half instead.
std::int32_t ReadRadius(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size(), radius = c.Size("local_attention", 128, problems) / 2;
  if (!c.Has("sliding_window")) return static_cast<std::int32_t>(radius);
  const std::size_t window = c.Size("sliding_window", radius, problems);
  if (problems.size() == before && c.Has("local_attention") && window != radius) {
    problems.push_back({Code::kEvidenceConflict, c.At("sliding_window"), std::to_string(window),
                        std::to_string(radius) + ", half of local_attention", Phase::kConfig});
  }
  return static_cast<std::int32_t>(window);
}

// The turns of one kind of layer: rope_parameters in new files, a theta at the top level in old ones.
Rope ReadLayerRope(const package::Config& c, std::string_view kind, std::string_view theta_key, double theta,
                   std::size_t pairs, Problems& problems) {
  theta = ReadTheta(c, theta_key, theta, problems);
  const std::optional<package::Config> all = c.Inside("rope_parameters", problems);
  const std::optional<package::Config> own = all ? all->Inside(kind, problems) : std::nullopt;
  return own ? ReadRope(*own, theta, pairs, problems) : Rope{Frequencies(theta, pairs)};
}

std::unique_ptr<Model> ReadModernBert(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c,
              {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
               "max_position_embeddings", "norm_eps", "hidden_activation", "local_attention", "norm_bias",
               "attention_bias", "mlp_bias", "global_attn_every_n_layers"},
              problems);
  ModernBertSpec s;
  s.vocabulary = c.Size("vocab_size", 50368, problems, 1);
  s.width = c.Size("hidden_size", 768, problems, 1);
  s.heads = ReadHeads(c, "num_attention_heads", 12, problems.size() == before ? s.width : 0, "hidden_size",
                      problems);
  const std::size_t layers = ReadLayers(c, "num_hidden_layers", 22, problems);
  s.inner = c.Size("intermediate_size", 1152, problems, 1);
  s.max_length = c.Size("max_position_embeddings", 8192, problems, 1);
  s.eps = ReadEpsilon(c, "norm_eps", 1e-5, problems);
  s.norm_bias = ReadSwitch(c, "norm_bias", false, problems);
  s.attention_bias = ReadSwitch(c, "attention_bias", false, problems);
  s.mlp_bias = ReadSwitch(c, "mlp_bias", false, problems);
  s.activation = ReadActivation(c, "hidden_activation", "gelu", problems);
  s.radius = ReadRadius(c, problems);
  if (problems.size() != before) return nullptr;
  s.is_global = ReadGlobalLayers(c, layers, problems);
  CheckRopeKinds(c, problems);
  const std::size_t pairs = ReadPairs(c, "num_attention_heads", s.width, s.heads, problems);
  s.global = ReadLayerRope(c, kFullAttention, "global_rope_theta", 160000, pairs, problems);
  s.local = ReadLayerRope(c, kSlidingAttention, "local_rope_theta", 10000, pairs, problems);
  if (problems.size() != before) return nullptr;
  return std::make_unique<ModernBertModel>(std::move(s));
}

// Behind the rows of both classes: a transform like the vocabulary head's, then "classifier".
std::vector<HeadStep> TransformSteps(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  const bool bias = ReadSwitch(c, "classifier_bias", false, problems);
  return {{.dense = "head.dense",
           .out = sizes.width,
           .bias = Scope::BiasIf(bias),
           .activation = ReadActivation(c, "classifier_activation", "gelu", problems),
           .norm = "head.norm",
           .eps = ReadEpsilon(c, "norm_eps", 1e-5, problems),
           .norm_bias = Scope::BiasIf(c.Flag("norm_bias", false, problems))},
          {.dense = "classifier", .out = sizes.labels}};
}

HeadSpec ModernBertRowHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  return {.pooling = std::nullopt, .steps = TransformSteps(c, sizes, problems)};
}

// Of the class for sequences: one row, by classifier_pooling.
HeadSpec ModernBertHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  const std::string pooling = ReadClassifierPooling(c, {"cls", "mean"}, problems);
  return {.pooling = pooling == "mean" ? Pooling::kMean : Pooling::kFirst,
          .steps = TransformSteps(c, sizes, problems)};
}

constexpr NameDialect kDialects[] = {
    {"bare", ""},
    {"prefix model.", "model."},
    {"prefix 0.auto_model.", "0.auto_model."},
};

constexpr KnownTensors kKnown[] = {
    {"head.", "transform of a vocabulary or classifier head, not used for embeddings", true},
    {"decoder.", kMaskedLm, true},
    {"classifier.", kClassifier, true},
};

constexpr std::string_view kArchitectures[] = {
    "ModernBertModel",
    "ModernBertForMaskedLM",
    "ModernBertForSequenceClassification",
    "ModernBertForTokenClassification",
    "ModernBertForQuestionAnswering",
    "ModernBertForMultipleChoice",
};

constexpr std::string_view kUnread = "no class of this family reads it";
constexpr DescriptiveKey kDescriptive[] = {
    {"attention_dropout", kTrainingOnly},
    {"embedding_dropout", kTrainingOnly},
    {"mlp_dropout", kTrainingOnly},
    {"initializer_cutoff_factor", kTrainingOnly},
    {"sparse_pred_ignore_index", kTrainingOnly},
    {"sparse_prediction", kOfAHead},
    {"decoder_bias", kOfAHead},
    {"classifier_activation", kOfAHead},
    {"classifier_bias", kOfAHead},
    {"classifier_pooling", kOfAHead},
    {"deterministic_flash_attn", kSchedule},
    {"reference_compile", kSchedule},
    {"repad_logits_with_grad", kSchedule},
    {"layer_norm_eps", kUnread},  // published files have it beside norm_eps
    {"position_embedding_type", kUnread},
};

constexpr NeutralKey kNeutral[] = {{"rope_scaling", "null"}};

}  // namespace

constinit const Family kModernBertFamily{
    .name = "modernbert",
    .version = "modernbert/v1",
    .model_type = "modernbert",
    .read = ReadModernBert,
    .names = {kDialects, kKnown},
    .architectures = kArchitectures,
    .descriptive = kDescriptive,
    .neutral = kNeutral,
    .sequence_head = ModernBertHead,
    .token_head = ModernBertRowHead,
    .masked_head = ModernBertMaskedHead,
};

}  // namespace candor::families

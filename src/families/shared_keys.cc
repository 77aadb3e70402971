#include "families/shared_keys.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace candor::families {
namespace {

// Each layer has several tensors, and a package at most 262144: a larger number is refused before anything is
// made of it.
constexpr std::size_t kMostLayers = 16384;

constexpr std::string_view kProvenance = "provenance, no computation reads it";
constexpr std::string_view kLabels = "labels of a head that an embedding does not run";
constexpr std::string_view kOutputs = "selects extra outputs, not the numbers";
constexpr std::string_view kTokens = "special token ids: the tokenizer's files decide";
constexpr std::string_view kStorage = "stored type: each tensor's header decides, the profile computes";

constexpr DescriptiveKey kDescriptive[] = {
    {"_name_or_path", kProvenance},
    {"name_or_path", kProvenance},
    {"_commit_hash", kProvenance},
    {"transformers_version", kProvenance},
    {"finetuning_task", kProvenance},
    {"attention_probs_dropout_prob", kTrainingOnly},
    {"hidden_dropout_prob", kTrainingOnly},
    {"classifier_dropout", kTrainingOnly},
    {"initializer_range", kTrainingOnly},
    {"gradient_checkpointing", kTrainingOnly},
    {"problem_type", kTrainingOnly},
    {"use_cache", "caches keys of a decoder; an encoder has none"},
    {"tie_word_embeddings", "ties a vocabulary head that an embedding does not run"},
    {"chunk_size_feed_forward", "splits the same computation over rows"},
    {"dtype", kStorage},
    {"torch_dtype", kStorage},
    {"id2label", kLabels},
    {"label2id", kLabels},
    {"num_labels", kLabels},
    {"_num_labels", kLabels},
    {"output_past", kOutputs},
    {"output_attentions", kOutputs},
    {"output_hidden_states", kOutputs},
    {"return_dict", kOutputs},
    {"torchscript", kOutputs},
    {"pad_token_id", kTokens},
    {"bos_token_id", kTokens},
    {"eos_token_id", kTokens},
    {"sep_token_id", kTokens},
    {"cls_token_id", kTokens},
    {"mask_token_id", kTokens},
    {"unk_token_id", kTokens},
};

constexpr NeutralKey kNeutral[] = {
    {"is_decoder", "false | null"},
    {"add_cross_attention", "false | null"},
    {"is_encoder_decoder", "false | null"},
    {"pruned_heads", "{} | null"},
    {"per_layer_config", "{} | null"},
    {"quantization_config", "null", Code::kUnsupportedQuantization},
    {"compression_config", "null", Code::kUnsupportedQuantization},
};

bool IsWritten(const package::Config& config, std::string_view key) {
  const std::vector<std::string> keys = config.Keys();
  return std::ranges::find(keys, key) != keys.end();
}

}  // namespace

std::span<const DescriptiveKey> SharedDescriptive() { return kDescriptive; }
std::span<const NeutralKey> SharedNeutral() { return kNeutral; }

void RefuseNulls(const package::Config& config, std::initializer_list<std::string_view> keys,
                 Problems& problems) {
  for (const std::string_view key : keys) {
    if (IsWritten(config, key) && !config.Has(key))
      problems.push_back({Code::kInvalidPackageSchema, config.At(key), "null", "a value", Phase::kConfig});
  }
}

bool IsNull(const package::Config& config, std::string_view key) { return config.Shown(key) == "null"; }

std::string_view Spelling(const package::Config& config, std::string_view first, std::string_view second,
                          Problems& problems) {
  if (!IsWritten(config, second)) return first;
  if (!IsWritten(config, first)) return second;
  const std::string one = config.Shown(first), other = config.Shown(second);
  if (one != other) {
    problems.push_back({Code::kEvidenceConflict, config.At(second), other,
                        one + ", as " + std::string(first) + " says", Phase::kConfig});
  }
  return first;
}

bool ReadSwitch(const package::Config& config, std::string_view key, bool fallback, Problems& problems) {
  const bool on = config.Flag(key, fallback, problems);
  config.Choice(key, on ? "true" : "false", key);
  return on;
}

std::size_t ReadTokenTypes(const package::Config& config, std::string_view key, std::size_t fallback,
                           std::size_t least, Problems& problems) {
  const std::size_t types = config.Size(key, fallback, problems, least);
  config.Choice("type_vocabulary", types == 0 ? "none" : types == 1 ? "one" : "several", key);
  return types;
}

std::size_t ReadLayers(const package::Config& config, std::string_view key, std::size_t fallback,
                       Problems& problems) {
  return config.Size(key, fallback, problems, 1, kMostLayers);
}

std::size_t ReadHeads(const package::Config& config, std::string_view key, std::size_t fallback,
                      std::size_t width, std::string_view width_key, Problems& problems) {
  const std::size_t before = problems.size();
  const std::size_t heads = config.Size(key, fallback, problems, 1);
  if (problems.size() == before && width % heads != 0) {
    problems.push_back({Code::kUnsupportedConfigVariant, config.At(key), std::to_string(heads),
                        "a divisor of " + std::string(width_key) + " " + std::to_string(width),
                        Phase::kConfig});
  }
  return heads;
}

std::vector<bool> ReadLayerTypes(const package::Config& config, const std::vector<bool>& others,
                                 std::string_view reason, Problems& problems) {
  if (!config.Has("layer_types")) return others;
  const std::size_t before = problems.size();
  const std::vector<std::string> types = config.Texts("layer_types", problems);
  if (problems.size() != before) return others;
  if (types.size() != others.size()) {
    problems.push_back({Code::kEvidenceConflict, config.At("layer_types"),
                        std::to_string(types.size()) + " entries",
                        std::to_string(others.size()) + ", as num_hidden_layers says", Phase::kConfig});
    return others;
  }
  std::vector<bool> full = others;
  for (std::size_t i = 0; i < types.size(); ++i) {
    Where where = config.At("layer_types");
    where.pointer += "/" + std::to_string(i);
    full[i] = types[i] == kFullAttention;
    if (types[i] != kFullAttention && types[i] != kSlidingAttention) {
      problems.push_back({Code::kUnsupportedConfigVariant, std::move(where), types[i],
                          std::string(kFullAttention) + ", " + std::string(kSlidingAttention),
                          Phase::kConfig});
    } else if (!reason.empty() && full[i] != others[i]) {
      problems.push_back({Code::kEvidenceConflict, std::move(where), types[i],
                          std::string(others[i] ? kFullAttention : kSlidingAttention) + ", as " +
                              std::string(reason) + " says",
                          Phase::kConfig});
    }
  }
  return full;
}

HeadSpec PoolerHead(const package::Config&, const HeadSizes& s, Problems&) {
  return {
      .steps = {{.dense = "pooler.dense", .out = s.width, .beside = false, .activation = Activation::kTanh},
                {.dense = "classifier", .out = s.labels}}};
}

HeadSpec TwoProductHead(const package::Config&, const HeadSizes& s, Problems&) {
  return {.steps = {{.dense = "classifier.dense", .out = s.width, .activation = Activation::kTanh},
                    {.dense = "classifier.out_proj", .out = s.labels}}};
}

std::string ReadClassifierPooling(const package::Config& config,
                                  std::initializer_list<std::string_view> names, Problems& problems) {
  constexpr std::string_view kKey = "classifier_pooling";
  std::string pooling = config.Text(kKey, *names.begin(), problems);
  if (std::ranges::find(names, pooling) == names.end()) {
    std::string allowed;
    for (const std::string_view name : names) allowed += (allowed.empty() ? "" : ", ") + std::string(name);
    problems.push_back(
        {Code::kUnsupportedConfigVariant, config.At(kKey), pooling, std::move(allowed), Phase::kConfig});
  }
  config.Choice(kKey, pooling, kKey);
  return pooling;
}

HeadSpec RowHead(const package::Config&, const HeadSizes& s, Problems&) {
  return {.pooling = std::nullopt, .steps = {{.dense = "classifier", .out = s.labels}}};
}

float ReadEpsilon(const package::Config& config, std::string_view key, double fallback, Problems& problems) {
  const double eps = config.Real(key, fallback, problems);
  if (!(eps >= 0) || !std::isfinite(static_cast<float>(eps))) {
    problems.push_back({Code::kUnsupportedConfigVariant, config.At(key), config.Shown(key),
                        "a number of at least 0", Phase::kConfig});
  }
  return static_cast<float>(eps);
}

}  // namespace candor::families

// The BERT family's row: what config.json and tensor names may say, and the reader of the fields that decide
// arithmetic. Defaults are those of transformers 5.24's BertConfig.
#include <algorithm>
#include <cmath>

#include "families/activations.h"
#include "families/bert.h"

namespace candor::families {
namespace {

// Each layer has 16 tensors, and a package at most 262144: a larger number is refused before anything is
// made of it.
constexpr std::size_t kMostLayers = 16384;

// In the reference a written null replaces the default, and the class cannot be built.
void RefuseNulls(const package::Config& c, Problems& problems) {
  const std::vector<std::string> keys = c.Keys();
  for (const std::string_view key :
       {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
        "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "hidden_act"}) {
    if (std::ranges::find(keys, key) != keys.end() && !c.Has(key))
      problems.push_back({Code::kInvalidPackageSchema, c.At(key), "null", "a value", Phase::kConfig});
  }
}

std::unique_ptr<Model> ReadBert(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c, problems);
  BertSpec s;
  s.vocabulary = c.Size("vocab_size", 30522, problems, 1);
  s.width = c.Size("hidden_size", 768, problems, 1);
  s.layers = c.Size("num_hidden_layers", 12, problems, 1, kMostLayers);
  s.heads = c.Size("num_attention_heads", 12, problems, 1);
  s.inner = c.Size("intermediate_size", 3072, problems, 1);
  s.max_positions = c.Size("max_position_embeddings", 512, problems, 1);
  // The reference always looks a token type up, so it cannot be built without the table.
  s.segments = c.Size("type_vocab_size", 2, problems, 1);
  const double eps = c.Real("layer_norm_eps", 1e-12, problems);
  s.eps = static_cast<float>(eps);
  s.activation = ReadActivation(c, "hidden_act", "gelu", problems);
  if (!(eps >= 0) || !std::isfinite(s.eps)) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("layer_norm_eps"),
                        c.Raw("layer_norm_eps")->Dump(), "a number of at least 0", Phase::kConfig});
  }
  if (problems.size() == before && s.width % s.heads != 0) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("num_attention_heads"), std::to_string(s.heads),
                        "a divisor of hidden_size " + std::to_string(s.width), Phase::kConfig});
  }
  c.Choice("position_embedding_type", "absolute", "position_embedding_type");
  c.Choice("type_vocabulary", s.segments == 1 ? "one" : "several", "type_vocab_size");
  if (problems.size() != before) return nullptr;
  return std::make_unique<BertModel>(s);
}

// gamma and beta are the names of files converted from the first TensorFlow release; transformers renames
// them tensor by tensor, so one package may hold both spellings.
constexpr std::pair<std::string_view, std::string_view> kRenames[] = {
    {"LayerNorm.gamma", "LayerNorm.weight"},
    {"LayerNorm.beta", "LayerNorm.bias"},
};

constexpr NameDialect kDialects[] = {
    {"bare", "", kRenames},
    {"prefix bert.", "bert.", kRenames},
    {"prefix model.", "model.", kRenames},
    {"prefix encoder.", "encoder.", kRenames},
    {"prefix 0.auto_model.", "0.auto_model.", kRenames},
};

constexpr std::string_view kBuffer = "index buffer of the reference, not a parameter";
constexpr KnownTensors kKnown[] = {
    {"embeddings.position_ids", kBuffer},
    {"embeddings.token_type_ids", kBuffer},
    {"pooler.", "pooler, not used: the recipe pools hidden rows", true},
    {"cls.", "masked-LM and next-sentence head, not used for embeddings", true},
    {"classifier.", "classifier head, not used for embeddings", true},
    {"qa_outputs.", "question answering head, not used for embeddings", true},
};

constexpr std::string_view kArchitectures[] = {
    "BertModel",
    "BertForMaskedLM",
    "BertForPreTraining",
    "BertForNextSentencePrediction",
    "BertForSequenceClassification",
    "BertForTokenClassification",
    "BertForQuestionAnswering",
    "BertForMultipleChoice",
    "BertLMHeadModel",
};

constexpr std::string_view kTraining = "training only";
constexpr std::string_view kProvenance = "provenance, no computation reads it";
constexpr std::string_view kLabels = "labels of a head that an embedding does not run";
constexpr std::string_view kOutputs = "selects extra outputs, not the numbers";
constexpr std::string_view kTokens = "special token ids: the tokenizer's files decide";
constexpr std::string_view kStorage = "stored type: each tensor's header decides, the profile computes";
constexpr std::string_view kPooler = "describes the pooler of the first release, which no class reads";

constexpr DescriptiveKey kDescriptive[] = {
    {"_name_or_path", kProvenance},
    {"name_or_path", kProvenance},
    {"_commit_hash", kProvenance},
    {"transformers_version", kProvenance},
    {"finetuning_task", kProvenance},
    {"directionality", kPooler},
    {"pooler_fc_size", kPooler},
    {"pooler_num_attention_heads", kPooler},
    {"pooler_num_fc_layers", kPooler},
    {"pooler_size_per_head", kPooler},
    {"pooler_type", kPooler},
    {"attention_probs_dropout_prob", kTraining},
    {"hidden_dropout_prob", kTraining},
    {"classifier_dropout", kTraining},
    {"initializer_range", kTraining},
    {"gradient_checkpointing", kTraining},
    {"problem_type", kTraining},
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
    {"position_embedding_type", "\"absolute\" | null"},
    {"is_decoder", "false | null"},
    {"add_cross_attention", "false | null"},
    {"is_encoder_decoder", "false | null"},
    {"pruned_heads", "{} | null"},
    {"per_layer_config", "{} | null"},
    {"quantization_config", "null", Code::kUnsupportedQuantization},
    {"compression_config", "null", Code::kUnsupportedQuantization},
};

}  // namespace

constinit const Family kBertFamily{
    .name = "bert",
    .version = "bert/v1",
    .model_type = "bert",
    .read = ReadBert,
    .names = {kDialects, kKnown},
    .architectures = kArchitectures,
    .descriptive = kDescriptive,
    .neutral = kNeutral,
};

}  // namespace candor::families

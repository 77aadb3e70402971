// The rows of Jina Embeddings v3: transformers' own class, and the publisher's first one, which says that it
// is "xlm-roberta" and names its code. Defaults are those of transformers 5.24's JinaEmbeddingsV3Config and
// of configuration_xlm_roberta.py (XLMRobertaFlashConfig).
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "families/activations.h"
#include "families/jina_v3.h"
#include "families/masked_heads.h"
#include "families/rope_keys.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// Each has two tensors beside every product.
constexpr std::size_t kMostAdapters = 64;

// Everything but positions, activation and adapters.
JinaV3Spec ReadSizes(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c,
              {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
               "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "hidden_act"},
              problems);
  JinaV3Spec s;
  s.vocabulary = c.Size("vocab_size", 250002, problems, 1);
  s.width = c.Size("hidden_size", 1024, problems, 1);
  s.heads = ReadHeads(c, "num_attention_heads", 16, problems.size() == before ? s.width : 0, "hidden_size",
                      problems);
  s.layers = ReadLayers(c, "num_hidden_layers", 24, problems);
  s.inner = c.Size("intermediate_size", 4096, problems, 1);
  s.max_length = c.Size("max_position_embeddings", 8194, problems, 1);
  s.segments = ReadTokenTypes(c, "type_vocab_size", 1, 1, problems);
  s.eps = ReadEpsilon(c, "layer_norm_eps", 1e-5, problems);
  return s;
}

std::unique_ptr<Model> ReadNative(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  JinaV3Spec s = ReadSizes(c, problems);
  s.activation = ReadActivation(c, "hidden_act", "gelu", problems);
  if (problems.size() != before) return nullptr;
  const std::size_t pairs = ReadPairs(c, "num_attention_heads", s.width, s.heads, problems);
  const double theta = ReadTheta(c, "rope_theta", 20000, problems);
  if (const auto rope = c.Inside("rope_parameters", problems)) {
    s.rope = ReadRope(*rope, theta, pairs, problems);
  } else {
    s.rope = Rope{Frequencies(theta, pairs)};
    c.Choice("rope_type", "default", "rope_theta");
  }
  c.Choice("adapters", "none", "architectures");
  s.gives_layers = true;
  if (problems.size() != before) return nullptr;
  return std::make_unique<JinaV3Model>(std::move(s));
}

// ---- the publisher's own class ------------------------------------------------------------------------

// It knows one function, in both of its forms, and takes the erf form for every name but three.
Activation ReadGelu(const package::Config& c, Problems& problems) {
  const std::string name = c.Text("hidden_act", "gelu", problems);
  const bool tanh = name == "gelu_new" || name == "gelu_fast" || name == "gelu_pytorch_tanh";
  if (!tanh && name != "gelu") {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("hidden_act"), name,
                        "gelu, gelu_new, gelu_fast, gelu_pytorch_tanh", Phase::kConfig});
  }
  c.Choice("hidden_act", tanh ? "gelu_new" : "gelu", "hidden_act");
  return tanh ? Activation::kGeluTanh : Activation::kGeluErf;
}

// "retrieval.query" and "retrieval.passage" are two sides of one task: what stands before the first dot.
std::string TaskOf(const std::string& name) { return name.substr(0, name.find('.')); }

void ReadAdapters(const package::Config& c, JinaV3Spec& s, Problems& problems) {
  constexpr std::string_view kList = "lora_adaptations";
  if (!c.Has(kList)) {
    c.Choice("adapters", "none", kList);
    for (const std::string_view key : {"lora_rank", "lora_alpha", "load_trained_adapters"})
      if (c.Raw(key) != nullptr) c.Ignore(key, "of adapters, which this model does not have");
    return;
  }
  const std::size_t before = problems.size();
  RefuseNulls(c, {"lora_rank", "lora_alpha", "load_trained_adapters"}, problems);
  std::set<std::string> seen;
  for (std::string& name : c.Texts(kList, problems)) {
    if (name.empty() || !seen.insert(name).second) {
      problems.push_back({Code::kInvalidPackageSchema, c.At(kList), '"' + name + '"',
                          "names, each once and none empty", Phase::kConfig});
    }
    std::string task = TaskOf(name);
    s.adapters.push_back({std::move(name), std::move(task)});
  }
  if (problems.size() == before && (s.adapters.empty() || s.adapters.size() > kMostAdapters)) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At(kList),
                        std::to_string(s.adapters.size()) + " adapters",
                        "1 to " + std::to_string(kMostAdapters), Phase::kConfig});
  }
  s.low_rank.adapters = s.adapters.size();
  s.low_rank.rank = c.Size("lora_rank", 4, problems, 1);
  const double alpha = c.Real("lora_alpha", 1, problems);
  if (!std::isfinite(alpha)) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("lora_alpha"), c.Shown("lora_alpha"),
                        "a finite number", Phase::kConfig});
  }
  // Where it is off the class makes new adapters, at random.
  if (!c.Flag("load_trained_adapters", false, problems)) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("load_trained_adapters"),
                        c.Shown("load_trained_adapters"), "true, beside lora_adaptations", Phase::kConfig});
  }
  if (problems.size() != before) return;
  s.low_rank.scale = static_cast<float>(alpha / static_cast<double>(s.low_rank.rank));
  c.Choice("adapters", "low rank", kList);
}

// A table of positions, counted behind the padding id as RoBERTa's. No golden has adapters beside it, which
// would change its rows too.
void ReadPositions(const package::Config& c, JinaV3Spec& s, Problems& problems) {
  const std::size_t before = problems.size();
  if (!s.adapters.empty()) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("position_embedding_type"), "absolute",
                        "\"rotary\", beside lora_adaptations", Phase::kConfig});
  }
  for (const std::string_view key : {"rotary_emb_base", "rotary_emb_dim"})
    if (c.Raw(key) != nullptr) c.Ignore(key, "of rotary positions, which this model does not have");
  s.padding = ReadPadding(c, s.vocabulary, s.max_length, problems);
  if (problems.size() == before) c.Choice("position_embedding_type", "absolute", "position_embedding_type");
}

std::unique_ptr<Model> ReadFlash(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  JinaV3Spec s = ReadSizes(c, problems);
  s.activation = ReadGelu(c, problems);
  RefuseNulls(c, {"position_embedding_type", "rotary_emb_dim"}, problems);
  ReadAdapters(c, s, problems);
  if (problems.size() != before) return nullptr;
  if (c.Text("position_embedding_type", "rotary", problems) == "absolute") {
    ReadPositions(c, s, problems);
    if (problems.size() != before) return nullptr;
    return std::make_unique<JinaV3Model>(std::move(s));
  }
  const std::size_t pairs = ReadPairs(c, "num_attention_heads", s.width, s.heads, problems);
  if (c.Size("rotary_emb_dim", 2 * pairs, problems, 1) != 2 * pairs) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("rotary_emb_dim"), c.Shown("rotary_emb_dim"),
                        std::to_string(2 * pairs) + ", a head's share of the width", Phase::kConfig});
  }
  s.rope = Rope{Frequencies(ReadTheta(c, "rotary_emb_base", 10000, problems), pairs)};
  c.Choice("position_embedding_type", "rotary", "position_embedding_type");
  if (problems.size() != before) return nullptr;
  return std::make_unique<JinaV3Model>(std::move(s));
}

// The classes with a head are built over the encoder without adapters.
void RefuseAdapters(const package::Config& c, Problems& problems) {
  constexpr std::string_view kList = "lora_adaptations";
  if (!c.Has(kList)) return;
  problems.push_back({Code::kUnsupportedConfigVariant, c.At(kList), c.Shown(kList),
                      "absent or null: no class of this family has adapters and a head", Phase::kConfig});
}

HeadSpec FlashHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  RefuseAdapters(c, problems);
  return TwoProductHead(c, sizes, problems);
}

HeadSpec FlashMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  RefuseAdapters(c, problems);
  return JinaV3MaskedHead(c, sizes, problems);
}

// ---- names --------------------------------------------------------------------------------------------

constexpr std::pair<std::string_view, std::string_view> kNativeEnds[] = {
    {"embeddings.LayerNorm.weight", "emb_ln.weight"},     {"embeddings.LayerNorm.bias", "emb_ln.bias"},
    {"self_attn.o_proj.weight", "mixer.out_proj.weight"}, {"self_attn.o_proj.bias", "mixer.out_proj.bias"},
    {"post_attention_layernorm.weight", "norm1.weight"},  {"post_attention_layernorm.bias", "norm1.bias"},
    {"post_mlp_layernorm.weight", "norm2.weight"},        {"post_mlp_layernorm.bias", "norm2.bias"},
};
constexpr std::pair<std::string_view, std::string_view> kNativeStarts[] = {{"layers.", "encoder.layers."}};
// A weight with adapters beside it, as torch's parametrizations name the three.
constexpr std::pair<std::string_view, std::string_view> kAdaptedEnds[] = {
    {"parametrizations.weight.original", "weight"},
    {"parametrizations.weight.0.lora_A", "lora_A.weight"},
    {"parametrizations.weight.0.lora_B", "lora_B.weight"},
};

constexpr NameDialect kNativeDialects[] = {
    {"native", "", kNativeEnds, kNativeStarts},
    {"native, prefix roberta.", "roberta.", kNativeEnds, kNativeStarts},
    {"first release", ""},
    {"first release, prefix roberta.", "roberta."},
};
constexpr NameDialect kFlashDialects[] = {
    {"first release", "", kAdaptedEnds},
    {"first release, prefix roberta.", "roberta.", kAdaptedEnds},
};

constexpr KnownTensors kKnown[] = {
    {"embeddings.position_ids", kBuffer}, {"pooler.", kPooler, true},      {"lm_head.", kMaskedLm, true},
    {"classifier.", kClassifier, true},   {"qa_outputs.", kAnswers, true},
};

constexpr std::string_view kNativeArchitectures[] = {
    "JinaEmbeddingsV3Model",
    "JinaEmbeddingsV3ForMaskedLM",
    "JinaEmbeddingsV3ForSequenceClassification",
    "JinaEmbeddingsV3ForTokenClassification",
    "JinaEmbeddingsV3ForQuestionAnswering",
};
constexpr std::string_view kFlashArchitectures[] = {
    "XLMRobertaModel",
    "XLMRobertaLoRA",
    "XLMRobertaForMaskedLM",
    "XLMRobertaForSequenceClassification",
};
// File names that other publishers' code has too stand with their repository.
constexpr std::string_view kFlashClasses[] = {
    "configuration_xlm_roberta.XLMRobertaFlashConfig",
    "modeling_lora.XLMRobertaLoRA",
    "jinaai/xlm-roberta-flash-implementation--modeling_xlm_roberta.XLMRobertaModel",
    "jinaai/xlm-roberta-flash-implementation--modeling_xlm_roberta.XLMRobertaForMaskedLM",
    "jinaai/xlm-roberta-flash-implementation--modeling_xlm_roberta.XLMRobertaForPreTraining",
    "jinaai/xlm-roberta-flash-implementation--modeling_xlm_roberta.XLMRobertaForSequenceClassification",
    "jinaai/jina-reranker-v2-base-multilingual--modeling_xlm_roberta.XLMRobertaModel",
    "jinaai/jina-reranker-v2-base-multilingual--modeling_xlm_roberta.XLMRobertaForSequenceClassification",
};

constexpr std::string_view kOfEncode = "of the class's own encode; the recipe decides";
constexpr DescriptiveKey kFlashDescriptive[] = {
    {"emb_pooler", kOfEncode},
    {"truncate_dim", kOfEncode},
    {"task_instructions", kOfEncode},
    {"matryoshka_dimensions", "widths that vectors may be cut to: the request decides"},
    {"use_flash_attn", kSchedule},
    {"fused_bias_fc", kSchedule},
    {"fused_dropout_add_ln", kSchedule},
    {"use_reentrant", kTrainingOnly},
    {"mlp_checkpoint_lvl", kTrainingOnly},
    {"lora_dropout_p", kTrainingOnly},
    {"lora_main_params_trainable", kTrainingOnly},
};
constexpr DescriptiveKey kNativeDescriptive[] = {
    {"matryoshka_dimensions", "widths that vectors may be cut to: the request decides"},
};

constexpr NeutralKey kNativeNeutral[] = {
    {"rope_scaling", "null"},
    {"head_dim", "null"},
    {"position_embedding_type", "\"rotary\" | null"},
    {"lora_adaptations", "null"},
};
constexpr NeutralKey kFlashNeutral[] = {
    {"position_embedding_type", "\"rotary\" | \"absolute\""},
    {"rotary_emb_scale_base", "null"},
    {"rotary_emb_interleaved", "false | null"},
    {"last_layer_subset", "false | null"},
    {"fused_mlp", "false | null"},
};

}  // namespace

constinit const Family kJinaV3Family{
    .name = "jina_embeddings_v3",
    .version = "jina_embeddings_v3/v1",
    .model_type = "jina_embeddings_v3",
    .read = ReadNative,
    .names = {kNativeDialects, kKnown},
    .architectures = kNativeArchitectures,
    .descriptive = kNativeDescriptive,
    .neutral = kNativeNeutral,
    .sequence_head = TwoProductHead,
    .token_head = RowHead,
    .masked_head = JinaV3MaskedHead,
};

constinit const Family kXlmRobertaFlashFamily{
    .name = "xlm_roberta_flash",
    .version = "xlm_roberta_flash/v1",
    .model_type = "xlm-roberta",
    .read = ReadFlash,
    .names = {kFlashDialects, kKnown},
    .architectures = kFlashArchitectures,
    .descriptive = kFlashDescriptive,
    .neutral = kFlashNeutral,
    .replaces = kFlashClasses,
    .own_module = "custom_st.Transformer",
    .sequence_head = FlashHead,
    .masked_head = FlashMaskedHead,
};

}  // namespace candor::families

// The rows of "gte" and "new": what config.json and tensor names may say. Defaults are those of transformers
// 5.24's GteConfig and of new-impl's NewConfig.
#include <algorithm>
#include <cmath>
#include <string>

#include "families/activations.h"
#include "families/gte.h"
#include "families/masked_heads.h"
#include "families/rope_keys.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// What the two configuration classes fill in.
struct GteDefaults {
  std::size_t vocabulary, max_positions;
};

// The keys that both classes have.
GteSpec ReadSizes(const package::Config& c, const GteDefaults& defaults, Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c,
              {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
               "max_position_embeddings", "type_vocab_size", "layer_norm_eps", "hidden_act"},
              problems);
  GteSpec s;
  s.vocabulary = c.Size("vocab_size", defaults.vocabulary, problems, 1);
  s.width = c.Size("hidden_size", 768, problems, 1);
  s.heads = ReadHeads(c, "num_attention_heads", 12, problems.size() == before ? s.width : 0, "hidden_size",
                      problems);
  s.layers = ReadLayers(c, "num_hidden_layers", 12, problems);
  s.inner = c.Size("intermediate_size", 3072, problems, 1);
  s.max_positions = c.Size("max_position_embeddings", defaults.max_positions, problems, 1);
  s.segments = ReadTokenTypes(c, "type_vocab_size", 1, 0, problems);
  s.eps = ReadEpsilon(c, "layer_norm_eps", 1e-12, problems);
  s.activation = ReadActivation(c, "hidden_act", "gelu", problems);
  return s;
}

// One of the names, the first by default; the second answers true.
bool IsSecond(const package::Config& c, std::string_view key, std::string_view first, std::string_view second,
              Problems& problems) {
  RefuseNulls(c, {key}, problems);
  const std::string value = c.Text(key, first, problems);
  if (value != first && value != second) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At(key), value,
                        std::string(first) + ", " + std::string(second), Phase::kConfig});
  }
  c.Choice(key, value, key);
  return value == second;
}

// {"type": "ntk", "factor": f, "mixed_b": b}, the one form that the class of "new" has.
Rope ReadNtk(const package::Config& rope, double theta, std::size_t pairs, Problems& problems) {
  const std::size_t before = problems.size();
  const std::string_view type_key = Spelling(rope, "type", "rope_type", problems);
  const std::string type = rope.Text(type_key, "absent", problems);
  if (type != "ntk")
    problems.push_back({Code::kUnsupportedConfigVariant, rope.At(type_key), type, "ntk", Phase::kConfig});
  for (const std::string& key : rope.Keys()) {
    if (key == "type" || key == "rope_type" || key == "factor" || key == "mixed_b" || !rope.Has(key))
      continue;
    problems.push_back({Code::kUnsupportedConfigVariant, rope.At(key), rope.Shown(key),
                        "type, factor, mixed_b", Phase::kConfig});
  }
  const double factor = rope.Real("factor", 0, problems);
  std::optional<double> mixed;
  if (rope.Has("mixed_b")) mixed = rope.Real("mixed_b", 0, problems);
  if (problems.size() != before) return {};
  // With at most 1 the class never reaches its stretched table.
  if (!(factor > 1)) {
    problems.push_back({Code::kUnsupportedConfigVariant, rope.At("factor"), rope.Shown("factor"),
                        "a number above 1", Phase::kConfig});
    return {};
  }
  rope.Choice("rope_type", mixed ? "ntk mixed" : "ntk", type_key);
  Rope out{NtkFrequencies(theta, factor, mixed, pairs)};
  if (!std::ranges::all_of(out.frequency, [](float f) { return std::isfinite(f) && f > 0; })) {
    problems.push_back({Code::kUnsupportedConfigVariant, rope.At(mixed ? "mixed_b" : "factor"),
                        rope.Shown(mixed ? "mixed_b" : "factor"), "a number with finite frequencies",
                        Phase::kConfig});
  }
  return out;
}

std::unique_ptr<Model> ReadGte(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  GteSpec s = ReadSizes(c, {.vocabulary = 250048, .max_positions = 8192}, problems);
  if (problems.size() != before) return nullptr;
  c.Choice("position_embedding_type", "rope", "position_embedding_type");
  c.Choice("layer_norm_type", "layer_norm", "layer_norm_type");
  const std::size_t pairs = ReadPairs(c, "num_attention_heads", s.width, s.heads, problems);
  const double theta = ReadTheta(c, "rope_theta", 160000, problems);
  if (const auto rope = c.Inside("rope_parameters", problems)) {
    s.rope = ReadRope(*rope, theta, pairs, problems);
  } else {
    s.rope = Rope{Frequencies(theta, pairs)};
    c.Choice("rope_type", "default", "rope_theta");
  }
  s.gives_layers = true;
  if (problems.size() != before) return nullptr;
  return std::make_unique<GteModel>(std::move(s));
}

std::unique_ptr<Model> ReadNew(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  GteSpec s = ReadSizes(c, {.vocabulary = 30528, .max_positions = 2048}, problems);
  s.rms = IsSecond(c, "layer_norm_type", "layer_norm", "rms_norm", problems);
  const bool absolute = IsSecond(c, "position_embedding_type", "rope", "absolute", problems);
  // Upstream asks whether it is true in Python's sense, and files have it as a string too.
  const io::Json* unpad = c.Raw("unpad_inputs");
  s.drops_unseen = unpad != nullptr && !unpad->is_null() && unpad->Dump() != "false";
  if (problems.size() != before) return nullptr;
  if (absolute) {
    for (const std::string_view key : {"rope_theta", "rope_scaling"})
      if (c.Raw(key) != nullptr) c.Ignore(key, "of rotary positions, which this model does not have");
    return std::make_unique<GteModel>(std::move(s));
  }
  const std::size_t pairs = ReadPairs(c, "num_attention_heads", s.width, s.heads, problems);
  const double theta = ReadTheta(c, "rope_theta", 10000, problems);
  if (const auto rope = c.Inside("rope_scaling", problems)) {
    s.rope = ReadNtk(*rope, theta, pairs, problems);
  } else {
    s.rope = Rope{Frequencies(theta, pairs)};
    c.Choice("rope_type", "default", "rope_scaling");
  }
  if (problems.size() != before) return nullptr;
  return std::make_unique<GteModel>(std::move(s));
}

// Files have the names of the first release; so has what transformers saves today. It loads its own too.
constexpr std::pair<std::string_view, std::string_view> kHeadEnds[] = {
    {"lm_head.layer_norm.weight", "lm_head.norm.weight"},
    {"lm_head.layer_norm.bias", "lm_head.norm.bias"},
};
constexpr std::pair<std::string_view, std::string_view> kNativeEnds[] = {
    kHeadEnds[0],
    kHeadEnds[1],
    {"self_attn.q_proj.weight", "attention.q_proj.weight"},
    {"self_attn.q_proj.bias", "attention.q_proj.bias"},
    {"self_attn.k_proj.weight", "attention.k_proj.weight"},
    {"self_attn.k_proj.bias", "attention.k_proj.bias"},
    {"self_attn.v_proj.weight", "attention.v_proj.weight"},
    {"self_attn.v_proj.bias", "attention.v_proj.bias"},
    {"self_attn.o_proj.weight", "attention.o_proj.weight"},
    {"self_attn.o_proj.bias", "attention.o_proj.bias"},
    {"post_attention_layernorm.weight", "attn_ln.weight"},
    {"post_attention_layernorm.bias", "attn_ln.bias"},
    {"post_mlp_layernorm.weight", "mlp_ln.weight"},
    {"post_mlp_layernorm.bias", "mlp_ln.bias"},
};
constexpr std::pair<std::string_view, std::string_view> kNativeStarts[] = {{"layers.", "encoder.layer."}};
constexpr NameDialect kGteDialects[] = {
    {"first release", "", kHeadEnds},
    {"first release, prefix new.", "new.", kHeadEnds},
    {"first release, prefix gte.", "gte.", kHeadEnds},
    {"first release, prefix 0.auto_model.", "0.auto_model.", kHeadEnds},
    {"native", "", kNativeEnds, kNativeStarts},
    {"native, prefix gte.", "gte.", kNativeEnds, kNativeStarts},
};
// The class of "new" has no other names.
constexpr NameDialect kNewDialects[] = {
    {"first release", ""},
    {"first release, prefix new.", "new."},
    {"first release, prefix gte.", "gte."},
    {"first release, prefix 0.auto_model.", "0.auto_model."},
};

constexpr KnownTensors kKnown[] = {
    {"embeddings.position_ids", kBuffer}, {"pooler.", kPooler, true},      {"lm_head.", kMaskedLm, true},
    {"classifier.", kClassifier, true},   {"qa_outputs.", kAnswers, true},
};

constexpr std::string_view kGteArchitectures[] = {
    "GteModel",
    "GteForMaskedLM",
    "GteForSequenceClassification",
    "GteForTokenClassification",
};
constexpr std::string_view kNewArchitectures[] = {
    "NewModel",
    "NewForMaskedLM",
    "NewForSequenceClassification",
    "NewForMultipleChoice",
    "NewForTokenClassification",
    "NewForQuestionAnswering",
};

constexpr std::string_view kGteClasses[] = {
    "configuration_hf_alibaba_nlp_gte.GteConfig",
    "modeling_hf_alibaba_nlp_gte.GteModel",
};
constexpr std::string_view kNewClasses[] = {
    "configuration.NewConfig",
    "modeling.NewModel",
    "modeling.NewForMaskedLM",
    "modeling.NewForMultipleChoice",
    "modeling.NewForQuestionAnswering",
    "modeling.NewForSequenceClassification",
    "modeling.NewForTokenClassification",
};

constexpr DescriptiveKey kDescriptive[] = {
    {"pack_qkv", "whether q, k and v are stored as one: the stored names decide"},
    {"unpad_inputs", kSchedule},
    {"use_memory_efficient_attention", kSchedule},
    {"logn_attention_clip1", "of a scale of queries, which is refused where it is on"},
    {"matryoshka_dimensions", "widths that vectors may be cut to: the request decides"},
};

constexpr NeutralKey kLogN{"logn_attention_scale", "false | null"};
constexpr NeutralKey kNewNeutral[] = {kLogN};
// Keys of the first release, which transformers' class does not read.
constexpr NeutralKey kGteNeutral[] = {
    kLogN,
    {"rope_scaling", "null"},
    {"layer_norm_type", "\"layer_norm\""},
    {"position_embedding_type", "\"rope\""},
    {"head_dim", "null"},
};

}  // namespace

constinit const Family kGteFamily{
    .name = "gte",
    .version = "gte/v1",
    .model_type = "gte",
    .read = ReadGte,
    .names = {kGteDialects, kKnown},
    .architectures = kGteArchitectures,
    .descriptive = kDescriptive,
    .neutral = kGteNeutral,
    .replaces = kGteClasses,
    .sequence_head = PoolerHead,
    .token_head = RowHead,
    .masked_head = GteMaskedHead,
};

constinit const Family kNewFamily{
    .name = "new",
    .version = "new/v1",
    .model_type = "new",
    .read = ReadNew,
    .names = {kNewDialects, kKnown},
    .architectures = kNewArchitectures,
    .descriptive = kDescriptive,
    .neutral = kNewNeutral,
    .replaces = kNewClasses,
    .sequence_head = PoolerHead,
    .token_head = RowHead,
    .masked_head = NewMaskedHead,
};

}  // namespace candor::families

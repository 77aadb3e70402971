// Row of Qwen3.5's text model: what config.json and tensor names may say. Defaults are those of
// transformers 5.24's Qwen3_5TextConfig.
#include <cmath>
#include <string>

#include "families/decoder_reader.h"
#include "families/qwen3_5.h"
#include "families/rope_types.h"

namespace candor::families {
namespace {

constexpr std::string_view kLinearAttention = "linear_attention";

// `layer_types`, or every so many layers one that attends.
std::vector<bool> ReadAttends(const package::Config& c, std::size_t layers, Problems& problems) {
  constexpr std::string_view kTypes = "layer_types", kEvery = "full_attention_interval";
  std::vector<bool> out(layers);
  if (!c.Has(kTypes)) {
    RefuseNulls(c, {kEvery}, problems);
    const std::size_t every = c.Size(kEvery, 4, problems, 1);
    for (std::size_t i = 0; i < layers; ++i) out[i] = (i + 1) % every == 0;
  } else {
    const std::vector<std::string> types = c.Texts(kTypes, problems);
    if (types.size() != layers) {
      problems.push_back({Code::kEvidenceConflict, c.At(kTypes), std::to_string(types.size()) + " entries",
                          std::to_string(layers) + ", as num_hidden_layers says", Phase::kConfig});
      return out;
    }
    for (std::size_t i = 0; i < layers; ++i) {
      out[i] = types[i] == kFullAttention;
      if (out[i] || types[i] == kLinearAttention) continue;
      Where where = c.At(kTypes);
      where.pointer += "/" + std::to_string(i);
      problems.push_back({Code::kUnsupportedConfigVariant, std::move(where), types[i],
                          std::string(kLinearAttention) + ", " + std::string(kFullAttention),
                          Phase::kConfig});
    }
    if (c.Has(kEvery)) c.Ignore(kEvery, "layer_types says it");
  }
  for (const bool attends : out) c.Choice("layer_type", attends ? kFullAttention : kLinearAttention, kTypes);
  return out;
}

// Of the first columns of each head, those that partial_rotary_factor says; rows of text have one place on
// all of the three axes that mrope_section shares the columns among, which is then without effect.
Rope ReadPartialRope(const package::Config& c, std::size_t head_width, std::size_t max_length,
                     Problems& problems) {
  constexpr std::string_view kPart = "partial_rotary_factor";
  static constexpr std::string_view kMore[] = {"mrope_section", "mrope_interleaved"};
  const std::size_t before = problems.size();
  const std::optional<package::Config> own = RopeObject(c, problems);
  const bool inside = own && own->Has(kPart);
  const package::Config& where = inside ? *own : c;
  const double part = where.Real(kPart, 0.25, problems),
               columns = std::floor(part * static_cast<double>(head_width));
  if (inside && c.Has(kPart)) c.Ignore(kPart, "that of the rotation's parameters wins");
  if (problems.size() == before && (!(part > 0 && part <= 1) || columns < 2 || std::fmod(columns, 2) != 0)) {
    problems.push_back(
        {Code::kUnsupportedConfigVariant, where.At(kPart), where.Shown(kPart),
         "above 0, at most 1, and an even number of each head's " + std::to_string(head_width) + " columns",
         Phase::kConfig});
  }
  if (own) {
    for (const std::string_view key : kMore)
      if (own->Raw(key) != nullptr) own->Ignore(key, "rows of text have one place on all axes");
    const std::string type = own->Text("rope_type", own->Text("type", "default", problems), problems);
    if (type != "default") {
      problems.push_back(
          {Code::kUnsupportedConfigVariant, own->At("rope_type"), type, "default", Phase::kConfig});
    }
  }
  if (problems.size() != before) return {};
  return ReadRopeOfAnyType(c,
                           {.pairs = static_cast<std::size_t>(columns) / 2,
                            .max_length = max_length,
                            .part = part,
                            .more_keys = kMore},
                           problems);
}

void ReadDelta(const package::Config& c, Qwen35Spec::Delta& d, Problems& problems) {
  constexpr std::string_view kHeads = "linear_num_value_heads", kKeyHeads = "linear_num_key_heads";
  RefuseNulls(c,
              {"linear_conv_kernel_dim", "linear_key_head_dim", "linear_value_head_dim", kKeyHeads, kHeads},
              problems);
  const std::size_t before = problems.size();
  d.taps = c.Size("linear_conv_kernel_dim", 4, problems, 1, ShortConvolutionArgs::kMostTaps);
  d.key_width = c.Size("linear_key_head_dim", 128, problems, 1, 65536);
  d.value_width = c.Size("linear_value_head_dim", 128, problems, 1, 65536);
  d.key_heads = c.Size(kKeyHeads, 16, problems, 1, 65536);
  d.heads = c.Size(kHeads, 32, problems, 1, 65536);
  if (problems.size() != before) return;
  if (d.heads % d.key_heads != 0) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At(kHeads), std::to_string(d.heads),
                        "a multiple of " + std::string(kKeyHeads) + " " + std::to_string(d.key_heads),
                        Phase::kConfig});
  }
  c.Choice("delta_key_heads", d.heads == d.key_heads ? "own" : "shared", kKeyHeads);
}

std::unique_ptr<Model> ReadQwen35(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  Qwen35Spec s;
  s.causal = ReadCausal(c, problems);
  RefuseNulls(c, {"num_key_value_heads", "attention_bias"}, problems);
  const DecoderSpec sizes = ReadDecoder(c,
                                        {.vocabulary = 248320,
                                         .width = 4096,
                                         .inner = 12288,
                                         .layers = 32,
                                         .heads = 16,
                                         .max_length = 32768,
                                         .eps = 1e-6,
                                         .key_heads = 4,
                                         .head_width = 256,
                                         .width_in_heads = false},
                                        problems);
  s.attention_bias = ReadSwitch(c, "attention_bias", false, problems);
  if (problems.size() != before) return nullptr;
  s.vocabulary = sizes.vocabulary, s.width = sizes.width, s.inner = sizes.inner,
  s.max_length = sizes.max_length;
  s.heads = sizes.heads, s.key_heads = sizes.key_heads, s.head_width = sizes.head_width;
  s.eps = sizes.eps, s.activation = sizes.activation;
  s.attends = ReadAttends(c, sizes.layers.size(), problems);
  ReadDelta(c, s.delta, problems);
  s.rope = ReadPartialRope(c, s.head_width, s.max_length, problems);
  return problems.size() == before ? std::make_unique<Qwen35Model>(std::move(s)) : nullptr;
}

constexpr std::string_view kArchitectures[] = {
    "Qwen3_5TextModel",
    "Qwen3_5ForCausalLM",
    "Qwen3_5TextForSequenceClassification",
};

constexpr NameDialect kDialects[] = {
    {"bare", ""},
    {"prefix model.", "model."},
    {"prefix model.language_model.", "model.language_model."},
    {"prefix 0.auto_model.", "0.auto_model."},
};

constexpr std::string_view kDrafts = "of layers that draft further tokens";
constexpr KnownTensors kKnown[] = {
    {"lm_head.", "vocabulary head, not used for embeddings", true},
    {"score.", kClassifier, true},
    {"mtp.", kDrafts},
};

constexpr std::string_view kUnread = "the class does not read it";
constexpr DescriptiveKey kDescriptive[] = {
    {"attention_dropout", kTrainingOnly},
    {"mamba_ssm_dtype", kUnread},
    {"mtp_num_hidden_layers", kDrafts},
    {"mtp_use_dedicated_embeddings", kDrafts},
};

constexpr NeutralKey kNeutral[] = {
    {"use_bidirectional_attention", "false | null"},
    {"tie_last_hidden_states", "true | null"},
    {"attn_output_gate", "true | null"},
    {"mlp_only_layers", "[] | null"},
};

}  // namespace

constinit const Family kQwen35Family{
    .name = "qwen3_5",
    .version = "qwen3_5/v1",
    .model_type = "qwen3_5_text",
    .read = ReadQwen35,
    .names = {kDialects, kKnown},
    .architectures = kArchitectures,
    .descriptive = kDescriptive,
    .neutral = kNeutral,
    .sequence_head = LastRowHead,
};

}  // namespace candor::families

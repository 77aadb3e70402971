// Rows of Gemma, Gemma 2 and Gemma 3's text model, which EmbeddingGemma is: what config.json and tensor names
// may say, in both generations of its keys. Defaults are those of transformers 5.24's GemmaConfig,
// Gemma2Config and Gemma3TextConfig.
#include <cmath>
#include <string>

#include "families/decoder_reader.h"
#include "families/rope_keys.h"
#include "families/rope_types.h"

namespace candor::families {
namespace {

constexpr std::string_view kBothSides = "use_bidirectional_attention", kWindow = "sliding_window",
                           kPattern = "sliding_window_pattern", kRopes = "rope_parameters",
                           kScaling = "rope_scaling";

// What all of them share. The scale of embeddings is that of a table in f32: the reference rounds it to the
// type that it computes in.
DecoderSpec ReadGemmaSizes(const package::Config& c, DecoderDefaults sizes, Problems& problems) {
  RefuseNulls(c, {"num_key_value_heads", "attention_bias"}, problems);
  sizes.head_width = 256, sizes.activation = "gelu_pytorch_tanh";
  DecoderSpec s = ReadDecoder(c, sizes, problems);
  s.qkv_bias = s.out_bias = ReadSwitch(c, "attention_bias", false, problems);
  s.norm_scales = Scope::Scales::kLessOne;
  s.embedding_scale = static_cast<float>(std::sqrt(static_cast<double>(s.width)));
  return s;
}

// In the reference this key makes Gemma and Gemma 2 see both sides, or not, by how they attend and by whether
// a batch is padded; is_causal decides in all of it.
bool ReadOneWay(const package::Config& c, Problems& problems) {
  const bool causal = ReadCausal(c, problems);
  if (c.Flag(kBothSides, false, problems) && causal) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At(kBothSides), "true",
                        "is_causal false beside it: alone it depends on padding", Phase::kConfig});
  }
  return causal;
}

std::unique_ptr<Model> Made(DecoderSpec s, std::size_t before, const Problems& problems) {
  return problems.size() == before ? std::make_unique<DecoderModel>(std::move(s)) : nullptr;
}

std::unique_ptr<Model> ReadGemma(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  const bool causal = ReadOneWay(c, problems);
  DecoderSpec s = ReadGemmaSizes(c,
                                 {.vocabulary = 256000,
                                  .width = 3072,
                                  .inner = 24576,
                                  .layers = 28,
                                  .heads = 16,
                                  .max_length = 8192,
                                  .eps = 1e-6,
                                  .key_heads = 16,
                                  .width_in_heads = false,
                                  .gelu_is_tanh = true},
                                 problems);
  if (problems.size() != before) return nullptr;
  s.ropes = {ReadRopeOfAnyType(c, {.pairs = s.head_width / 2, .max_length = s.max_length}, problems)};
  SetLayers(s, Sight(causal));
  return Made(std::move(s), before, problems);
}

// Of Gemma 2 and 3: norms on both sides of a block, and scores by a number of their own.
DecoderSpec ReadFourNorms(const package::Config& c, std::size_t vocabulary, std::size_t max_length,
                          Problems& problems) {
  RefuseNulls(c, {"query_pre_attn_scalar"}, problems);
  DecoderSpec s = ReadGemmaSizes(c,
                                 {.vocabulary = vocabulary,
                                  .width = 2304,
                                  .inner = 9216,
                                  .layers = 26,
                                  .heads = 8,
                                  .max_length = max_length,
                                  .eps = 1e-6,
                                  .key_heads = 4,
                                  .activation_key = "hidden_activation"},
                                 problems);
  const std::size_t scalar = c.Size("query_pre_attn_scalar", 256, problems, 1);
  c.Choice("score_scale", scalar == s.head_width ? "heads" : "own", "query_pre_attn_scalar");
  s.score_scale = static_cast<float>(1 / std::sqrt(static_cast<double>(scalar)));
  s.post_norms = true;
  return s;
}

// A null is no window, which the reference has no mask for.
std::size_t ReadWindow(const package::Config& c, Problems& problems) {
  RefuseNulls(c, {kWindow}, problems);
  return c.Size(kWindow, 4096, problems, 1);
}

// Layers by their list; without one each `pattern`-th sees everything.
void SetKinds(const package::Config& c, std::size_t pattern, const DecoderSpec::Layer& all,
              const DecoderSpec::Layer& window, DecoderSpec& s, Problems& problems) {
  std::vector<bool> full(s.layers.size());
  for (std::size_t i = 0; i < full.size(); ++i) full[i] = (i + 1) % pattern == 0;
  full = ReadLayerTypes(c, full, "", problems);
  for (std::size_t i = 0; i < full.size(); ++i) {
    c.Choice("layer_type", full[i] ? kFullAttention : kSlidingAttention, "layer_types");
    s.layers[i] = full[i] ? all : window;
  }
}

// Null is none: scores as they are.
float ReadSoftcap(const package::Config& c, Problems& problems) {
  constexpr std::string_view kKey = "attn_logit_softcapping";
  const bool none = IsNull(c, kKey);
  c.Choice("softcap", none ? "none" : "set", kKey);
  if (none) return 0;
  const auto cap = static_cast<float>(c.Real(kKey, 50, problems));
  if (std::isfinite(cap) && cap > 0) return cap;
  problems.push_back({Code::kUnsupportedConfigVariant, c.At(kKey), c.Shown(kKey), "a number above 0, or null",
                      Phase::kConfig});
  return 0;
}

std::unique_ptr<Model> ReadGemma2(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  const bool causal = ReadOneWay(c, problems);
  DecoderSpec s = ReadFourNorms(c, 256000, 8192, problems);
  s.softcap = ReadSoftcap(c, problems);
  const std::size_t window = ReadWindow(c, problems);
  if (problems.size() != before) return nullptr;
  SetKinds(c, 2, Sight(causal), Sight(causal, window), s, problems);
  s.ropes = {ReadRopeOfAnyType(c, {.pairs = s.head_width / 2, .max_length = s.max_length}, problems)};
  return Made(std::move(s), before, problems);
}

// Each kind of layer has its own: objects of rope_parameters, or keys of release 4 at the top level, where
// rope_scaling is of the layers that see everything.
class Gemma3Ropes {
 public:
  Gemma3Ropes(const package::Config& c, const DecoderSpec& s, Problems& problems)
      : config_(c), spec_(s), problems_(problems), all_(c.Inside(kRopes, problems)) {
    CheckRopeKinds(c, problems);
  }

  Rope Full() {
    const RopeFacts facts = Facts("rope_theta", 1e6);
    std::optional<package::Config> old = config_.Inside(kScaling, problems_);
    if (!old || old->Keys().empty()) return Of(kFullAttention, facts);
    // The reference writes the keys over those of rope_parameters, whose rope_type stands unless it is among
    // them.
    if (all_) {
      problems_.push_back({Code::kEvidenceConflict, config_.At(kScaling), config_.Shown(kScaling),
                           "null, beside rope_parameters", Phase::kConfig});
      return {};
    }
    if (!old->Has("rope_type")) {
      problems_.push_back({Code::kUnsupportedConfigVariant, old->At("rope_type"), old->Shown("rope_type"),
                           "default, linear", Phase::kConfig});
      return {};
    }
    return Read(*old, facts);
  }
  Rope Sliding() { return Of(kSlidingAttention, Facts("rope_local_base_freq", 1e4)); }

 private:
  RopeFacts Facts(std::string_view key, double theta) const {
    return {.theta = theta, .pairs = spec_.head_width / 2, .max_length = spec_.max_length, .theta_key = key};
  }
  Rope Of(std::string_view kind, const RopeFacts& facts) {
    const std::optional<package::Config> own = all_ ? all_->Inside(kind, problems_) : std::nullopt;
    if (own) return Read(*own, facts);
    config_.Choice("rope_type", "default", kRopes);
    return {Frequencies(ReadTheta(config_, facts.theta_key, facts.theta, problems_), facts.pairs)};
  }
  Rope Read(const package::Config& own, const RopeFacts& facts) {
    const std::size_t before = problems_.size();
    const std::string_view key = Spelling(own, "rope_type", "type", problems_);
    const std::string type = own.Text(key, "default", problems_);
    if (type != "default" && type != "linear") {
      problems_.push_back(
          {Code::kUnsupportedConfigVariant, own.At(key), type, "default, linear", Phase::kConfig});
    }
    return problems_.size() == before ? ReadRopeOfObject(config_, own, facts, problems_) : Rope{};
  }

  const package::Config& config_;
  const DecoderSpec& spec_;
  Problems& problems_;
  std::optional<package::Config> all_;
};

// Keys that say which layers see everything: only one of them is read, and only without a list.
std::size_t ReadPattern(const package::Config& c, Problems& problems) {
  constexpr std::string_view kOwn = "_sliding_window_pattern", kListed = "layer_types is written";
  if (c.Has("layer_types")) {
    c.Ignore(kPattern, kListed), c.Ignore(kOwn, kListed);
    return 6;
  }
  RefuseNulls(c, {kPattern}, problems);
  const std::size_t pattern = c.Size(kPattern, 6, problems, 1);
  if (c.Size(kOwn, pattern, problems) != pattern) {
    problems.push_back({Code::kEvidenceConflict, c.At(kOwn), c.Shown(kOwn),
                        std::to_string(pattern) + ", which " + std::string(kPattern) + " says or leaves",
                        Phase::kConfig});
  }
  return pattern;
}

// A window of both sides is w / 2 rows on either side by this model's own key, and w by is_causal. Where both
// are written the reference has already halved it, to w / 2 + 1, and does not leave the last one out.
DecoderSpec::Layer Gemma3Window(bool causal, bool halved, std::size_t window) {
  if (causal && !halved) return Sight(true, window);
  return Sight(false, halved ? window / 2 + (causal ? 0 : 1) : window);
}

std::unique_ptr<Model> ReadGemma3Text(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  const bool causal = ReadCausal(c, problems), both = ReadSwitch(c, kBothSides, false, problems);
  DecoderSpec s = ReadFourNorms(c, 262208, 131072, problems);
  s.head_norms = true;
  const std::size_t window = ReadWindow(c, problems), pattern = ReadPattern(c, problems);
  if (problems.size() != before) return nullptr;
  DecoderSpec::Layer local = Gemma3Window(causal, both, window);
  local.rope = 1;
  SetKinds(c, pattern, Sight(causal && !both), local, s, problems);
  Gemma3Ropes ropes(c, s, problems);
  s.ropes = {ropes.Full(), ropes.Sliding()};
  return Made(std::move(s), before, problems);
}

constexpr std::string_view kGemmaArchitectures[] = {
    "GemmaModel",
    "GemmaForCausalLM",
    "GemmaForSequenceClassification",
    "GemmaForTokenClassification",
};

constexpr std::string_view kGemma2Architectures[] = {
    "Gemma2Model",
    "Gemma2ForCausalLM",
    "Gemma2ForSequenceClassification",
    "Gemma2ForTokenClassification",
};

constexpr std::string_view kGemma3Architectures[] = {
    "Gemma3TextModel",
    "Gemma3ForCausalLM",
    "Gemma3TextForSequenceClassification",
};

constexpr DescriptiveKey kDescriptive[] = {
    {"attention_dropout", kTrainingOnly},
    {"token_classification_bias", kOfAHead},
    {"final_logit_softcapping", "of a vocabulary head that an embedding does not run"},
    {"cache_implementation", "of generation"},
};

// The classes read one spelling of the activation each; published files have both.
constexpr NeutralKey kGemmaNeutral[] = {
    {"partial_rotary_factor", "1 | null"},
    {"tie_last_hidden_states", "true | null"},
    {"hidden_activation", "\"gelu_pytorch_tanh\" | null"},
};
constexpr NeutralKey kGemma2Neutral[] = {
    {"partial_rotary_factor", "1 | null"},
    {"tie_last_hidden_states", "true | null"},
    {"hidden_act", "\"gelu_pytorch_tanh\" | null"},
};
// Gemma 3's class has the key of Gemma 2's softcap and does nothing with it: what a package with one means is
// open.
constexpr NeutralKey kGemma3Neutral[] = {
    {"partial_rotary_factor", "1 | null"},
    {"tie_last_hidden_states", "true | null"},
    {"hidden_act", "\"gelu_pytorch_tanh\" | null"},
    {"attn_logit_softcapping", "null"},
};

}  // namespace

constinit const Family kGemmaFamily{
    .name = "gemma",
    .version = "gemma/v1",
    .model_type = "gemma",
    .read = ReadGemma,
    .names = {kDecoderDialects, kDecoderKnown},
    .architectures = kGemmaArchitectures,
    .descriptive = kDescriptive,
    .neutral = kGemmaNeutral,
    .sequence_head = LastRowHead,
    .token_head = EachRowHead,
};

constinit const Family kGemma2Family{
    .name = "gemma2",
    .version = "gemma2/v1",
    .model_type = "gemma2",
    .read = ReadGemma2,
    .names = {kDecoderDialects, kDecoderKnown},
    .architectures = kGemma2Architectures,
    .descriptive = kDescriptive,
    .neutral = kGemma2Neutral,
    .sequence_head = LastRowHead,
    .token_head = EachRowHead,
};

constinit const Family kGemma3TextFamily{
    .name = "gemma3_text",
    .version = "gemma3_text/v1",
    .model_type = "gemma3_text",
    .read = ReadGemma3Text,
    .names = {kDecoderDialects, kDecoderKnown},
    .architectures = kGemma3Architectures,
    .descriptive = kDescriptive,
    .neutral = kGemma3Neutral,
    .sequence_head = LastRowHead,
};

}  // namespace candor::families

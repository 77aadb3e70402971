// Nomic BERT's row: what config.json and tensor names may say, in both generations of each.
//
// The published remote code reads GPT-2's keys (n_embd, ...) and its own; transformers 5.24's class reads
// BERT's (hidden_size, ...) and a few of its own. Published files have the first, or both. A file that has
// the first means the remote code, with its defaults; where it says the same thing twice it must agree.
#include <algorithm>
#include <cmath>
#include <string>

#include "families/activations.h"
#include "families/masked_heads.h"
#include "families/nomic_bert.h"
#include "families/rope_keys.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// The gated MLP of the remote code is as wide as the next multiple of this.
constexpr std::size_t kMultipleOf = 256;

bool IsOriginal(const package::Config& c) {
  return c.Has("n_embd") || c.Has("n_layer") || c.Has("n_head") || c.Has("n_inner") || c.Has("n_positions") ||
         c.Has("activation_function");
}

struct Reader {
  const package::Config& c;
  Problems& problems;
  const std::size_t before = problems.size();
  const bool old = IsOriginal(c);

  void Refuse(std::string_view key, std::string found, std::string allowed,
              Code code = Code::kUnsupportedConfigVariant) {
    problems.push_back({code, c.At(key), std::move(found), std::move(allowed), Phase::kConfig});
  }
  void Conflict(std::string_view key, std::string allowed) {
    Refuse(key, c.Shown(key), std::move(allowed), Code::kEvidenceConflict);
  }
  // A key of either spelling; without either, what the class that is meant takes.
  std::string_view Key(std::string_view first, std::string_view second) {
    return Spelling(c, first, second, problems);
  }

  // What is between the two products of an MLP.
  void Mlp(NomicBertSpec& s) {
    struct Form {
      std::string_view original, native;
      bool gated;
      Activation activation;
    };
    static constexpr Form kForms[] = {
        {"swiglu", "silu", true, Activation::kSilu},
        {"geglu", "gelu", true, Activation::kGeluErf},
        {"glu", "sigmoid", true, Activation::kSigmoid},
        {"gelu", "", false, Activation::kGeluErf},
    };
    if (!old) {
      s.activation = ReadActivation(c, "hidden_act", "silu", problems);
      return;
    }
    const std::string name = c.Text("activation_function", "gelu_new", problems);
    for (const Form& f : kForms) {
      if (f.original != name) continue;
      s.gated = f.gated, s.activation = f.activation;
      c.Choice("activation_function", name, "activation_function");
      if (c.Has("hidden_act") && c.Text("hidden_act", "", problems) != f.native)
        Conflict("hidden_act", f.native.empty() ? "none beside an activation_function without a gate"
                                                : std::string(f.native) + ", as activation_function says");
      return;
    }
    Refuse("activation_function", name, "swiglu, geglu, glu, gelu");
  }

  void Inner(NomicBertSpec& s) {
    const std::string_view key = Key("n_inner", "intermediate_size");
    if (!old) {
      s.inner = c.Size(key, 3072, problems, 1);
      return;
    }
    const auto rounded = [&](std::size_t n) {
      return s.gated && !c.Has("intermediate_size") ? (n + kMultipleOf - 1) / kMultipleOf * kMultipleOf : n;
    };
    s.inner = rounded(c.Size(key, s.gated ? 8 * s.width / 3 : 4 * s.width, problems, 1));
  }

  // The router of the published class takes weights as its softmax gives them, and the class has experts in
  // layers of n_layer whose number leaves 1 when divided by moe_every_n_layers: in none if that is 1.
  void Experts(NomicBertSpec& s) {
    const std::size_t every = c.Size("moe_every_n_layers", 0, problems),
                      experts = c.Size("num_experts", 0, problems), top_k = c.Size("moe_top_k", 0, problems);
    if (problems.size() != before) return;
    const bool some = every > 1;
    c.Choice("experts", some ? "routed" : "none", "moe_every_n_layers");
    if (!old && (some || experts != 0))
      return Refuse(some ? "moe_every_n_layers" : "num_experts", std::to_string(some ? every : experts),
                    "0, as transformers' class has no experts");
    if (!some && experts != 0)
      return Refuse("moe_every_n_layers", c.Shown("moe_every_n_layers"),
                    "at least 2, where num_experts is " + std::to_string(experts));
    if (!some) return;
    s.experts_every = every, s.experts = experts, s.top_k = top_k;
    const std::size_t routed = (s.layers + every - 2) / every;
    if (experts == 0 || experts > kMostExperts / std::max<std::size_t>(routed, 1))
      return Refuse("num_experts", c.Shown("num_experts"),
                    "at least 1, and at most " + std::to_string(kMostExperts) + " in all layers together");
    if (top_k == 0 || top_k > experts)
      Refuse("moe_top_k", c.Shown("moe_top_k"), "from 1 to num_experts " + std::to_string(experts));
    if (!c.Has("n_inner")) Refuse("n_inner", "absent", "the width of an expert");
    if (s.gated)
      Refuse("activation_function", c.Shown("activation_function"), "\"gelu\", where layers have experts");
  }

  void Positions(NomicBertSpec& s) {
    const std::size_t dim = s.width / s.heads;
    if (!old) {
      const double theta = ReadTheta(c, "rope_theta", 1000, problems);
      const auto rope = c.Inside("rope_parameters", problems);
      const std::size_t pairs = ReadPairs(c, "num_attention_heads", s.width, s.heads, problems);
      s.rope = rope ? ReadRope(*rope, theta, pairs, problems) : Rope{Frequencies(theta, pairs)};
      if (c.Size("head_dim", dim, problems, 1) != dim) Refuse("head_dim", c.Shown("head_dim"), HeadDim(dim));
      return;
    }
    const double base = ReadTheta(c, "rotary_emb_base", 10000, problems);
    // Without a fraction the class turns nothing and adds rows of a position table, which no golden has.
    const double fraction = c.Real("rotary_emb_fraction", 0, problems);
    const double turned = static_cast<double>(dim) * fraction;
    if (!(fraction > 0 && fraction <= 1) || std::fmod(turned, 2) != 0)
      return Refuse(
          "rotary_emb_fraction", c.Shown("rotary_emb_fraction"),
          "above 0, at most 1, and an even number of each head's " + std::to_string(dim) + " columns");
    s.rope.frequency = Frequencies(base, static_cast<std::size_t>(turned) / 2);
    c.Choice("rotary_emb_fraction", fraction == 1 ? "whole" : "part", "rotary_emb_fraction");
    Dynamic(s, base);
    Agree(base, fraction, dim);
  }

  // Falsy values of rotary_scaling_factor are none, as in the class.
  void Dynamic(NomicBertSpec& s, double base) {
    const double factor = c.Real("rotary_scaling_factor", 0, problems);
    const std::size_t trained = c.Size("max_trained_positions", 2048, problems, 1);
    c.Choice("rotary_scaling_factor", factor == 0 ? "none" : "set", "rotary_scaling_factor");
    if (factor == 0) return;
    if (!std::isfinite(factor) || factor < 1 || s.rope.pairs() < 2)
      return Refuse("rotary_scaling_factor", c.Shown("rotary_scaling_factor"),
                    "at least 1, for at least 4 turned columns of a head");
    s.rope.dynamic = {.base = base, .factor = factor, .trained = trained};
  }

  // The same turns in the other generation's words.
  void Agree(double base, double fraction, std::size_t dim) {
    if (c.Has("head_dim") && c.Size("head_dim", dim, problems, 1) != dim) Conflict("head_dim", HeadDim(dim));
    const auto rope = c.Inside("rope_parameters", problems);
    if (!rope && !c.Has("rope_theta")) return;
    const double theta = ReadTheta(c, "rope_theta", base, problems);
    if (rope) ReadRope(*rope, theta, dim / 2, problems);
    const double stated = rope ? ReadTheta(*rope, "rope_theta", theta, problems) : theta;
    if (stated != base || fraction != 1)
      Conflict(rope ? "rope_parameters" : "rope_theta",
               "rotary_emb_base " + (c.Has("rotary_emb_base") ? c.Shown("rotary_emb_base") : "10000") +
                   " for all columns, or no such key");
  }
  static std::string HeadDim(std::size_t dim) {
    return std::to_string(dim) + ", a head's share of the width";
  }

  std::unique_ptr<Model> Read() {
    RefuseNulls(c,
                {"vocab_size", "n_embd", "n_layer", "n_head", "n_inner", "n_positions", "layer_norm_epsilon",
                 "activation_function", "hidden_size", "num_hidden_layers", "num_attention_heads",
                 "intermediate_size", "max_position_embeddings", "layer_norm_eps", "type_vocab_size"},
                problems);
    NomicBertSpec s;
    const std::string_view width = Key("n_embd", "hidden_size"), heads = Key("n_head", "num_attention_heads"),
                           layers = Key("n_layer", "num_hidden_layers"),
                           eps = Key("layer_norm_epsilon", "layer_norm_eps");
    s.vocabulary = c.Size("vocab_size", old ? 50257 : 30528, problems, 1);
    s.width = c.Size(width, 768, problems, 1);
    s.heads = ReadHeads(c, heads, 12, problems.size() == before ? s.width : 0, width, problems);
    s.layers = ReadLayers(c, layers, 12, problems);
    s.eps = ReadEpsilon(c, eps, old ? 1e-5 : 1e-12, problems);
    // Nothing but the angles depends on it. Published files have 8192 of the one beside 2048 of the other,
    // and transformers goes by the latter.
    const std::size_t positions = old ? c.Size("n_positions", 1024, problems, 1) : 2048;
    s.max_length = c.Size("max_position_embeddings", positions, problems, 1);
    // transformers' class always looks a token type up, so it cannot be built without the table.
    s.segments = ReadTokenTypes(c, "type_vocab_size", 2, old ? 0 : 1, problems);
    Mlp(s);
    if (problems.size() != before) return nullptr;
    Inner(s);
    Experts(s);
    Positions(s);
    if (old) {
      s.attention_bias = ReadSwitch(c, "qkv_proj_bias", true, problems);
      s.up_bias = ReadSwitch(c, "mlp_fc1_bias", true, problems);
      s.down_bias = ReadSwitch(c, "mlp_fc2_bias", true, problems);
      // The class pads the table's rows up to a multiple; files that state the sum pass.
      const std::size_t multiple = c.Size("pad_vocab_size_multiple", 1, problems, 1);
      if (problems.size() == before && s.vocabulary % multiple != 0)
        Refuse("vocab_size", std::to_string(s.vocabulary),
               "a multiple of pad_vocab_size_multiple " + std::to_string(multiple));
    }
    s.gives_layers = !old;
    c.Choice("keys", old ? "original" : "native", old ? "n_embd" : "hidden_size");
    if (problems.size() != before) return nullptr;
    return std::make_unique<NomicBertModel>(std::move(s));
  }
};

std::unique_ptr<Model> ReadNomicBert(const package::Config& c, Problems& problems) {
  return Reader{c, problems}.Read();
}

// Of transformers' class, or by the original keys of the published one, which has the exact GELU for every
// gate but one, biases where its MLPs have them, and a decoder that is always the word table (what the class
// saves under the decoder's name is that table again).
HeadSpec NomicBertMaskedHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  const bool old = IsOriginal(c);
  HeadStep transform{.dense = "cls.predictions.transform.dense",
                     .out = sizes.width,
                     .norm = "cls.predictions.transform.layer_norm"};
  HeadStep decoder{.dense = "cls.predictions.decoder", .out = sizes.labels};
  if (old) {
    const bool silu = c.Text("activation_function", "gelu_new", problems) == "swiglu";
    transform.activation = silu ? Activation::kSilu : Activation::kGeluErf;
    transform.eps =
        ReadEpsilon(c, Spelling(c, "layer_norm_epsilon", "layer_norm_eps", problems), 1e-5, problems);
    transform.bias = decoder.bias = Scope::BiasIf(ReadSwitch(c, "mlp_fc1_bias", true, problems));
    decoder.twins = {.table = kWordTable};
    c.Choice("head.decoder", "tied", "architectures");
  } else {
    transform.activation = ReadActivation(c, "hidden_act", "silu", problems);
    transform.eps = ReadEpsilon(c, "layer_norm_eps", 1e-12, problems);
    if (ReadTied(c, true, problems)) decoder.twins = {.table = kWordTable, .bias = kBertDecoderBias};
  }
  return {.pooling = std::nullopt, .steps = {std::move(transform), std::move(decoder)}};
}

constexpr std::pair<std::string_view, std::string_view> kNativeEnds[] = {
    {"embeddings.LayerNorm.weight", "emb_ln.weight"},    {"embeddings.LayerNorm.bias", "emb_ln.bias"},
    {"self_attn.o_proj.weight", "attn.out_proj.weight"}, {"mlp.up_proj.weight", "mlp.fc11.weight"},
    {"mlp.gate_proj.weight", "mlp.fc12.weight"},         {"mlp.down_proj.weight", "mlp.fc2.weight"},
    {"post_attention_layernorm.weight", "norm1.weight"}, {"post_attention_layernorm.bias", "norm1.bias"},
    {"post_mlp_layernorm.weight", "norm2.weight"},       {"post_mlp_layernorm.bias", "norm2.bias"},
};
constexpr std::pair<std::string_view, std::string_view> kNativeStarts[] = {{"layers.", "encoder.layers."}};

constexpr NameDialect kDialects[] = {
    {"original", ""},
    {"original, prefix bert.", "bert."},
    {"original, prefix nomic_bert.", "nomic_bert."},
    {"native", "", kNativeEnds, kNativeStarts},
    {"native, prefix nomic_bert.", "nomic_bert.", kNativeEnds, kNativeStarts},
};

constexpr KnownTensors kKnown[] = {
    {"pooler.", kPooler, true},
    {"cls.", kMaskedLm, true},
    {"classifier.", kClassifier, true},
};

constexpr std::string_view kArchitectures[] = {
    "NomicBertModel",
    "NomicBertForPreTraining",
    "NomicBertForMaskedLM",
    "NomicBertForSequenceClassification",
    "NomicBertForTokenClassification",
    "NomicBertForQuestionAnswering",
    "NomicBertForMultipleChoice",
};

constexpr std::string_view kReplaces[] = {
    "configuration_hf_nomic_bert.NomicBertConfig",
    "modeling_hf_nomic_bert.NomicBertModel",
    "modeling_hf_nomic_bert.NomicBertForPreTraining",
    "modeling_hf_nomic_bert.NomicBertForSequenceClassification",
    "modeling_hf_nomic_bert.NomicBertForTokenClassification",
    "modeling_hf_nomic_bert.NomicBertForQuestionAnswering",
    "modeling_hf_nomic_bert.NomicBertForMultipleChoice",
};

constexpr std::string_view kUnread = "of GPT-2's configuration class; this family does not read it";
constexpr DescriptiveKey kDescriptive[] = {
    {"attn_pdrop", kTrainingOnly},
    {"embd_pdrop", kTrainingOnly},
    {"resid_pdrop", kTrainingOnly},
    {"moe_resid_pdrop", kTrainingOnly},
    {"router_aux_loss_coef", kTrainingOnly},
    {"add_pooling_layer", kOfAHead},
    {"dense_seq_output", kOfAHead},
    {"summary_activation", kOfAHead},
    {"summary_first_dropout", kOfAHead},
    {"summary_proj_to_labels", kOfAHead},
    {"summary_type", kOfAHead},
    {"summary_use_proj", kOfAHead},
    {"fused_bias_fc", kSchedule},
    {"fused_dropout_add_ln", kSchedule},
    {"use_flash_attn", kSchedule},
    {"use_xentropy", kSchedule},
    {"reorder_and_upcast_attn", kUnread},
    {"scale_attn_by_inverse_layer_idx", kUnread},
    {"scale_attn_weights", kUnread},
};

constexpr NeutralKey kNeutral[] = {
    {"prenorm", "false | null"},
    {"causal", "false | null"},
    {"use_rms_norm", "false | null"},
    {"parallel_block", "false | null"},
    {"parallel_block_tied_norm", "false | null"},
    {"rotary_emb_interleaved", "false | null"},
    {"rotary_emb_scale_base", "null"},
    {"rotary_head_dim", "false | null"},
    {"num_heads_kv", "null"},
    {"attention_bias", "false | null"},
    {"mlp_bias", "false | null"},
    {"rope_scaling", "null"},
    // Of the code that trains: with these values it computes what the published class does.
    {"moe_normalize_expert_weights", "false | null"},
    {"num_shared_experts", "0 | null"},
    {"expert_choice_router", "false | null"},
    {"moe_impl", "\"megablocks\" | null"},
    {"ffn_div", "1 | null"},
};

}  // namespace

constinit const Family kNomicBertFamily{
    .name = "nomic_bert",
    .version = "nomic_bert/v1",
    .model_type = "nomic_bert",
    .read = ReadNomicBert,
    .names = {kDialects, kKnown},
    .architectures = kArchitectures,
    .descriptive = kDescriptive,
    .neutral = kNeutral,
    .replaces = kReplaces,
    .sequence_head = PoolerHead,
    .token_head = RowHead,
    .masked_head = NomicBertMaskedHead,
};

}  // namespace candor::families

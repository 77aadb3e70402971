// What readers of config.json share that fill a DecoderSpec. To add a decoder, copy llama_config.cc:
//   ReadDecoder         sizes and heads, by the defaults of its config class
//   its biases          ReadBiases where it has both keys, else the fields themselves
//   ReadRopeOfAnyType   its rotation (families/rope_types.h)
//   SetLayers           what a row sees: a causal window of w rows is a radius of w - 1, and one of both
//   sides
//                       a radius of w
//   LastRowHead, EachRowHead, NextWordHead   in its row, which decoder.h and registry.cc name; out of
//   kNearest there
// What no member had yet (another norm, experts) is a field of the spec and a line in decoder.cc. Its cases
// go through `of` of tools/oracle/llama_cases.py.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

#include "families/decoder.h"
#include "families/shared_keys.h"

namespace candor::families {

// Of a member's config class.
struct DecoderDefaults {
  std::size_t vocabulary, width, inner, layers, heads, max_length;
  double eps;
  std::size_t key_heads = 0;   // without the key; 0: as many as heads, as a null is anywhere
  std::size_t head_width = 0;  // without the key; 0: a share of the width, as a null is then
  bool width_in_heads = true;  // the class wants the width to be a multiple of the heads, head_dim or not
  std::string_view activation_key = "hidden_act", activation = "silu";
  bool gelu_is_tanh = false;  // the name "gelu" stands for the tanh form
};

// Everything but biases and what layers differ in: they are as many as there should be, and no more is said
// of them.
DecoderSpec ReadDecoder(const package::Config& config, const DecoderDefaults& defaults, Problems& problems);

// `attention_bias` of all four products and `mlp_bias`, where a class has both keys.
void ReadBiases(const package::Config& config, DecoderSpec& spec, Problems& problems);

// Whether rows see what is behind them: `is_causal`. Logged as a choice.
bool ReadCausal(const package::Config& config, Problems& problems);

// What a row sees: all, or a window of so many rows. Where it sees both sides they are as many on each, as in
// the reference, and itself.
DecoderSpec::Layer Sight(bool causal, std::optional<std::size_t> window = std::nullopt);

// The same in all layers.
void SetLayers(DecoderSpec& spec, const DecoderSpec::Layer& layer);

// `layer_types` of full and sliding layers, or by Qwen's keys: `use_sliding_window`, from layer
// `max_window_layers` on, of `sliding_window` rows.
void ReadQwenLayers(const package::Config& config, bool causal, DecoderSpec& spec, Problems& problems);

// Heads of transformers' generic classes, "score": on the last row, and on each row.
HeadSpec LastRowHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
HeadSpec EachRowHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
// "lm_head" on the last row: its own tensor, or the word table where it is tied and not stored.
HeadSpec NextWordHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);

inline constexpr NeutralKey kEncoderNeutral[] = {
    {"rope_scaling", "null"},
    {"partial_rotary_factor", "1 | null"},
    {"is_causal", "false | null"},
};

// transformers' classes look at is_causal alone: a package that says use_bidirectional_attention was made
// with other code.
inline constexpr NeutralKey kDecoderNeutral[] = {
    {"partial_rotary_factor", "1 | null"},
    {"use_bidirectional_attention", "false | null"},
    {"tie_last_hidden_states", "true | null"},
};

inline constexpr DescriptiveKey kDecoderDescriptive[] = {
    {"attention_dropout", kTrainingOnly},
    {"token_classification_bias", kOfAHead},
};

inline constexpr NameDialect kDecoderDialects[] = {
    {"bare", ""},
    {"prefix model.", "model."},
    {"prefix 0.auto_model.", "0.auto_model."},
};

inline constexpr KnownTensors kDecoderKnown[] = {
    {"lm_head.", "vocabulary head, not used for embeddings", true},
    {"score.", kClassifier, true},
};

}  // namespace candor::families

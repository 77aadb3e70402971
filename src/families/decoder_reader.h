// What readers of config.json share that fill a DecoderSpec. To add a decoder, copy llama_config.cc:
//   ReadDecoder         sizes and heads, by the defaults of its config class
//   its biases          ReadBiases where it has both keys, else the fields themselves
//   ReadRopeOfAnyType   its rotation (families/rope_types.h)
//   SetLayers           what a row sees: a causal window of w rows is a radius of w - 1, and one of both
//   sides
//                       a radius of w
//   LastRowHead, EachRowHead   in its row, which decoder.h and registry.cc name; out of kNearest there
// What no member had yet (another norm, experts) is a field of the spec and a line in decoder.cc. Its cases
// go through `of` of tools/oracle/llama_cases.py.
#pragma once
#include <cstddef>
#include <string_view>

#include "families/decoder.h"

namespace candor::families {

// Of a member's config class.
struct DecoderDefaults {
  std::size_t vocabulary, width, inner, layers, heads, max_length;
  double eps;
  std::size_t key_heads = 0;   // without the key; 0: as many as heads, as a null is anywhere
  std::size_t head_width = 0;  // without the key; 0: a share of the width, as a null is then
  bool width_in_heads = true;  // the class wants the width to be a multiple of the heads, head_dim or not
};

// Everything but biases and what layers differ in: they are as many as there should be, and no more is said
// of them.
DecoderSpec ReadDecoder(const package::Config& config, const DecoderDefaults& defaults, Problems& problems);

// `attention_bias` of all four products and `mlp_bias`, where a class has both keys.
void ReadBiases(const package::Config& config, DecoderSpec& spec, Problems& problems);

// Whether rows see what is behind them: `is_causal`. Logged as a choice.
bool ReadCausal(const package::Config& config, Problems& problems);

// The same rotation and sight in all layers.
void SetLayers(DecoderSpec& spec, const DecoderSpec::Layer& layer);

// Heads of transformers' generic classes, "score": on the last row, and on each row.
HeadSpec LastRowHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
HeadSpec EachRowHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);

inline constexpr NeutralKey kEncoderNeutral[] = {
    {"rope_scaling", "null"},
    {"partial_rotary_factor", "1 | null"},
    {"is_causal", "false | null"},
};

inline constexpr std::string_view kLmHead = "vocabulary head, not used for embeddings";
inline constexpr std::string_view kScoreHead = "classifier head, not used for embeddings";

}  // namespace candor::families

#include "families/rotary_encoder_reader.h"

#include <string>

#include "families/activations.h"
#include "families/rope_keys.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// Columns of a head: its own key, or a share of the width.
std::size_t ReadHeadWidth(const package::Config& c, std::size_t width, std::size_t heads,
                          Problems& problems) {
  if (!c.Has("head_dim")) return 2 * ReadPairs(c, "num_attention_heads", width, heads, problems);
  const std::size_t columns = c.Size("head_dim", 0, problems, 1);
  if (columns % 2 != 0) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("head_dim"), std::to_string(columns),
                        "an even number of columns, which turn in pairs", Phase::kConfig});
  }
  return columns;
}

}  // namespace

RotaryEncoderSpec ReadRotaryEncoder(const package::Config& c, const RotaryEncoderDefaults& d,
                                    Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c,
              {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
               "max_position_embeddings", "rms_norm_eps", "hidden_act", "attention_bias", "mlp_bias"},
              problems);
  RotaryEncoderSpec s;
  s.vocabulary = c.Size("vocab_size", d.vocabulary, problems, 1);
  s.width = c.Size("hidden_size", d.width, problems, 1);
  s.heads = ReadHeads(c, "num_attention_heads", d.heads, problems.size() == before ? s.width : 0,
                      "hidden_size", problems);
  s.layers.resize(ReadLayers(c, "num_hidden_layers", d.layers, problems));
  s.inner = c.Size("intermediate_size", d.inner, problems, 1);
  s.max_length = c.Size("max_position_embeddings", d.max_length, problems, 1);
  s.eps = ReadEpsilon(c, "rms_norm_eps", d.eps, problems);
  s.attention_bias = ReadSwitch(c, "attention_bias", false, problems);
  s.mlp_bias = ReadSwitch(c, "mlp_bias", false, problems);
  s.activation = ReadActivation(c, "hidden_act", "silu", problems);
  s.key_heads = c.Size("num_key_value_heads", s.heads, problems, 1);
  if (problems.size() != before) return s;
  if (s.heads % s.key_heads != 0) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("num_key_value_heads"),
                        std::to_string(s.key_heads),
                        "a divisor of num_attention_heads " + std::to_string(s.heads), Phase::kConfig});
  }
  s.head_width = ReadHeadWidth(c, s.width, s.heads, problems);
  c.Choice("head_dim", s.head_width * s.heads == s.width ? "shares" : "own", "head_dim");
  c.Choice("key_heads", s.key_heads == s.heads ? "own" : "shared", "num_key_value_heads");
  return s;
}

}  // namespace candor::families

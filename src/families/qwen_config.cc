// Rows of Qwen2, Qwen3 and Perplexity's Qwen3 with both sides in sight: what config.json and tensor names may
// say, in both generations of its keys. Defaults are those of transformers 5.24's Qwen2Config and
// Qwen3Config.
#include <string>

#include "families/decoder_reader.h"
#include "families/rope_types.h"

namespace candor::families {
namespace {

constexpr DecoderDefaults kSizes{.vocabulary = 151936,
                                 .width = 4096,
                                 .inner = 22016,
                                 .layers = 32,
                                 .heads = 32,
                                 .max_length = 32768,
                                 .eps = 1e-6,
                                 .key_heads = 32,
                                 .width_in_heads = false};

// Layers and rotation, which both read alike.
void ReadRest(const package::Config& c, bool causal, DecoderSpec& s, Problems& problems) {
  s.ropes = {ReadRopeOfAnyType(c, {.pairs = s.head_width / 2, .max_length = s.max_length}, problems)};
  ReadQwenLayers(c, causal, s, problems);
}

std::unique_ptr<Model> Made(DecoderSpec s, std::size_t before, const Problems& problems) {
  return problems.size() == before ? std::make_unique<DecoderModel>(std::move(s)) : nullptr;
}

// Queries, keys and values have biases, and nothing else. The code that gte-Qwen2 packages bring is this
// class with both sides in sight: their config.json must say so too.
std::unique_ptr<Model> ReadQwen2(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  const bool causal = ReadCausal(c, problems);
  if (causal && c.Has("auto_map") && problems.size() == before) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("is_causal"), c.Shown("is_causal"),
                        "false, beside classes of auto_map that see both sides", Phase::kConfig});
  }
  DecoderSpec s = ReadDecoder(c, kSizes, problems);
  s.qkv_bias = true;
  if (problems.size() != before) return nullptr;
  ReadRest(c, causal, s, problems);
  return Made(std::move(s), before, problems);
}

std::unique_ptr<Model> ReadAnyQwen3(const package::Config& c, bool causal, std::size_t before,
                                    Problems& problems) {
  DecoderDefaults sizes = kSizes;
  sizes.head_width = 128;
  DecoderSpec s = ReadDecoder(c, sizes, problems);
  RefuseNulls(c, {"attention_bias"}, problems);
  s.qkv_bias = s.out_bias = ReadSwitch(c, "attention_bias", false, problems);
  s.head_norms = true;
  if (problems.size() != before) return nullptr;
  ReadRest(c, causal, s, problems);
  return Made(std::move(s), before, problems);
}

std::unique_ptr<Model> ReadQwen3(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  const bool causal = ReadCausal(c, problems);
  return ReadAnyQwen3(c, causal, before, problems);
}

// The class that pplx-embed-v1 packages bring: every row sees all of its text, in layers without windows.
std::unique_ptr<Model> ReadPplx(const package::Config& c, Problems& problems) {
  return ReadAnyQwen3(c, false, problems.size(), problems);
}

constexpr std::string_view kQwen2Architectures[] = {
    "Qwen2Model",
    "Qwen2ForCausalLM",
    "Qwen2ForSequenceClassification",
    "Qwen2ForTokenClassification",
};

constexpr std::string_view kQwen2Replaces[] = {
    "modeling_qwen.Qwen2Model",
    "modeling_qwen.Qwen2ForCausalLM",
    "modeling_qwen.Qwen2ForSequenceClassification",
};

constexpr std::string_view kQwen3Architectures[] = {
    "Qwen3Model",
    "Qwen3ForCausalLM",
    "Qwen3ForSequenceClassification",
    "Qwen3ForTokenClassification",
};

constexpr std::string_view kPplxArchitectures[] = {"PPLXQwen3Model"};

constexpr std::string_view kPplxReplaces[] = {
    "configuration.PPLXQwen3Config",
    "modeling.PPLXQwen3Model",
};

constexpr NeutralKey kPplxNeutral[] = {
    {"partial_rotary_factor", "1 | null"},
    {"use_bidirectional_attention", "true"},
    {"is_causal", "false | null"},
    {"use_sliding_window", "false"},
    {"tie_last_hidden_states", "true | null"},
};

}  // namespace

constinit const Family kQwen2Family{
    .name = "qwen2",
    .version = "qwen2/v1",
    .model_type = "qwen2",
    .read = ReadQwen2,
    .names = {kDecoderDialects, kDecoderKnown},
    .architectures = kQwen2Architectures,
    .descriptive = kDecoderDescriptive,
    .neutral = kDecoderNeutral,
    .replaces = kQwen2Replaces,
    .sequence_head = LastRowHead,
    .token_head = EachRowHead,
    .causal_head = NextWordHead,
};

constinit const Family kQwen3Family{
    .name = "qwen3",
    .version = "qwen3/v1",
    .model_type = "qwen3",
    .read = ReadQwen3,
    .names = {kDecoderDialects, kDecoderKnown},
    .architectures = kQwen3Architectures,
    .descriptive = kDecoderDescriptive,
    .neutral = kDecoderNeutral,
    .sequence_head = LastRowHead,
    .token_head = EachRowHead,
    .causal_head = NextWordHead,
};

constinit const Family kPplxFamily{
    .name = "pplx_qwen3",
    .version = "pplx_qwen3/v1",
    .model_type = "bidirectional_pplx_qwen3",
    .read = ReadPplx,
    .names = {kDecoderDialects, kDecoderKnown},
    .architectures = kPplxArchitectures,
    .descriptive = kDecoderDescriptive,
    .neutral = kPplxNeutral,
    .replaces = kPplxReplaces,
};

}  // namespace candor::families

// Llama's rows: what config.json and tensor names may say, in both generations of its keys. Defaults are
// those of transformers 5.24's LlamaConfig. llama_bidirec is the same with both sides in sight: NVIDIA's
// class, whose code its packages bring.
#include <string>

#include "families/decoder_reader.h"
#include "families/rope_types.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

DecoderSpec ReadLlama(const package::Config& c, bool causal, Problems& problems) {
  const std::size_t before = problems.size();
  DecoderSpec s = ReadDecoder(c,
                              {.vocabulary = 32000,
                               .width = 4096,
                               .inner = 11008,
                               .layers = 32,
                               .heads = 32,
                               .max_length = 2048,
                               .eps = 1e-6},
                              problems);
  ReadBiases(c, s, problems);
  if (problems.size() != before) return s;
  s.ropes = {ReadRopeOfAnyType(c, {.pairs = s.head_width / 2, .max_length = s.max_length}, problems)};
  SetLayers(s, Sight(causal));
  return s;
}

std::unique_ptr<Model> ReadEitherWay(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  const bool causal = ReadCausal(c, problems);
  DecoderSpec s = ReadLlama(c, causal, problems);
  return problems.size() == before ? std::make_unique<DecoderModel>(std::move(s)) : nullptr;
}

std::unique_ptr<Model> ReadBidirec(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  DecoderSpec s = ReadLlama(c, false, problems);
  return problems.size() == before ? std::make_unique<DecoderModel>(std::move(s)) : nullptr;
}

// Of NVIDIA's class for sequences: the rows that `pooling` names; the logits are divided by `temperature`,
// which must be one.
HeadSpec BidirecHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  constexpr std::pair<std::string_view, Pooling> kPoolings[] = {
      {"avg", Pooling::kMean}, {"cls", Pooling::kFirst}, {"last", Pooling::kLast}};
  HeadSpec head = LastRowHead(c, sizes, problems);
  const std::string name = c.Text("pooling", "avg", problems);
  c.Choice("head.pooling", name, "pooling");
  for (const auto& [known, pooling] : kPoolings) {
    if (name != known) continue;
    head.pooling = pooling;
    return head;
  }
  problems.push_back(
      {Code::kUnsupportedConfigVariant, c.At("pooling"), name, "avg, cls, last", Phase::kConfig});
  return head;
}

constexpr std::string_view kArchitectures[] = {
    "LlamaModel",
    "LlamaForCausalLM",
    "LlamaForSequenceClassification",
    "LlamaForTokenClassification",
};

constexpr std::string_view kBidirecArchitectures[] = {
    "LlamaBidirectionalModel",
    "LlamaBidirectionalForSequenceClassification",
};

constexpr std::string_view kBidirecReplaces[] = {
    "llama_bidirectional_model.LlamaBidirectionalConfig",
    "llama_bidirectional_model.LlamaBidirectionalModel",
    "llama_bidirectional_model.LlamaBidirectionalForSequenceClassification",
};

constexpr std::string_view kUnread = "no class of this family reads it";
constexpr DescriptiveKey kDescriptive[] = {
    {"attention_dropout", kTrainingOnly},
    {"pretraining_tp", kUnread},
    {"is_llama_config", kUnread},
    {"token_classification_bias", kOfAHead},
};

constexpr DescriptiveKey kBidirecDescriptive[] = {
    {"attention_dropout", kTrainingOnly},
    {"pretraining_tp", kUnread},
    {"pooling", kOfAHead},
};

constexpr NeutralKey kNeutral[] = {
    {"partial_rotary_factor", "1 | null"},
    {"use_bidirectional_attention", "false | null"},
    {"tie_last_hidden_states", "true | null"},
    {"rope_interleaved", "false | null"},
};

constexpr NeutralKey kBidirecNeutral[] = {
    {"partial_rotary_factor", "1 | null"},
    {"is_causal", "false | null"},
    {"tie_last_hidden_states", "true | null"},
    {"temperature", "1 | null"},
};

}  // namespace

constinit const Family kLlamaFamily{
    .name = "llama",
    .version = "llama/v1",
    .model_type = "llama",
    .read = ReadEitherWay,
    .names = {kDecoderDialects, kDecoderKnown},
    .architectures = kArchitectures,
    .descriptive = kDescriptive,
    .neutral = kNeutral,
    .sequence_head = LastRowHead,
    .token_head = EachRowHead,
    .causal_head = NextWordHead,
};

constinit const Family kLlamaBidirecFamily{
    .name = "llama_bidirec",
    .version = "llama_bidirec/v1",
    .model_type = "llama_bidirec",
    .read = ReadBidirec,
    .names = {kDecoderDialects, kDecoderKnown},
    .architectures = kBidirecArchitectures,
    .descriptive = kBidirecDescriptive,
    .neutral = kBidirecNeutral,
    .replaces = kBidirecReplaces,
    .sequence_head = BidirecHead,
};

}  // namespace candor::families

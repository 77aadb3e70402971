// MPNet's row: what config.json and tensor names may say. Defaults are those of transformers 5.24's
// MPNetConfig.
#include <string>

#include "families/activations.h"
#include "families/masked_heads.h"
#include "families/mpnet.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

std::unique_ptr<Model> ReadMpnet(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c,
              {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
               "max_position_embeddings", "layer_norm_eps", "hidden_act", "relative_attention_num_buckets"},
              problems);
  MpnetSpec s;
  s.vocabulary = c.Size("vocab_size", 30527, problems, 2);
  s.width = c.Size("hidden_size", 768, problems, 1);
  s.heads = ReadHeads(c, "num_attention_heads", 12, problems.size() == before ? s.width : 0, "hidden_size",
                      problems);
  s.layers = ReadLayers(c, "num_hidden_layers", 12, problems);
  s.inner = c.Size("intermediate_size", 3072, problems, 1);
  // Two rows lie before the first token's.
  s.max_positions = c.Size("max_position_embeddings", 512, problems, kMpnetPadding + 2);
  s.buckets = c.Size("relative_attention_num_buckets", 32, problems, kMpnetBuckets);
  s.eps = ReadEpsilon(c, "layer_norm_eps", 1e-12, problems);
  s.activation = ReadActivation(c, "hidden_act", "gelu", problems);
  if (problems.size() != before) return nullptr;
  return std::make_unique<MpnetModel>(s);
}

constexpr NameDialect kDialects[] = {
    {"bare", "", kGammaBeta},
    {"prefix mpnet.", "mpnet.", kGammaBeta},
    {"prefix 0.auto_model.", "0.auto_model.", kGammaBeta},
};

constexpr KnownTensors kKnown[] = {
    {"embeddings.position_ids", kBuffer}, {"pooler.", kPooler, true},      {"lm_head.", kMaskedLm, true},
    {"classifier.", kClassifier, true},   {"qa_outputs.", kAnswers, true},
};

constexpr std::string_view kArchitectures[] = {
    "MPNetModel",
    "MPNetForMaskedLM",
    "MPNetForSequenceClassification",
    "MPNetForTokenClassification",
    "MPNetForQuestionAnswering",
    "MPNetForMultipleChoice",
};

}  // namespace

constinit const Family kMpnetFamily{
    .name = "mpnet",
    .version = "mpnet/v1",
    .model_type = "mpnet",
    .read = ReadMpnet,
    .names = {kDialects, kKnown},
    .architectures = kArchitectures,
    .descriptive = {},
    .neutral = {},
    .sequence_head = TwoProductHead,
    .token_head = RowHead,
    .masked_head = RobertaMaskedHead,
};

}  // namespace candor::families

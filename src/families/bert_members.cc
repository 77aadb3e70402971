// The rows of BERT's other members: RoBERTa, XLM-RoBERTa and CamemBERT, whose positions count behind the
// padding id, and DistilBERT, which has names of its own, no token types and a fixed epsilon.
#include "families/bert_reader.h"
#include "families/masked_heads.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// ---- RoBERTa, XLM-RoBERTa, CamemBERT ------------------------------------------------------------------

std::unique_ptr<Model> ReadRoberta(const package::Config& config, Problems& problems) {
  return ReadBertMember(config, {.vocabulary = 50265, .counts_behind_padding = true}, problems);
}

std::unique_ptr<Model> ReadRobertaSuccessor(const package::Config& config, Problems& problems) {
  return ReadBertMember(config, {.counts_behind_padding = true}, problems);
}

constexpr NameDialect kRobertaDialects[] = {
    {"bare", "", kGammaBeta},
    {"prefix roberta.", "roberta.", kGammaBeta},
    {"prefix 0.auto_model.", "0.auto_model.", kGammaBeta},
};

constexpr KnownTensors kRobertaKnown[] = {
    {"embeddings.position_ids", kBuffer}, {"embeddings.token_type_ids", kBuffer},
    {"pooler.", kPooler, true},           {"lm_head.", kMaskedLm, true},
    {"classifier.", kClassifier, true},   {"qa_outputs.", kAnswers, true},
};

constexpr NeutralKey kAbsolute[] = {{"position_embedding_type", "\"absolute\" | null"}};

constexpr std::string_view kRobertaArchitectures[] = {
    "RobertaModel",
    "RobertaForMaskedLM",
    "RobertaForCausalLM",
    "RobertaForSequenceClassification",
    "RobertaForTokenClassification",
    "RobertaForQuestionAnswering",
    "RobertaForMultipleChoice",
};
constexpr std::string_view kXlmRobertaArchitectures[] = {
    "XLMRobertaModel",
    "XLMRobertaForMaskedLM",
    "XLMRobertaForCausalLM",
    "XLMRobertaForSequenceClassification",
    "XLMRobertaForTokenClassification",
    "XLMRobertaForQuestionAnswering",
    "XLMRobertaForMultipleChoice",
};
constexpr std::string_view kCamembertArchitectures[] = {
    "CamembertModel",
    "CamembertForMaskedLM",
    "CamembertForCausalLM",
    "CamembertForSequenceClassification",
    "CamembertForTokenClassification",
    "CamembertForQuestionAnswering",
    "CamembertForMultipleChoice",
};

// ---- DistilBERT ---------------------------------------------------------------------------------------

std::unique_ptr<Model> ReadDistilBert(const package::Config& config, Problems& problems) {
  const std::size_t before = problems.size();
  const BertKeys keys{
      .width = Spelling(config, "dim", "hidden_size", problems),
      .layers = Spelling(config, "n_layers", "num_hidden_layers", problems),
      .heads = Spelling(config, "n_heads", "num_attention_heads", problems),
      .inner = "hidden_dim",
      .activation = "activation",
      .segments = "",
      .eps = "",
      .default_layers = 6,
      .names = {.layers = "transformer.layer",
                .layer = {.query = "attention.q_lin",
                          .key = "attention.k_lin",
                          .value = "attention.v_lin",
                          .out = "attention.out_lin",
                          .attention_norm = "sa_layer_norm",
                          .up = "ffn.lin1",
                          .down = "ffn.lin2",
                          .mlp_norm = "output_layer_norm"}},
  };
  auto model = ReadBertMember(config, keys, problems);
  return problems.size() == before ? std::move(model) : nullptr;
}

HeadSpec DistilBertHead(const package::Config&, const HeadSizes& s, Problems&) {
  return {.steps = {{.dense = "pre_classifier", .out = s.width, .activation = Activation::kRelu},
                    {.dense = "classifier", .out = s.labels}}};
}

constexpr NameDialect kDistilBertDialects[] = {
    {"bare", "", kGammaBeta},
    {"prefix distilbert.", "distilbert.", kGammaBeta},
    {"prefix 0.auto_model.", "0.auto_model.", kGammaBeta},
};

constexpr KnownTensors kDistilBertKnown[] = {
    {"embeddings.position_ids", kBuffer},   {"vocab_transform.", kMaskedLm, true},
    {"vocab_layer_norm.", kMaskedLm, true}, {"vocab_projector.", kMaskedLm, true},
    {"pre_classifier.", kClassifier, true}, {"classifier.", kClassifier, true},
    {"qa_outputs.", kAnswers, true},
};

constexpr std::string_view kDistilBertArchitectures[] = {
    "DistilBertModel",
    "DistilBertForMaskedLM",
    "DistilBertForSequenceClassification",
    "DistilBertForTokenClassification",
    "DistilBertForQuestionAnswering",
    "DistilBertForMultipleChoice",
};

constexpr DescriptiveKey kDistilBertDescriptive[] = {
    {"dropout", kTrainingOnly},
    {"attention_dropout", kTrainingOnly},
    {"qa_dropout", kTrainingOnly},
    {"seq_classif_dropout", kTrainingOnly},
    {"sinusoidal_pos_embds", "how the position table began; the stored one is used"},
};

}  // namespace

constinit const Family kRobertaFamily{
    .name = "roberta",
    .version = "roberta/v1",
    .model_type = "roberta",
    .read = ReadRoberta,
    .names = {kRobertaDialects, kRobertaKnown},
    .architectures = kRobertaArchitectures,
    .descriptive = {},
    .neutral = kAbsolute,
    .sequence_head = TwoProductHead,
    .token_head = RowHead,
    .masked_head = RobertaMaskedHead,
};

constinit const Family kXlmRobertaFamily{
    .name = "xlm_roberta",
    .version = "xlm_roberta/v1",
    .model_type = "xlm-roberta",
    .read = ReadRobertaSuccessor,
    .names = {kRobertaDialects, kRobertaKnown},
    .architectures = kXlmRobertaArchitectures,
    .descriptive = {},
    .neutral = kAbsolute,
    .sequence_head = TwoProductHead,
    .token_head = RowHead,
    .masked_head = RobertaMaskedHead,
};

constinit const Family kCamembertFamily{
    .name = "camembert",
    .version = "camembert/v1",
    .model_type = "camembert",
    .read = ReadRobertaSuccessor,
    .names = {kRobertaDialects, kRobertaKnown},
    .architectures = kCamembertArchitectures,
    .descriptive = {},
    .neutral = kAbsolute,
    .sequence_head = TwoProductHead,
    .token_head = RowHead,
    .masked_head = RobertaMaskedHead,
};

constinit const Family kDistilBertFamily{
    .name = "distilbert",
    .version = "distilbert/v1",
    .model_type = "distilbert",
    .read = ReadDistilBert,
    .names = {kDistilBertDialects, kDistilBertKnown},
    .architectures = kDistilBertArchitectures,
    .descriptive = kDistilBertDescriptive,
    .neutral = kAbsolute,
    .sequence_head = DistilBertHead,
    .token_head = RowHead,
    .masked_head = DistilBertMaskedHead,
};

}  // namespace candor::families

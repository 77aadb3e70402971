// BERT's row: what config.json and tensor names may say.
#include "families/bert_reader.h"
#include "families/masked_heads.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

std::unique_ptr<Model> ReadBert(const package::Config& config, Problems& problems) {
  return ReadBertMember(config, {}, problems);
}

constexpr NameDialect kDialects[] = {
    {"bare", "", kGammaBeta},
    {"prefix bert.", "bert.", kGammaBeta},
    {"prefix model.", "model.", kGammaBeta},
    {"prefix encoder.", "encoder.", kGammaBeta},
    {"prefix 0.auto_model.", "0.auto_model.", kGammaBeta},
};

constexpr KnownTensors kKnown[] = {
    {"embeddings.position_ids", kBuffer},
    {"embeddings.token_type_ids", kBuffer},
    {"pooler.", kPooler, true},
    {"cls.", "masked-LM and next-sentence head, not used for embeddings", true},
    {"classifier.", kClassifier, true},
    {"qa_outputs.", kAnswers, true},
};

constexpr std::string_view kArchitectures[] = {
    "BertModel",
    "BertForMaskedLM",
    "BertForPreTraining",
    "BertForNextSentencePrediction",
    "BertForSequenceClassification",
    "BertForTokenClassification",
    "BertForQuestionAnswering",
    "BertForMultipleChoice",
    "BertLMHeadModel",
    "HF_ColBERT",
};

constexpr std::string_view kFirstPooler = "describes the pooler of the first release, which no class reads";
constexpr DescriptiveKey kDescriptive[] = {
    {"directionality", kFirstPooler},
    {"pooler_fc_size", kFirstPooler},
    {"pooler_num_attention_heads", kFirstPooler},
    {"pooler_num_fc_layers", kFirstPooler},
    {"pooler_size_per_head", kFirstPooler},
    {"pooler_type", kFirstPooler},
};

constexpr NeutralKey kNeutral[] = {{"position_embedding_type", "\"absolute\" | null"}};

}  // namespace

constinit const Family kBertFamily{
    .name = "bert",
    .version = "bert/v1",
    .model_type = "bert",
    .read = ReadBert,
    .names = {kDialects, kKnown},
    .architectures = kArchitectures,
    .descriptive = kDescriptive,
    .neutral = kNeutral,
    .sequence_head = PoolerHead,
    .token_head = RowHead,
    .masked_head = BertMaskedHead,
};

}  // namespace candor::families

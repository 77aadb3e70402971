// The rows of Jina's two encoders. Both say model_type "bert" and name classes of the same names, in two
// repositories whose code differs: the repository in auto_map tells which one is meant. Both configuration
// classes (configuration_bert.py, JinaBertConfig) read the same keys.
#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "families/activations.h"
#include "families/jina_bert.h"
#include "families/jina_code.h"
#include "families/masked_heads.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// One of the names. The classes' own defaults are those of another model (positions in a table) and, of the
// MLP, not the same in every copy of the code: what is not written is not assumed.
std::string ReadWritten(const package::Config& c, std::string_view key,
                        std::initializer_list<std::string_view> names, Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c, {key}, problems);
  std::string value = c.Text(key, "absent", problems);
  if (problems.size() != before) return value;
  if (std::ranges::find(names, value) == names.end()) {
    std::string allowed;
    for (const std::string_view name : names) allowed += (allowed.empty() ? "" : ", ") + std::string(name);
    problems.push_back(
        {Code::kUnsupportedConfigVariant, c.At(key), value, std::move(allowed), Phase::kConfig});
  }
  c.Choice(key, value, key);
  return value;
}

// JinaBertLayer: a gate has its own function, and only the MLP without one reads hidden_act.
void ReadMlp(const package::Config& c, JinaSpec& s, Problems& problems) {
  const std::string form = ReadWritten(c, "feed_forward_type", {"original", "geglu", "reglu"}, problems);
  s.gated = form != "original";
  s.activation = form == "reglu" ? Activation::kRelu : Activation::kGeluErf;
  if (s.gated) return;
  RefuseNulls(c, {"hidden_act"}, problems);
  s.activation = ReadActivation(c, "hidden_act", "gelu", problems);
}

template <class JinaKind>
std::unique_ptr<Model> ReadJina(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c,
              {"vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
               "max_position_embeddings", "type_vocab_size", "layer_norm_eps"},
              problems);
  JinaSpec s;
  s.vocabulary = c.Size("vocab_size", 30522, problems, 1);
  s.width = c.Size("hidden_size", 768, problems, 1);
  s.heads = ReadHeads(c, "num_attention_heads", 12, problems.size() == before ? s.width : 0, "hidden_size",
                      problems);
  s.layers = ReadLayers(c, "num_hidden_layers", 12, problems);
  s.inner = c.Size("intermediate_size", 3072, problems, 1);
  s.max_length = c.Size("max_position_embeddings", 512, problems, 1);
  // A token type is always looked up.
  s.segments = ReadTokenTypes(c, "type_vocab_size", 2, 1, problems);
  s.eps = ReadEpsilon(c, "layer_norm_eps", 1e-12, problems);
  ReadWritten(c, "position_embedding_type", {"alibi"}, problems);
  ReadMlp(c, s, problems);
  if (problems.size() != before) return nullptr;
  c.Choice("alibi_slopes", std::has_single_bit(s.heads) ? "one run" : "two runs", "num_attention_heads");
  return std::make_unique<JinaKind>(s);
}

constexpr NameDialect kDialects[] = {
    {"bare", ""},
    {"prefix bert.", "bert."},
    {"prefix 0.auto_model.", "0.auto_model."},
};

constexpr KnownTensors kKnown[] = {
    {"embeddings.position_ids", kBuffer}, {"embeddings.token_type_ids", kBuffer},
    {"pooler.", kPooler, true},           {"cls.", kMaskedLm, true},
    {"classifier.", kClassifier, true},   {"qa_outputs.", kAnswers, true},
};

constexpr std::string_view kArchitectures[] = {
    "JinaBertModel",
    "JinaBertForMaskedLM",
    "JinaBertForSequenceClassification",
    "JinaBertForTokenClassification",
    "JinaBertForQuestionAnswering",
    "BertModel",
};

constexpr std::string_view kBertClasses[] = {
    "jinaai/jina-bert-implementation--configuration_bert.JinaBertConfig",
    "jinaai/jina-bert-implementation--modeling_bert.JinaBertModel",
    "jinaai/jina-bert-implementation--modeling_bert.JinaBertForMaskedLM",
    "jinaai/jina-bert-implementation--modeling_bert.JinaBertForSequenceClassification",
    "jinaai/jina-bert-implementation--modeling_bert.JinaBertForTokenClassification",
    "jinaai/jina-bert-implementation--modeling_bert.JinaBertForQuestionAnswering",
};
constexpr std::string_view kCodeClasses[] = {
    "jinaai/jina-bert-v2-qk-post-norm--configuration_bert.JinaBertConfig",
    "jinaai/jina-bert-v2-qk-post-norm--modeling_bert.JinaBertModel",
    "jinaai/jina-bert-v2-qk-post-norm--modeling_bert.JinaBertForMaskedLM",
    "jinaai/jina-bert-v2-qk-post-norm--modeling_bert.JinaBertForSequenceClassification",
    "jinaai/jina-bert-v2-qk-post-norm--modeling_bert.JinaBertForTokenClassification",
    "jinaai/jina-bert-v2-qk-post-norm--modeling_bert.JinaBertForQuestionAnswering",
};

constexpr DescriptiveKey kDescriptive[] = {
    {"hidden_act", "of an MLP without a gate and of a head: feed_forward_type says what the gate does"},
    {"model_max_length", "the tokenizer's files decide"},
    {"emb_pooler", "of the class's own encode, which a recipe of modules does not call"},
    {"attn_implementation", kSchedule},
};

}  // namespace

constinit const Family kJinaBertFamily{
    .name = "jina_bert",
    .version = "jina_bert/v1",
    .model_type = "bert",
    .read = ReadJina<JinaBertModel>,
    .names = {kDialects, kKnown},
    .architectures = kArchitectures,
    .descriptive = kDescriptive,
    .neutral = {},
    .replaces = kBertClasses,
    .sequence_head = PoolerHead,
    .token_head = RowHead,
    .masked_head = BertMaskedHead,
};

constinit const Family kJinaCodeFamily{
    .name = "jina_code",
    .version = "jina_code/v1",
    .model_type = "bert",
    .read = ReadJina<JinaCodeModel>,
    .names = {kDialects, kKnown},
    .architectures = kArchitectures,
    .descriptive = kDescriptive,
    .neutral = {},
    .replaces = kCodeClasses,
    .sequence_head = PoolerHead,
    .token_head = RowHead,
    .masked_head = BertMaskedHead,
};

}  // namespace candor::families

// EuroBERT's row: what config.json and tensor names may say, in both generations of its keys. Defaults are
// those of transformers 5.24's EuroBertConfig.
#include <optional>
#include <string>

#include "families/decoder_reader.h"
#include "families/rope_keys.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// One base for all layers: in rope_parameters since release 5, at the top level before. Where both are
// written they must agree.
Rope ReadOneRope(const package::Config& c, std::size_t pairs, Problems& problems) {
  const double theta = ReadTheta(c, "rope_theta", 10000, problems);
  const std::optional<package::Config> own = c.Inside("rope_parameters", problems);
  if (!own) return {Frequencies(theta, pairs)};
  const Rope rope = ReadRope(*own, theta, pairs, problems);
  if (c.Has("rope_theta") && own->Has("rope_theta") && own->Real("rope_theta", 0, problems) != theta) {
    problems.push_back({Code::kEvidenceConflict, c.At("rope_theta"), c.Shown("rope_theta"),
                        own->Shown("rope_theta") + ", as rope_parameters says", Phase::kConfig});
  }
  return rope;
}

std::unique_ptr<Model> ReadEuroBert(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  DecoderSpec s = ReadDecoder(c,
                              {.vocabulary = 128256,
                               .width = 768,
                               .inner = 3072,
                               .layers = 12,
                               .heads = 12,
                               .max_length = 8192,
                               .eps = 1e-5},
                              problems);
  ReadBiases(c, s, problems);
  if (problems.size() != before) return nullptr;
  s.ropes.push_back(ReadOneRope(c, s.head_width / 2, problems));
  if (problems.size() != before) return nullptr;
  return std::make_unique<DecoderModel>(std::move(s));
}

// Of the class for sequences: the first row, the mean, or each row through the transform ("late"). There the
// reference takes the mean of the rows' logits, which is the product of the mean. It does not read
// clf_pooling, the first release's key, so what that one says must be what it does.
HeadSpec EuroBertHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  constexpr std::string_view kOld = "clf_pooling";
  const std::string pooling = ReadClassifierPooling(c, {"late", "bos", "mean"}, problems);
  if (c.Has(kOld) && c.Text(kOld, "", problems) != pooling) {
    problems.push_back({Code::kEvidenceConflict, c.At(kOld), c.Shown(kOld),
                        '"' + pooling + "\", which classifier_pooling says or leaves", Phase::kConfig});
  }
  return {.pooling = pooling == "bos" ? Pooling::kFirst : Pooling::kMean,
          .steps = {{.dense = "dense", .out = sizes.width, .activation = Activation::kGeluErf},
                    {.dense = "classifier", .out = sizes.labels}},
          .early = pooling == "late" ? 1u : 0u};
}

constexpr NameDialect kEuroBertDialects[] = {
    {"bare", ""},
    {"prefix model.", "model."},
    {"prefix 0.auto_model.", "0.auto_model."},
};

constexpr KnownTensors kEuroBertKnown[] = {
    {"lm_head.", kMaskedLm, true},
    {"dense.", "transform of a classifier head, not used for embeddings", true},
    {"classifier.", kClassifier, true},
};

constexpr std::string_view kEuroBertArchitectures[] = {
    "EuroBertModel",
    "EuroBertForMaskedLM",
    "EuroBertForSequenceClassification",
    "EuroBertForTokenClassification",
};

// The code that the published packages bring, which transformers took over.
constexpr std::string_view kEuroBertReplaces[] = {
    "configuration_eurobert.EuroBertConfig",
    "modeling_eurobert.EuroBertModel",
    "modeling_eurobert.EuroBertPreTrainedModel",
    "modeling_eurobert.EuroBertForMaskedLM",
    "modeling_eurobert.EuroBertForSequenceClassification",
    "modeling_eurobert.EuroBertForTokenClassification",
};

constexpr std::string_view kTokens = "special tokens: the tokenizer's files decide";
constexpr DescriptiveKey kEuroBertDescriptive[] = {
    {"attention_dropout", kTrainingOnly},
    {"hidden_dropout", kTrainingOnly},
    {"classifier_pooling", kOfAHead},
    {"clf_pooling", kOfAHead},
    {"pretraining_tp", "no class of this family reads it"},
    {"bos_token", kTokens},
    {"eos_token", kTokens},
    {"pad_token", kTokens},
    {"mask_token", kTokens},
};

}  // namespace

constinit const Family kEuroBertFamily{
    .name = "eurobert",
    .version = "eurobert/v1",
    .model_type = "eurobert",
    .read = ReadEuroBert,
    .names = {kEuroBertDialects, kEuroBertKnown},
    .architectures = kEuroBertArchitectures,
    .descriptive = kEuroBertDescriptive,
    .neutral = kEncoderNeutral,
    .replaces = kEuroBertReplaces,
    .sequence_head = EuroBertHead,
    .token_head = RowHead,
};

}  // namespace candor::families

// UltraBERT's row: what config.json and tensor names may say, in both generations of its keys. Defaults are
// those of transformers 5.24's UltrabertConfig.
#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "families/decoder_reader.h"
#include "families/rope_keys.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// One number for each layer, as the first release's keys list them; nothing after a problem.
std::vector<double> ReadPerLayer(const package::Config& c, std::string_view key, std::size_t layers,
                                 std::string_view allowed, const std::function<bool(const io::Json&)>& fits,
                                 Problems& problems) {
  const std::size_t before = problems.size();
  const io::Json& list = *c.Raw(key);
  const auto refuse = [&](std::string at, std::string found, std::string wanted) {
    Where where = c.At(key);
    where.pointer += at;
    problems.push_back({Code::kUnsupportedConfigVariant, std::move(where), std::move(found),
                        std::move(wanted), Phase::kConfig});
  };
  if (!list.is_array() || list.items().size() != layers) {
    refuse("", list.Dump(), "a list of num_hidden_layers, " + std::to_string(layers));
    return {};
  }
  std::vector<double> out;
  for (const io::Json& item : list.items()) {
    if (!fits(item)) refuse("/" + std::to_string(out.size()), item.Dump(), std::string(allowed));
    out.push_back(item.is_number() ? item.as_real() : 0);
  }
  return problems.size() == before ? out : std::vector<double>();
}

// The one value of those entries that `counts`. The classes of transformers have one per kind of layer: lists
// that say more are of another function.
std::optional<double> OneValue(const package::Config& c, std::string_view key,
                               const std::vector<double>& list, const std::vector<bool>& counts,
                               Problems& problems) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!counts[i]) continue;
    if (!first) first = i;
    if (list[*first] == list[i]) continue;
    Where where = c.At(key);
    where.pointer += "/" + std::to_string(i);
    const std::span<const io::Json> items = c.Raw(key)->items();
    problems.push_back({Code::kUnsupportedConfigVariant, std::move(where), items[i].Dump(),
                        items[*first].Dump() + ", as in layer " + std::to_string(*first) + " of its kind",
                        Phase::kConfig});
  }
  return first ? std::optional(list[*first]) : std::nullopt;
}

// Which layers see everything, and how far the others see: `layer_types` and `sliding_window`, or
// `attention_windows` in the first release, one radius for each layer and 0 for all rows.
std::vector<bool> ReadWindows(const package::Config& c, DecoderSpec& s, Problems& problems) {
  constexpr std::string_view kWindows = "attention_windows", kWindow = "sliding_window";
  RefuseNulls(c, {kWindows, kWindow}, problems);
  std::vector<bool> full(s.layers.size());
  for (std::size_t i = 0; i < full.size(); ++i) full[i] = (i + 1) % 3 == 0;
  const std::size_t before = problems.size();
  std::size_t radius = c.Size(kWindow, 128, problems, 1);
  if (c.Has(kWindows)) {
    const auto window = [](const io::Json& v) {
      return v.is_null() ||
             (v.kind() == io::Json::Kind::kInt && v.as_int() >= 0 && v.as_int() < AttentionArgs::kEveryRow);
    };
    const std::vector<double> windows = ReadPerLayer(
        c, kWindows, full.size(), "a whole number from 0 to 2147483646, or null", window, problems);
    if (problems.size() != before) return full;
    std::vector<bool> sliding(full.size());
    for (std::size_t i = 0; i < full.size(); ++i) full[i] = windows[i] == 0, sliding[i] = !full[i];
    const std::optional<double> one = OneValue(c, kWindows, windows, sliding, problems);
    if (one && c.Has(kWindow) && *one != static_cast<double>(radius)) {
      problems.push_back({Code::kEvidenceConflict, c.At(kWindow), std::to_string(radius),
                          std::to_string(static_cast<std::size_t>(*one)) + ", as attention_windows says",
                          Phase::kConfig});
    }
    if (one) radius = static_cast<std::size_t>(*one);
  }
  full = ReadLayerTypes(c, full, c.Has(kWindows) ? kWindows : "", problems);
  for (std::size_t i = 0; i < full.size(); ++i)
    if (!full[i]) s.layers[i].radius = static_cast<std::int32_t>(radius);
  return full;
}

// A rotation base for each kind of layer: in rope_parameters, or in the first release's list of one for each
// layer. Where both are written they must agree.
void ReadRopes(const package::Config& c, const std::vector<bool>& full, DecoderSpec& s, Problems& problems) {
  const std::size_t pairs = s.head_width / 2;
  std::vector<double> listed;
  if (c.Has("rope_theta")) {
    const auto base = [](const io::Json& v) { return v.is_number() && v.as_real() >= 1; };
    listed = ReadPerLayer(c, "rope_theta", full.size(), "a number of at least 1", base, problems);
    if (listed.empty()) return;
  }
  CheckRopeKinds(c, problems);
  const std::optional<package::Config> all = c.Inside("rope_parameters", problems);
  for (const bool kind : {true, false}) {
    if (std::ranges::find(full, kind) == full.end()) continue;
    const std::string_view name = kind ? kFullAttention : kSlidingAttention;
    c.Choice("layer_type", name, "layer_types");
    std::vector<bool> of_kind(full.size());
    for (std::size_t i = 0; i < full.size(); ++i) of_kind[i] = full[i] == kind;
    const std::optional<double> theta = OneValue(c, "rope_theta", listed, of_kind, problems);
    Rope rope{Frequencies(theta.value_or(kind ? 2560000 : 10000), pairs)};
    if (all) {
      const std::optional<package::Config> own = all->Inside(name, problems);
      if (!own) {
        problems.push_back({Code::kUnsupportedConfigVariant, all->At(name), "absent",
                            "the parameters of the layers of this kind", Phase::kConfig});
        continue;
      }
      const std::vector<float> said = rope.frequency;
      rope = ReadRope(*own, 10000, pairs, problems);
      if (theta && said != rope.frequency) {
        problems.push_back({Code::kEvidenceConflict, c.At("rope_theta"), c.Shown("rope_theta"),
                            "for " + std::string(name) + " what rope_parameters says", Phase::kConfig});
      }
    }
    for (std::size_t i = 0; i < full.size(); ++i)
      if (of_kind[i]) s.layers[i].rope = s.ropes.size();
    s.ropes.push_back(std::move(rope));
  }
}

std::unique_ptr<Model> ReadUltraBert(const package::Config& c, Problems& problems) {
  const std::size_t before = problems.size();
  DecoderSpec s = ReadDecoder(c,
                              {.vocabulary = 32000,
                               .width = 4096,
                               .inner = 11008,
                               .layers = 32,
                               .heads = 32,
                               .max_length = 32768,
                               .eps = 1e-6},
                              problems);
  ReadBiases(c, s, problems);
  if (problems.size() != before) return nullptr;
  const std::vector<bool> full = ReadWindows(c, s, problems);
  if (problems.size() != before) return nullptr;
  ReadRopes(c, full, s, problems);
  if (problems.size() != before) return nullptr;
  return std::make_unique<DecoderModel>(std::move(s));
}

// Of the class for sequences: one product of the first row, or of the mean.
HeadSpec UltraBertHead(const package::Config& c, const HeadSizes& sizes, Problems& problems) {
  const bool mean = ReadClassifierPooling(c, {"cls", "mean"}, problems) == "mean";
  return {.pooling = mean ? Pooling::kMean : Pooling::kFirst,
          .steps = {{.dense = "classifier", .out = sizes.labels}}};
}

constexpr NameDialect kUltraBertDialects[] = {
    {"bare", ""},
    {"prefix model.", "model."},
    {"prefix ultrabert.", "ultrabert."},  // the first release's
    {"prefix 0.auto_model.", "0.auto_model."},
};

constexpr KnownTensors kUltraBertKnown[] = {
    {"head.", kMaskedLm, true},
    {"cls.", kMaskedLm, true},
    {"classifier.", kClassifier, true},
    {"qa_outputs.", kAnswers, true},
};

constexpr std::string_view kUltraBertArchitectures[] = {
    "UltrabertModel",
    "UltrabertForMaskedLM",
    "UltrabertForSequenceClassification",
    "UltrabertForTokenClassification",
    "UltrabertForQuestionAnswering",
};

constexpr DescriptiveKey kUltraBertDescriptive[] = {
    {"attention_dropout", kTrainingOnly},
    {"classifier_pooling", kOfAHead},
    {"prediction_head_size", kOfAHead},
};

}  // namespace

constinit const Family kUltraBertFamily{
    .name = "ultrabert",
    .version = "ultrabert/v1",
    .model_type = "ultrabert",
    .read = ReadUltraBert,
    .names = {kUltraBertDialects, kUltraBertKnown},
    .architectures = kUltraBertArchitectures,
    .descriptive = kUltraBertDescriptive,
    .neutral = kEncoderNeutral,
    .sequence_head = UltraBertHead,
    .token_head = RowHead,
};

}  // namespace candor::families

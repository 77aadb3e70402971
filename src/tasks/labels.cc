#include "tasks/labels.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace candor::tasks {
namespace {

constexpr std::size_t kMostLabels = std::size_t{1} << 20;

// id2label by id; nullopt, with a problem, where the ids are not 0 to n - 1.
std::optional<std::vector<std::string>> ById(const package::Config& config, const package::Config& names,
                                             Problems& problems) {
  const std::vector<std::string> keys = names.Keys();
  std::vector<std::string> out(keys.size());
  std::vector<bool> seen(keys.size());
  const std::size_t before = problems.size();
  for (const std::string& key : keys) {
    std::size_t id = keys.size();
    if (!key.empty() && key.size() < 9 &&
        std::ranges::all_of(key, [](char c) { return c >= '0' && c <= '9'; }))
      id = std::stoul(key);
    if (id >= keys.size() || seen[id]) {
      problems.push_back({Code::kInvalidPackageSchema, names.At(key), '"' + key + '"',
                          "ids 0 to " + std::to_string(keys.size() - 1) + ", each once", Phase::kProcessing});
      continue;
    }
    seen[id] = true;
    out[id] = names.Text(key, "", problems);
  }
  // Names of ids: whether label2id says the same changes nothing.
  if (config.Raw("label2id") != nullptr) config.Ignore("label2id", "the other way round; ids decide");
  if (problems.size() != before) return std::nullopt;
  return out;
}

}  // namespace

std::string_view Name(ScoreActivation activation) {
  switch (activation) {
    case ScoreActivation::kNone:
      return "none";
    case ScoreActivation::kSigmoid:
      return "sigmoid";
    case ScoreActivation::kSoftmax:
      return "softmax";
  }
  return "";
}

std::size_t LabelCount(const package::Config& config, Problems& problems) {
  if (const auto names = config.Inside("id2label", problems))
    return std::min(names->Keys().size(), kMostLabels);
  return config.Size("num_labels", 2, problems, 1, kMostLabels);
}

std::vector<std::string> ReadLabelNames(const package::Config& config, Problems& problems) {
  const std::size_t before = problems.size();
  const auto names = config.Inside("id2label", problems);
  if (problems.size() != before) return {};
  if (!names || names->Keys().empty()) {
    problems.push_back({Code::kLabelsMissing, config.At("id2label"), config.Shown("id2label"),
                        "a name for each label", Phase::kProcessing});
    return {};
  }
  std::vector<std::string> out = ById(config, *names, problems).value_or(std::vector<std::string>());
  if (!out.empty() && config.Has("num_labels") && config.Size("num_labels", 0, problems) != out.size()) {
    problems.push_back({Code::kEvidenceConflict, config.At("num_labels"), config.Shown("num_labels"),
                        std::to_string(out.size()) + ", as id2label says", Phase::kProcessing});
  }
  return out;
}

Labels ReadLabels(const package::Config& config, Problems& problems) {
  Labels labels;
  const std::size_t before = problems.size();
  std::vector<std::string> names = ReadLabelNames(config, problems);
  if (names.empty()) return labels;
  const std::size_t count = names.size();
  const std::string type = config.Text("problem_type", "", problems);
  const bool single = type == "single_label_classification";
  if (type == "regression") {
    labels.activation = ScoreActivation::kNone;
  } else if (type == "multi_label_classification" || (type.empty() && count == 1)) {
    labels.activation = ScoreActivation::kSigmoid;
  } else if (type.empty() || (single && count > 1)) {
    labels.activation = ScoreActivation::kSoftmax;
  } else {
    problems.push_back(
        {Code::kUnsupportedConfigVariant, config.At("problem_type"), type,
         single ? "of several labels" : "regression, single_label_classification, multi_label_classification",
         Phase::kProcessing});
  }
  if (problems.size() != before) return labels;
  config.Choice("recipe.classify_activation", Name(labels.activation), "problem_type");
  labels.names = std::move(names);
  return labels;
}

void Activate(ScoreActivation activation, const float* logits, std::size_t count, float* scores) {
  double sum = 0;
  const float largest = *std::max_element(logits, logits + count);
  for (std::size_t i = 0; i < count; ++i) sum += std::exp(static_cast<double>(logits[i]) - largest);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = logits[i];
    scores[i] = activation == ScoreActivation::kNone      ? logits[i]
                : activation == ScoreActivation::kSigmoid ? static_cast<float>(1 / (1 + std::exp(-x)))
                                                          : static_cast<float>(std::exp(x - largest) / sum);
  }
}

}  // namespace candor::tasks

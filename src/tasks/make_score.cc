// From a package to a ClassifyTask or a RerankTask: the head of the class that its config.json names, or the
// modules of a cross-encoder, and its labels.
#include <utility>
#include <variant>

#include "tasks/cross_encoder.h"
#include "tasks/head_class.h"
#include "tasks/modules.h"
#include "tasks/score.h"

namespace candor::tasks {
namespace {

std::size_t WidthOf(const Model* model) { return model == nullptr ? 0 : model->width(); }

// What says how many labels there are: the last Dense of a chain, or config.json.
Where CountedBy(const package::Config& config, const EmbedRecipe& recipe) {
  for (auto m = recipe.chain.rbegin(); m != recipe.chain.rend(); ++m)
    if (std::holds_alternative<DenseStep>(m->step))
      return Where::At(m->folder + "config.json", "/out_features");
  return config.At("id2label");
}

// Names of a chain's labels are config.json's, where they are as many.
void CheckCount(const package::Config& config, std::size_t names, std::size_t labels, Problems& problems) {
  if (names == 0 || labels == 0 || names == labels) return;
  problems.push_back({Code::kEvidenceConflict, config.At("id2label"), std::to_string(names) + " labels",
                      std::to_string(labels) + ", the width of the last module", Phase::kProcessing});
}

// What both tasks need; nullopt when the package cannot give it.
std::optional<ScoreParts> ReadParts(const package::Package& package,
                                    const std::shared_ptr<package::ReadLog>& log, const TaskOptions& options,
                                    const Model* model, bool chained, EmbedRecipe recipe,
                                    Problems& problems) {
  const bool said = ReadEncoderSettings(package, log, chained ? kHiddenRows : kScores, recipe, problems);
  if (!said && !chained && IsCrossEncoder(package, log)) {
    // The reference would open the encoder without its head, and find no scores.
    problems.push_back({Code::kUnsupportedTaskHead,
                        Where::At(package.InEncoder("sentence_bert_config.json"), "/transformer_task"),
                        "absent", "\"sequence-classification\"", Phase::kProcessing});
  }
  std::optional<TextParts> texts = ReadTextParts(package, log, options, model, std::move(recipe), problems);
  if (!texts) return std::nullopt;
  ScoreParts parts;
  static_cast<TextParts&>(parts) = *std::move(texts);
  return parts;
}

}  // namespace

std::unique_ptr<Task> MakeClassifyTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                       const TaskOptions& options, const Model* model, Problems& problems) {
  const std::optional<package::Config> config = package.Read(package.InEncoder("config.json"), log);
  if (!config || options.family == nullptr) return nullptr;
  const bool chained = HasModuleChain(package);
  if (!chained && !IsCrossEncoder(package, log) && !CheckRootEncoder(package, problems)) return nullptr;
  if (!(chained ? CheckChain(package, log, problems)
                : NamesHead(*config, *options.family, kForSequences, problems)))
    return nullptr;
  Labels labels;
  EmbedRecipe recipe;
  if (chained || IsCrossEncoder(package, log)) {
    CrossEncoder read =
        ReadCrossEncoder(package, log, *config, WidthOf(model), "recipe.classify_activation", problems);
    labels = {ReadLabelNames(*config, problems), read.activation};
    CheckCount(*config, labels.names.size(), read.labels, problems);
    recipe = std::move(read.recipe);
  } else {
    labels = ReadLabels(*config, problems);
  }
  std::optional<ScoreParts> parts =
      ReadParts(package, log, options, model, chained, std::move(recipe), problems);
  if (!parts || (labels.names.empty() && !chained)) return nullptr;
  if (!chained)
    parts->head = options.family->sequence_head(*config, {parts->width, labels.names.size()}, problems);
  parts->activation = labels.activation;
  return std::make_unique<ClassifyTask>(*std::move(parts), std::move(labels.names));
}

std::unique_ptr<Task> MakeRerankTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                     const TaskOptions& options, const Model* model, Problems& problems) {
  const std::optional<package::Config> config = package.Read(package.InEncoder("config.json"), log);
  if (!config || options.family == nullptr) return nullptr;
  const bool chained = HasModuleChain(package);
  if (!chained && !IsCrossEncoder(package, log) && !CheckRootEncoder(package, problems)) return nullptr;
  if (!(chained ? CheckChain(package, log, problems)
                : NamesHead(*config, *options.family, kForSequences, problems)))
    return nullptr;
  CrossEncoder read =
      ReadCrossEncoder(package, log, *config, WidthOf(model), "recipe.rerank_activation", problems);
  const std::size_t labels = read.labels;
  if (labels > 1) {
    problems.push_back({Code::kUnsupportedTaskHead, CountedBy(*config, read.recipe),
                        std::to_string(labels) + " labels", "one label; this head is for classify",
                        Phase::kProcessing});
  }
  std::optional<ScoreParts> parts =
      ReadParts(package, log, options, model, chained, std::move(read.recipe), problems);
  if (!parts || labels > 1 || (labels == 0 && !chained)) return nullptr;
  if (!chained) parts->head = options.family->sequence_head(*config, {parts->width, 1}, problems);
  parts->activation = read.activation;
  return std::make_unique<RerankTask>(*std::move(parts));
}

}  // namespace candor::tasks

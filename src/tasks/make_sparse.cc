// From a package to a SparseTask: its recipe, its text rules and the masked-LM head of its family.
#include "tasks/sparse.h"

namespace candor::tasks {

std::unique_ptr<Task> MakeSparseTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                     const TaskOptions& options, const Model* model, Problems& problems) {
  const std::optional<package::Config> config = package.Read("config.json", log);
  if (!config || options.family == nullptr) return nullptr;
  std::optional<SparseRecipe> recipe = ReadSparseRecipe(package, log, problems);
  if (!recipe) return nullptr;
  std::optional<TextParts> parts = ReadTextParts(package, log, options, model, recipe->text, problems);
  if (options.family->masked_head == nullptr) {
    problems.push_back({Code::kUnsupportedTaskHead, config->At("model_type"),
                        std::string(options.family->model_type),
                        "embed: no masked-LM head of " + std::string(options.family->name) + " is built",
                        Phase::kProcessing});
    return nullptr;
  }
  if (!parts) return nullptr;
  const std::size_t words = parts->input.vocabulary;
  if (recipe->dimensions.value_or(words) != words) {
    problems.push_back({Code::kEvidenceConflict, recipe->dimensions_at, std::to_string(*recipe->dimensions),
                        std::to_string(words) + ", the vocabulary of config.json", Phase::kProcessing});
  }
  HeadSpec head = options.family->masked_head(*config, {parts->width, words}, problems);
  return std::make_unique<SparseTask>(*std::move(recipe), *std::move(parts), std::move(head));
}

}  // namespace candor::tasks

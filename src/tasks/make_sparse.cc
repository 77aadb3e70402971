// From a package to a SparseTask: its recipe, its text rules and the masked-LM head of its family.
#include <algorithm>
#include <iterator>
#include <utility>

#include "tasks/sparse.h"
#include "tasks/text_checks.h"

namespace candor::tasks {

std::unique_ptr<Task> MakeSparseTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                     const TaskOptions& options, const Model* model, Problems& problems) {
  std::optional<SparseRecipe> recipe = ReadSparseRecipe(package, log, problems);
  const std::optional<package::Config> config = package.Read("config.json", log);
  if (!recipe || !config || options.family == nullptr) return nullptr;
  std::optional<TextParts> parts = ReadTextParts(package, log, options, model, recipe->text, problems);
  std::shared_ptr<const text::Tokenizer> words;
  if (recipe->table) {
    auto read = text::Tokenizer::Read(package, log, false, *recipe->table);
    if (!read)
      std::ranges::copy(read.error(), std::back_inserter(problems));
    else
      words = std::move(read).value();
  }
  if (options.family->masked_head == nullptr) {
    problems.push_back({Code::kUnsupportedTaskHead, config->At("model_type"),
                        std::string(options.family->model_type),
                        "embed: no masked-LM head of " + std::string(options.family->name) + " is built",
                        Phase::kProcessing});
    return nullptr;
  }
  if (!parts) return nullptr;
  const std::size_t vocabulary = parts->input.vocabulary;
  if (recipe->dimensions.value_or(vocabulary) != vocabulary) {
    problems.push_back({Code::kEvidenceConflict, recipe->dimensions_at, std::to_string(*recipe->dimensions),
                        std::to_string(vocabulary) + ", the vocabulary of config.json", Phase::kProcessing});
  }
  if (words != nullptr) CheckRows(*words, *recipe->table + "tokenizer.json", parts->input, problems);
  HeadSpec head = options.family->masked_head(*config, {parts->width, vocabulary}, problems);
  return std::make_unique<SparseTask>(*std::move(recipe), *std::move(parts), std::move(head),
                                      std::move(words));
}

}  // namespace candor::tasks

// From a package to an EmbedTask: recipe and tokenizer read together, and what they must agree on with the
// model.
#include <algorithm>
#include <iterator>
#include <utility>

#include "tasks/embed.h"
#include "tasks/text_checks.h"

namespace candor::tasks {
namespace {

void Mismatch(Where where, std::string found, std::string allowed, Problems& problems) {
  problems.push_back({Code::kPreprocessingContractMismatch, std::move(where), std::move(found),
                      std::move(allowed), Phase::kProcessing});
}

// model2vec takes a table that is not mapped only where it has as many rows as there are tokens.
void CheckTokens(const package::Package& package, const text::Tokenizer& tokenizer, const InputRule& input,
                 Problems& problems) {
  const std::vector<TensorInfo>& tensors = package.tensors();
  const std::size_t tokens = tokenizer.TokenLengths().size();
  const auto table = std::ranges::find(tensors, "embeddings", &TensorInfo::name);
  const bool mapped = std::ranges::find(tensors, "mapping", &TensorInfo::name) != tensors.end();
  // Fewer rows are told with the id that has none.
  if (mapped || table == tensors.end() || input.vocabulary <= tokens) return;
  Mismatch(Where::Tensor(table->file, table->name), std::to_string(input.vocabulary) + " rows",
           std::to_string(tokens) + ", one for each token of tokenizer.json", problems);
}

}  // namespace

std::unique_ptr<Task> MakeEmbedTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                    const TaskOptions& options, const Model* model, Problems& problems) {
  RecipeOptions recipe_options{options.pooling, options.no_normalize};
  if (options.family != nullptr)
    recipe_options.encoder_module = options.family->own_module, recipe_options.family = options.family->name;
  if (model != nullptr) recipe_options.given_layers = model->given_layers();
  EmbedRecipe recipe =
      ReadRecipe(package, log, recipe_options, model == nullptr ? 0 : model->width(), problems);
  Planned<std::shared_ptr<const text::Tokenizer>> tokenizer = ReadTokenizer(package, log, recipe);
  if (!tokenizer) std::ranges::copy(tokenizer.error(), std::back_inserter(problems));
  if (model == nullptr) return nullptr;
  const InputRule input = model->input();
  if (!tokenizer)
    return std::make_unique<EmbedTask>(std::move(recipe), nullptr, input, model->width(), input.max_length);
  const Limit limit = PackageLimit(recipe, tokenizer.value()->facts(), input);
  const std::string folder = recipe.table ? recipe.table->folder : package.encoder();
  CheckRows(**tokenizer, folder + "tokenizer.json", input, problems);
  CheckLimit(**tokenizer, limit, options.max_length, problems);
  if (recipe.table && recipe.table->model2vec) CheckTokens(package, **tokenizer, input, problems);
  if (options.max_length) recipe.max_seq_length = options.max_length;  // a limit where there was none
  return std::make_unique<EmbedTask>(std::move(recipe), std::move(tokenizer).value(), input, model->width(),
                                     options.max_length.value_or(limit.tokens));
}

}  // namespace candor::tasks

// From a package to an EmbedTask: recipe and tokenizer read together, and what they must agree on with the
// model.
#include <algorithm>
#include <iterator>
#include <utility>

#include "tasks/embed.h"

namespace candor::tasks {
namespace {

// Tokens of one text: the written limit, or what the tokenizer says; never more than there are positions.
std::size_t PackageLimit(const EmbedRecipe& recipe, const text::TokenizerFacts& facts,
                         const InputRule& input) {
  std::size_t limit = recipe.max_seq_length.value_or(facts.model_max_length.value_or(input.max_length));
  if (input.max_length != 0) limit = std::min(limit, input.max_length);
  return limit;
}

void CheckAgainstModel(const text::Tokenizer& tokenizer, const InputRule& input, std::size_t limit,
                       const TaskOptions& options, Problems& problems) {
  const std::size_t vocabulary = tokenizer.facts().vocabulary;
  if (vocabulary > input.vocabulary) {
    problems.push_back({Code::kPreprocessingContractMismatch, Where::At("tokenizer.json"),
                        "ids up to " + std::to_string(vocabulary - 1),
                        "ids below " + std::to_string(input.vocabulary) + ", the rows of the token table",
                        Phase::kProcessing});
  }
  const Result<text::Encoding> empty = tokenizer.Encode("");
  const std::size_t least = std::max<std::size_t>(empty ? empty->ids.size() : 0, 1);
  if (limit < least) {
    problems.push_back({Code::kUnsupportedProcessorRecipe, Where::At("config.json"),
                        "a limit of " + std::to_string(limit) + " tokens",
                        "room for the special tokens, " + std::to_string(least), Phase::kProcessing});
  } else if (options.max_length && (*options.max_length < least || *options.max_length > limit)) {
    problems.push_back({Code::kUnsupportedOption, Where::Option("max-length"),
                        std::to_string(*options.max_length),
                        std::to_string(least) + " to " + std::to_string(limit), Phase::kProcessing});
  }
}

}  // namespace

std::unique_ptr<Task> MakeEmbedTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                    const TaskOptions& options, const Model* model, Problems& problems) {
  const RecipeOptions recipe_options{options.pooling, options.no_normalize};
  EmbedRecipe recipe =
      ReadRecipe(package, log, recipe_options, model == nullptr ? 0 : model->width(), problems);
  Planned<std::shared_ptr<const text::Tokenizer>> tokenizer =
      text::Tokenizer::Read(package, std::move(log), recipe.lowercase_first);
  if (!tokenizer) {
    std::ranges::copy(tokenizer.error(), std::back_inserter(problems));
    return nullptr;
  }
  if (model == nullptr) return nullptr;
  const InputRule input = model->input();
  const std::size_t limit = PackageLimit(recipe, tokenizer.value()->facts(), input);
  CheckAgainstModel(**tokenizer, input, limit, options, problems);
  if (!problems.empty()) return nullptr;
  return std::make_unique<EmbedTask>(std::move(recipe), std::move(tokenizer).value(), input, model->width(),
                                     options.max_length.value_or(limit));
}

}  // namespace candor::tasks

#include "tasks/text_parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "tasks/text_checks.h"

namespace candor::tasks {

std::optional<TextParts> ReadTextParts(const package::Package& package,
                                       const std::shared_ptr<package::ReadLog>& log,
                                       const TaskOptions& options, const Model* model, EmbedRecipe recipe,
                                       Problems& problems) {
  if (options.pooling) {
    problems.push_back({Code::kUnsupportedOption, Where::Option("pooling"), *options.pooling,
                        "of embeddings alone", Phase::kProcessing});
  }
  Planned<std::shared_ptr<const text::Tokenizer>> tokenizer =
      text::Tokenizer::Read(package, log, recipe.lowercase_first, package.encoder());
  if (!tokenizer) std::ranges::copy(tokenizer.error(), std::back_inserter(problems));
  if (model == nullptr || !tokenizer) return std::nullopt;
  TextParts parts;
  parts.width = model->width(), parts.input = model->input(), parts.tokenizer = std::move(tokenizer).value();
  const Limit limit = PackageLimit(recipe, parts.tokenizer->facts(), parts.input);
  CheckRows(*parts.tokenizer, package.InEncoder("tokenizer.json"), parts.input, problems);
  CheckLimit(*parts.tokenizer, limit, options.max_length, problems);
  parts.max_length = options.max_length.value_or(limit.tokens);
  parts.recipe = std::move(recipe);
  return parts;
}

}  // namespace candor::tasks

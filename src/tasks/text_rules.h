// What the caller's text options mean for a package: which prompt stands in front and how many tokens a text
// may have. One answer for every way in (embed, tokenize, plan). Pure.
#pragma once
#include <cstddef>
#include <string>

#include "candor/types.h"
#include "tasks/recipe.h"
#include "text/tokenizer.h"

namespace candor::tasks {

struct Prompt {
  std::string name, text;  // no text: no prompt
};
// The one asked for, or the package's default.
Result<Prompt> ChoosePrompt(const EmbedRecipe& recipe, const TextOptions& options);

// Tokens of one text, and the place that decides; 0 tokens: nothing says.
struct Limit {
  std::size_t tokens = 0;
  Where where;
};
// The written limit, or what the tokenizer says; never more than there are positions (0: not known).
Limit PackageLimit(const EmbedRecipe& recipe, const text::TokenizerFacts& facts, std::size_t positions);

// The fewest tokens a limit must leave room for: the special ones, and at least one.
std::size_t LeastLength(const text::Tokenizer& tokenizer);
// `asked` is the caller's limit, `limit` the package's (0: not known).
Result<void> CheckMaxLength(std::size_t asked, const text::Tokenizer& tokenizer, std::size_t limit);

// Of all problems of a package's recipe, those without which a text cannot be given to the tokenizer: damaged
// files of the recipe, and prompts that cannot be read.
Problems TextProblems(const package::Package& package, const Problems& found);

}  // namespace candor::tasks

// What the caller's text options mean for a package: which prompt stands in front and how many tokens a text
// may have. One answer for every way in (embed, tokenize, plan). Pure.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "candor/receipt.h"
#include "candor/types.h"
#include "model/input_rule.h"
#include "tasks/recipe.h"
#include "text/tokenizer.h"

namespace candor::tasks {

std::string_view Name(TextRole role);  // "query", "document"

struct Prompt {
  std::string name, text;  // no text: no prompt
};
// The one asked for by text, by name or by role, or the package's default.
Result<Prompt> ChoosePrompt(const EmbedRecipe& recipe, const TextOptions& options);

// What one request asks of every one of its texts.
struct TextLayout {
  Prompt prompt;
  text::EncodeOptions encode;  // without a limit when a long text is an error
  std::size_t limit = 0;       // tokens; 0: none is known
  bool truncate = true;        // as asked
  bool cuts = true;            // the limit is the package's or the caller's, and not just what can be run
  std::optional<std::size_t> characters = {};  // that are looked at, of a text that may be cut (TableText)
  std::optional<std::int32_t> left_out = {};   // a token
};
// `limit` is the package's (0: not known).
Result<TextLayout> LayOut(const EmbedRecipe& recipe, const TextOptions& options,
                          const text::Tokenizer& tokenizer, std::size_t limit);
// The ids of a text with the prompt in front: cut, or refused where it does not fit; `total` are those
// before.
Result<text::Encoding> EncodeText(const text::Tokenizer& tokenizer, const TextLayout& layout,
                                  std::string_view text, std::size_t& total);
// A text of more bytes is refused before it is read (SPEC section 14: one string).
Result<void> CheckBytes(std::size_t bytes);
// Without a cut, a text of more tokens than the limit is refused.
Result<void> CheckFits(const text::Encoding& encoding, const TextLayout& layout);
// The same for a receipt. A literal prompt is named by its SHA-256: receipts hold no text of users.
std::vector<EffectiveOption> Effective(const TextOptions& options, const TextLayout& layout);

// Tokens of one text, and the place that decides; 0 tokens: nothing says.
struct Limit {
  std::size_t tokens = 0;
  Where where;
};
// The written limit; otherwise the lower of what config.json and the tokenizer say. Never more than there are
// positions in a table.
Limit PackageLimit(const EmbedRecipe& recipe, const text::TokenizerFacts& facts, const InputRule& input);

// The package's tokenizer; of a static table what `recipe` then knows from it: the limit, or model2vec's
// rules.
Planned<std::shared_ptr<const text::Tokenizer>> ReadTokenizer(const package::Package& package,
                                                              const std::shared_ptr<package::ReadLog>& log,
                                                              EmbedRecipe& recipe);

// The fewest tokens a limit must leave room for: the special ones, and at least one.
std::size_t LeastLength(const text::Tokenizer& tokenizer);
// `asked` is the caller's limit, `limit` the package's (0: not known).
Result<void> CheckMaxLength(std::size_t asked, const text::Tokenizer& tokenizer, std::size_t limit);

// Of all problems of a package's recipe, those without which a text cannot be given to the tokenizer: damaged
// files of the recipe, and prompts that cannot be read.
Problems TextProblems(const package::Package& package, const Problems& found);

}  // namespace candor::tasks

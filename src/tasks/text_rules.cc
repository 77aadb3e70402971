#include "tasks/text_rules.h"

#include <algorithm>
#include <utility>

#include "base/sha256.h"

namespace candor::tasks {
namespace {

Error Unsupported(const char* option, std::string found, std::string allowed) {
  return {Code::kUnsupportedOption, Where::Option(option), std::move(found), std::move(allowed),
          Phase::kRequest};
}

bool IsRecipeFile(std::string_view file) {
  return file == "modules.json" || file == "config_sentence_transformers.json" ||
         (file.starts_with("sentence_") && file.ends_with("_config.json"));
}

}  // namespace

Result<Prompt> ChoosePrompt(const EmbedRecipe& recipe, const TextOptions& options) {
  if (options.prompt && options.prompt_name)
    return Unsupported("prompt-name", *options.prompt_name, "prompt or prompt-name, not both");
  if (options.prompt) return Prompt{"literal", *options.prompt};
  const std::optional<std::string>& name = options.prompt_name ? options.prompt_name : recipe.default_prompt;
  if (!name) return Prompt{};
  std::string names;
  for (const auto& [known, text] : recipe.prompts) {
    if (known == *name) return Prompt{known, text};
    names += (names.empty() ? "" : ", ") + known;
  }
  return Unsupported("prompt-name", *name, names.empty() ? "none: the package names no prompts" : names);
}

Result<TextLayout> LayOut(const EmbedRecipe& recipe, const TextOptions& options,
                          const text::Tokenizer& tokenizer, std::size_t limit) {
  TextLayout layout;
  CANDOR_TRY(layout.prompt, ChoosePrompt(recipe, options));
  if (options.max_length) CANDOR_CHECKED(CheckMaxLength(*options.max_length, tokenizer, limit));
  layout.limit = options.max_length.value_or(limit);
  layout.encode.max_length = options.truncate ? layout.limit : 0;
  layout.encode.truncate_left = options.truncate_left.value_or(tokenizer.facts().truncation_left);
  layout.encode.parse_special = !options.split_special_tokens;
  return layout;
}

Result<void> CheckFits(const text::Encoding& encoding, const TextLayout& layout) {
  if (layout.limit == 0 || encoding.ids.size() <= layout.limit) return {};
  return Error{Code::kInputTooLarge, Where::Field("text"), std::to_string(encoding.ids.size()) + " tokens",
               std::to_string(layout.limit) + ", or truncation", Phase::kRequest};
}

std::vector<EffectiveOption> Effective(const TextOptions& options, const TextLayout& layout) {
  std::vector<EffectiveOption> out;
  const auto add = [&](std::string name, std::string value, bool asked, const char* otherwise) {
    out.push_back({std::move(name), std::move(value), asked ? "request" : otherwise});
  };
  if (options.prompt) {
    add("prompt", "sha256:" + Sha256Hex(*options.prompt), true, "");
  } else if (!layout.prompt.name.empty()) {
    add("prompt-name", layout.prompt.name, options.prompt_name.has_value(), "package");
  }
  if (layout.limit != 0)
    add("max-length", std::to_string(layout.limit), options.max_length.has_value(), "package");
  add("truncate", options.truncate ? "true" : "false", !options.truncate, "application_default");
  if (options.truncate) {
    add("truncate-side", layout.encode.truncate_left ? "left" : "right", options.truncate_left.has_value(),
        "package");
  }
  add("split-special-tokens", options.split_special_tokens ? "true" : "false", options.split_special_tokens,
      "application_default");
  return out;
}

Limit PackageLimit(const EmbedRecipe& recipe, const text::TokenizerFacts& facts, const InputRule& input) {
  if (input.elastic && recipe.max_seq_length) return {*recipe.max_seq_length, recipe.max_seq_length_at};
  Limit limit{input.max_length, Where::At("config.json")};
  const auto lower = [&](std::size_t tokens, Where where) {
    if (limit.tokens == 0 || tokens < limit.tokens) limit = {tokens, std::move(where)};
  };
  if (recipe.max_seq_length)
    lower(*recipe.max_seq_length, recipe.max_seq_length_at);
  else if (facts.model_max_length)
    lower(*facts.model_max_length, Where::At("tokenizer_config.json", "/model_max_length"));
  return limit;
}

std::size_t LeastLength(const text::Tokenizer& tokenizer) {
  const Result<text::Encoding> empty = tokenizer.Encode("");
  return std::max<std::size_t>(empty ? empty->ids.size() : 0, 1);
}

Result<void> CheckMaxLength(std::size_t asked, const text::Tokenizer& tokenizer, std::size_t limit) {
  const std::size_t least = LeastLength(tokenizer);
  if (asked >= least && (limit == 0 || asked <= limit)) return {};
  return Unsupported("max-length", std::to_string(asked),
                     limit == 0 ? "at least " + std::to_string(least)
                                : std::to_string(least) + " to " + std::to_string(limit));
}

Problems TextProblems(const package::Package& package, const Problems& found) {
  Problems out;
  std::ranges::copy_if(package.problems(), std::back_inserter(out),
                       [](const Error& e) { return IsRecipeFile(e.where.file); });
  std::ranges::copy_if(found, std::back_inserter(out), [](const Error& e) {
    return e.where.pointer.starts_with("/prompts") || e.where.pointer == "/default_prompt_name";
  });
  return out;
}

}  // namespace candor::tasks

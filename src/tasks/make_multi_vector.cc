// From a package to a MultiVectorTask: the recipe, the tokenizer with its markers, and what both must agree
// on with the model.
#include <algorithm>
#include <iterator>
#include <utility>

#include "tasks/multi_vector.h"
#include "tasks/text_checks.h"

namespace candor::tasks {
namespace {

void Push(Problems& problems, Code code, Where where, std::string found, std::string allowed) {
  problems.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kProcessing});
}

// Expansion stands where a tokenizer that pads at the front would have put it in front.
void CheckPadding(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                  Problems& problems) {
  if (const auto config = package.Read(package.InEncoder("tokenizer_config.json"), log);
      config && config->Shown("padding_side") == "\"left\"") {
    Push(problems, Code::kUnsupportedProcessorRecipe, config->At("padding_side"), "left",
         "right, for queries that are expanded");
  } else if (const auto file = package.Read(package.InEncoder("tokenizer.json"), log);
             file && (!config || !config->Has("padding_side"))) {
    Problems told;  // of the tokenizer
    const auto padding = file->Has("padding") ? file->Inside("padding", told) : std::nullopt;
    if (padding && padding->Shown("direction") == "\"Left\"")
      Push(problems, Code::kUnsupportedProcessorRecipe, padding->At("direction"), "Left",
           "Right, for queries that are expanded");
  }
}

std::int32_t ExpansionId(const QueryExpansion& expansion, const text::Tokenizer& tokenizer,
                         Problems& problems) {
  const text::TokenizerFacts& facts = tokenizer.facts();
  const std::optional<std::int32_t> id = expansion.token ? tokenizer.IdOf(*expansion.token)
                                         : facts.mask_id ? facts.mask_id
                                                         : facts.eos_id;
  if (!id) {
    Push(problems, Code::kPreprocessingContractMismatch, expansion.where,
         expansion.token ? "token \"" + *expansion.token + "\"" : "no mask_token and no eos_token",
         "a token of the vocabulary");
  }
  return id.value_or(0);
}

std::vector<std::int32_t> Ascending(std::vector<std::int32_t> ids) {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

// Words that are no tokens are left out, as the reference does with a warning.
std::vector<std::int32_t> SkippedIds(const std::vector<std::string>& words,
                                     const text::Tokenizer& tokenizer) {
  std::vector<std::int32_t> ids;
  for (const std::string& word : words)
    if (const auto id = tokenizer.IdOf(word)) ids.push_back(*id);
  return Ascending(std::move(ids));
}

// The one token that a prompt is, if it is one.
std::optional<std::int32_t> MarkerOf(const EmbedRecipe& recipe, std::string_view role,
                                     const text::Tokenizer& tokenizer) {
  const auto at = std::ranges::find(recipe.prompts, role, &std::pair<std::string, std::string>::first);
  if (at == recipe.prompts.end() || at->second.empty()) return std::nullopt;
  const auto encoded = tokenizer.Encode(at->second, {.add_special = false, .offsets = false});
  if (!encoded || encoded->ids.size() != 1) return std::nullopt;
  return encoded->ids.front();
}

// A side's own length: room for the special tokens, and rows that the model has positions for.
void CheckSide(std::size_t length, const Where& where, const text::Tokenizer& tokenizer,
               const InputRule& input, Problems& problems) {
  const std::size_t least = LeastLength(tokenizer);
  const std::size_t most = input.max_length == 0 || input.elastic ? kLongestSequence : input.max_length;
  if (length >= least && length <= most) return;
  Push(problems, Code::kUnsupportedProcessorRecipe, where, std::to_string(length) + " tokens",
       std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace

std::unique_ptr<Task> MakeMultiVectorTask(const package::Package& package,
                                          std::shared_ptr<package::ReadLog> log, const TaskOptions& options,
                                          const Model* model, Problems& problems) {
  if (options.pooling)
    Push(problems, Code::kUnsupportedOption, Where::Option("pooling"), *options.pooling,
         "none: every token has a vector of its own");
  const std::string_view own = options.family == nullptr ? std::string_view() : options.family->own_module;
  MultiVectorRecipe recipe =
      ReadMultiVectorRecipe(package, log, own, model == nullptr ? 0 : model->width(), problems);
  if (options.no_normalize && recipe.base.normalizes())
    Push(problems, Code::kUnsupportedOption, Where::Option("no-normalize"), "the package's chain normalises",
         "a package whose chain does not");
  Planned<std::shared_ptr<const text::Tokenizer>> read = ReadTokenizer(package, log, recipe.base);
  if (!read) std::ranges::copy(read.error(), std::back_inserter(problems));
  const auto& expansion = recipe.query.expansion;
  if (expansion) CheckPadding(package, log, problems);
  if (model == nullptr || !read) return nullptr;
  const text::Tokenizer& tokenizer = **read;
  const InputRule input = model->input();
  const Limit limit = PackageLimit(recipe.base, tokenizer.facts(), input);
  CheckRows(tokenizer, package.InEncoder("tokenizer.json"), input, problems);
  CheckLimit(tokenizer, limit, options.max_length, problems);

  MultiVectorIds ids;
  ids.plain_length = options.max_length.value_or(limit.tokens);
  const auto most = [&](std::size_t tokens) {
    return options.max_length ? std::min(tokens, *options.max_length) : tokens;
  };
  if (const auto length = recipe.document.length)
    CheckSide(*length, recipe.document.length_at, tokenizer, input, problems);
  if (const auto length = recipe.query.length)
    CheckSide(*length, recipe.query.length_at, tokenizer, input, problems);
  ids.document_length = most(recipe.document.length.value_or(limit.tokens));
  ids.query_length = most(recipe.query.length.value_or(limit.tokens));
  if (recipe.base.mask) {
    ids.skipped = SkippedIds(recipe.base.mask->skipped, tokenizer);
    ids.kept = Ascending(recipe.base.mask->kept);
  }
  ids.query_marker = MarkerOf(recipe.base, "query", tokenizer);
  if (expansion) {
    CheckSide(expansion->length, expansion->where, tokenizer, input, problems);
    ids.expansion = ExpansionId(*expansion, tokenizer, problems);
    ids.query_length = expansion->fixed ? expansion->length : std::max(ids.query_length, expansion->length);
    if (options.max_length && *options.max_length < expansion->length)
      Push(problems, Code::kUnsupportedOption, Where::Option("max-length"),
           std::to_string(*options.max_length),
           "at least " + std::to_string(expansion->length) + ", which every query is expanded to");
    if (!expansion->attend && !input.may_hide)
      Push(problems, Code::kUnsupportedProcessorRecipe, expansion->where, "expansion that no token sees",
           "attend true: rows that none sees are not built for this model");
  }
  return std::make_unique<MultiVectorTask>(std::move(recipe), std::move(ids), std::move(read).value(), input,
                                           model->width());
}

}  // namespace candor::tasks

#include "tasks/text_rules.h"

#include <algorithm>
#include <utility>

#include "base/sha256.h"
#include "base/utf8.h"

namespace candor::tasks {
namespace {

Error Unsupported(const char* option, std::string found, std::string allowed) {
  return {Code::kUnsupportedOption, Where::Option(option), std::move(found), std::move(allowed),
          Phase::kRequest};
}

// The first or the last so many code points.
std::string_view Some(std::string_view text, std::size_t count, bool last) {
  if (text.size() <= count) return text;
  const std::size_t first = last ? CountUtf8(text) - std::min(CountUtf8(text), count) : 0;
  return SliceUtf8(text, first, first + count);
}

// Takes a token out, wherever it stands; how often it stood there.
std::size_t LeaveOut(text::Encoding& e, std::int32_t id) {
  const std::vector<std::int32_t> ids = e.ids;
  const auto keep = [&](auto& values) {
    if (values.size() != ids.size()) return;  // not asked for
    std::size_t at = 0;
    std::erase_if(values, [&](const auto&) { return ids[at++] == id; });
  };
  keep(e.type_ids), keep(e.offsets), keep(e.special), keep(e.sequence), keep(e.tokens), keep(e.ids);
  return ids.size() - e.ids.size();
}

bool IsRecipeFile(std::string_view file) {
  if (file == "modules.json" || file == "config_sentence_transformers.json") return true;
  file.remove_prefix(file.rfind('/') + 1);  // of an encoder, in its folder
  return file.starts_with("sentence_") && file.ends_with("_config.json");
}

}  // namespace

namespace {

// sentence-transformers 6.2, encode_query and encode_document: the prompt of that name, and where there is
// none no prompt at all, not the default one. "passage" and "corpus" are named in encode_document too, and
// never reached: every package has an entry "document" there, an empty one if need be.
Result<Prompt> RolePrompt(const EmbedRecipe& recipe, TextRole role) {
  const std::string name(Name(role));
  const auto named = [&](std::string_view which) {
    return std::ranges::find(recipe.prompts, which, &std::pair<std::string, std::string>::first);
  };
  if (const auto own = named(name); own != recipe.prompts.end()) return Prompt{own->first, own->second};
  if (role == TextRole::kDocument) {
    for (const char* other : {"passage", "corpus"})
      if (named(other) != recipe.prompts.end())
        return Unsupported("role", name, std::string("--prompt-name ") + other);
  }
  const bool other_side =
      named(Name(role == TextRole::kQuery ? TextRole::kDocument : TextRole::kQuery)) != recipe.prompts.end();
  if (other_side || recipe.has_roles) return Prompt{};
  return Unsupported("role", name, "none: the package does not tell queries from documents");
}

}  // namespace

std::string_view Name(TextRole role) { return role == TextRole::kQuery ? "query" : "document"; }

Result<Prompt> ChoosePrompt(const EmbedRecipe& recipe, const TextOptions& options) {
  if (options.prompt && options.prompt_name)
    return Unsupported("prompt-name", *options.prompt_name, "prompt or prompt-name, not both");
  if (options.prompt) return Prompt{"literal", *options.prompt};
  if (options.role && !options.prompt_name) return RolePrompt(recipe, *options.role);
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
  layout.cuts = recipe.cuts() || options.max_length;
  layout.truncate = options.truncate;
  layout.encode.max_length = options.truncate && layout.cuts ? layout.limit : 0;
  if (recipe.table) {
    layout.left_out = recipe.table->left_out;
    // Also where so many tokens could not be run.
    const std::optional<std::size_t>& most = options.max_length ? options.max_length : recipe.max_seq_length;
    if (recipe.table->characters && most) layout.characters = *most * *recipe.table->characters;
  }
  layout.encode.truncate_left = options.truncate_left.value_or(tokenizer.facts().truncation_left);
  layout.encode.parse_special = !options.split_special_tokens;
  return layout;
}

Result<text::Encoding> EncodeText(const text::Tokenizer& tokenizer, const TextLayout& layout,
                                  std::string_view text, std::size_t& total) {
  const std::string all = layout.prompt.text + std::string(text);
  const std::string_view seen =
      layout.characters ? Some(all, *layout.characters, layout.encode.truncate_left) : std::string_view(all);
  const bool unseen = seen.size() != all.size();
  if (unseen && !layout.truncate) {
    return Error{Code::kInputTooLarge, Where::Field("text"),
                 "more than " + std::to_string(*layout.characters) + " characters",
                 std::to_string(*layout.characters) + ", or truncation", Phase::kRequest};
  }
  CANDOR_TRY(text::Encoding e, tokenizer.Encode(seen, layout.encode));
  total = e.total;
  CANDOR_CHECKED(CheckFits(e, layout));
  if (unseen) {  // how many there would have been: a receipt tells that some were cut
    text::EncodeOptions whole = layout.encode;
    whole.max_length = 0, whole.offsets = false;
    CANDOR_TRY(const text::Encoding uncut, tokenizer.Encode(all, whole));
    total = std::max(uncut.total, e.ids.size() + 1);
  }
  if (layout.left_out) total -= LeaveOut(e, *layout.left_out);
  return e;
}

Result<void> CheckBytes(std::size_t bytes) {
  constexpr std::size_t kMost = std::size_t{2} << 20;
  if (bytes <= kMost) return {};
  return Error{Code::kInputTooLarge, Where::Field("text"), std::to_string(bytes) + " bytes",
               std::to_string(kMost) + " bytes", Phase::kRequest};
}

Result<void> CheckFits(const text::Encoding& encoding, const TextLayout& layout) {
  if (layout.limit == 0 || encoding.ids.size() <= layout.limit) return {};
  return Error{
      Code::kInputTooLarge, Where::Field("text"), std::to_string(encoding.ids.size()) + " tokens",
      std::to_string(layout.limit) + (layout.cuts ? ", or truncation" : ", or a max-length to cut at"),
      Phase::kRequest};
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
  if (options.role) add("role", std::string(Name(*options.role)), true, "");
  if (layout.limit != 0)
    add("max-length", std::to_string(layout.limit), options.max_length.has_value(),
        layout.cuts ? "package" : "application_default");
  const bool truncate = options.truncate && layout.cuts;
  add("truncate", truncate ? "true" : "false", !options.truncate,
      layout.cuts ? "application_default" : "package");
  if (truncate) {
    add("truncate-side", layout.encode.truncate_left ? "left" : "right", options.truncate_left.has_value(),
        "package");
  }
  add("split-special-tokens", options.split_special_tokens ? "true" : "false", options.split_special_tokens,
      "application_default");
  return out;
}

Limit PackageLimit(const EmbedRecipe& recipe, const text::TokenizerFacts& facts, const InputRule& input) {
  if (input.elastic && recipe.max_seq_length) return {*recipe.max_seq_length, recipe.max_seq_length_at};
  Limit limit{input.max_length, Where::At(recipe.encoder + "config.json")};
  const auto lower = [&](std::size_t tokens, Where where) {
    if (limit.tokens == 0 || tokens < limit.tokens) limit = {tokens, std::move(where)};
  };
  if (recipe.max_seq_length)
    lower(*recipe.max_seq_length, recipe.max_seq_length_at);
  else if (facts.model_max_length)
    lower(*facts.model_max_length, Where::At(recipe.encoder + "tokenizer_config.json", "/model_max_length"));
  return limit;
}

Planned<std::shared_ptr<const text::Tokenizer>> ReadTokenizer(const package::Package& package,
                                                              const std::shared_ptr<package::ReadLog>& log,
                                                              EmbedRecipe& recipe) {
  if (!recipe.table)
    return text::Tokenizer::Read(package, log, recipe.lowercase_first, package.encoder(), recipe.markers);
  TableText& table = *recipe.table;
  const std::string file = table.folder + "tokenizer.json";
  auto tokenizer = text::Tokenizer::ReadFile(package, file, !table.model2vec, log);
  if (!tokenizer) return tokenizer;
  const text::TokenizerFacts& facts = (*tokenizer)->facts();
  if (table.model2vec) {
    // Its class looks at the vocabulary for both; the median of an even number is the mean of two, rounded
    // down.
    std::vector<std::size_t> lengths = (*tokenizer)->TokenLengths();
    std::ranges::sort(lengths);
    const std::size_t n = lengths.size();
    if (n != 0) table.characters = (lengths[(n - 1) / 2] + lengths[n / 2]) / 2;
    table.left_out = facts.unk_id;
  } else {
    recipe.max_seq_length = facts.model_max_length;
    recipe.max_seq_length_at = Where::At(file, "/truncation/max_length");
  }
  return tokenizer;
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

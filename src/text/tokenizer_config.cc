// The keys of tokenizer_config.json: those that act, those proven to be without effect on ids, no others.
#include "text/tokenizer_config.h"

#include <algorithm>
#include <iterator>

#include "text/limits.h"

namespace candor::text {
namespace {

struct Harmless {
  std::string_view key, rule;
};
constexpr std::string_view kDescriptive = "describes the file, not the encoding";
constexpr std::string_view kDecoding = "acts on decoding only";
constexpr std::string_view kPadding = "rows are packed, never padded";
constexpr std::string_view kCaller = "the reference reads it from the call, not from this file";
constexpr std::string_view kFile = "only used where there is no tokenizer.json";

constexpr Harmless kHarmless[] = {
    {"_commit_hash", kDescriptive},
    {"auto_map", "names code, which is never run"},
    {"backend", kDescriptive},
    {"chat_template", "a recipe that writes conversations reads it apart"},
    {"clean_up_tokenization_spaces", kDecoding},
    {"errors", kDecoding},
    {"from_slow", kFile},
    {"full_tokenizer_file", kDescriptive},
    {"is_local", kDescriptive},
    {"local_files_only", kDescriptive},
    {"max_length", kCaller},
    {"name_or_path", kDescriptive},
    {"pad_to_multiple_of", kPadding},
    {"pad_token_type_id", kPadding},
    {"padding", kPadding},
    {"padding_side", kPadding},
    {"processor_class", kDescriptive},
    {"special_tokens_map_file", kDescriptive},
    {"stride", kCaller},
    {"tokenizer_file", kDescriptive},
    {"transformers_version", kDescriptive},
    {"truncation_strategy", kCaller},
    {"use_fast", kDescriptive},
    {"wordpieces_prefix", kFile},
};

// Keys with one value that changes nothing; any other is not implemented.
struct Neutral {
  std::string_view key, allowed;
  bool (*is_neutral)(const io::Json& value);
};
bool IsTrue(const io::Json& value) { return value.is_bool() && value.as_bool(); }
bool IsEmpty(const io::Json& value) { return value.is_array() && value.items().empty(); }
constexpr Neutral kNeutral[] = {
    {"do_basic_tokenize", "true", IsTrue},
    {"init_inputs", "[]", IsEmpty},
    {"never_split", "null, []", IsEmpty},
};

AddedToken SpecialDefaults() {
  AddedToken token;
  token.special = true;
  token.normalized = false;
  return token;
}

// Every added token is looked for from every place of a text.
void CheckLength(const package::Config& config, std::string_view key, const std::string& content,
                 Problems& problems) {
  if (content.size() <= kMaxMatchBytes) return;
  Refuse(config, key, "a token of " + std::to_string(content.size()) + " bytes",
         "at most " + std::to_string(kMaxMatchBytes) + " bytes", problems);
}

void ReadNamed(const package::Config& config, const std::string& key, Problems& problems,
               std::vector<NamedToken>& out) {
  const io::Json* value = config.Raw(key);
  if (value == nullptr || value->is_null()) return;
  if (value->is_string()) {
    AddedToken token = SpecialDefaults();
    token.content = value->as_string();
    CheckLength(config, key, token.content, problems);
    out.push_back({key, std::move(token), config.At(key)});
  } else if (const auto object = config.Inside(key, problems)) {
    AddedToken token = ReadAddedToken(*object, AddedToken{}, {"__type"}, problems);
    // The library makes it special afterwards, and special tokens are not normalised unless that is written.
    token.special = true;
    if (!object->Has("normalized")) token.normalized = false;
    out.push_back({key, std::move(token), config.At(key), false});
  }
}

// One element of a list of tokens: a string, or an object with flags.
void ReadListed(const package::Config& config, const std::string& key, const io::Json& item,
                Problems& problems, std::vector<NamedToken>& out) {
  AddedToken token = SpecialDefaults();
  const io::Json* content = item.is_string() ? &item : item.Find("content");
  if (content == nullptr || !content->is_string()) {
    problems.push_back({Code::kInvalidPackageSchema, config.At(key), item.Dump(), "strings or token objects",
                        Phase::kProcessing});
    return;
  }
  token.content = content->as_string();
  CheckLength(config, key, token.content, problems);
  // An object of the library's own type is as special as it says, whatever list it stands in.
  if (item.is_object() && item.Find("__type") != nullptr) {
    const io::Json* special = item.Find("special");
    token.special = special != nullptr && special->is_bool() && special->as_bool();
    token.normalized = !token.special;
  }
  for (const io::JsonMember& member : item.is_object() ? item.members() : std::span<const io::JsonMember>{}) {
    bool* flag = member.key == "lstrip"        ? &token.lstrip
                 : member.key == "rstrip"      ? &token.rstrip
                 : member.key == "single_word" ? &token.single_word
                 : member.key == "normalized"  ? &token.normalized
                                               : nullptr;
    if (flag != nullptr && member.value.is_bool()) *flag = member.value.as_bool();
  }
  out.push_back({key, std::move(token), config.At(key), item.is_string()});
}

// additional_special_tokens and its newer name: a list of strings and token objects, or names to tokens.
void ReadExtra(const package::Config& config, const std::string& key, Problems& problems,
               std::vector<NamedToken>& out) {
  const io::Json* value = config.Raw(key);
  if (value == nullptr || value->is_null()) return;
  if (value->is_object()) {
    if (const auto object = config.Inside(key, problems)) {
      for (const std::string& name : object->Keys()) ReadNamed(*object, name, problems, out);
    }
    return;
  }
  if (!value->is_array()) {
    problems.push_back({Code::kInvalidPackageSchema, config.At(key), std::string(value->KindName()),
                        "a list of tokens", Phase::kProcessing});
    return;
  }
  for (const io::Json& item : value->items()) ReadListed(config, key, item, problems, out);
}

// The newer of the two names, when it has tokens, makes the library pass the older one by.
void ReadBothExtra(const package::Config& config, TokenizerConfig& out, Problems& problems) {
  const io::Json* extra = config.Raw(kExtra);
  const bool newer = extra != nullptr && ((extra->is_array() && !extra->items().empty()) ||
                                          (extra->is_object() && !extra->members().empty()));
  const io::Json* older = config.Raw(kAdditional);
  const std::vector<std::string> keys = config.Keys();
  out.extra_written = std::any_of(keys.begin(), keys.end(),
                                  [](const std::string& key) { return key == kExtra || key == kAdditional; });
  if (newer && older != nullptr) config.Ignore(kAdditional, "extra_special_tokens is written");
  ReadExtra(config, std::string(newer ? kExtra : kAdditional), problems, out.named);
}

// The library adds the seven names in its own order, then other names, then lists.
void SortNamed(std::vector<NamedToken>& named) {
  const auto rank = [](const NamedToken& token) {
    if (token.key == kExtra || token.key == kAdditional) return std::ssize(kNamedTokens) + 1;
    return std::find(std::begin(kNamedTokens), std::end(kNamedTokens), token.key) - std::begin(kNamedTokens);
  };
  std::stable_sort(named.begin(), named.end(),
                   [&](const NamedToken& a, const NamedToken& b) { return rank(a) < rank(b); });
}

std::map<std::int32_t, AddedToken> ReadDecoder(const package::Config& config, Problems& problems) {
  std::map<std::int32_t, AddedToken> out;
  const auto decoder = config.Inside("added_tokens_decoder", problems);
  if (!decoder) return out;
  for (const std::string& key : decoder->Keys()) {
    const auto token = decoder->Inside(key, problems);
    if (!token) continue;
    const bool is_id = !key.empty() && key.size() <= 9 &&
                       std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!is_id) {
      problems.push_back(
          {Code::kInvalidPackageSchema, decoder->At(key), key, "a token id", Phase::kProcessing});
      continue;
    }
    out[static_cast<std::int32_t>(std::stol(key))] =
        ReadAddedToken(*token, AddedToken{}, {"__type"}, problems);
  }
  return out;
}

std::optional<bool> ReadSwitch(const package::Config& config, std::string_view key, Problems& problems) {
  if (!config.Has(key)) return std::nullopt;
  return config.Flag(key, false, problems);
}

// Absurdly large numbers (1e30 is common) and -1 mean no limit. The old name counts where the new is not
// written.
std::optional<std::size_t> ReadModelMaxLength(const package::Config& config, Problems& problems) {
  const std::vector<std::string> keys = config.Keys();
  const bool written = std::find(keys.begin(), keys.end(), "model_max_length") != keys.end();
  if (written && config.Has("max_len")) config.Ignore("max_len", "model_max_length is written");
  const std::string_view key = written ? "model_max_length" : "max_len";
  if (!config.Has(key)) return std::nullopt;
  const std::size_t before = problems.size();
  const double value = config.Real(key, 0, problems);
  if (problems.size() > before) return std::nullopt;
  if (value > 1e9 || value == -1) return std::nullopt;
  return config.Size(key, 1, problems, 1);
}

void ReadSides(const package::Config& config, TokenizerConfig& out, Problems& problems) {
  const std::string side = config.Text("truncation_side", "right", problems);
  out.truncation_left = side == "left";
  if (side != "left" && side != "right") Refuse(config, "truncation_side", side, "left, right", problems);
  if (!config.Has("model_input_names")) return;
  const std::vector<std::string> names = config.Texts("model_input_names", problems);
  out.type_ids = std::find(names.begin(), names.end(), "token_type_ids") != names.end();
}

}  // namespace

AddedToken ReadAddedToken(const package::Config& config, AddedToken base,
                          std::initializer_list<std::string_view> extra, Problems& problems) {
  std::vector<std::string_view> known = {"content", "single_word", "lstrip",
                                         "rstrip",  "normalized",  "special"};
  known.insert(known.end(), extra.begin(), extra.end());
  for (const std::string& key : config.Keys()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      Refuse(config, key, "unknown key", Listed(known), problems);
    }
  }
  base.content = RequiredText(config, "content", problems);
  CheckLength(config, "content", base.content, problems);
  base.special = config.Flag("special", base.special, problems);
  base.single_word = config.Flag("single_word", base.single_word, problems);
  base.lstrip = config.Flag("lstrip", base.lstrip, problems);
  base.rstrip = config.Flag("rstrip", base.rstrip, problems);
  base.normalized = config.Flag("normalized", !base.special, problems);
  return base;
}

std::vector<NamedToken> ReadNamedTokens(const package::Config& config, Problems& problems) {
  std::vector<NamedToken> out;
  for (const std::string& key : config.Keys()) {
    if (key.ends_with("_token")) ReadNamed(config, key, problems, out);
  }
  return out;
}

TokenizerConfig ReadTokenizerConfig(const package::Config& config, Problems& problems) {
  TokenizerConfig out;
  out.tokenizer_class = config.Text("tokenizer_class", "", problems);
  out.class_place = config.At("tokenizer_class");
  out.lowercase = ReadSwitch(config, "do_lower_case", problems);
  out.handle_chinese_chars = ReadSwitch(config, "tokenize_chinese_chars", problems);
  out.add_bos_token = ReadSwitch(config, "add_bos_token", problems);
  out.add_eos_token = ReadSwitch(config, "add_eos_token", problems);
  out.add_prefix_space = ReadSwitch(config, "add_prefix_space", problems);
  out.trim_offsets = ReadSwitch(config, "trim_offsets", problems);
  out.split_special_tokens = config.Flag("split_special_tokens", false, problems);
  const std::vector<std::string> keys = config.Keys();
  if (std::find(keys.begin(), keys.end(), "strip_accents") != keys.end()) {
    out.strip_accents = ReadSwitch(config, "strip_accents", problems);
  }
  out.model_max_length = ReadModelMaxLength(config, problems);
  ReadSides(config, out, problems);
  if (config.Has("added_tokens_decoder")) out.added_tokens_decoder = ReadDecoder(config, problems);

  ReadBothExtra(config, out, problems);

  constexpr std::string_view kRead[] = {"tokenizer_class",   "do_lower_case",        "tokenize_chinese_chars",
                                        "strip_accents",     "model_max_length",     "truncation_side",
                                        "model_input_names", "added_tokens_decoder", "max_len",
                                        "add_bos_token",     "add_eos_token",        "add_prefix_space",
                                        "trim_offsets",      "split_special_tokens", kExtra,
                                        kAdditional};
  for (const std::string& key : config.Keys()) {
    if (std::find(std::begin(kRead), std::end(kRead), key) != std::end(kRead)) continue;
    const auto harmless = std::find_if(std::begin(kHarmless), std::end(kHarmless),
                                       [&](const Harmless& h) { return h.key == key; });
    if (harmless != std::end(kHarmless)) {
      config.Ignore(key, harmless->rule);
      continue;
    }
    const auto neutral = std::find_if(std::begin(kNeutral), std::end(kNeutral),
                                      [&](const Neutral& n) { return n.key == key; });
    if (neutral != std::end(kNeutral)) {
      const io::Json* value = config.Raw(key);
      if (config.Has(key) && !neutral->is_neutral(*value)) {
        Refuse(config, key, value->Dump(), std::string(neutral->allowed), problems);
      }
    } else if (key.ends_with("_token")) {
      if (!config.Has(key)) out.unnamed.insert(key);
      ReadNamed(config, key, problems, out.named);
    }
    // Any other key stays unread: the plan lists it, and the case is unqualified.
  }
  SortNamed(out.named);
  return out;
}

void ApplyOldFiles(const std::optional<package::Config>& names, const std::optional<package::Config>& added,
                   TokenizerConfig& says, Problems& problems) {
  constexpr std::string_view kPassedBy = "tokenizer_config.json has added_tokens_decoder, so this has no say";
  if (says.added_tokens_decoder) {
    for (const auto& file : {names, added}) {
      if (!file) continue;
      for (const std::string& key : file->Keys()) file->Ignore(key, kPassedBy);
    }
    return;
  }
  const auto drop = [&](std::string_view key) {
    std::erase_if(says.named, [&](const NamedToken& token) { return token.key == key; });
  };
  if (names) {
    for (const std::string& key : names->Keys()) {
      if (key == kExtra || key == kAdditional) {
        if (key == kAdditional && says.extra_written) {
          names->Ignore(key, "tokenizer_config.json lists such tokens");
          continue;
        }
        ReadExtra(*names, key, problems, says.named);
        if (key == kExtra) says.extra_written = true;
        continue;
      }
      drop(key);
      says.unnamed.erase(key);
      if (!names->Has(key)) says.unnamed.insert(key);
      ReadNamed(*names, key, problems, says.named);
    }
    SortNamed(says.named);
  }
  if (!added) return;
  std::map<std::int32_t, AddedToken> tokens;
  for (const std::string& content : added->Keys()) {
    const std::size_t before = problems.size();
    const auto id = static_cast<std::int32_t>(added->Size(content, 0, problems, 0, 0x7ffffffe));
    if (problems.size() > before) continue;
    const bool special = std::any_of(says.named.begin(), says.named.end(),
                                     [&](const NamedToken& token) { return token.token.content == content; });
    AddedToken token;
    token.content = content;
    token.special = special;
    token.normalized = !special;
    CheckLength(*added, content, content, problems);
    if (!tokens.emplace(id, std::move(token)).second) {
      Refuse(*added, content, std::to_string(id), "an id that no other token of the file has", problems);
    }
  }
  says.added_tokens_file = std::move(tokens);
}

}  // namespace candor::text

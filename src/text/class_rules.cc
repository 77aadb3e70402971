// The table of classes, the two parts that add_prefix_space and trim_offsets rewrite, and the ends that are
// only checked.
#include "text/class_rules.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace candor::text {
namespace {

using Space = ClassRules::Space;

constexpr ClassRules kRows[] = {
    {.name = "Bert", .bert_keys = true},
    {.name = "ConvBert", .bert_keys = true},
    {.name = "DistilBert", .bert_keys = true},
    {.name = "Electra", .bert_keys = true},
    {.name = "Funnel", .bert_keys = true},
    {.name = "LayoutLM", .bert_keys = true},
    {.name = "Lxmert", .bert_keys = true},
    {.name = "MPNet", .bert_keys = true},
    {.name = "MobileBert", .bert_keys = true},
    {.name = "RetriBert", .bert_keys = true},
    {.name = "Splinter", .bert_keys = true},
    {.name = "SqueezeBert", .bert_keys = true},
    {.name = "Bart", .space = Space::kByteLevelAndOffsets},
    {.name = "LED", .space = Space::kByteLevelAndOffsets},
    {.name = "Longformer", .space = Space::kByteLevelAndOffsets},
    {.name = "Roberta", .space = Space::kByteLevelAndOffsets},
    {.name = "Deberta", .space = Space::kByteLevel},
    {.name = "GPT2", .space = Space::kByteLevel},
    {.name = "GPTNeoX", .space = Space::kByteLevel},
    {.name = "Qwen2", .space = Space::kByteLevel},
    {.name = "Albert", .space = Space::kMetaspace},
    {.name = "Camembert", .space = Space::kMetaspace},
    {.name = "DebertaV2", .space = Space::kMetaspace},
    {.name = "T5", .space = Space::kMetaspace},
    {.name = "XLMRoberta", .space = Space::kMetaspace},
    {.name = "CodeLlama", .space = Space::kMetaspace, .ends = true},
    {.name = "Cohere", .ends = true},
    {.name = "Gemma", .ends = true},
    {.name = "Llama", .space = Space::kMetaspace, .ends = true},
    {.name = "PreTrained", .plain = true},
    {.name = "Bloom", .plain = true},
};
constexpr ClassRules kPlain = {.name = "TokenizersBackend", .plain = true};

// `value` with `change` for the members of every object of type `type`, Sequences looked into one level deep,
// which is all that the library's classes know.
template <class Change>
void Write(const io::Json& value, std::string_view type, std::string_view list, const Change& change,
           io::JsonWriter& out) {
  const io::Json* is = value.Find("type");
  const bool sought = is != nullptr && is->is_string() && is->as_string() == type;
  if (!value.is_object()) {
    out.Value(value);
    return;
  }
  out.BeginObject();
  for (const io::JsonMember& member : value.members()) {
    out.Key(member.key);
    if (sought && change(member.key, out)) continue;
    if (member.key == list && member.value.is_array()) {
      out.BeginArray();
      for (const io::Json& item : member.value.items()) Write(item, type, {}, change, out);
      out.EndArray();
    } else {
      out.Value(member.value);
    }
  }
  out.EndObject();
}

std::optional<package::Config> Parsed(const std::string& text, const package::Config& file, std::string key) {
  const auto json = io::ParseJson("{\"" + key + "\":" + text + "}", file.file());
  if (!json) return std::nullopt;
  auto document = std::make_shared<const io::Json>(*json);
  const io::Json* root = document->Find(key);
  return package::Config(std::move(document), root, file.file(), "/" + std::move(key), file.shared_log());
}

// The first component of `type` in `value` or in its list.
const io::Json* FindType(const io::Json* value, std::string_view list, std::string_view type) {
  if (value == nullptr || !value->is_object()) return nullptr;
  const io::Json* is = value->Find("type");
  if (is != nullptr && is->is_string() && is->as_string() == type) return value;
  const io::Json* items = list.empty() ? nullptr : value->Find(list);
  if (items == nullptr || !items->is_array()) return nullptr;
  for (const io::Json& item : items->items()) {
    if (const io::Json* found = FindType(&item, {}, type)) return found;
  }
  return nullptr;
}

std::optional<bool> FlagOf(const io::Json* value, std::string_view key) {
  const io::Json* flag = value == nullptr ? nullptr : value->Find(key);
  if (flag == nullptr || !flag->is_bool()) return std::nullopt;
  return flag->as_bool();
}

// Whether the file puts a space before a text; nullopt where it has no part that could.
std::optional<bool> Prefixes(const package::Config& file) {
  const io::Json* pre = file.Raw("pre_tokenizer");
  if (const io::Json* level = FindType(pre, "pretokenizers", "ByteLevel")) {
    return FlagOf(level, "add_prefix_space").value_or(true);
  }
  if (FindType(file.Raw("normalizer"), "normalizers", "Prepend") != nullptr) return true;
  if (const io::Json* space = FindType(pre, "pretokenizers", "Metaspace")) {
    const io::Json* scheme = space->Find("prepend_scheme");
    if (scheme != nullptr && scheme->is_string()) return scheme->as_string() != "never";
    return FlagOf(space, "add_prefix_space").value_or(true);
  }
  return std::nullopt;
}

}  // namespace

const ClassRules* RulesOf(std::string_view tokenizer_class) {
  if (tokenizer_class.empty() || tokenizer_class == kPlain.name) return &kPlain;
  for (const std::string_view end : {"TokenizerFast", "Tokenizer"}) {
    if (!tokenizer_class.ends_with(end)) continue;
    const std::string_view name = tokenizer_class.substr(0, tokenizer_class.size() - end.size());
    const auto* const row = std::ranges::find(kRows, name, &ClassRules::name);
    return row == std::end(kRows) ? nullptr : row;
  }
  return nullptr;
}

std::optional<package::Config> WithPrefixSpace(const package::Config& file, const TokenizerConfig& says,
                                               Problems& problems) {
  if (!says.add_prefix_space) return std::nullopt;
  const bool wanted = *says.add_prefix_space;
  const ClassRules* rules = RulesOf(says.tokenizer_class);
  const io::Json* pre = file.Raw("pre_tokenizer");
  const bool rewritten = rules != nullptr &&
                         (rules->space == Space::kByteLevel || rules->space == Space::kByteLevelAndOffsets) &&
                         FindType(pre, "pretokenizers", "ByteLevel") != nullptr;
  if (!rewritten) {
    const std::optional<bool> is = Prefixes(file);
    if (!is || *is == wanted) return std::nullopt;
    // Releases of the library before 5 wrote the key into a ByteLevel that stands alone, whatever the class;
    // this one leaves it as it is for a plain class.
    const bool alone = FindType(pre, {}, "ByteLevel") != nullptr;
    if (rules != nullptr && (rules->bert_keys || (rules->plain && !alone))) return std::nullopt;
    problems.push_back({Code::kEvidenceConflict, says.At("tokenizer_config.json", "/add_prefix_space"),
                        wanted ? "true" : "false",
                        std::string(*is ? "true" : "false") + ", as tokenizer.json has it",
                        Phase::kProcessing});
    return std::nullopt;
  }
  io::JsonWriter out;
  Write(
      *pre, "ByteLevel", "pretokenizers",
      [&](std::string_view key, io::JsonWriter& to) {
        if (key != "add_prefix_space") return false;
        to.Bool(wanted);
        return true;
      },
      out);
  return Parsed(out.Take(), file, "pre_tokenizer");
}

std::optional<package::Config> WithOffsets(const package::Config& file, const TokenizerConfig& says) {
  const ClassRules* rules = RulesOf(says.tokenizer_class);
  if (rules == nullptr || rules->space != Space::kByteLevelAndOffsets) return std::nullopt;
  if (!says.add_prefix_space && !says.trim_offsets) return std::nullopt;
  const io::Json* post = file.Raw("post_processor");
  for (const std::string_view type : {"RobertaProcessing", "ByteLevel"}) {
    if (FindType(post, "processors", type) == nullptr) continue;
    io::JsonWriter out;
    Write(
        *post, type, "processors",
        [&](std::string_view key, io::JsonWriter& to) {
          const std::optional<bool> value = key == "add_prefix_space" ? says.add_prefix_space
                                            : key == "trim_offsets"   ? says.trim_offsets
                                                                      : std::nullopt;
          if (value) to.Bool(*value);
          return value.has_value();
        },
        out);
    return Parsed(out.Take(), file, "post_processor");
  }
  return std::nullopt;
}

void CheckEnds(const TokenizerConfig& says, const PartList& single, const AddedTokens& added,
               Problems& problems) {
  const ClassRules* rules = RulesOf(says.tokenizer_class);
  if (rules == nullptr || !rules->ends) return;
  const auto text =
      std::find_if(single.begin(), single.end(), [](const TemplatePart& p) { return p.text == 0; });
  const auto check = [&](std::optional<bool> written, std::string_view key, std::string_view name,
                         std::span<const TemplatePart> side) {
    if (!written) return;
    const auto token = std::find_if(says.named.begin(), says.named.end(),
                                    [&](const NamedToken& n) { return n.key == name; });
    // Without a name any token on that side is meant: the class's own name for it is a default.
    std::optional<std::int32_t> id;
    if (token != says.named.end()) id = added.IdOf(token->token.content);
    const bool has = std::any_of(side.begin(), side.end(), [&](const TemplatePart& part) {
      return token == says.named.end()
                 ? part.text < 0
                 : id && std::find(part.ids.begin(), part.ids.end(), *id) != part.ids.end();
    });
    if (has == *written) return;
    problems.push_back(
        {Code::kEvidenceConflict, says.At("tokenizer_config.json", "/" + std::string(key)),
         *written ? "true" : "false",
         std::string(has ? "true" : "false") + ", as the post_processor of tokenizer.json has it",
         Phase::kProcessing});
  };
  check(says.add_bos_token, "add_bos_token", "bos_token", {single.begin(), text});
  check(says.add_eos_token, "add_eos_token", "eos_token", {text, single.end()});
}

}  // namespace candor::text

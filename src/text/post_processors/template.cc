// TemplateProcessing: parts written out in the file, special tokens named and defined beside them.
#include "text/post_processors/template.h"

#include <map>
#include <string>

namespace candor::text {
namespace {

using SpecialIds = std::map<std::string, std::vector<std::int32_t>, std::less<>>;

SpecialIds ReadSpecialTokens(const package::Config& config, Problems& problems) {
  SpecialIds out;
  const auto tokens = config.Inside("special_tokens", problems);
  if (!tokens) {
    RefuseAbsent(config, "special_tokens", "an object of special tokens", problems);
    return out;
  }
  for (const std::string& name : tokens->Keys()) {
    const auto token = tokens->Inside(name, problems);
    if (!token) continue;
    RefuseOtherKeys(*token, {"id", "ids", "tokens"}, problems);
    RequiredText(*token, "id", problems);
    const io::Json* listed = token->Raw("tokens");
    if (listed == nullptr || !listed->is_array()) {
      problems.push_back({Code::kInvalidPackageSchema, token->At("tokens"),
                          listed == nullptr ? "nothing" : std::string(listed->KindName()),
                          "a list of strings", Phase::kProcessing});
      continue;
    }
    const std::vector<std::string> texts = token->Texts("tokens", problems);
    const io::Json* ids = token->Raw("ids");
    if (ids == nullptr || !ids->is_array() || ids->items().size() != texts.size()) {
      problems.push_back({Code::kInvalidPackageSchema, token->At("ids"),
                          ids == nullptr ? "nothing" : ids->Dump(), "as many ids as tokens",
                          Phase::kProcessing});
      continue;
    }
    std::vector<std::int32_t>& list = out[name];
    for (const io::Json& id : ids->items()) list.push_back(ReadTokenId(id, token->At("ids"), problems));
  }
  return out;
}

// One {"SpecialToken": {id, type_id}} or {"Sequence": {id, type_id}}.
TemplatePart ReadPart(const package::Config& part, const SpecialIds& special, std::int32_t texts,
                      Problems& problems) {
  TemplatePart out;
  const std::vector<std::string> keys = part.Keys();
  const bool is_text = keys == std::vector<std::string>{"Sequence"};
  if (!is_text && keys != std::vector<std::string>{"SpecialToken"}) {
    Refuse(part, keys.empty() ? "" : keys[0], keys.empty() ? "nothing" : keys[0], "SpecialToken, Sequence",
           problems);
    return out;
  }
  const auto inside = part.Inside(keys[0], problems);
  if (!inside) return out;
  RefuseOtherKeys(*inside, {"id", "type_id"}, problems);
  const std::string id = RequiredText(*inside, "id", problems);
  if (!inside->Has("type_id")) RefuseAbsent(*inside, "type_id", "a number", problems);
  out.type_id = static_cast<std::int32_t>(inside->Size("type_id", 0, problems));
  if (is_text) {
    out.text = id == "A" ? 0 : 1;
    if ((id != "A" && id != "B") || out.text >= texts) {
      Refuse(*inside, "id", id, texts == 1 ? "A" : "A, B", problems);
    }
  } else if (const auto known = special.find(id); known != special.end()) {
    out.ids = known->second;
  } else {
    Refuse(*inside, "id", id, "a token of special_tokens", problems);
  }
  return out;
}

std::vector<TemplatePart> ReadParts(const package::Config& config, std::string_view key, std::int32_t texts,
                                    const SpecialIds& special, Problems& problems) {
  std::vector<TemplatePart> parts;
  if (!config.Has(key)) RefuseAbsent(config, key, "a list of parts", problems);
  for (const package::Config& part : config.Items(key, problems)) {
    parts.push_back(ReadPart(part, special, texts, problems));
  }
  return parts;
}

}  // namespace

Template ReadTemplateProcessing(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"single", "pair", "special_tokens"}, problems);
  const SpecialIds special = ReadSpecialTokens(config, problems);
  Template out;
  out.single = ReadParts(config, "single", 1, special, problems);
  out.pair = ReadParts(config, "pair", 2, special, problems);
  return out;
}

}  // namespace candor::text

// TemplateProcessing: parts written out in the file, special tokens named and defined beside them.
#include "text/post_processors/template.h"

#include <map>
#include <string>

namespace candor::text {
namespace {

using SpecialTokens = std::map<std::string, TemplatePart, std::less<>>;

SpecialTokens ReadSpecialTokens(const package::Config& config, Problems& problems) {
  SpecialTokens out;
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
                          ids == nullptr ? "nothing" : ids->Dump(),
                          "as many ids as tokens: " + std::to_string(texts.size()), Phase::kProcessing});
      continue;
    }
    TemplatePart& part = out[name];
    part = {.tokens = texts, .special = true};
    for (const io::Json& id : ids->items()) part.ids.push_back(ReadTokenId(id, token->At("ids"), problems));
  }
  return out;
}

// One {"SpecialToken": {id, type_id}} or {"Sequence": {id, type_id}}.
TemplatePart ReadPart(const package::Config& part, const SpecialTokens& special, std::int32_t texts,
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
  if (!part.Has(keys[0])) RefuseAbsent(part, keys[0], "an object of id and type_id", problems);
  if (!inside) return out;
  RefuseOtherKeys(*inside, {"id", "type_id"}, problems);
  const std::string id = RequiredText(*inside, "id", problems);
  if (!inside->Has("type_id")) RefuseAbsent(*inside, "type_id", "a number", problems);
  const auto type_id = static_cast<std::int32_t>(inside->Size("type_id", 0, problems));
  if (is_text) {
    out.text = id == "A" ? 0 : 1;
    if ((id != "A" && id != "B") || out.text >= texts) {
      Refuse(*inside, "id", id, texts == 1 ? "A" : "A, B", problems);
    }
  } else if (const auto known = special.find(id); known != special.end()) {
    out = known->second;
  } else {
    Refuse(*inside, "id", id, "a token of special_tokens", problems);
  }
  out.type_id = type_id;
  return out;
}

PartList ReadParts(const package::Config& config, std::string_view key, std::int32_t texts,
                   const SpecialTokens& special, Problems& problems) {
  PartList parts;
  if (!config.Has(key)) RefuseAbsent(config, key, "a list of parts", problems);
  for (const package::Config& part : config.Items(key, problems)) {
    parts.push_back(ReadPart(part, special, texts, problems));
  }
  return parts;
}

class TemplateStep final : public PostProcessor {
 public:
  TemplateStep(PartList single, PartList pair) : single_(std::move(single)), pair_(std::move(pair)) {}
  std::size_t Added(bool pair) const override {
    std::size_t count = 0;
    for (const TemplatePart& part : pair ? pair_ : single_) count += part.ids.size();
    return count;
  }
  // A and B are the lists there are, which other steps may have lengthened; every part is a list afterwards.
  bool Apply(std::vector<PartList>& lists, bool add_special) const override {
    if (lists.empty() || lists.size() > 2) return false;
    std::vector<PartList> out;
    std::size_t copied = 0;
    for (const TemplatePart& part : lists.size() == 2 ? pair_ : single_) {
      if (part.text < 0) {
        if (add_special) out.push_back({part});
        continue;
      }
      out.push_back(lists[static_cast<std::size_t>(part.text)]);
      if ((copied += out.back().size()) > kMaxTemplateParts) return false;
      for (TemplatePart& inner : out.back()) inner.type_id = part.type_id;
    }
    lists = std::move(out);
    return true;
  }

 private:
  PartList single_, pair_;
};

}  // namespace

PostProcessorPtr ReadTemplateProcessing(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"single", "pair", "special_tokens"}, problems);
  const SpecialTokens special = ReadSpecialTokens(config, problems);
  PartList single = ReadParts(config, "single", 1, special, problems);
  return std::make_unique<TemplateStep>(std::move(single), ReadParts(config, "pair", 2, special, problems));
}

}  // namespace candor::text

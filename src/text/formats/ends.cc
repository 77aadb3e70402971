// What stands around texts: the recipe's post-processor, with the ids that its tokens got.
#include <set>

#include "text/formats/formats.h"

namespace candor::text {
namespace {

// "cls A sep B:1" as the parts of a TemplateProcessing.
void WriteParts(std::string_view list, std::set<std::string>& used, io::JsonWriter& out) {
  out.BeginArray();
  while (!list.empty()) {
    const std::size_t end = list.find(' ');
    std::string_view word = list.substr(0, end);
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
    const bool second = word.ends_with(":1");
    if (second) word.remove_suffix(2);
    const bool text = word == "A" || word == "B";
    if (!text) used.emplace(word);
    out.BeginObject().Key(text ? "Sequence" : "SpecialToken").BeginObject().Member("id", word);
    out.Key("type_id").Int(second ? 1 : 0).EndObject().EndObject();
  }
  out.EndArray();
}

}  // namespace

std::optional<package::Config> PostProcessorOf(const Converted& converted,
                                               const std::map<std::string, std::int32_t, std::less<>>& ids,
                                               Problems& problems) {
  const Recipe& recipe = *converted.recipe;
  const std::string& file = converted.body->file();
  const auto id_of = [&](const std::string& name) -> std::int64_t {
    const auto it = ids.find(name + "_token");
    if (it != ids.end()) return it->second;
    problems.push_back({Code::kUnsupportedProcessorRecipe,
                        Where::At(converted.config_file, "/" + name + "_token"), "nothing",
                        "a token, which " + std::string(recipe.tokenizer_class) + " puts around texts",
                        Phase::kProcessing});
    return 0;
  };
  std::string text;
  if (!recipe.processor.empty()) {
    text = recipe.processor;
    for (const std::string name : {"cls", "sep"}) {
      // The longer name first: one starts the other.
      for (const auto& [key, value] :
           {std::pair("$" + name + "_id", std::to_string(id_of(name))),
            std::pair("$" + name, converted.values.contains(name) ? converted.values.at(name) : "\"\"")}) {
        if (const std::size_t at = text.find(key); at != std::string::npos)
          text.replace(at, key.size(), value);
      }
    }
    for (const std::string name : {"trim_offsets", "add_prefix_space"}) {
      const std::size_t at = text.find("$" + name);
      if (at != std::string::npos) text.replace(at, name.size() + 1, converted.values.at(name));
    }
  } else {
    std::string ends(recipe.ends);
    if (ends.empty()) {
      const auto asked = [&](const char* key, const char* name) {
        const auto it = converted.values.find(key);
        return it != converted.values.end() && it->second == "true" && converted.names.contains(name);
      };
      const std::string bos = asked("add_bos_token", "bos_token") ? "bos" : "";
      const std::string eos = asked("add_eos_token", "eos_token") ? "eos" : "";
      const std::string single = (bos.empty() ? "" : bos + " ") + "A" + (eos.empty() ? "" : " " + eos);
      ends = single + "|" + single + (bos.empty() ? "" : " " + bos + ":1") + " B:1" +
             (eos.empty() ? "" : " " + eos + ":1");
    }
    std::set<std::string> used;
    io::JsonWriter out;
    const std::size_t bar = ends.find('|');
    out.BeginObject().Member("type", "TemplateProcessing").Key("single");
    WriteParts(std::string_view(ends).substr(0, bar), used, out);
    out.Key("pair");
    WriteParts(std::string_view(ends).substr(bar + 1), used, out);
    out.Key("special_tokens").BeginObject();
    for (const std::string& name : used) {
      out.Key(name).BeginObject().Member("id", name).Key("ids").BeginArray().Int(id_of(name)).EndArray();
      out.Key("tokens").BeginArray().String(name).EndArray().EndObject();
    }
    text = out.EndObject().EndObject().Take();
  }
  auto json = io::ParseJson(text, file);
  if (!json) {
    problems.push_back(json.error());
    return std::nullopt;
  }
  const auto document = std::make_shared<const io::Json>(std::move(*json));
  return package::Config(document, document.get(), file, "/post_processor", converted.log);
}

}  // namespace candor::text

#include "text/templates/package_templates.h"

#include <algorithm>
#include <iterator>

#include "text/tokenizer_config.h"

namespace candor::text::jinja {
namespace {

constexpr std::string_view kFile = "chat_template.jinja", kFolder = "additional_chat_templates/",
                           kEnd = ".jinja";
constexpr std::string_view kProcessorFile = "chat_template.json", kConfig = "tokenizer_config.json";
constexpr std::string_view kKey = "chat_template", kDefault = "default", kToolUse = "tool_use";

Error Malformed(std::string pointer, std::string found, std::string allowed) {
  return {Code::kInvalidPackageSchema, Where::At(std::string(kConfig), std::move(pointer)), std::move(found),
          std::move(allowed), Phase::kProcessing};
}

// The files' templates.
void ReadFiles(const package::Package& package, std::vector<NamedTemplate>& out, Problems& problems) {
  const auto add = [&](std::string_view name, const std::string& path) {
    auto text = package.Contents(path);
    if (text) {
      out.push_back({std::string(name), std::move(*text), Where::At(path)});
    } else {
      problems.push_back(text.error());
    }
  };
  if (package.Has(kFile)) add(kDefault, std::string(kFile));
  for (const package::FileFact& file : package.files()) {
    std::string_view name = file.path;
    if (!name.starts_with(kFolder) || !name.ends_with(kEnd)) continue;
    name.remove_prefix(kFolder.size());
    name.remove_suffix(kEnd.size());
    if (name.find('/') != std::string_view::npos) continue;
    // The library reads the folder behind the file, so that a second default replaces the first.
    std::erase_if(out, [&](const NamedTemplate& one) { return one.name == name; });
    add(name, file.path);
  }
}

void ReadListed(const io::Json& list, std::vector<NamedTemplate>& out, Problems& problems) {
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    const std::string pointer = '/' + std::string(kKey) + '/' + std::to_string(i);
    const io::Json *name = list.items()[i].Find("name"), *text = list.items()[i].Find("template");
    if (name == nullptr || text == nullptr || !name->is_string() || !text->is_string()) {
      problems.push_back(
          Malformed(pointer, std::string(list.items()[i].KindName()), "a name and a template, both texts"));
      continue;
    }
    std::erase_if(out, [&](const NamedTemplate& one) { return one.name == name->as_string(); });
    out.push_back({std::string(name->as_string()), std::string(text->as_string()),
                   Where::At(std::string(kConfig), pointer + "/template")});
  }
}

void ReadConfig(const io::Json& config, std::vector<NamedTemplate>& out, Problems& problems) {
  const io::Json* const written = config.Find(kKey);
  if (written == nullptr || written->is_null()) return;
  const std::string pointer = '/' + std::string(kKey);
  if (written->is_string()) {
    out.push_back(
        {std::string(kDefault), std::string(written->as_string()), Where::At(std::string(kConfig), pointer)});
  } else if (written->is_array()) {
    ReadListed(*written, out, problems);
  } else {
    problems.push_back(
        Malformed(pointer, std::string(written->KindName()), "a text, or a list of named ones"));
  }
}

void ReadSpecialTokens(const package::Package& package, PackageTemplates& out) {
  // What is wrong with these files the tokenizer's reading says.
  const auto log = std::make_shared<package::ReadLog>();
  Problems ignored;
  const auto config = package.Read(kConfig, log);
  TokenizerConfig says = config ? ReadTokenizerConfig(*config, ignored) : TokenizerConfig();
  ApplyOldFiles(package.Read("special_tokens_map.json", log), std::nullopt, says, ignored);
  for (const NamedToken& token : says.named)
    if (std::ranges::find(kNamedTokens, token.key) != std::end(kNamedTokens))
      out.special_tokens.emplace_back(token.key, Value::String(token.token.content));
}

}  // namespace

const NamedTemplate* PackageTemplates::Choose(std::string_view name, bool with_tools) const {
  const auto find = [&](std::string_view wanted) {
    const auto found = std::ranges::find(templates, wanted, &NamedTemplate::name);
    return found == templates.end() ? nullptr : &*found;
  };
  if (!name.empty()) return find(name);
  if (const NamedTemplate* own = with_tools ? find(kToolUse) : nullptr) return own;
  return find(kDefault);
}

Planned<PackageTemplates> ReadPackageTemplates(const package::Package& package) {
  PackageTemplates out;
  Problems problems;
  ReadFiles(package, out.templates, problems);
  if (out.templates.empty() && problems.empty())
    if (const auto config = package.Document(kConfig)) ReadConfig(*config, out.templates, problems);
  if (!problems.empty()) return problems;
  std::ranges::sort(out.templates, {}, &NamedTemplate::name);
  out.of_processor = package.Has(kProcessorFile);
  ReadSpecialTokens(package, out);
  return out;
}

}  // namespace candor::text::jinja

#include "package/license.h"

#include <algorithm>
#include <cstddef>

namespace candor::package {
namespace {

constexpr std::string_view kReadme = "README.md";
constexpr std::size_t kHead = 64u << 10;
constexpr std::size_t kLongest = 256;  // of a value that is shown; an identifier or a link is shorter
constexpr std::string_view kKeys[] = {"license", "license_name", "license_link"};

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view Scalar(std::string_view text) {
  text = Trimmed(text);
  if (!text.empty() && (text[0] == '"' || text[0] == '\'')) {
    const std::size_t close = text.find(text[0], 1);
    return close == std::string_view::npos ? text : text.substr(1, close - 1);
  }
  return text.starts_with('#') ? std::string_view() : Trimmed(text.substr(0, text.find(" #")));
}

std::string BlockList(std::string_view text) {
  std::string list;
  while (!text.empty() && list.size() <= kLongest) {
    const std::string_view line = Trimmed(TakeLine(text));
    if (!line.starts_with("- ")) break;
    list += (list.empty() ? "" : ", ") + std::string(Scalar(line.substr(2)));
  }
  return list;
}

}  // namespace

std::string FrontMatterValue(std::string_view text, std::string_view key) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (Trimmed(TakeLine(text)) != "---") return {};
  while (!text.empty()) {
    const std::string_view line = TakeLine(text);
    if (Trimmed(line) == "---") break;
    if (!line.starts_with(key) || !line.substr(key.size()).starts_with(':')) continue;
    std::string value(Scalar(line.substr(key.size() + 1)));
    if (value.empty()) value = BlockList(text);
    return value.substr(0, kLongest);
  }
  return {};
}

std::vector<Fact> StatedLicenses(const Package& package) {
  std::vector<Fact> facts;
  const std::string file = package.InEncoder("config.json");
  const auto config = package.Document(file);
  const auto head = package.Has(kReadme) ? package.Head(kReadme, kHead) : Result<std::string>(std::string());
  for (const std::string_view key : kKeys) {
    const std::string pointer = "/" + std::string(key);
    if (const io::Json* value = config == nullptr ? nullptr : config->Find(key);
        value != nullptr && !value->is_null()) {
      facts.push_back({std::string(key), value->is_string() ? std::string(value->as_string()) : value->Dump(),
                       file, pointer});
    }
    // A README that cannot be read states nothing; why stands beside the file.
    std::string stated = head ? FrontMatterValue(*head, key) : std::string();
    if (!stated.empty())
      facts.push_back({std::string(key), std::move(stated), std::string(kReadme), pointer});
  }
  return facts;
}

}  // namespace candor::package

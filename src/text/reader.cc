// Refusals shared by the component readers.
#include "text/reader.h"

#include <algorithm>

#include "base/utf8.h"

namespace candor::text {

void Refuse(const package::Config& config, std::string_view key, std::string found, std::string allowed,
            Problems& problems) {
  const Where place = config.At(key);
  // A value of the wrong kind is a problem already; what was made of it would be a second one. It was found
  // just before, so a file of a million problems is not searched a million times.
  constexpr std::size_t kRecent = 8;
  for (std::size_t i = problems.size() - std::min(problems.size(), kRecent); i < problems.size(); ++i) {
    if (problems[i].where == place) return;
  }
  if (found.empty()) found = "an empty string";
  problems.push_back(
      {Code::kUnsupportedProcessorRecipe, place, std::move(found), std::move(allowed), Phase::kProcessing});
}

void RefuseOtherKeys(const package::Config& config, std::initializer_list<std::string_view> known,
                     Problems& problems) {
  for (const std::string& key : config.Keys()) {
    if (key == "type" || std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string others = Listed(std::span(known.begin(), known.size()));
    Refuse(config, key, "unknown key", others.empty() ? "type" : "type, " + others, problems);
  }
}

void RefuseAbsent(const package::Config& config, std::string_view key, std::string allowed,
                  Problems& problems) {
  problems.push_back(
      {Code::kInvalidPackageSchema, config.At(key), "nothing", std::move(allowed), Phase::kProcessing});
}

void RefuseNulls(const package::Config& config, std::string_view may_be_null, std::size_t before,
                 Problems& problems) {
  const std::string allowed = " " + std::string(may_be_null) + " ";
  for (const std::string& key : config.Keys()) {
    if (config.Has(key) || allowed.find(" " + key + " ") != std::string::npos) continue;
    const Where place = config.At(key);
    const bool has = std::any_of(problems.begin() + static_cast<std::ptrdiff_t>(before), problems.end(),
                                 [&](const Error& problem) { return problem.where == place; });
    if (has) continue;
    problems.push_back(
        {Code::kInvalidPackageSchema, place, "null", "a value that is not null", Phase::kProcessing});
  }
}

bool RequiredFlag(const package::Config& config, std::string_view key, Problems& problems) {
  if (!config.Has(key)) RefuseAbsent(config, key, "true or false", problems);
  return config.Flag(key, false, problems);
}

std::string RequiredText(const package::Config& config, std::string_view key, Problems& problems) {
  if (!config.Has(key)) RefuseAbsent(config, key, "a string", problems);
  return config.Text(key, "", problems);
}

std::string RequiredCharacter(const package::Config& config, std::string_view key, Problems& problems) {
  std::string text = RequiredText(config, key, problems);
  if (CountUtf8(text) == 1) return text;
  Refuse(config, key, std::move(text), "one character", problems);
  return " ";
}

std::string Quoted(const package::Config& config, std::string_view key) {
  std::string text = config.Shown(key);
  constexpr std::size_t kMost = 80;
  if (text.size() > kMost) text = text.substr(0, kMost - 3) + "...";
  return text;
}

std::string Listed(std::span<const std::string_view> names) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out;
}

}  // namespace candor::text

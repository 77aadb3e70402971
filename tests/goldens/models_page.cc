#include "models_page.h"

#include <algorithm>
#include <map>

#include "families/registry.h"
#include "golden.h"

namespace candor::goldens {
namespace {

constexpr std::string_view kBegin = "<!-- families: begin -->\n", kEnd = "<!-- families: end -->\n";

// Whether hidden rows alone are what a class gives, or a head beside them that an embedding leaves out.
bool IsEncoderAlone(std::string_view architecture) {
  return architecture.find("For") == std::string_view::npos;
}

std::string Code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string Joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out.empty() ? "–" : out;
}

// "hidden_act" to its proved values, of the rows "NAME f32 cpu hidden_act=gelu".
std::map<std::string, std::vector<std::string>> Proved(const std::set<std::string>& rows,
                                                       std::string_view family) {
  std::map<std::string, std::vector<std::string>> out;
  const std::string start = std::string(family) + " f32 cpu ";
  for (const std::string& row : rows) {
    if (!row.starts_with(start)) continue;
    const std::string choice = row.substr(start.size());
    const std::size_t equals = choice.find('=');
    const std::string value = choice.substr(equals + 1);
    out[choice.substr(0, equals)].push_back(value.empty() ? "none" : value);
  }
  return out;
}

}  // namespace

std::string ModelsTable(const std::set<std::string>& rows) {
  std::map<std::string, std::size_t> cases;
  for (const std::string& name : CaseNames()) ++cases[name.substr(0, name.find('/'))];
  std::string out =
      "| `model_type` | family | encoder | classes with a head beside it | goldens | proved values |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const Family* family : families::Families()) {
    std::vector<std::string> encoders, heads, values;
    for (const std::string_view a : family->architectures)
      (IsEncoderAlone(a) ? encoders : heads).push_back(Code(a));
    for (const auto& [fact, proved] : Proved(rows, family->name))
      values.push_back(Code(fact) + " " + Joined(proved));
    std::string listed;
    for (const std::string& value : values) listed += (listed.empty() ? "" : "; ") + value;
    out += "| " + Code(family->model_type) + " | " + Code(family->version) + " | " + Joined(encoders) +
           " | " + Joined(heads) + " | " + std::to_string(cases[std::string(family->name)]) + " | " + listed +
           " |\n";
  }
  return out;
}

std::string WithTable(const std::string& page, const std::string& table) {
  const std::size_t begin = page.find(kBegin), end = page.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  return page.substr(0, begin + kBegin.size()) + table + page.substr(end);
}

}  // namespace candor::goldens

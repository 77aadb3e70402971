#include "text/templates/names.h"

#include <algorithm>

namespace candor::text::jinja {
namespace {

constexpr Signature kFilters[] = {
    {"abs"},
    {"capitalize"},
    {"count"},
    {"d", {"default_value", "boolean"}},
    {"default", {"default_value", "boolean"}},
    {"dictsort", {"case_sensitive", "by", "reverse"}},
    {"first"},
    {"float", {"default"}},
    {"indent", {"width", "first", "blank"}},
    {"int", {"default"}},
    {"items"},
    {"join", {"d", "attribute"}},
    {"last"},
    {"length"},
    {"list"},
    {"lower"},
    {.name = "map", .any = true},
    {"max", {"case_sensitive", "attribute"}},
    {"min", {"case_sensitive", "attribute"}},
    {.name = "reject", .any = true},
    {.name = "rejectattr", .any = true},
    {"replace", {"old", "new", "count"}, 2},
    {"reverse"},
    {"safe"},
    {.name = "select", .any = true},
    {.name = "selectattr", .any = true},
    {"sort", {"reverse", "case_sensitive", "attribute"}},
    {"string"},
    {"sum", {"attribute", "start"}},
    {"title"},
    {"tojson", {"ensure_ascii", "indent", "separators", "sort_keys"}},
    {"trim", {"chars"}},
    {"unique", {"case_sensitive", "attribute"}},
    {"upper"},
};

constexpr Signature kTests[] = {
    {"!=", {"b"}, 1, false, true},
    {"<", {"b"}, 1, false, true},
    {"<=", {"b"}, 1, false, true},
    {"==", {"b"}, 1, false, true},
    {">", {"b"}, 1, false, true},
    {">=", {"b"}, 1, false, true},
    {"boolean"},
    {.name = "callable"},
    {"defined"},
    {"divisibleby", {"num"}, 1},
    {"eq", {"b"}, 1, false, true},
    {"equalto", {"b"}, 1, false, true},
    {"even"},
    {"false"},
    {"float"},
    {"ge", {"b"}, 1, false, true},
    {"greaterthan", {"b"}, 1, false, true},
    {"gt", {"b"}, 1, false, true},
    {"in", {"seq"}, 1},
    {"integer"},
    {"iterable"},
    {"le", {"b"}, 1, false, true},
    {"lessthan", {"b"}, 1, false, true},
    {"lower"},
    {"lt", {"b"}, 1, false, true},
    {"mapping"},
    {"ne", {"b"}, 1, false, true},
    {"none"},
    {"number"},
    {"odd"},
    {"sameas", {"other"}, 1},
    {"sequence"},
    {"string"},
    {"true"},
    {"undefined"},
    {"upper"},
};

const Signature* Find(std::span<const Signature> table, std::string_view name) {
  const auto row = std::ranges::find(table, name, &Signature::name);
  return row == table.end() ? nullptr : &*row;
}

std::string Listed(std::span<const Signature> table) {
  std::string out;
  for (const Signature& row : table) out += (out.empty() ? "" : ", ") + std::string(row.name);
  return out;
}

std::size_t Count(const Signature& signature) {
  return static_cast<std::size_t>(std::ranges::find_if(signature.parameters, &std::string_view::empty) -
                                  signature.parameters);
}

bool InList(std::string_view list, std::string_view name) {  // of names between blanks
  if (name.empty() || name.find(' ') != std::string_view::npos) return false;
  for (std::size_t at = 0; (at = list.find(name, at)) != std::string_view::npos; at += name.size()) {
    const bool begins = at == 0 || list[at - 1] == ' ';
    const std::size_t end = at + name.size();
    if (begins && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

constexpr std::string_view kStringAttributes =
    "capitalize casefold center count encode endswith expandtabs find format format_map index isalnum "
    "isalpha isascii "
    "isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower "
    "lstrip "
    "maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split "
    "splitlines "
    "startswith strip swapcase title translate upper zfill";
constexpr std::string_view kListAttributes =
    "append clear copy count extend index insert pop remove reverse sort";
constexpr std::string_view kListHidden = "append clear extend insert pop remove reverse sort";
constexpr std::string_view kDictAttributes =
    "clear copy fromkeys get items keys pop popitem setdefault update values";
constexpr std::string_view kDictHidden = "clear pop popitem setdefault update";
constexpr std::string_view kIntAttributes =
    "as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes";
constexpr std::string_view kFloatAttributes = "as_integer_ratio conjugate fromhex hex imag is_integer real";

}  // namespace

const Signature* FindFilter(std::string_view name) { return Find(kFilters, name); }
const Signature* FindTest(std::string_view name) { return Find(kTests, name); }
std::string AllFilters() { return Listed(kFilters); }
std::string AllTests() { return Listed(kTests); }

std::string BadCall(const Signature& signature, std::size_t positional,
                    std::span<const std::string_view> named) {
  if (signature.any) return {};
  const std::size_t count = Count(signature);
  if (positional > count) return std::to_string(positional) + " arguments";
  std::size_t given = std::min(positional, signature.required);
  for (const std::string_view name : named) {
    const std::size_t parameter =
        static_cast<std::size_t>(std::ranges::find(signature.parameters, name) - signature.parameters);
    if (parameter >= count || signature.positional) return "an argument \"" + std::string(name) + '"';
    if (parameter < positional) return "two values for \"" + std::string(name) + '"';
    if (parameter < signature.required) ++given;
  }
  if (given < signature.required) return "too few arguments";
  return {};
}

Result<Bound, Failure> Bind(const Signature& signature, const Arguments& arguments) {
  std::vector<std::string_view> named;
  for (const auto& [name, value] : arguments.named) named.push_back(name);
  if (std::string bad = BadCall(signature, arguments.positional.size(), named); !bad.empty())
    return Wrong(std::string(signature.name) + " is given " + bad, "the arguments it has");
  Bound out;
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) out.of[i] = arguments.positional[i];
  for (const auto& [name, value] : arguments.named)
    out.of[std::ranges::find(signature.parameters, name) - signature.parameters] = value;
  return out;
}

bool IsForeignGlobal(std::string_view name) { return InList("cycler joiner lipsum self super", name); }
bool IsForeignTag(std::string_view name) {
  return InList("autoescape block call extends filter from import include print with", name);
}

bool HasPythonAttribute(const Value& value, std::string_view name) {
  switch (value.kind()) {
    case Kind::kString:
      return InList(kStringAttributes, name);
    case Kind::kList:
      return InList(kListAttributes, name);
    case Kind::kTuple:
      return InList("count index", name);
    case Kind::kDict:
      return InList(kDictAttributes, name);
    case Kind::kBool:
    case Kind::kInt:
      return InList(kIntAttributes, name);
    case Kind::kFloat:
      return InList(kFloatAttributes, name);
    case Kind::kRange:
      return InList("count index start step stop", name);
    case Kind::kView:
      return InList("isdisjoint mapping", name);
    case Kind::kGenerator:
      return InList("close gi_code gi_frame gi_running gi_suspended gi_yieldfrom send throw", name);
    case Kind::kMacro:
      return InList("arguments caller catch_kwargs catch_varargs explicit_caller name", name);
    default:
      return false;
  }
}

bool IsHidden(const Value& value, std::string_view name) {
  if (value.Is(Kind::kList)) return InList(kListHidden, name);
  return value.Is(Kind::kDict) && InList(kDictHidden, name);
}

}  // namespace candor::text::jinja

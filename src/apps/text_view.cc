#include "apps/text_view.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "apps/table.h"
#include "base/utf8.h"
#include "candor/result.h"
#include "io/json.h"

namespace candor::apps {
namespace {

using io::Json;
constexpr std::size_t kCellWidth = 60;   // cells of tables
constexpr std::size_t kLineWidth = 100;  // a longer list stands one item a line

bool IsScalar(const Json& value) { return !value.is_array() && !value.is_object(); }

std::string Title(std::string_view key) {
  std::string title(key);
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

std::string Scalar(const Json& value, std::size_t width) {
  if (value.is_string()) return OneLine(value.as_string(), width);
  if (value.is_null()) return "-";
  if (value.is_bool()) return value.as_bool() ? "yes" : "no";
  return value.Dump();
}

// Where a problem stands: an object with members of Where and no others.
std::optional<Where> Place(const Json& value) {
  if (!value.is_object() || value.members().empty()) return std::nullopt;
  Where where;
  const std::pair<std::string_view, std::string*> texts[] = {{"file", &where.file},
                                                             {"pointer", &where.pointer},
                                                             {"tensor", &where.tensor},
                                                             {"option", &where.option},
                                                             {"field", &where.field}};
  for (const io::JsonMember& member : value.members()) {
    const auto text = std::find_if(std::begin(texts), std::end(texts),
                                   [&](const auto& known) { return known.first == member.key; });
    if (text != std::end(texts) && member.value.is_string()) {
      *text->second = member.value.as_string();
    } else if (member.key == "line" && member.value.kind() == Json::Kind::kInt) {
      where.line = member.value.as_int();
    } else {
      return std::nullopt;
    }
  }
  return where;
}

// A value in one cell: lists of scalars with commas, anything deeper as JSON.
std::string Cell(const Json& value, std::size_t width) {
  if (IsScalar(value)) return Scalar(value, width);
  if (const auto place = Place(value)) return OneLine(ToString(*place), width);
  if (!value.is_array() || !std::all_of(value.items().begin(), value.items().end(), IsScalar)) {
    return OneLine(value.Dump(), width);
  }
  std::string cell;
  for (const Json& item : value.items()) {
    if (!cell.empty()) cell += ", ";
    cell += Scalar(item, width);
  }
  return OneLine(cell.empty() ? "none" : cell, width);
}

bool All(const Json& value, bool (Json::*is)() const) {
  const auto items = value.items();
  return std::all_of(items.begin(), items.end(), [is](const Json& item) { return (item.*is)(); });
}

bool IsInline(const Json& value) {
  if (IsScalar(value)) return true;
  if (value.is_object()) return value.members().empty() || Place(value);
  return value.items().empty() ||
         (!All(value, &Json::is_object) && CountUtf8(Cell(value, kLineWidth)) <= kLineWidth);
}

std::string Rows(const Json& list, const std::string& indent) {
  std::vector<std::string> keys;
  for (const Json& item : list.items()) {
    for (const io::JsonMember& member : item.members()) {
      if (std::find(keys.begin(), keys.end(), member.key) == keys.end()) keys.emplace_back(member.key);
    }
  }
  Table table;
  for (const std::string& key : keys) {
    const bool numbers = std::all_of(list.items().begin(), list.items().end(), [&](const Json& item) {
      const Json* value = item.Find(key);
      return value == nullptr || value->is_number();
    });
    table.Column(Title(key), numbers ? Table::Align::kRight : Table::Align::kLeft);
  }
  for (const Json& item : list.items()) {
    std::vector<std::string> cells;
    for (const std::string& key : keys) {
      const Json* value = item.Find(key);
      cells.push_back(value == nullptr ? "" : Cell(*value, kCellWidth));
    }
    table.Row(std::move(cells));
  }
  return table.Text(indent);
}

std::string Lines(const Json& list, const std::string& indent) {
  std::string text;
  for (const Json& item : list.items()) text += indent + Cell(item, kLineWidth) + '\n';
  return text;
}

std::string View(const Json& object, const std::string& indent);

std::string Section(const Json& value, const std::string& indent) {
  if (value.is_object()) return View(value, indent);
  return All(value, &Json::is_object) ? Rows(value, indent) : Lines(value, indent);
}

std::string View(const Json& object, const std::string& indent) {
  Table inlined;
  inlined.Column("").Column("");
  for (const io::JsonMember& member : object.members()) {
    if (IsInline(member.value)) inlined.Row({Title(member.key), Cell(member.value, kLineWidth)});
  }
  std::string text = inlined.Text(indent);
  for (const io::JsonMember& member : object.members()) {
    if (IsInline(member.value)) continue;
    if (indent.empty() && !text.empty()) text += '\n';
    text += indent + Title(member.key);
    if (member.value.is_array()) text += " (" + std::to_string(member.value.items().size()) + ')';
    text += '\n';
    text += Section(member.value, indent + "  ");
  }
  return text;
}

}  // namespace

std::string TextView(std::string_view json) {
  const auto parsed = io::ParseJson(json, "answer");
  if (!parsed || !parsed.value().is_object()) return std::string(json);
  return View(parsed.value(), "");
}

}  // namespace candor::apps

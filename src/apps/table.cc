#include "apps/table.h"

#include <algorithm>
#include <cstdio>

#include "base/utf8.h"

namespace candor::apps {
namespace {

void AppendCell(std::string& line, const std::string& cell, std::size_t width, Table::Align align) {
  const std::size_t length = CountUtf8(cell);
  const std::string pad(width > length ? width - length : 0, ' ');
  line += align == Table::Align::kRight ? pad + cell : cell + pad;
}

}  // namespace

Table& Table::Column(std::string_view title, Align align) {
  titles_.emplace_back(title);
  aligns_.push_back(align);
  return *this;
}

Table& Table::Row(std::vector<std::string> cells) {
  cells.resize(titles_.size());
  rows_.push_back(std::move(cells));
  return *this;
}

std::string Table::Text(std::string_view indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < titles_.size(); ++c) {
    std::size_t width = CountUtf8(titles_[c]);
    for (const auto& row : rows_) width = std::max(width, CountUtf8(row[c]));
    widths.push_back(width);
  }
  std::string text;
  const auto add = [&](const std::vector<std::string>& cells) {
    std::string line(indent);
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) line += "  ";
      AppendCell(line, cells[c], widths[c], aligns_[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  if (std::any_of(titles_.begin(), titles_.end(), [](const std::string& t) { return !t.empty(); }))
    add(titles_);
  for (const auto& row : rows_) add(row);
  return text;
}

std::string OneLine(std::string_view text, std::size_t width) {
  std::string line;
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = DecodeUtf8(text, at);
    if (++count > width) {
      return line + "…";
    }
    const bool control = point.value < 0x20 || (point.value >= 0x7f && point.value < 0xa0);
    if (control || !IsScalarValue(point.value)) {
      line += ' ';
    } else {
      line.append(text.substr(at, point.bytes));
    }
    at += point.bytes;
  }
  return line;
}

std::string Fixed(double value, int digits) {
  char buffer[400];
  const int length = std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return std::string(buffer, static_cast<std::size_t>(std::clamp(length, 0, 399)));
}

}  // namespace candor::apps

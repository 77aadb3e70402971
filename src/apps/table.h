// Table: aligned columns for people.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace candor::apps {

class Table {
 public:
  enum class Align { kLeft, kRight };
  Table& Column(std::string_view title, Align align = Align::kLeft);
  Table& Row(std::vector<std::string> cells);  // as many as columns
  // Two blanks between columns; titles are left out when all are empty.
  std::string Text(std::string_view indent = {}) const;

 private:
  std::vector<std::string> titles_;
  std::vector<Align> aligns_;
  std::vector<std::vector<std::string>> rows_;
};

// One line of at most `width` code points: line breaks and other controls become blanks, the end becomes "…".
std::string OneLine(std::string_view text, std::size_t width);
std::string Fixed(double value, int digits);

}  // namespace candor::apps

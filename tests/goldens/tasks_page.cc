#include "tasks_page.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace candor::goldens {

std::set<std::string> NamedFamilies(std::string_view title) {
  std::ifstream in(std::filesystem::path(CANDOR_SOURCE_DIR) / "docs" / "tasks.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  const std::size_t begin = page.find(title), end = page.find("Goldens:", begin);
  std::set<std::string> named;
  if (begin == std::string::npos || end == std::string::npos) return named;
  for (std::size_t open = page.find('`', begin); open < end;) {
    const std::size_t close = page.find('`', open + 1);
    named.insert(page.substr(open + 1, close - open - 1));
    open = page.find('`', close + 1);
  }
  return named;
}

}  // namespace candor::goldens

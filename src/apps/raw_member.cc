#include "apps/raw_member.h"

#include <cstddef>

namespace candor::apps {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Past the string that starts at `at`.
std::size_t StringEnd(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at + 1;
}

// Past the value that starts at `at`: where a comma or a bracket of the enclosing object stands.
std::size_t ValueEnd(std::string_view json, std::size_t at) {
  for (std::size_t depth = 0; at < json.size();) {
    const char c = json[at];
    if (depth == 0 && (c == ',' || c == '}')) break;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    at = c == '"' ? StringEnd(json, at) : at + 1;
  }
  return at;
}

}  // namespace

std::string_view RawMember(std::string_view object, std::string_view key) {
  std::size_t at = object.find('{');
  while (at != std::string_view::npos && at < object.size() && object[at] != '}') {
    const std::size_t name = object.find('"', at);
    if (name == std::string_view::npos) break;
    const std::size_t name_end = StringEnd(object, name);
    const std::size_t colon = object.find(':', name_end);
    const std::size_t value =
        object.find_first_not_of(kBlanks, colon == std::string_view::npos ? colon : colon + 1);
    if (value == std::string_view::npos) break;
    const std::size_t end = ValueEnd(object, value);
    if (object.substr(name + 1, name_end - name - 2) == key) {
      const std::string_view raw = object.substr(value, end - value);
      return raw.substr(0, raw.find_last_not_of(kBlanks) + 1);
    }
    at = end;
  }
  return {};
}

}  // namespace candor::apps

// A template's text as tokens, cut exactly as jinja2 cuts it with trim_blocks and lstrip_blocks.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/templates/failure.h"

namespace candor::text::jinja {

struct Token {
  enum class Type : std::uint8_t {
    kData,
    kOpen,
    kClose,
    kBlockOpen,
    kBlockClose,
    kName,
    kString,
    kInt,
    kFloat,
    kOperator,
    kEnd
  };
  Type type = Type::kEnd;
  std::int64_t line = 1;
  std::size_t begin = 0, end = 0;  // in the normalised source
  std::string text = {};           // data, a name, an operator; a string with its escapes resolved
  std::int64_t whole = 0;
  double real = 0;

  bool Is(Type t, std::string_view what) const { return type == t && text == what; }
  bool IsName(std::string_view name) const { return Is(Type::kName, name); }
  bool IsOperator(std::string_view op) const { return Is(Type::kOperator, op); }
};

// The text as jinja2 takes it: line ends as \n, without the last one.
std::string NormalizeSource(std::string_view text);
// The last token is kEnd. `source` is valid UTF-8.
Result<std::vector<Token>, Failure> Tokenize(std::string_view source);

// What Python's \s, str.isspace and str.strip take for white space.
bool IsPythonSpace(char32_t c);
std::string_view StripLeft(std::string_view text);
std::string_view StripRight(std::string_view text);

}  // namespace candor::text::jinja

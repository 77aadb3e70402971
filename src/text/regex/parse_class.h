// Sets of code points as a pattern writes them: escapes, properties, brackets.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "text/regex/code_point_set.h"

namespace candor::text {

// Reads from `at` on and moves it. After a failure `found` says what is not supported.
struct PatternReader {
  std::string_view in;
  std::size_t at = 0;
  std::string found;

  bool done() const { return at == in.size(); }
  bool Starts(std::string_view with) const { return in.substr(at).starts_with(with); }
  bool Take(std::string_view what) {
    if (!Starts(what)) return false;
    at += what.size();
    return true;
  }
  char32_t TakePoint();
  std::nullopt_t Fail(std::string what) {
    if (found.empty()) found = std::move(what);
    return std::nullopt;
  }
};

// One escaped character or set, behind the backslash. A set outside of a bracket and inside differ in \w.
struct Escaped {
  CodePointSet set;
  std::optional<char32_t> one;  // when it is a character
};
std::optional<Escaped> ReadEscape(PatternReader& reader, bool in_bracket);
// A bracket expression, behind its first "[".
std::optional<CodePointSet> ReadBracket(PatternReader& reader, bool ignore_case);
// The character in both cases; nothing when it is not ASCII, where case is more than a pair of letters.
std::optional<CodePointSet> IgnoringCase(char32_t c);

}  // namespace candor::text

// Failure: a problem before its place is known. The first node that it passes adds line and expression.
#pragma once
#include <cstddef>
#include <string>
#include <utility>

#include "candor/result.h"
#include "text/templates/value.h"

namespace candor::text::jinja {

struct Failure {
  Code code = Code::kInvalidInput;
  std::string what;     // "'x' is undefined"
  std::string allowed;  // what would have been accepted
  // Of the expression or the tag in the template's text; line 0: not placed yet.
  std::int64_t line = 0;
  std::size_t begin = 0, end = 0;
};

using Got = Result<Value, Failure>;
using Done = Result<void, Failure>;

// What the reference refuses too: the template and the request do not go together.
inline Failure Wrong(std::string what, std::string allowed = "a request that the template accepts") {
  return {Code::kInvalidInput, std::move(what), std::move(allowed)};
}
// What the reference answers and we do not.
inline Failure Unsupported(std::string what, std::string allowed) {
  return {Code::kUnsupportedProcessorRecipe, std::move(what), std::move(allowed)};
}
inline Failure TooMuch(std::string what, std::string allowed) {
  return {Code::kInputTooLarge, std::move(what), std::move(allowed)};
}
// What no template engine reads.
inline Failure Malformed(std::string what, std::string allowed) {
  return {Code::kArtifactMalformed, std::move(what), std::move(allowed)};
}

// The failure as an error: file and line, then "`expression`: what".
Error Placed(const Failure& failure, const std::string& source, const Where& place, Phase phase);
// A piece of a template for a message: one line, cut short.
std::string Shown(std::string_view text);

}  // namespace candor::text::jinja

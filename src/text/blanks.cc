// Counting from both ends; a token of blanks alone has all of them at either.
#include "text/blanks.h"

#include <algorithm>

#include "text/byte_alphabet.h"
#include "text/normalized.h"

namespace candor::text {
namespace {

bool IsBlank(char32_t c) { return c == kBlankCharacter || Is(c, kSpace); }

}  // namespace

Blanks CountBlanks(std::string_view token) {
  Blanks out;
  std::int32_t run = 0;  // of blanks, up to here
  bool only = true;      // nothing else so far
  for (std::size_t at = 0; at < token.size();) {
    const CodePoint point = CodePointAt(token, at);
    at += point.bytes;
    if (IsBlank(point.value)) {
      ++run;
      out.leading += only;
    } else {
      run = 0;
      only = false;
    }
  }
  out.trailing = run;
  return out;
}

TokenBlanks::TokenBlanks(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
  const std::size_t most = 2 * vocabulary.size() + 1024;
  const auto largest = static_cast<std::size_t>(std::int64_t{vocabulary.largest_id()} + 1);
  by_id_.resize(std::min(most, largest));
  vocabulary.Each([this](std::string_view token, std::int32_t id) {
    const auto at = static_cast<std::size_t>(id);
    if (at < by_id_.size()) by_id_[at] = CountBlanks(token);
  });
}

}  // namespace candor::text

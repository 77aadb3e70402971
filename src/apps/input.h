// Input: what the caller wants answered, read whole and checked before the first answer.
//
// A line that is not JSON, not UTF-8, or has an unknown, duplicate, missing or wrongly typed key is the run's
// error; all such lines are reported together (up to a limit). An item that is well-formed but cannot be
// answered keeps its error and its place.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/options.h"
#include "candor/result.h"
#include "candor/types.h"

namespace candor::apps {

struct Item {
  std::int64_t line = 0;  // in the file, from 1; 0 when it came from the command line
  std::string id;         // as JSON; empty: none
  Content content;
  std::optional<std::string> pair;
  std::vector<std::string> documents;
  std::optional<Error> error;  // known before running
};

enum class LineForm : std::uint8_t {
  kText,       // {"text"} or {"ids"}
  kTextPair,   // {"text"}, {"text","pair"}
  kDocuments,  // {"text","documents"} or {"query","documents"}; plain texts: the first against the rest
};

// `input` holds the bytes of a JSON Lines file, or of a text file with one item a line.
Planned<std::vector<Item>> ParseJsonLines(std::string_view input, LineForm form);
Planned<std::vector<Item>> ParseTextLines(std::string_view input, LineForm form);
// From --text, --input or standard input. `stdin_is_terminal`: then nothing is waited for.
Planned<std::vector<Item>> ReadItems(const Options& options, LineForm form, bool stdin_is_terminal);

// The whole of the file that an option names; "-" is standard input.
Result<std::string> ReadFileOf(const char* option, const std::string& name);

}  // namespace candor::apps

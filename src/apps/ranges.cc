#include "apps/ranges.h"

#include "io/json.h"

namespace candor::apps {

Result<std::vector<float>> ParseRanges(std::string_view json, const std::string& name) {
  const auto wrong = [&](std::string found) {
    return Error{Code::kInvalidInput, Where::Option("ranges"), name + ": " + std::move(found),
                 "two lists of as many numbers: the least of each dimension, then the most of each"};
  };
  const auto document = io::ParseJson(json, name);
  if (!document) return wrong(Message(document.error()));
  if (!document->is_array() || document->items().size() != 2)
    return wrong(document->is_array() ? std::to_string(document->items().size()) + " entries"
                                      : std::string(document->KindName()));
  std::vector<float> ranges;
  for (const io::Json& list : document->items()) {
    if (!list.is_array()) return wrong(std::string(list.KindName()) + " in the place of a list");
    for (const io::Json& value : list.items()) {
      if (!value.is_number()) return wrong(value.Dump() + " in the place of a number");
      ranges.push_back(static_cast<float>(value.as_real()));
    }
  }
  if (document->items()[0].items().size() != document->items()[1].items().size())
    return wrong("lists of " + std::to_string(document->items()[0].items().size()) + " and " +
                 std::to_string(document->items()[1].items().size()) + " numbers");
  return ranges;
}

}  // namespace candor::apps

#include "io/two_lists.h"

#include "io/json.h"

namespace candor::io {

Result<std::vector<float>> ParseTwoLists(std::string_view json, const std::string& name) {
  const auto wrong = [&](std::string found) {
    return Error{Code::kInvalidInput, {}, name + ": " + std::move(found), "two lists of as many numbers"};
  };
  const auto document = ParseJson(json, name);
  if (!document) return wrong(Message(document.error()));
  if (!document->is_array() || document->items().size() != 2)
    return wrong(document->is_array() ? std::to_string(document->items().size()) + " entries"
                                      : std::string(document->KindName()));
  std::vector<float> numbers;
  for (const Json& list : document->items()) {
    if (!list.is_array()) return wrong(std::string(list.KindName()) + " in the place of a list");
    for (const Json& value : list.items()) {
      if (!value.is_number()) return wrong(value.Dump() + " in the place of a number");
      numbers.push_back(static_cast<float>(value.as_real()));
    }
  }
  if (document->items()[0].items().size() != document->items()[1].items().size())
    return wrong("lists of " + std::to_string(document->items()[0].items().size()) + " and " +
                 std::to_string(document->items()[1].items().size()) + " numbers");
  return numbers;
}

}  // namespace candor::io

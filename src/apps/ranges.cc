#include "apps/ranges.h"

#include "io/two_lists.h"

namespace candor::apps {

Result<std::vector<float>> ParseRanges(std::string_view json, const std::string& name) {
  auto ranges = io::ParseTwoLists(json, name);
  if (ranges) return ranges;
  Error wrong = ranges.error();
  wrong.where = Where::Option("ranges");
  wrong.allowed += ": the least of each dimension, then the most of each";
  return wrong;
}

}  // namespace candor::apps

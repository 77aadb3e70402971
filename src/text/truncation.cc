// The arithmetic of the strategies, and where the library gives up.
#include "text/truncation.h"

#include <algorithm>
#include <string>

namespace candor::text {
namespace {

using Counts = std::pair<std::size_t, std::size_t>;

Counts LongestFirst(std::size_t first, std::size_t second, std::size_t room) {
  const bool swapped = first > second;
  std::size_t shorter = std::min(first, second);
  std::size_t longer = shorter > room ? shorter : std::max(shorter, room - shorter);
  if (shorter + longer > room) {
    shorter = room / 2;
    longer = shorter + room % 2;
  }
  return swapped ? Counts(longer, shorter) : Counts(shorter, longer);
}

}  // namespace

Result<Counts> Truncate(std::size_t first, std::optional<std::size_t> second, std::size_t room,
                        TruncationStrategy strategy) {
  if (room == 0) return Counts(0, 0);
  const std::size_t all = first + second.value_or(0);
  if (all <= room) return Counts(first, second.value_or(0));
  if (strategy == TruncationStrategy::kLongestFirst) {
    return second ? LongestFirst(first, *second, room) : Counts(room, 0);
  }
  const bool only_first = strategy == TruncationStrategy::kOnlyFirst;
  if (!only_first && !second) {
    return Error{.code = Code::kUnsupportedOption,
                 .where = Where::Option("truncation"),
                 .found = "only_second, for one text",
                 .allowed = "longest_first, only_first"};
  }
  const std::size_t target = only_first ? first : *second, excess = all - room;
  if (target <= excess) {
    return Error{.code = Code::kInputTooLarge,
                 .where = Where::Option("truncation"),
                 .found = std::string(only_first ? "only_first" : "only_second") + ", to take " +
                          std::to_string(excess) + " tokens from a text of " + std::to_string(target),
                 .allowed = "at least one token left of the text"};
  }
  return only_first ? Counts(first - excess, second.value_or(0)) : Counts(first, *second - excess);
}

}  // namespace candor::text

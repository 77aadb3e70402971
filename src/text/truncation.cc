// The arithmetic of longest_first.
#include "text/truncation.h"

#include <algorithm>

namespace candor::text {

std::pair<std::size_t, std::size_t> LongestFirst(std::size_t first, std::optional<std::size_t> second,
                                                 std::size_t room) {
  if (!second) return {std::min(first, room), 0};
  if (first + *second <= room) return {first, *second};
  const bool swapped = first > *second;
  std::size_t shorter = std::min(first, *second);
  std::size_t longer = shorter > room ? shorter : std::max(shorter, room - shorter);
  if (shorter + longer > room) {
    shorter = room / 2;
    longer = shorter + room % 2;
  }
  return swapped ? std::pair(longer, shorter) : std::pair(shorter, longer);
}

}  // namespace candor::text

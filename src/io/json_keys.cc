// SortedByKey of json_nested.h: the order that look-up and the check for duplicate keys share.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "io/json_nested.h"

namespace candor::io {
namespace {

using Slot = std::pair<std::uint64_t, std::uint32_t>;  // a key's prefix, the member's index

// Below it clearing the digits' counters costs more than comparing.
constexpr std::size_t kRadixFrom = 512;

// The first eight bytes as a number that orders as the text does: most keys of a vocabulary differ there, and
// a number is compared without following a pointer.
std::uint64_t Prefix(const std::string& key) {
  std::uint64_t prefix = 0;
  std::memcpy(&prefix, key.data(), std::min<std::size_t>(key.size(), 8));
  return __builtin_bswap64(prefix);
}

// Byte by byte from the last, keeping equal slots in order. A vocabulary of 30,522 keys takes a quarter of
// what std::sort does; a hash table would be as fast, but its time is in the hands of who wrote the file.
void RadixSort(std::vector<Slot>& slots) {
  std::vector<Slot> sorted(slots.size());
  for (int shift = 0; shift < 64; shift += 8) {
    std::array<std::uint32_t, 257> starts{};
    const auto digit = [&](const Slot& slot) { return (slot.first >> shift) & 0xff; };
    for (const Slot& slot : slots) ++starts[digit(slot) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (const Slot& slot : slots) sorted[starts[digit(slot)]++] = slot;
    slots.swap(sorted);
  }
}

}  // namespace

std::vector<std::uint32_t> SortedByKey(const std::vector<JsonMember>& members) {
  std::vector<Slot> slots;
  slots.reserve(members.size());
  for (std::uint32_t i = 0; i < members.size(); ++i) slots.emplace_back(Prefix(members[i].key), i);
  if (slots.size() < kRadixFrom) {
    std::sort(slots.begin(), slots.end());
  } else {
    RadixSort(slots);
  }
  const auto by_key = [&](const Slot& a, const Slot& b) {
    const int order = members[a.second].key.compare(members[b.second].key);
    return order != 0 ? order < 0 : a.second < b.second;
  };
  for (auto first = slots.begin(); first != slots.end();) {
    const auto other = [&](const Slot& slot) { return slot.first != first->first; };
    const auto last = std::find_if(first + 1, slots.end(), other);
    if (last - first > 1) std::sort(first, last, by_key);
    first = last;
  }
  std::vector<std::uint32_t> sorted;
  sorted.reserve(slots.size());
  for (const auto& [prefix, index] : slots) sorted.push_back(index);
  return sorted;
}

}  // namespace candor::io

// An object's keys: the order or the table that look-up and the check for duplicates share.
#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "io/json_document.h"

namespace candor::io {
namespace {

// Places looked at while a table is built, per key. Honest keys need two; a file whose author knows the hash
// is sorted instead.
constexpr std::size_t kProbes = 16;

std::uint64_t Mix(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint32_t Tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

std::uint64_t KeyHash(std::string_view key) {
  constexpr std::uint64_t kOdd = 0x9fb21c651e98df25u, kOther = 0xa0761d6478bd642fu;
  std::uint64_t hash = kOther + key.size();
  for (; key.size() >= 8; key.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, key.data(), 8);
    hash = Mix(hash ^ word, kOdd);
  }
  std::uint64_t rest = 0;
  if (!key.empty()) std::memcpy(&rest, key.data(), key.size());
  return Mix(Mix(hash ^ rest, kOdd) ^ kOther, kOdd);
}

std::size_t KeySlots(std::size_t members) { return std::bit_ceil(members + members / 2 + 1); }

KeyIndex HashKeys(std::span<const JsonMember> members, std::span<KeySlot> slots) {
  std::fill(slots.begin(), slots.end(), KeySlot{0, 0});
  const std::size_t mask = slots.size() - 1;
  std::size_t left = (members.size() + 4) * kProbes;
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    const std::string_view key = members[i].key;
    const std::uint64_t hash = KeyHash(key);
    std::size_t at = hash & mask;
    for (; slots[at].member != 0; at = (at + 1) & mask) {
      if (slots[at].tag == Tag(hash) && members[slots[at].member - 1].key == key) {
        return {.built = true, .duplicate = i + 1};
      }
      if (--left == 0) return {};
    }
    slots[at] = {Tag(hash), i + 1};
  }
  return {.built = true};
}

const JsonMember* FindHashed(std::span<const JsonMember> members, const KeySlot* slots,
                             std::string_view key) {
  const std::size_t mask = KeySlots(members.size()) - 1;
  const std::uint64_t hash = KeyHash(key);
  for (std::size_t at = hash & mask; slots[at].member != 0; at = (at + 1) & mask) {
    const JsonMember& member = members[slots[at].member - 1];
    if (slots[at].tag == Tag(hash) && member.key == key) return &member;
  }
  return nullptr;
}

KeyIndex SortKeys(std::span<const JsonMember> members, std::span<std::uint32_t> sorted) {
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int order = members[a].key.compare(members[b].key);
    return order != 0 ? order < 0 : a < b;
  });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (members[sorted[i - 1]].key == members[sorted[i]].key) return {true, sorted[i] + 1};
  }
  return {.built = true};
}

const JsonMember* FindSorted(std::span<const JsonMember> members, const std::uint32_t* sorted,
                             std::string_view key) {
  const std::uint32_t* end = sorted + members.size();
  const auto less = [&](std::uint32_t index, std::string_view k) { return members[index].key < k; };
  const std::uint32_t* at = std::lower_bound(sorted, end, key, less);
  return at == end || members[*at].key != key ? nullptr : &members[*at];
}

}  // namespace candor::io

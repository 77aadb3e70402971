// Reading a charsmap and proving it sound, once, so that look-ups need no checks.
//
// The layout is Darts-clone's: a unit has a label in its low byte (bit 31 marks a value), bit 8 says that a
// value hangs below it, and the rest is how far away its children start.
#include "text/normalizers/charsmap.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "text/limits.h"

namespace candor::text {
namespace {

constexpr std::uint32_t kValueBit = 1u << 31;
constexpr std::uint32_t kValues = kValueBit - 1;

std::uint32_t LabelOf(std::uint32_t unit) { return unit & (kValueBit | 0xffu); }
bool HasValue(std::uint32_t unit) { return (unit >> 8 & 1u) != 0; }
std::uint32_t OffsetOf(std::uint32_t unit) { return unit >> 10 << ((unit & 1u << 9) >> 6); }

std::uint32_t ReadUnit(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    out |= std::uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return out;
}

}  // namespace

std::optional<Charsmap> Charsmap::Read(std::string_view bytes, std::string& fault) {
  const std::string size = std::to_string(bytes.size()) + " bytes";
  if (bytes.size() < 4) {
    fault = size + ", too few for the size of a trie";
    return std::nullopt;
  }
  const std::size_t trie = ReadUnit(bytes, 0);
  if (trie == 0 || trie % 4 != 0 || trie > bytes.size() - 4) {
    fault = "a trie of " + std::to_string(trie) + " bytes in " + size;
    return std::nullopt;
  }
  Charsmap map;
  map.units_.reserve(trie / 4);
  for (std::size_t at = 0; at < trie; at += 4) map.units_.push_back(ReadUnit(bytes, 4 + at));
  map.strings_ = bytes.substr(4 + trie);
  if (!IsUtf8(map.strings_)) {
    fault = "strings that are not UTF-8";
    return std::nullopt;
  }
  if (!map.Check(fault)) return std::nullopt;
  map.FindCharacters();
  return map;
}

// Goes through every unit that a text of kMaxKeyBytes can reach, level by level, each once a level: units may
// be shared by several parents, and a damaged trie may lead back into itself.
bool Charsmap::Check(std::string& fault) {
  const auto size = static_cast<std::uint32_t>(units_.size());
  const auto has_room = [&](std::uint32_t base) { return (base | 0xffu) < size; };  // for all its children
  if (!has_room(OffsetOf(units_[0])) || (LabelOf(units_[0]) != 0 && LabelOf(units_[0]) <= 0xff)) {
    fault = "a trie of " + std::to_string(size) + " units whose first is no root";
    return false;
  }
  // Children by their base, which a unit's place and label tell: lists, so that the work is one step a unit.
  std::vector<std::uint32_t> first(size, 0), next(size, 0);
  for (std::uint32_t unit = 1; unit < size; ++unit) {
    const std::uint32_t label = LabelOf(units_[unit]);
    if (label == 0 || label > 0xff || (unit ^ label) >= size) continue;
    next[unit] = first[unit ^ label];
    first[unit ^ label] = unit;
  }
  std::vector<std::uint8_t> seen(size, 0);  // on which level last
  std::vector<std::uint32_t> bases = {OffsetOf(units_[0])}, below;
  for (std::uint8_t depth = 1; depth <= kMaxKeyBytes; ++depth) {
    below.clear();
    for (const std::uint32_t base : bases) {
      for (std::uint32_t unit = first[base]; unit != 0; unit = next[unit]) {
        const std::uint32_t to = unit ^ OffsetOf(units_[unit]);
        if (!has_room(to)) {
          fault = "a trie of " + std::to_string(size) + " units whose unit " + std::to_string(unit) +
                  " points outside";
          return false;
        }
        if (HasValue(units_[unit])) {
          const std::uint32_t at = units_[to] & kValues;
          if (at > strings_.size() ||
              (at < strings_.size() && (static_cast<unsigned char>(strings_[at]) & 0xc0) == 0x80)) {
            fault = "a replacement at byte " + std::to_string(at) + " of " + std::to_string(strings_.size());
            return false;
          }
          // Looked at no further than matters: strings may share their ends.
          const std::size_t most = kMaxKeyBytes * kMaxGrowth + 1;
          const std::size_t length =
              std::min(std::string_view(strings_).substr(at, most).find('\0'), strings_.size() - at);
          const std::size_t times = (std::min(length, most) + depth - 1) / depth;
          growth_ = std::max(growth_, std::min(times, kMaxGrowth + 1));
        }
        if (seen[to] != depth) below.push_back(to);
        seen[to] = depth;
      }
    }
    std::swap(bases, below);
  }
  return true;
}

std::uint32_t Charsmap::Child(std::uint32_t base, std::uint8_t label) const {
  const std::uint32_t unit = base ^ label;
  return label != 0 && LabelOf(units_[unit]) == label ? unit : 0;
}

std::optional<std::string_view> Charsmap::OfText(std::string_view text) const {
  std::uint32_t base = OffsetOf(units_[0]);
  for (const char c : text) {
    const std::uint32_t unit = Child(base, static_cast<std::uint8_t>(c));
    if (unit == 0) return std::nullopt;
    base = unit ^ OffsetOf(units_[unit]);
    if (HasValue(units_[unit])) return StringAt(units_[base] & kValues);
  }
  return std::nullopt;
}

// Walks all keys that are characters or the first bytes of some; three bytes deep at the most below the
// first.
void Charsmap::FindCharacters() {
  block_of_.assign(0x110000 / kBlock, 0);
  found_.assign(kBlock, 0);
  struct Prefix {
    std::uint32_t base;
    char32_t bits;   // of the character so far
    unsigned more;   // bytes still to come
    char32_t least;  // of the characters of so many bytes
  };
  std::vector<Prefix> open;
  const auto take = [&](std::uint32_t unit, char32_t bits, unsigned more, char32_t least) {
    const std::uint32_t base = unit ^ OffsetOf(units_[unit]);
    if (!HasValue(units_[unit])) {
      if (more > 0) open.push_back({base, bits, more, least});
      return;
    }
    const std::uint32_t value = 1 + (units_[base] & kValues);
    const char32_t end = std::min<char32_t>((bits + 1) << (6 * more), 0x110000);
    for (char32_t c = std::max<char32_t>(least, bits << (6 * more)); c < end; ++c) {
      std::uint16_t& block = block_of_[c / kBlock];
      if (block == 0) {
        block = static_cast<std::uint16_t>(found_.size() / kBlock);
        found_.resize(found_.size() + kBlock, 0);
      }
      found_[block * kBlock + c % kBlock] = value;
    }
  };
  const std::uint32_t root = OffsetOf(units_[0]);
  for (unsigned byte = 1; byte < 0xf5; ++byte) {
    if (byte >= 0x80 && byte < 0xc2) continue;
    const std::uint32_t unit = Child(root, static_cast<std::uint8_t>(byte));
    if (unit == 0) continue;
    const unsigned more = byte < 0x80 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    constexpr std::array<char32_t, 4> kLeast = {0, 0x80, 0x800, 0x10000};
    take(unit, more == 0 ? byte : byte & (0x3fu >> more), more, kLeast[more]);
  }
  while (!open.empty()) {
    const Prefix prefix = open.back();
    open.pop_back();
    for (unsigned low = 0; low < 64; ++low) {
      const char32_t bits = prefix.bits << 6 | low;
      if (bits << (6 * (prefix.more - 1)) > 0x10ffff) break;
      const std::uint32_t unit = Child(prefix.base, static_cast<std::uint8_t>(0x80 | low));
      if (unit != 0) take(unit, bits, prefix.more - 1, prefix.least);
    }
  }
}

}  // namespace candor::text

// Open addressing with linear probing; for hashes that collide, a binary search.
#include "text/models/vocabulary.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace candor::text {
namespace {

// The multiplicative hash is weak in its low bits; the fold brings the high ones down.
std::uint64_t Fold(std::uint64_t hash) { return hash ^ (hash >> 29); }
// Honest tokens are a few dozen places from theirs at most, in a table that is half full.
constexpr std::size_t kMostLooked = 1024;
std::uint32_t Tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

void Vocabulary::Reserve(std::size_t tokens, std::size_t bytes) {
  entries_.reserve(tokens);
  bytes_.reserve(bytes);
}

void Vocabulary::Add(std::string_view token, std::int32_t id) {
  entries_.push_back({bytes_.size(), static_cast<std::uint32_t>(token.size()), id});
  bytes_ += token;
  longest_ = std::max(longest_, token.size());
}

void Vocabulary::Seal() {
  if (!SealHashed()) SealSorted();
  const auto before = [this](std::uint32_t a, std::uint32_t b) { return entries_[a].id < entries_[b].id; };
  by_id_.resize(entries_.size());
  std::iota(by_id_.begin(), by_id_.end(), 0u);
  if (std::is_sorted(by_id_.begin(), by_id_.end(), before)) {
    largest_id_ = entries_.empty() ? -1 : entries_.back().id;
    by_id_ = {};
    return;
  }
  std::stable_sort(by_id_.begin(), by_id_.end(), before);
  largest_id_ = entries_[by_id_.back()].id;
}

// False when a token is too far from its place.
bool Vocabulary::SealHashed() {
  slots_.assign(std::bit_ceil(entries_.size() * 2 + 2), Slot{0, 0});
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::uint64_t hash = Hash(Text(entries_[i]));
    std::size_t at = Fold(hash) & mask;
    for (std::size_t looked = 0; slots_[at].entry != 0; at = (at + 1) & mask) {
      if (slots_[at].tag == Tag(hash) && Text(entries_[slots_[at].entry - 1]) == Text(entries_[i])) break;
      if (++looked == kMostLooked) return false;
    }
    slots_[at] = {Tag(hash), static_cast<std::uint32_t>(i + 1)};
  }
  return true;
}

void Vocabulary::SealSorted() {
  slots_ = {};
  by_text_.resize(entries_.size());
  std::iota(by_text_.begin(), by_text_.end(), 0u);
  // Of equal tokens the last comes first, which is the one that a search finds.
  std::sort(by_text_.begin(), by_text_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const int order = Text(entries_[a]).compare(Text(entries_[b]));
    return order != 0 ? order < 0 : a > b;
  });
}

std::int32_t Vocabulary::FindSorted(std::string_view token) const {
  const auto at = std::lower_bound(
      by_text_.begin(), by_text_.end(), token,
      [this](std::uint32_t entry, std::string_view text) { return Text(entries_[entry]) < text; });
  return at == by_text_.end() || Text(entries_[*at]) != token ? kAbsent : entries_[*at].id;
}

std::int32_t Vocabulary::Find(std::string_view prefix, std::string_view rest, std::uint64_t hash) const {
  if (slots_.empty()) return FindSorted(std::string(prefix).append(rest));
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = Fold(hash) & mask; slots_[at].entry != 0; at = (at + 1) & mask) {
    if (slots_[at].tag != Tag(hash)) continue;
    const Entry& entry = entries_[slots_[at].entry - 1];
    const std::string_view text = Text(entry);
    if (text.size() == prefix.size() + rest.size() && text.starts_with(prefix) && text.ends_with(rest)) {
      return entry.id;
    }
  }
  return kAbsent;
}

void Vocabulary::FindAll(std::span<const Query> queries, std::span<std::int32_t> ids) const {
  // Slot, entry and text are each a wait for memory; asked for in turns, those of a block overlap.
  constexpr std::size_t kBlock = 48;
  if (slots_.empty()) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      ids[i] = Find(queries[i].prefix, queries[i].rest, queries[i].hash);
    }
    return;
  }
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t first = 0; first < queries.size(); first += kBlock) {
    const auto block = queries.subspan(first, std::min(kBlock, queries.size() - first));
    std::array<const Entry*, kBlock> entries = {};
    for (const Query& query : block) __builtin_prefetch(&slots_[Fold(query.hash) & mask]);
    for (std::size_t i = 0; i < block.size(); ++i) {
      std::size_t at = Fold(block[i].hash) & mask;
      while (slots_[at].entry != 0 && slots_[at].tag != Tag(block[i].hash)) at = (at + 1) & mask;
      if (slots_[at].entry != 0) __builtin_prefetch(entries[i] = &entries_[slots_[at].entry - 1]);
    }
    for (const Entry* entry : entries) {
      if (entry != nullptr) __builtin_prefetch(bytes_.data() + entry->begin);
    }
    for (std::size_t i = 0; i < block.size(); ++i) {
      ids[first + i] = Find(block[i].prefix, block[i].rest, block[i].hash);
    }
  }
}

std::optional<std::int32_t> Vocabulary::IdOf(std::string_view token) const {
  const std::int32_t id = Find({}, token, Hash(token));
  if (id == kAbsent) return std::nullopt;
  return id;
}

std::string_view Vocabulary::TokenOf(std::int32_t id) const {
  // Most files list all tokens by their ids.
  const auto index = static_cast<std::size_t>(id);
  if (id >= 0 && index < entries_.size() && entries_[index].id == id) return Text(entries_[index]);
  const auto less = [](const Entry& entry, std::int32_t key) { return entry.id < key; };
  if (by_id_.empty()) {
    const auto at = std::lower_bound(entries_.begin(), entries_.end(), id, less);
    return at == entries_.end() || at->id != id ? std::string_view() : Text(*at);
  }
  const auto at =
      std::lower_bound(by_id_.begin(), by_id_.end(), id,
                       [&](std::uint32_t entry, std::int32_t key) { return less(entries_[entry], key); });
  if (at == by_id_.end() || entries_[*at].id != id) return {};
  return Text(entries_[*at]);
}

}  // namespace candor::text

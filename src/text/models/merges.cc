// Few symbols are merged where they lie, with a scan for the lowest rank each time: no allocation, and faster
// than a queue up to some hundred. Many go through a queue, in n log n.
#include "text/models/merges.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <utility>

namespace candor::text {
namespace {

constexpr std::size_t kFew = 128;
// Honest pairs are a few dozen places from theirs at most, in a table that is half full.
constexpr std::size_t kMostLooked = 1024;

std::pair<std::int32_t, std::int32_t> PairOf(const auto& merge) { return {merge.left, merge.right}; }
std::uint32_t Tag(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

void Merges::Seal(bool steady) {
  steady_ = steady;
  if (!SealHashed()) SealSorted();
}

// False when a pair is too far from its place.
bool Merges::SealHashed() {
  slots_.assign(std::bit_ceil(merges_.size() * 2 + 2), Slot{0, 0});
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < merges_.size(); ++i) {
    constexpr std::size_t kAhead = 16;
    if (i + kAhead < merges_.size()) {
      const Merge& later = merges_[i + kAhead];
      __builtin_prefetch(&slots_[Hash(later.left, later.right) & mask], 1);
    }
    const std::uint64_t hash = Hash(merges_[i].left, merges_[i].right);
    std::size_t at = hash & mask;
    for (std::size_t looked = 0; slots_[at].merge != 0; at = (at + 1) & mask) {
      const Merge& merge = merges_[slots_[at].merge - 1];
      if (slots_[at].tag == Tag(hash) && merge.left == merges_[i].left && merge.right == merges_[i].right)
        break;
      if (++looked == kMostLooked) return false;
    }
    slots_[at] = {Tag(hash), static_cast<std::uint32_t>(i + 1)};
  }
  return true;
}

void Merges::SealSorted() {
  slots_ = {};
  sorted_.resize(merges_.size());
  std::iota(sorted_.begin(), sorted_.end(), 0u);
  std::stable_sort(sorted_.begin(), sorted_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return PairOf(merges_[a]) < PairOf(merges_[b]);
  });
}

std::uint32_t Merges::RankSorted(std::int32_t left, std::int32_t right) const {
  const auto behind =
      std::upper_bound(sorted_.begin(), sorted_.end(), std::pair(left, right),
                       [this](const auto& pair, std::uint32_t rank) { return pair < PairOf(merges_[rank]); });
  if (behind == sorted_.begin() || PairOf(merges_[behind[-1]]) != std::pair(left, right)) return kNone;
  return behind[-1];
}

std::uint32_t Merges::Rank(std::int32_t left, std::int32_t right) const {
  const std::uint64_t hash = Hash(left, right);
  if (slots_.empty()) return RankSorted(left, right);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at].merge != 0; at = (at + 1) & mask) {
    if (slots_[at].tag != Tag(hash)) continue;
    const Merge& merge = merges_[slots_[at].merge - 1];
    if (merge.left == left && merge.right == right) return slots_[at].merge - 1;
  }
  return kNone;
}

std::size_t Merges::Apply(std::span<Symbol> symbols) const {
  if (symbols.size() < 2) return symbols.size();
  return steady_ && symbols.size() <= kFew ? ApplyToFew(symbols) : ApplyToMany(symbols);
}

std::size_t Merges::ApplyToFew(std::span<Symbol> symbols) const {
  std::array<std::uint32_t, kFew> ranks;  // of a symbol and the next
  std::size_t pairs = symbols.size() - 1;
  for (std::size_t i = 0; i < pairs; ++i) ranks[i] = Rank(symbols[i].id, symbols[i + 1].id);
  while (pairs > 0) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < pairs; ++i) best = ranks[i] < ranks[best] ? i : best;
    if (ranks[best] == kNone) break;
    symbols[best] = {merges_[ranks[best]].product, symbols[best].bytes + symbols[best + 1].bytes};
    for (std::size_t i = best + 1; i < pairs; ++i) {
      symbols[i] = symbols[i + 1];
      ranks[i - 1] = ranks[i];
    }
    --pairs;
    if (best < pairs) ranks[best] = Rank(symbols[best].id, symbols[best + 1].id);
    if (best > 0) ranks[best - 1] = Rank(symbols[best - 1].id, symbols[best].id);
  }
  return pairs + 1;
}

std::size_t Merges::ApplyToMany(std::span<Symbol> symbols) const {
  // A merged symbol stays where its left one was; the right one is marked by 0 bytes.
  constexpr std::uint32_t kEnd = 0xffffffff;
  struct Neighbours {
    std::uint32_t previous, next;
  };
  const auto count = static_cast<std::uint32_t>(symbols.size());
  std::vector<Neighbours> beside(count);
  std::vector<std::uint64_t> queue;  // rank and place; the lowest first, so the leftmost of a rank
  queue.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    beside[i] = {i == 0 ? kEnd : i - 1, i + 1 == count ? kEnd : i + 1};
    if (i + 1 == count) break;
    const std::uint32_t rank = Rank(symbols[i].id, symbols[i + 1].id);
    if (rank != kNone) queue.push_back(std::uint64_t{rank} << 32 | i);
  }
  std::make_heap(queue.begin(), queue.end(), std::greater<>());
  const auto push = [&](std::uint32_t left, std::uint32_t right) {
    if (left == kEnd || right == kEnd) return;
    const std::uint32_t rank = Rank(symbols[left].id, symbols[right].id);
    if (rank == kNone) return;
    queue.push_back(std::uint64_t{rank} << 32 | left);
    std::push_heap(queue.begin(), queue.end(), std::greater<>());
  };
  while (!queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), std::greater<>());
    const std::uint64_t top = queue.back();
    queue.pop_back();
    const auto at = static_cast<std::uint32_t>(top);
    const std::uint32_t right = beside[at].next;
    if (symbols[at].bytes == 0 || right == kEnd) continue;
    // An entry whose symbols have changed since is out of date, unless they still make the same product: that
    // is what the library asks, and the rank of the entry stands even if the pair now has another.
    const std::uint32_t rank = Rank(symbols[at].id, symbols[right].id);
    const std::int32_t product = merges_[top >> 32].product;
    if (rank == kNone || merges_[rank].product != product) continue;
    symbols[at] = {product, symbols[at].bytes + symbols[right].bytes};
    symbols[right].bytes = 0;
    beside[at].next = beside[right].next;
    if (beside[at].next != kEnd) beside[beside[at].next].previous = at;
    push(beside[at].previous, at);
    push(at, beside[at].next);
  }
  const auto gone =
      std::remove_if(symbols.begin(), symbols.end(), [](const Symbol& s) { return s.bytes == 0; });
  return static_cast<std::size_t>(gone - symbols.begin());
}

}  // namespace candor::text

// Three ways to the same symbols. Few are merged where they lie, by the least of their ranks. Many go rank by
// rank, all pairs of one in a round from left to right: in linear time but for sorting places, and through
// memory in its order. What rounds could not give, since a pair may come about whose rank has passed, goes
// through a queue of pairs, in n log n.
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
// A round looks once at every rank there is, 64 at a time: from so many symbols on that is next to nothing.
constexpr std::size_t kRanksPerSymbol = 16;
// Honest pairs are a few dozen places from theirs at most, in a table that is half full.
constexpr std::size_t kMostLooked = 1024;
constexpr std::uint32_t kEnd = 0xffffffff;  // in place of a neighbour

std::pair<std::int32_t, std::int32_t> PairOf(const auto& merge) { return {merge.left, merge.right}; }

// The symbols that have bytes left, at the front.
std::size_t CloseUp(std::span<Symbol> symbols) {
  const auto gone =
      std::remove_if(symbols.begin(), symbols.end(), [](const Symbol& s) { return s.bytes == 0; });
  return static_cast<std::size_t>(gone - symbols.begin());
}

// The least of up to kFew keys, kept up to date in blocks of eight.
class LeastKey {
 public:
  static constexpr std::uint32_t kNoKey = 0xffffffff;

  explicit LeastKey(std::size_t count) : blocks_((count + kBlock - 1) / kBlock) {
    std::fill_n(keys_.begin(), blocks_ * kBlock, kNoKey);
  }
  void Put(std::size_t at, std::uint32_t key) { keys_[at] = key; }
  // After Put, before Least.
  void Update(std::size_t at) {
    const std::size_t block = at / kBlock;
    const std::uint32_t* k = &keys_[block * kBlock];
    least_[block] = std::min(std::min(std::min(k[0], k[1]), std::min(k[2], k[3])),
                             std::min(std::min(k[4], k[5]), std::min(k[6], k[7])));
  }
  void UpdateAll() {
    for (std::size_t block = 0; block < blocks_; ++block) Update(block * kBlock);
  }
  std::uint32_t Least() const {
    std::uint32_t least = kNoKey;
    for (std::size_t block = 0; block < blocks_; ++block) least = std::min(least, least_[block]);
    return least;
  }

 private:
  static constexpr std::size_t kBlock = 8;
  std::size_t blocks_;
  std::array<std::uint32_t, kFew> keys_;
  std::array<std::uint32_t, kFew / kBlock> least_;
};

}  // namespace

void Merges::Seal(bool steady) {
  steady_ = steady;
  in_order_ = steady && MadeInOrder();
  if (!SealHashed()) SealSorted();
}

// Whether the tokens of every pair are products of lower ranks only, if of any.
bool Merges::MadeInOrder() const {
  std::int32_t largest = -1;
  for (const Merge& merge : merges_) largest = std::max({largest, merge.left, merge.right, merge.product});
  std::vector<std::uint32_t> made(static_cast<std::size_t>(largest) + 1);  // the last rank of each, plus one
  for (std::size_t i = 0; i < merges_.size(); ++i) {
    made[static_cast<std::size_t>(merges_[i].product)] = static_cast<std::uint32_t>(i + 1);
  }
  for (std::size_t i = 0; i < merges_.size(); ++i) {
    const auto passed = [&](std::int32_t token) { return made[static_cast<std::size_t>(token)] <= i; };
    if (!passed(merges_[i].left) || !passed(merges_[i].right)) return false;
  }
  return true;
}

// False when a pair is too far from its place.
bool Merges::SealHashed() {
  slots_.assign(std::bit_ceil(merges_.size() * 2 + 2), Slot{-1, -1, kNone, -1});
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < merges_.size(); ++i) {
    constexpr std::size_t kAhead = 16;
    if (i + kAhead < merges_.size()) {
      const Merge& later = merges_[i + kAhead];
      __builtin_prefetch(&slots_[Hash(later.left, later.right) & mask], 1);
    }
    const Merge& merge = merges_[i];
    std::size_t at = Hash(merge.left, merge.right) & mask;
    for (std::size_t looked = 0; slots_[at].rank != kNone; at = (at + 1) & mask) {
      if (PairOf(slots_[at]) == PairOf(merge)) break;
      if (++looked == kMostLooked) return false;
    }
    slots_[at] = {merge.left, merge.right, static_cast<std::uint32_t>(i), merge.product};
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

Merges::Found Merges::FindSorted(std::int32_t left, std::int32_t right) const {
  const auto behind =
      std::upper_bound(sorted_.begin(), sorted_.end(), std::pair(left, right),
                       [this](const auto& pair, std::uint32_t rank) { return pair < PairOf(merges_[rank]); });
  if (behind == sorted_.begin() || PairOf(merges_[behind[-1]]) != std::pair(left, right)) return {kNone, -1};
  return {behind[-1], merges_[behind[-1]].product};
}

std::size_t Merges::Apply(std::span<Symbol> symbols) const {
  if (symbols.size() < 2) return symbols.size();
  if (steady_ && symbols.size() <= kFew && merges_.size() < LeastKey::kNoKey / kFew) {
    return ApplyToFew(symbols);
  }
  if (in_order_ && symbols.size() >= merges_.size() / kRanksPerSymbol) return ApplyInRounds(symbols);
  return ApplyByQueue(symbols);
}

std::size_t Merges::ApplyToFew(std::span<Symbol> symbols) const {
  const std::size_t count = symbols.size();
  LeastKey keys(count);                     // rank and place: the leftmost of the lowest rank is the least
  std::array<std::int32_t, kFew> products;  // of a symbol and the next
  std::array<std::uint8_t, kFew + 1> previous, next;
  const auto look = [&](std::size_t left, std::size_t right) {
    const Found found = Find(symbols[left].id, symbols[right].id);
    products[left] = found.product;
    keys.Put(left,
             found.rank == kNone ? LeastKey::kNoKey : static_cast<std::uint32_t>(found.rank * kFew + left));
  };
  for (std::size_t i = 0; i < count; ++i) {
    previous[i] = static_cast<std::uint8_t>(i - 1);  // of the first: unused
    next[i] = static_cast<std::uint8_t>(i + 1);
    if (i + 1 < count) look(i, i + 1);
  }
  keys.UpdateAll();
  for (std::uint32_t least; (least = keys.Least()) != LeastKey::kNoKey;) {
    const std::size_t at = least % kFew, right = next[at], behind = next[right];
    symbols[at] = {products[at], symbols[at].bytes + symbols[right].bytes};
    symbols[right].bytes = 0;
    next[at] = static_cast<std::uint8_t>(behind);
    previous[behind] = static_cast<std::uint8_t>(at);
    keys.Put(right, LeastKey::kNoKey);
    if (behind < count) {
      look(at, behind);
    } else {
      keys.Put(at, LeastKey::kNoKey);
    }
    if (at != 0) {
      look(previous[at], at);
      keys.Update(previous[at]);
    }
    keys.Update(at);
    keys.Update(right);
  }
  return CloseUp(symbols);
}

std::size_t Merges::ApplyInRounds(std::span<Symbol> symbols) const {
  // A merged symbol stays where its left one was; the right one is marked by 0 bytes.
  struct Place {
    std::uint32_t previous, next, rank;  // of the symbol and the next
  };
  struct Entry {
    std::uint32_t place, other;  // another entry of the rank
  };
  const auto count = static_cast<std::uint32_t>(symbols.size());
  std::vector<Place> places(count);
  std::vector<Entry> entries;
  entries.reserve(count);
  std::vector<std::uint32_t> newest(merges_.size(), kEnd);     // entry of each rank
  std::vector<std::uint64_t> wanted(merges_.size() / 64 + 1);  // bits of the ranks that have entries
  const auto look = [&](std::uint32_t left, std::uint32_t right) {
    const std::uint32_t rank = Rank(symbols[left].id, symbols[right].id);
    places[left].rank = rank;
    if (rank == kNone) return;
    wanted[rank / 64] |= std::uint64_t{1} << rank % 64;
    entries.push_back({left, std::exchange(newest[rank], static_cast<std::uint32_t>(entries.size()))});
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    places[i] = {i == 0 ? kEnd : i - 1, i + 1 == count ? kEnd : i + 1, kNone};
    if (i + 1 < count) look(i, i + 1);
  }
  std::vector<std::uint32_t> round;
  for (std::size_t word = 0; word < wanted.size(); ++word) {
    // Pairs that come about have a higher rank than the one that makes their token.
    while (wanted[word] != 0) {
      const auto rank =
          static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(wanted[word]));
      wanted[word] &= wanted[word] - 1;
      round.clear();
      for (std::uint32_t e = newest[rank]; e != kEnd; e = entries[e].other) round.push_back(entries[e].place);
      std::reverse(round.begin(), round.end());
      if (!std::is_sorted(round.begin(), round.end())) std::sort(round.begin(), round.end());
      for (const std::uint32_t at : round) {
        if (places[at].rank != rank) continue;  // its symbols have changed since
        const std::uint32_t right = places[at].next, behind = places[right].next;
        symbols[at] = {merges_[rank].product, symbols[at].bytes + symbols[right].bytes};
        symbols[right].bytes = 0;
        places[right].rank = places[at].rank = kNone;
        places[at].next = behind;
        if (places[at].previous != kEnd) look(places[at].previous, at);
        if (behind == kEnd) continue;
        places[behind].previous = at;
        look(at, behind);
      }
    }
  }
  return CloseUp(symbols);
}

std::size_t Merges::ApplyByQueue(std::span<Symbol> symbols) const {
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
  return CloseUp(symbols);
}

}  // namespace candor::text

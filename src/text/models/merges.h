// Merges: which neighbouring tokens of a BPE vocabulary become one, in which order, and their doing so.
//
// Built once, then immutable; any number of threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace candor::text {

// A token and how many bytes of the piece it stands for, at least one.
struct Symbol {
  std::int32_t id;
  std::uint32_t bytes;
};

class Merges {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;  // the rank of a pair that stays apart
  static std::uint64_t Hash(std::int32_t left, std::int32_t right) {
    const std::uint64_t pair =
        std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
    const std::uint64_t product = (pair ^ pair >> 29) * 0x9fb21c651e98df25u;
    return product ^ product >> 32;
  }

  void Reserve(std::size_t pairs) { merges_.reserve(pairs); }
  // In order of rank; a pair that comes again has the later rank and product. Less than kNone of them.
  void Add(std::int32_t left, std::int32_t right, std::int32_t product) {
    merges_.push_back({left, right, product});
  }
  // Before the first Rank. `steady`: no product of a pair can also be the product of what its two tokens have
  // become since.
  void Seal(bool steady);

  std::uint32_t Rank(std::int32_t left, std::int32_t right) const { return Find(left, right).rank; }
  // Merges until no two neighbours merge any more; returns how many symbols are left, at the front.
  std::size_t Apply(std::span<Symbol> symbols) const;

 private:
  struct Merge {
    std::int32_t left, right, product;
  };
  // All that is known of a pair in one place, because most of the time is waiting for this table.
  struct Slot {
    std::int32_t left, right;
    std::uint32_t rank;  // kNone: free
    std::int32_t product;
  };
  struct Found {
    std::uint32_t rank;
    std::int32_t product;  // if the rank is not kNone
  };
  Found Find(std::int32_t left, std::int32_t right) const {
    if (slots_.empty()) return FindSorted(left, right);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = Hash(left, right) & mask;; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      if (slot.rank == kNone || (slot.left == left && slot.right == right)) return {slot.rank, slot.product};
    }
  }
  Found FindSorted(std::int32_t left, std::int32_t right) const;
  bool SealHashed();
  void SealSorted();
  bool MadeInOrder() const;
  std::size_t ApplyToFew(std::span<Symbol> symbols) const;
  std::size_t ApplyInRounds(std::span<Symbol> symbols) const;
  std::size_t ApplyByQueue(std::span<Symbol> symbols) const;

  std::vector<Merge> merges_;          // by rank
  std::vector<Slot> slots_;            // a power of two, at most half full; none if `sorted_`
  std::vector<std::uint32_t> sorted_;  // by pair, then rank: of a file whose author made the hashes collide
  bool steady_ = false;
  bool in_order_ = false;  // steady, and the tokens of a pair are products of lower ranks only
};

}  // namespace candor::text

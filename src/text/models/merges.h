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
  std::int32_t id = 0;
  std::uint32_t bytes = 0;
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

  std::uint32_t Rank(std::int32_t left, std::int32_t right) const;
  // Merges until no two neighbours merge any more; returns how many symbols are left, at the front.
  std::size_t Apply(std::span<Symbol> symbols) const;

 private:
  struct Merge {
    std::int32_t left, right, product;
  };
  struct Slot {
    std::uint32_t tag, merge;  // high half of the hash; index plus one, 0 is free
  };
  bool SealHashed();
  void SealSorted();
  std::uint32_t RankSorted(std::int32_t left, std::int32_t right) const;
  std::size_t ApplyToFew(std::span<Symbol> symbols) const;
  std::size_t ApplyToMany(std::span<Symbol> symbols) const;

  std::vector<Merge> merges_;          // by rank
  std::vector<Slot> slots_;            // a power of two, at most half full; none if `sorted_`
  std::vector<std::uint32_t> sorted_;  // by pair, then rank: of a file whose author made the hashes collide
  bool steady_ = false;
};

}  // namespace candor::text

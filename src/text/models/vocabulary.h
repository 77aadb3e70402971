// Vocabulary: token strings to ids and back, in one block of text and one flat table.
//
// Built once, then immutable; any number of threads. Lookups take the hash from outside, so that a model can
// extend it byte by byte and ask for every prefix of a word without hashing it again.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace candor::text {

class Vocabulary {
 public:
  static constexpr std::uint64_t kHashSeed = 0x9ae16a3b2f90404fu;
  static std::uint64_t Extend(std::uint64_t hash, char byte) {
    return (hash ^ static_cast<unsigned char>(byte)) * 0x9fb21c651e98df25u;
  }
  static std::uint64_t Hash(std::string_view text, std::uint64_t hash = kHashSeed) {
    for (const char byte : text) hash = Extend(hash, byte);
    return hash;
  }

  void Reserve(std::size_t tokens, std::size_t bytes);
  void Add(std::string_view token, std::int32_t id);  // a token only once
  void Seal();                                        // before the first look-up

  static constexpr std::int32_t kAbsent = -1;
  // The id of `prefix` followed by `rest`, whose joint hash is `hash`.
  std::int32_t Find(std::string_view prefix, std::string_view rest, std::uint64_t hash) const;
  // Find for many at once, several times faster where the tables are larger than a core's caches.
  struct Query {
    std::string_view prefix, rest;
    std::uint64_t hash;
  };
  void FindAll(std::span<const Query> queries, std::span<std::int32_t> ids) const;
  std::optional<std::int32_t> IdOf(std::string_view token) const;
  std::string_view TokenOf(std::int32_t id) const;  // empty when there is none
  // every(token, id), in the order they were added.
  template <class F>
  void Each(F every) const {
    for (const Entry& entry : entries_) every(Text(entry), entry.id);
  }
  std::size_t size() const { return entries_.size(); }
  std::size_t longest() const { return longest_; }  // bytes of the longest token
  std::int32_t largest_id() const { return by_id_.empty() ? -1 : entries_[by_id_.back()].id; }

 private:
  struct Entry {
    std::uint64_t begin;
    std::uint32_t length;
    std::int32_t id;
  };
  struct Slot {
    std::uint32_t tag, entry;  // high half of the hash; index plus one, 0 is free
  };
  std::string_view Text(const Entry& entry) const { return {bytes_.data() + entry.begin, entry.length}; }

  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<Slot> slots_;           // a power of two, at most half full
  std::vector<std::uint32_t> by_id_;  // entries, by id
  std::size_t longest_ = 0;
};

}  // namespace candor::text

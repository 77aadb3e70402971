// Json::Document: the memory behind a parsed document. Only io/json*.cc include it.
//
// Values and texts are placed one after another and given back all at once. Filled by one thread; after that
// only the count of owners changes.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "io/json.h"

namespace candor::io {

struct Json::Document {
  std::atomic<std::uint32_t> owners{0};

  // Room for `count` of T, which nobody destroys.
  template <class T>
  T* Place(std::size_t count) {
    return reinterpret_cast<T*>(Bytes(count * sizeof(T), alignof(T)));
  }
  std::string_view Keep(std::string_view text);

 private:
  std::byte* Bytes(std::size_t bytes, std::size_t alignment) {
    const std::size_t skip = -reinterpret_cast<std::uintptr_t>(next_) & (alignment - 1);
    if (left_ < bytes + skip) return NewBlock(bytes);
    std::byte* place = next_ + skip;
    next_ = place + bytes;
    left_ -= bytes + skip;
    return place;
  }
  std::byte* NewBlock(std::size_t bytes);

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0, block_ = 0;
};

// Keys of one object by their hash: open addressing with linear probing, at most two thirds full.
struct KeySlot {
  std::uint32_t tag, member;  // high half of the hash; index plus one, 0 is free
};
std::size_t KeySlots(std::size_t members);
std::uint64_t KeyHash(std::string_view key);

struct KeyIndex {
  bool built = false;           // else the keys were chosen to collide, and the slots are to be forgotten
  std::uint32_t duplicate = 0;  // index plus one of the first member whose key is there before; 0 for none
};
// Fills `slots`, of which there are KeySlots. Linear in the text of the keys whatever they are.
KeyIndex HashKeys(std::span<const JsonMember> members, std::span<KeySlot> slots);
const JsonMember* FindHashed(std::span<const JsonMember> members, const KeySlot* slots, std::string_view key);

// The same for keys that collide: indices of the members in the order of their keys' bytes.
KeyIndex SortKeys(std::span<const JsonMember> members, std::span<std::uint32_t> sorted);
const JsonMember* FindSorted(std::span<const JsonMember> members, const std::uint32_t* sorted,
                             std::string_view key);

}  // namespace candor::io

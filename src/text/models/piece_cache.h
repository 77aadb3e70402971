// PieceCache: the tokens of short pieces that were met before. Remembering changes nothing but the time,
// since a model always makes the same tokens of the same piece.
//
// Any number of threads read and write without waiting: a slot carries a count that is odd while it is being
// written, and who sees it odd or changed has found nothing.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "text/models/token_model.h"

namespace candor::text {

class PieceCache {
 public:
  static constexpr std::size_t kMostBytes = 24;

  PieceCache() : slots_(std::make_unique<Slot[]>(kSlots)) {}

  // Appends the tokens of `piece` if they are known.
  bool Find(std::string_view piece, std::vector<PieceToken>& out) const {
    if (piece.size() > kMostBytes) return false;
    const Key key = KeyOf(piece);
    const Slot& slot = slots_[key.slot];
    const std::uint64_t head = slot[0].load(std::memory_order_acquire);
    if ((head >> 40 & 0xff) != piece.size() || (head & 1) != 0) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      if (slot[1 + i].load(std::memory_order_acquire) != key.words[i]) return false;
    }
    const std::size_t count = head >> 32 & 0xff;
    std::array<std::uint64_t, 4> tokens;
    for (std::size_t i = 0; 2 * i < count; ++i) tokens[i] = slot[4 + i].load(std::memory_order_acquire);
    if (slot[0].load(std::memory_order_relaxed) != head) return false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto token = static_cast<std::uint32_t>(tokens[i / 2] >> (i % 2 * 32));
      const std::size_t end = begin + (token >> 24);
      out.push_back({static_cast<std::int32_t>(token & 0xffffff), begin, end});
      begin = end;
    }
    return true;
  }

  // Remembers a piece if it and its tokens are small enough. They stand side by side from byte 0.
  void Put(std::string_view piece, std::span<const PieceToken> tokens) const {
    if (piece.size() > kMostBytes || tokens.size() > 8) return;
    std::array<std::uint64_t, 4> packed = {};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].id > 0xffffff) return;
      const std::uint64_t token =
          (tokens[i].end - tokens[i].begin) << 24 | static_cast<std::uint32_t>(tokens[i].id);
      packed[i / 2] |= token << (i % 2 * 32);
    }
    const Key key = KeyOf(piece);
    Slot& slot = slots_[key.slot];
    std::uint64_t head = slot[0].load(std::memory_order_relaxed);
    if ((head & 1) != 0 || !slot[0].compare_exchange_strong(head, head | 1, std::memory_order_acquire))
      return;
    for (std::size_t i = 0; i < 3; ++i) slot[1 + i].store(key.words[i], std::memory_order_release);
    for (std::size_t i = 0; i < 4; ++i) slot[4 + i].store(packed[i], std::memory_order_release);
    const std::uint64_t turn = (head + 2) & 0xffffffff;
    slot[0].store(turn | tokens.size() << 32 | piece.size() << 40, std::memory_order_release);
  }

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 14;  // 1 MB
  // Turn, number of tokens and bytes of the piece; the piece; two tokens a word, id and bytes.
  using Slot = std::array<std::atomic<std::uint64_t>, 8>;
  struct Key {
    std::array<std::uint64_t, 3> words;  // with the length, all bytes; the last words may overlap
    std::size_t slot;
  };

  template <class T>
  static std::uint64_t Load(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  static Key KeyOf(std::string_view piece) {
    const char* data = piece.data();
    const std::size_t size = piece.size();
    Key key = {};
    if (size < 4) {
      for (std::size_t i = 0; i < size; ++i)
        key.words[0] = key.words[0] << 8 | static_cast<unsigned char>(data[i]);
    } else if (size < 8) {
      key.words[0] = Load<std::uint32_t>(data) << 32 | Load<std::uint32_t>(data + size - 4);
    } else {
      key.words[0] = Load<std::uint64_t>(data);
      if (size > 16) key.words[1] = Load<std::uint64_t>(data + 8);
      key.words[size > 16 ? 2 : 1] = Load<std::uint64_t>(data + size - 8);
    }
    std::uint64_t hash = (key.words[0] ^ size) * 0x9fb21c651e98df25u;
    hash = (hash ^ hash >> 29 ^ key.words[1]) * 0x9ae16a3b2f90404fu;
    hash = (hash ^ hash >> 31 ^ key.words[2]) * 0x9fb21c651e98df25u;
    key.slot = hash >> 50;
    return key;
  }

  std::unique_ptr<Slot[]> slots_;
};

}  // namespace candor::text

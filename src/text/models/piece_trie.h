// PieceTrie: the pieces of a vocabulary that start at one place of a text, shortest first.
//
// A double array over bytes: the child for byte c of a node lies at base ^ c and names its parent. Where only
// one piece is left, the branch ends and the rest of the text is compared with the rest of the piece, which
// halves the array. Built once, then immutable; any number of threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/models/vocabulary.h"

namespace candor::text {

class PieceTrie {
 public:
  // Of every token of `vocabulary` that is not empty; it must outlive the trie.
  explicit PieceTrie(const Vocabulary& vocabulary);

  // Calls found(length, id) for every token that `text` starts with.
  template <class Found>
  void Prefixes(const Vocabulary& vocabulary, std::string_view text, const Found& found) const {
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::uint32_t next = units_[node].base ^ static_cast<unsigned char>(text[i]);
      const Unit& unit = units_[next];
      if (unit.parent != node) return;
      if (unit.base == kRest) {
        const std::string_view token = vocabulary.TokenOf(unit.id);
        if (text.substr(i + 1).starts_with(token.substr(i + 1))) found(token.size(), unit.id);
        return;
      }
      if (unit.id >= 0) found(i + 1, unit.id);
      node = next;
    }
  }

 private:
  friend class PieceTrieBuilder;
  static constexpr std::uint32_t kRest = 0xffffffff;  // as a base: one token, compared to its end
  static constexpr std::uint32_t kFree = 0xffffffff;  // as a parent
  struct Unit {
    std::uint32_t base = 0, parent = kFree;
    std::int32_t id = -1;  // of the token that ends here
  };
  std::vector<Unit> units_;  // whole blocks of 256, so that no child is outside; the root is the first
};

}  // namespace candor::text

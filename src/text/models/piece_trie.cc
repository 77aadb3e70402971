// Building: the tokens in the order of their bytes, then node by node, each at the first place that has room
// for its children. Nothing is recursive, and a node tries a bounded number of places.
#include "text/models/piece_trie.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace candor::text {
namespace {

struct Key {
  std::uint64_t prefix;
  std::int32_t id;
};

// The bytes from `at` as a number that orders as they do.
std::uint64_t Prefix(std::string_view text) {
  std::uint64_t prefix = 0;
  std::memcpy(&prefix, text.data(), std::min<std::size_t>(text.size(), 8));
  return __builtin_bswap64(prefix);
}

// From the last digit to the first, keeping equal keys in order: a third of what std::sort takes.
void SortByPrefix(std::vector<Key>& keys) {
  constexpr int kBits = 11;
  std::vector<Key> sorted(keys.size());
  for (int shift = 0; shift < 64; shift += kBits) {
    std::array<std::uint32_t, (1 << kBits) + 1> starts{};
    const auto digit = [&](const Key& key) { return key.prefix >> shift & ((1 << kBits) - 1); };
    for (const Key& key : keys) ++starts[digit(key) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (const Key& key : keys) sorted[starts[digit(key)]++] = key;
    keys.swap(sorted);
  }
}

}  // namespace

class PieceTrieBuilder {
 public:
  PieceTrieBuilder(const Vocabulary& vocabulary, std::vector<PieceTrie::Unit>& units)
      : vocabulary_(vocabulary), units_(units) {}

  void Build() {
    Sort();
    AddBlock();
    Take(0);
    std::vector<Range> open;
    if (!tokens_.empty()) open.push_back({0, 0, static_cast<std::uint32_t>(tokens_.size()), 0});
    while (!open.empty()) {
      const Range range = open.back();
      open.pop_back();
      Expand(range, open);
    }
  }

 private:
  struct Token {
    std::string_view text;
    std::int32_t id;
  };
  // Tokens [begin, end) share `depth` bytes, which lead to `node`.
  struct Range {
    std::uint32_t node, begin, end, depth;
  };
  struct Block {
    std::array<std::uint64_t, 4> taken{};
    std::uint32_t left = 256;
  };
  // How many blocks a node with several children is tried in: four make the array of 250,000 pieces 2 %
  // smaller, and placing them take half as long again.
  static constexpr std::size_t kTried = 2;

  void Sort() {
    std::vector<Key> keys;
    keys.reserve(vocabulary_.size());
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < vocabulary_.size(); ++i) {
      const auto id = static_cast<std::int32_t>(i);
      const std::string_view text = vocabulary_.TokenOf(id);
      bytes += text.size();
      if (!text.empty()) keys.push_back({Prefix(text), id});
    }
    SortByPrefix(keys);
    tokens_.reserve(keys.size());
    text_.reserve(bytes);
    for (auto first = keys.begin(); first != keys.end();) {
      const auto other = [&](const Key& key) { return key.prefix != first->prefix; };
      const auto last = std::find_if(first + 1, keys.end(), other);
      AddAlike({first, last});
      first = last;
    }
    units_.reserve(2 * keys.size() + 256);
  }

  // Tokens that start with the same eight bytes.
  void AddAlike(std::span<const Key> keys) {
    alike_.clear();
    for (const Key& key : keys) alike_.push_back({vocabulary_.TokenOf(key.id), key.id});
    if (alike_.size() > 1) {
      std::sort(alike_.begin(), alike_.end(), [](const Token& a, const Token& b) {
        const int order = a.text.compare(b.text);
        return order != 0 ? order < 0 : a.id < b.id;
      });
    }
    for (std::size_t i = 0; i < alike_.size(); ++i) {
      // Of several tokens that are spelt alike the last is meant.
      if (i + 1 < alike_.size() && alike_[i].text == alike_[i + 1].text) continue;
      // Side by side, because the nodes read them again for every byte. There is room, so none moves.
      const std::size_t begin = text_.size();
      text_ += alike_[i].text;
      tokens_.push_back({std::string_view(text_).substr(begin), alike_[i].id});
    }
  }

  // Gives the node its children, and the end of a token its id.
  void Expand(Range range, std::vector<Range>& open) {
    if (tokens_[range.begin].text.size() == range.depth) units_[range.node].id = tokens_[range.begin++].id;
    if (range.begin == range.end) return;
    const auto label = [&](std::uint32_t i) {
      return static_cast<unsigned char>(tokens_[i].text[range.depth]);
    };
    labels_.assign(1, label(range.begin));
    starts_.assign(1, range.begin);
    // Where the last goes on as the first does, so do all between them.
    for (std::uint32_t i = range.begin + 1; i < range.end && labels_.back() != label(range.end - 1); ++i) {
      if (labels_.back() == label(i)) continue;
      labels_.push_back(label(i));
      starts_.push_back(i);
    }
    starts_.push_back(range.end);
    const std::uint32_t base = labels_.size() == 1 ? PlaceOne(labels_[0]) : PlaceSeveral();
    units_[range.node].base = base;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const std::uint32_t child = base ^ labels_[i];
      Take(child);
      units_[child].parent = range.node;
      if (starts_[i + 1] - starts_[i] == 1) {
        units_[child].base = PieceTrie::kRest;
        units_[child].id = tokens_[starts_[i]].id;
      } else {
        open.push_back({child, starts_[i], starts_[i + 1], range.depth + 1});
      }
    }
  }

  // One child fits anywhere, so it fills the oldest gap.
  std::uint32_t PlaceOne(std::uint32_t label) {
    while (first_ < blocks_.size() && blocks_[first_].left == 0) ++first_;
    if (first_ == blocks_.size()) AddBlock();
    const Block& block = blocks_[first_];
    std::size_t word = 0;
    while (block.taken[word] == ~std::uint64_t{0}) ++word;
    const auto bit = static_cast<std::uint32_t>(std::countr_one(block.taken[word]));
    return (static_cast<std::uint32_t>(first_ * 256 + word * 64) + bit) ^ label;
  }

  std::uint32_t PlaceSeveral() {
    const std::size_t from = blocks_.size() - std::min(blocks_.size(), kTried);
    for (std::size_t b = from; b < blocks_.size(); ++b) {
      if (blocks_[b].left < labels_.size()) continue;
      if (const auto first = Room(blocks_[b])) {
        return (static_cast<std::uint32_t>(b * 256) + *first) ^ labels_[0];
      }
    }
    AddBlock();
    return static_cast<std::uint32_t>((blocks_.size() - 1) * 256);
  }

  // The least unit of the block for the first child at which the others find theirs free: bit x of `room`
  // says so of unit x of a word, for the children that were asked for so far.
  std::optional<std::uint32_t> Room(const Block& block) const {
    for (std::uint32_t word = 0; word < 4; ++word) {
      std::uint64_t room = ~block.taken[word];
      for (std::size_t i = 1; i < labels_.size() && room != 0; ++i) {
        const std::uint32_t apart = labels_[i] ^ labels_[0];
        room &= Exchanged(~block.taken[word ^ apart / 64], apart % 64);
      }
      if (room != 0) return word * 64 + static_cast<std::uint32_t>(std::countr_zero(room));
    }
    return std::nullopt;
  }

  // Bit x of the result is bit x ^ by of `word`.
  static std::uint64_t Exchanged(std::uint64_t word, std::uint32_t by) {
    constexpr std::uint64_t kLow[] = {0x5555555555555555u, 0x3333333333333333u, 0x0f0f0f0f0f0f0f0fu,
                                      0x00ff00ff00ff00ffu, 0x0000ffff0000ffffu, 0x00000000ffffffffu};
    for (int bit = 0; bit < 6; ++bit) {
      if ((by >> bit & 1) == 0) continue;
      const int shift = 1 << bit;
      word = (word >> shift & kLow[bit]) | (word & kLow[bit]) << shift;
    }
    return word;
  }

  void Take(std::uint32_t unit) {
    Block& block = blocks_[unit / 256];
    block.taken[unit % 256 / 64] |= std::uint64_t{1} << unit % 64;
    --block.left;
  }

  void AddBlock() {
    blocks_.emplace_back();
    units_.resize(blocks_.size() * 256);
  }

  const Vocabulary& vocabulary_;
  std::vector<PieceTrie::Unit>& units_;
  std::string text_;  // of the tokens, in their order
  std::vector<Token> tokens_, alike_;
  std::vector<Block> blocks_;
  std::size_t first_ = 0;  // the first block that may have a free unit
  std::vector<std::uint32_t> labels_, starts_;
};

PieceTrie::PieceTrie(const Vocabulary& vocabulary) { PieceTrieBuilder(vocabulary, units_).Build(); }

}  // namespace candor::text

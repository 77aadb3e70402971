// Charsmap: SentencePiece's precompiled_charsmap, a double-array trie of byte sequences and the strings that
// replace them.
//
// Foreign bytes: Read accepts only a map in which no look-up can leave the trie or its strings. Immutable;
// any number of threads.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace candor::text {

class Charsmap {
 public:
  // The longest text that is looked up as a whole: clusters of more bytes go by their characters.
  static constexpr std::size_t kMaxKeyBytes = 5;

  // Nothing when the map is damaged; `fault` says how.
  static std::optional<Charsmap> Read(std::string_view bytes, std::string& fault);

  // What replaces a text that starts with `c`, by the shortest key that is a prefix of the character.
  std::optional<std::string_view> OfCharacter(char32_t c) const {
    const std::uint32_t found = found_[block_of_[c / kBlock] * kBlock + c % kBlock];
    if (found == 0) return std::nullopt;
    return StringAt(found - 1);
  }
  // The same by the shortest key that is a prefix of `text`, which has at most kMaxKeyBytes.
  std::optional<std::string_view> OfText(std::string_view text) const;
  // How many times longer a replacement is than its key, at most kMaxGrowth + 1.
  std::size_t growth() const { return growth_; }

 private:
  static constexpr char32_t kBlock = 128;
  std::string_view StringAt(std::size_t at) const {
    const std::string_view rest = std::string_view(strings_).substr(at);
    return rest.substr(0, rest.find('\0'));
  }
  // The unit under `base` that `label` leads to; 0 (the root, no unit's child) when there is none.
  std::uint32_t Child(std::uint32_t base, std::uint8_t label) const;
  bool Check(std::string& fault);
  void FindCharacters();

  std::vector<std::uint32_t> units_;
  std::string strings_;  // each ends with a NUL, or at the end
  std::size_t growth_ = 1;
  // Of each character, 1 + where its replacement starts in strings_, 0 for none; in blocks.
  std::vector<std::uint32_t> found_;
  std::vector<std::uint16_t> block_of_;
};

}  // namespace candor::text

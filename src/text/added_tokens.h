// AddedTokens: strings that become one token wherever they stand in a text, whatever the model would do.
//
// Those not normalised are looked for in the input, the others in each normalised part, both leftmost and
// longest. Built once, then immutable; any number of threads.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/models/vocabulary.h"
#include "text/normalizers/normalizer.h"
#include "text/pre_tokenizers/pre_tokenizer.h"

namespace candor::text {

struct AddedToken {
  std::string content;
  bool single_word = false, lstrip = false, rstrip = false, normalized = true, special = false;
};

class AddedTokens {
 public:
  // Gives each token the id that the library would: the one it has, else the next after `model`'s and ours,
  // counted once per call. A token of the same content is replaced. An empty one is ignored (kIgnored), as
  // there; one for which no id is left is not added.
  static constexpr std::int32_t kIgnored = -1, kNoIdLeft = -2;
  std::vector<std::int32_t> Add(std::span<const AddedToken> tokens, const Vocabulary& model);
  // Before the first look-up, and again when more were added. Two tokens that normalise to the same string,
  // or one that normalises to nothing or to more than kMaxMatchBytes, cannot be looked for: those are
  // returned.
  std::vector<std::string> Seal(const Normalizer* normalizer);

  enum class Stage : std::uint8_t { kInput, kNormalized };
  // Cuts `text` at the tokens of one stage. Pieces cover the text; those without an id are not empty.
  std::vector<Piece> Split(std::string_view text, Stage stage, bool parse_special) const;

  const AddedToken* Find(std::string_view content) const;  // null when there is none
  std::optional<std::int32_t> IdOf(std::string_view content) const;
  std::string_view TokenOf(std::int32_t id) const;  // empty when there is none
  // The string that decoding begins with, which for a token that was ever normalised is its normal form: the
  // library keeps it when the flag goes. Null data when there is no such token.
  std::string_view Spelling(std::int32_t id) const;
  bool IsSpecial(std::string_view content) const;
  // every(content), by id.
  template <class F>
  void Each(F every) const {
    for (const auto& [id, token] : by_id_) every(std::string_view(token.content));
  }
  std::int32_t largest_id() const { return by_id_.empty() ? -1 : by_id_.rbegin()->first; }

 private:
  struct Pattern {
    std::string text;
    std::int32_t id;
    const AddedToken* token;
  };
  // Patterns sorted by text, and where those that start with each byte begin.
  struct Patterns {
    std::vector<Pattern> sorted;
    std::array<std::uint32_t, 257> from{};
    bool Starts(unsigned char byte) const { return from[byte] != from[byte + 1u]; }
  };
  // The longest pattern that `text`, which is not empty, continues with; null when there is none.
  static const Pattern* Match(const Patterns& patterns, std::string_view text);
  bool StandsAlone(std::string_view text, std::size_t begin, std::size_t end) const;

  std::map<std::int32_t, AddedToken> by_id_;
  std::map<std::string, std::int32_t, std::less<>> ids_;
  std::set<std::int32_t> once_normalized_;            // by whatever of the tokens that were replaced
  std::map<std::int32_t, std::string> normal_forms_;  // of those, where they differ from the content
  Patterns input_, normalized_;
};

}  // namespace candor::text

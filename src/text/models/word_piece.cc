// WordPiece: the longest token that starts the word, then the longest that continues it, until it is spelt;
// a word with a rest that no token spells, or with too many characters, is one unknown token.
#include <algorithm>
#include <array>
#include <string>

#include "base/utf8.h"
#include "text/limits.h"
#include "text/models/token_model.h"

namespace candor::text {
namespace {

class WordPiece final : public TokenModel {
 public:
  WordPiece(Vocabulary vocabulary, std::string unknown, std::string prefix, std::size_t max_characters)
      : vocabulary_(std::move(vocabulary)),
        unknown_(std::move(unknown)),
        prefix_(std::move(prefix)),
        prefix_hash_(Vocabulary::Hash(prefix_)),
        max_characters_(max_characters),
        unknown_id_(vocabulary_.IdOf(unknown_).value_or(0)) {}

  bool Tokenize(std::string_view piece, std::vector<PieceToken>& out) const override {
    // Bytes bound characters, so a short word is not counted.
    if (piece.size() > max_characters_ && CountUtf8(piece) > max_characters_) {
      out.push_back({unknown_id_, 0, piece.size()});
      return true;
    }
    const std::size_t first = out.size();
    for (std::size_t begin = 0; begin < piece.size();) {
      const PieceToken token = Longest(piece, begin);
      if (token.end == begin) {
        out.resize(first);
        out.push_back({unknown_id_, 0, piece.size()});
        return true;
      }
      out.push_back(token);
      begin = token.end;
    }
    return true;
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string_view unknown() const override { return unknown_; }
  bool marks_continuation() const override { return !prefix_.empty(); }

 private:
  // The longest token at `begin`; empty when there is none.
  PieceToken Longest(std::string_view piece, std::size_t begin) const {
    const std::string_view prefix = begin == 0 ? std::string_view{} : std::string_view(prefix_);
    const std::size_t limit = std::min(piece.size() - begin, vocabulary_.longest());
    std::array<std::uint64_t, 128> few;
    std::vector<std::uint64_t> many;
    std::uint64_t* hashes = few.data();
    if (limit > few.size()) {
      many.resize(limit);
      hashes = many.data();
    }
    std::uint64_t hash = begin == 0 ? Vocabulary::kHashSeed : prefix_hash_;
    for (std::size_t i = 0; i < limit; ++i) hashes[i] = hash = Vocabulary::Extend(hash, piece[begin + i]);
    for (std::size_t length = limit; length > 0; --length) {
      const std::size_t end = begin + length;
      // Only whole characters: a token that is a prefix of the bytes but cuts a character is none of the
      // word.
      if (end < piece.size() && (static_cast<unsigned char>(piece[end]) & 0xc0) == 0x80) continue;
      const std::int32_t id = vocabulary_.Find(prefix, piece.substr(begin, length), hashes[length - 1]);
      if (id != Vocabulary::kAbsent) return {id, begin, end};
    }
    return {0, begin, begin};
  }

  Vocabulary vocabulary_;
  std::string unknown_, prefix_;
  std::uint64_t prefix_hash_;
  std::size_t max_characters_;
  std::int32_t unknown_id_;
};

}  // namespace

TokenModelPtr ReadWordPiece(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"},
                  problems);
  std::string unknown = RequiredText(config, "unk_token", problems);
  std::string prefix = RequiredText(config, "continuing_subword_prefix", problems);
  if (!config.Has("max_input_chars_per_word")) {
    RefuseAbsent(config, "max_input_chars_per_word", "a number of characters", problems);
  }
  const std::size_t max_characters = config.Size("max_input_chars_per_word", 100, problems);
  Vocabulary vocabulary = ReadVocabulary(config, "vocab", problems);
  // From every place of a word, every length up to the lesser of the two is looked up.
  if (std::min(max_characters, vocabulary.longest()) > kMaxMatchBytes) {
    const std::string most = std::to_string(kMaxMatchBytes);
    Refuse(config, "max_input_chars_per_word",
           std::to_string(max_characters) + ", with a token of " + std::to_string(vocabulary.longest()) +
               " bytes",
           "at most " + most + " while a token has more than " + most + " bytes", problems);
  }
  if (config.Has("unk_token") && !vocabulary.IdOf(unknown)) {
    // The library fails on the first word that it cannot spell; we say so before.
    Refuse(config, "unk_token", unknown, "a token of the vocabulary", problems);
  }
  return std::make_unique<WordPiece>(std::move(vocabulary), std::move(unknown), std::move(prefix),
                                     max_characters);
}

}  // namespace candor::text

// Bpe: byte pair encoding. A piece is spelt character by character, then neighbours merge in order of rank.
//
// Immutable; any number of threads.
#pragma once
#include <array>
#include <optional>
#include <string>

#include "text/models/merges.h"
#include "text/models/piece_cache.h"
#include "text/models/token_model.h"

namespace candor::text {

struct BpeOptions {
  std::optional<std::string> unknown;  // for a character that is no token; without it such a one is left out
  bool fuse_unknown = false;           // neighbouring ones together
  bool byte_fallback = false;          // rather the tokens <0x00> to <0xFF> of its bytes, if all are there
  bool ignore_merges = false;          // a piece that is a token is that token, whatever merging makes of it
  std::string prefix, suffix;          // of characters but the first; of the last
};

class Bpe final : public TokenModel {
 public:
  Bpe(Vocabulary vocabulary, Merges merges, BpeOptions options);
  bool Tokenize(std::string_view piece, std::vector<PieceToken>& out) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string_view unknown() const override {
    return options_.unknown ? std::string_view(*options_.unknown) : "";
  }
  bool marks_continuation() const override { return !options_.prefix.empty(); }

 private:
  static constexpr std::size_t kShort = 256;  // bytes of a piece that is dealt with on the stack
  bool TokenizeNew(std::string_view piece, std::span<Symbol> room, std::vector<PieceToken>& out) const;
  std::optional<std::size_t> Spell(std::string_view piece, std::span<Symbol> out) const;
  std::int32_t Character(std::string_view piece, std::size_t begin, std::size_t end) const;

  Vocabulary vocabulary_;
  Merges merges_;
  BpeOptions options_;
  std::int32_t unknown_id_;
  std::array<std::int32_t, 256> bytes_;         // ids of <0x00> to <0xFF>
  std::array<std::int32_t, 0x800> characters_;  // ids of the code points of one and two bytes
  PieceCache cache_;
};

}  // namespace candor::text

// Tokenizing; reading is in bpe_read.cc.
#include "text/models/bpe.h"

#include <algorithm>

#include "base/utf8.h"

namespace candor::text {

Bpe::Bpe(Vocabulary vocabulary, Merges merges, BpeOptions options)
    : vocabulary_(std::move(vocabulary)), merges_(std::move(merges)), options_(std::move(options)) {
  constexpr char kHex[] = "0123456789ABCDEF";
  unknown_id_ = options_.unknown ? vocabulary_.IdOf(*options_.unknown).value_or(Vocabulary::kAbsent)
                                 : Vocabulary::kAbsent;
  for (std::size_t byte = 0; byte < bytes_.size(); ++byte) {
    const char name[] = {'<', '0', 'x', kHex[byte >> 4], kHex[byte & 15], '>'};
    bytes_[byte] = vocabulary_.IdOf(std::string_view(name, sizeof name)).value_or(Vocabulary::kAbsent);
  }
  for (std::size_t point = 0; point < characters_.size(); ++point) {
    std::string character;
    AppendUtf8(character, static_cast<char32_t>(point));
    characters_[point] = vocabulary_.IdOf(character).value_or(Vocabulary::kAbsent);
  }
}

bool Bpe::Tokenize(std::string_view piece, std::vector<PieceToken>& out) const {
  if (cache_.Find(piece, out)) return true;
  if (options_.ignore_merges && piece.size() <= vocabulary_.longest()) {
    const std::int32_t id = vocabulary_.Find({}, piece, Vocabulary::Hash(piece));
    if (id != Vocabulary::kAbsent) {
      out.push_back({id, 0, piece.size()});
      cache_.Put(piece, std::span(out).last(1));
      return true;
    }
  }
  if (piece.size() > kShort) {
    std::vector<Symbol> room(options_.byte_fallback ? piece.size() : CountUtf8(piece));
    return TokenizeNew(piece, room, out);
  }
  std::array<Symbol, kShort> room;
  const std::size_t before = out.size();
  if (!TokenizeNew(piece, room, out)) return false;
  cache_.Put(piece, std::span(out).subspan(before));
  return true;
}

bool Bpe::TokenizeNew(std::string_view piece, std::span<Symbol> room, std::vector<PieceToken>& out) const {
  const std::optional<std::size_t> spelt = Spell(piece, room);
  if (!spelt) return false;
  // Left out characters make the later ones stand where they did: places are sums of lengths.
  std::size_t begin = 0;
  for (const Symbol& symbol : room.first(merges_.Apply(room.first(*spelt)))) {
    out.push_back({symbol.id, begin, begin + symbol.bytes});
    begin += symbol.bytes;
  }
  return true;
}

// The id of one character, with what the options put around it.
std::int32_t Bpe::Character(std::string_view piece, std::size_t begin, std::size_t end) const {
  const std::string_view character = piece.substr(begin, end - begin);
  const std::string_view prefix = begin == 0 ? std::string_view{} : std::string_view(options_.prefix);
  if (end == piece.size() && !options_.suffix.empty()) {
    const std::string rest = std::string(character) + options_.suffix;
    return vocabulary_.Find(prefix, rest, Vocabulary::Hash(rest, Vocabulary::Hash(prefix)));
  }
  if (prefix.empty()) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1) return characters_[first];
    if (character.size() == 2) {
      return characters_[(first & 0x1fu) << 6 | (static_cast<unsigned char>(character[1]) & 0x3fu)];
    }
  }
  return vocabulary_.Find(prefix, character, Vocabulary::Hash(character, Vocabulary::Hash(prefix)));
}

// How many symbols the piece has before merging, at most one a character, or with byte_fallback one a byte;
// nothing when it has an unknown character and the unknown token is no token.
std::optional<std::size_t> Bpe::Spell(std::string_view piece, std::span<Symbol> out) const {
  std::size_t count = 0;
  std::uint32_t unknown = 0;  // bytes of the unknown token that is still to be written
  const bool plain = options_.prefix.empty() && options_.suffix.empty();
  for (std::size_t at = 0; at < piece.size();) {
    // All that the byte alphabet has, and most of Latin, without a call: a twentieth of the time on Chinese.
    if (const auto first = static_cast<unsigned char>(piece[at]); plain && unknown == 0 && first < 0xe0) {
      const std::size_t size = first < 0x80 ? 1 : 2;
      const std::int32_t id =
          size == 1 ? characters_[first]
                    : characters_[(first & 0x1fu) << 6 | (static_cast<unsigned char>(piece[at + 1]) & 0x3fu)];
      if (id != Vocabulary::kAbsent) {
        out[count++] = {id, static_cast<std::uint32_t>(size)};
        at += size;
        continue;
      }
    }
    const std::size_t end = at + DecodeUtf8(piece, at).bytes;
    const auto size = static_cast<std::uint32_t>(end - at);
    const std::int32_t id = Character(piece, at, end);
    const std::string_view character = piece.substr(at, size);
    at = end;
    if (id != Vocabulary::kAbsent) {
      if (unknown != 0) out[count++] = {unknown_id_, unknown};
      unknown = 0;
      out[count++] = {id, size};
      continue;
    }
    const auto byte_id = [&](char byte) { return bytes_[static_cast<unsigned char>(byte)]; };
    if (options_.byte_fallback && std::all_of(character.begin(), character.end(),
                                              [&](char b) { return byte_id(b) != Vocabulary::kAbsent; })) {
      // As in the library, an unknown token from before comes after these bytes.
      for (const char byte : character) out[count++] = {byte_id(byte), 1};
      continue;
    }
    if (!options_.unknown) continue;
    if (unknown_id_ == Vocabulary::kAbsent) return std::nullopt;
    if (unknown != 0 && !options_.fuse_unknown) {
      out[count++] = {unknown_id_, unknown};
      unknown = 0;
    }
    unknown += size;
  }
  if (unknown != 0) out[count++] = {unknown_id_, unknown};
  return count;
}

}  // namespace candor::text

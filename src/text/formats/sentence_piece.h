// SentencePieceModel: what a SentencePiece model file says, checked: every piece is UTF-8, not empty and
// there once, of a known kind and with a finite score. Pure function; the only door to the protobuf library.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"

namespace candor::text {

struct SentencePieceModel {
  // The numbers of the format.
  enum class Kind : std::uint8_t { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };
  struct Piece {
    std::string text;
    float score = 0;
    Kind kind = Kind::kNormal;
  };
  std::vector<Piece> pieces;
  bool unigram = true;  // else byte pair encoding
  std::size_t unknown = 0;
  std::string charsmap;  // empty: none
};

// `file` names the file in errors.
Result<SentencePieceModel> ReadSentencePiece(std::string_view bytes, const std::string& file);

}  // namespace candor::text

// TokenModel: turns one piece of pre-tokenised text into tokens of its vocabulary.
//
// Immutable; any number of threads. One file per model beside this one; the table is in table.cc.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "text/models/vocabulary.h"
#include "text/reader.h"

namespace candor::text {

// Bytes [begin, end) of the piece.
struct PieceToken {
  std::int32_t id = 0;
  std::size_t begin = 0, end = 0;
};

class TokenModel {
 public:
  virtual ~TokenModel() = default;
  // Appends the tokens of a piece, which is not empty. False when it has a part that no token spells and the
  // model's unknown token is not in its vocabulary, where the library fails as well.
  virtual bool Tokenize(std::string_view piece, std::vector<PieceToken>& out) const = 0;
  virtual const Vocabulary& vocabulary() const = 0;
  virtual std::string_view unknown() const = 0;  // the token for what it cannot spell; may be empty
  // The id that the library calls by the text it stands for and not by its token: Unigram's unknown one. -1
  // when there is none.
  virtual std::int32_t id_named_by_text() const { return -1; }
  // Whether its tokens tell by a prefix that they continue a word.
  virtual bool marks_continuation() const { return false; }
};
using TokenModelPtr = std::unique_ptr<const TokenModel>;

TokenModelPtr ReadTokenModel(const package::Config& config, Problems& problems);
TokenModelPtr ReadBpe(const package::Config& config, Problems& problems);
TokenModelPtr ReadUnigram(const package::Config& config, Problems& problems);
TokenModelPtr ReadWordLevel(const package::Config& config, Problems& problems);
TokenModelPtr ReadWordPiece(const package::Config& config, Problems& problems);

// An object of token strings to ids, as models keep it at /vocab.
Vocabulary ReadVocabulary(const package::Config& config, std::string_view key, Problems& problems);

}  // namespace candor::text

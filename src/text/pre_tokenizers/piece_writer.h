// PieceWriter: builds the successor of a text whose pieces a pre-tokenizer rewrites, front to back.
//
// What lies between pieces is left behind. A value on the stack; one thread.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/pre_tokenizers/pre_tokenizer.h"

namespace candor::text {

class PieceWriter {
 public:
  // `more` is what the successor will have at most beyond the bytes of the pieces, which may overlap. When
  // that is too much, ok() is false and nothing is to be written.
  PieceWriter(PreTokenized& text, std::size_t more) : old_(text) {
    std::size_t bytes = more;
    for (const Piece& piece : text.pieces) bytes += piece.end - piece.begin;
    ok_ = text.text.MayGrowTo(bytes);
    if (!ok_) {
      text.pieces.clear();
      return;
    }
    text_.reserve(bytes);
    if (text.text.tracked()) spans_.reserve(bytes);
    pieces_.reserve(text.pieces.size());
  }
  bool ok() const { return ok_; }

  void Copy(std::size_t begin, std::size_t end) {
    text_.append(old_.text.text(), begin, end - begin);
    if (!old_.text.tracked()) return;
    const auto from = old_.text.spans().begin();
    spans_.insert(spans_.end(), from + static_cast<std::ptrdiff_t>(begin),
                  from + static_cast<std::ptrdiff_t>(end));
  }
  // `bytes` that stand for, or in front of, the character at `at` of the old text.
  void Put(std::string_view bytes, std::size_t at) {
    text_ += bytes;
    if (old_.text.tracked()) spans_.resize(text_.size(), old_.text.spans()[at]);
  }
  // What was written since the last call is one piece, unless it is nothing.
  void EndPiece(std::int32_t id = -1) {
    if (begin_ < text_.size()) pieces_.push_back({begin_, text_.size(), id});
    begin_ = text_.size();
  }
  void CopyPiece(const Piece& piece) {
    Copy(piece.begin, piece.end);
    EndPiece(piece.id);
  }
  void Finish(bool ascii) {
    old_.text.Become(std::move(text_), std::move(spans_), ascii);
    old_.pieces = std::move(pieces_);
  }

 private:
  PreTokenized& old_;
  bool ok_ = false;
  std::string text_;
  std::vector<Offset> spans_;
  std::vector<Piece> pieces_;
  std::size_t begin_ = 0;  // of the open piece
};

}  // namespace candor::text

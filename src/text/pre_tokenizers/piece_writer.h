// PieceWriter: builds the successor of a text whose pieces a pre-tokenizer rewrites, front to back.
//
// What lies between pieces is left behind. A value on the stack; one thread.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/pre_tokenizers/pre_tokenizer.h"

namespace candor::text {

class PieceWriter {
 public:
  // `more` is what the successor will have at most beyond the bytes of the pieces, which may overlap: room is
  // made for that, and for `pieces`, and not asked for again. When it is too much, ok() is false and nothing
  // is to be written.
  PieceWriter(PreTokenized& text, std::size_t more, std::size_t pieces) : old_(text) {
    std::size_t bytes = more;
    for (const Piece& piece : text.pieces) bytes += piece.end - piece.begin;
    ok_ = text.text.MayGrowTo(bytes);
    if (!ok_) {
      text.pieces.clear();
      return;
    }
    pieces_.reserve(pieces);
    text_.resize(bytes);
    if (!text.text.tracked()) return;
    spans_.resize(bytes);
    old_spans_ = text.text.spans().data();
  }
  bool ok() const { return ok_; }

  void Copy(std::size_t begin, std::size_t end) {
    std::copy_n(old_.text.text().data() + begin, end - begin, text_.data() + at_);
    if (old_spans_ != nullptr) std::copy_n(old_spans_ + begin, end - begin, spans_.data() + at_);
    at_ += end - begin;
  }
  // `bytes` that stand for, or in front of, the character at `at` of the old text.
  void Put(std::string_view bytes, std::size_t at) {
    std::copy_n(bytes.data(), bytes.size(), text_.data() + at_);
    if (old_spans_ != nullptr) std::fill_n(spans_.data() + at_, bytes.size(), old_spans_[at]);
    at_ += bytes.size();
  }
  // What was written since the last call is one piece, unless it is nothing.
  void EndPiece(std::int32_t id = -1) {
    if (begin_ < at_) pieces_.push_back({begin_, at_, id});
    begin_ = at_;
  }
  void CopyPiece(const Piece& piece) {
    Copy(piece.begin, piece.end);
    EndPiece(piece.id);
  }
  void Finish(bool ascii) {
    text_.resize(at_);
    if (old_spans_ != nullptr) spans_.resize(at_);
    old_.text.Become(std::move(text_), std::move(spans_), ascii);
    old_.pieces = std::move(pieces_);
  }

 private:
  PreTokenized& old_;
  bool ok_ = false;
  std::string text_;
  std::vector<Offset> spans_;
  std::vector<Piece> pieces_;
  const Offset* old_spans_ = nullptr;  // null when not tracked
  std::size_t at_ = 0;                 // bytes written
  std::size_t begin_ = 0;              // of the open piece
};

}  // namespace candor::text

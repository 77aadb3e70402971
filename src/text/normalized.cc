// Spans and rewriting.
#include "text/normalized.h"

namespace candor::text {

Normalized::Normalized(std::string_view text, std::int32_t first, std::size_t most, bool tracked)
    : text_(text.size() > most ? std::string_view{} : text),
      tracked_(tracked),
      first_(first),
      most_(most),
      ascii_(IsAscii(text_)),
      exceeded_(text.size() > most ? TextLimit::kBytes : TextLimit::kNone) {}

void Normalized::MakeSpansOfInput() {
  spans_.resize(text_.size());
  std::int32_t index = first_ - 1;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if ((static_cast<unsigned char>(text_[i]) & 0xc0) != 0x80) ++index;
    spans_[i] = {index, index + 1};
  }
  spans_made_ = true;
}

Rewriter::Rewriter(Normalized& text) : old_(text) {
  text_.reserve(text.text_.size() + text.text_.size() / 8);
  if (!old_.tracked_) return;
  old_.MakeSpans();
  spans_.reserve(text_.capacity());
}

void Rewriter::Advance() {
  if (at_ < old_.text_.size()) at_ += CodePointAt(old_.text_, at_).bytes;
}

void Rewriter::Put(char32_t c, int change) {
  Offset origin = {old_.first_, old_.first_};  // inserted in front of everything: an empty origin
  if (old_.tracked_) {
    if (change > 0) {
      if (at_ > 0) origin = old_.spans_[at_ - 1];
    } else if (at_ < old_.spans_.size()) {
      origin = old_.spans_[at_];
    }
  }
  for (int skip = change; skip <= 0; ++skip) Advance();
  if (!Fits(c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)) return;
  if (c < 0x80) {
    text_.push_back(static_cast<char>(c));
  } else {
    AppendUtf8(text_, c);
  }
  if (old_.tracked_) spans_.resize(text_.size(), origin);
}

void Rewriter::Keep(std::size_t bytes) {
  if (Fits(bytes)) {
    text_.append(old_.text_, at_, bytes);
    if (old_.tracked_) {
      const auto from = old_.spans_.begin() + static_cast<std::ptrdiff_t>(at_);
      spans_.insert(spans_.end(), from, from + static_cast<std::ptrdiff_t>(bytes));
    }
  }
  at_ += bytes;
}

void Rewriter::Replace(std::size_t bytes, std::string_view with) {
  if (Fits(with.size())) {
    text_ += with;
    if (old_.tracked_) spans_.resize(text_.size(), old_.spans_[at_]);
  }
  at_ += bytes;
}

void Rewriter::Finish() {
  const bool ascii = IsAscii(text_);
  old_.Become(std::move(text_), std::move(spans_), ascii);
}

}  // namespace candor::text

// Normalized: a piece of input on its way through the normalizers, with where each byte came from.
//
// Spans count code points of the whole input and stand beside every byte of the text, so a slice of the text
// is a slice of the spans. They are kept only if offsets are asked for, and made only when a step rewrites
// the text or it is not ASCII: until then byte i is the code point i. A value; one thread at a time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "text/offset.h"
#include "text/unicode.h"

namespace candor::text {

// DecodeUtf8 for text that is known to be valid, with the common cases in line.
inline CodePoint CodePointAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xe0 && at + 1 < text.size()) {
    return {static_cast<char32_t>((lead & 0x1f) << 6 | (byte(1) & 0x3f)), 2};
  }
  if (lead < 0xf0 && at + 2 < text.size()) {
    return {static_cast<char32_t>((lead & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f)), 3};
  }
  return DecodeUtf8(text, at);
}

// What a text may ask for too much of: bytes of its normalised form, steps of a regular expression, or a
// token for what none spells.
enum class TextLimit : std::uint8_t { kNone, kBytes, kRegexSteps, kUnspelt };

class Normalized {
 public:
  // `first` is the place of the piece in the input. No step builds more than `most` bytes: what would come
  // behind them is left out, and exceeded() says so. Without `tracked` nothing has an origin.
  Normalized(std::string_view text, std::int32_t first, std::size_t most, bool tracked = true);

  const std::string& text() const { return text_; }
  bool ascii() const { return ascii_; }
  bool tracked() const { return tracked_; }
  // Why the text cannot be dealt with; what later steps make of it is never used.
  TextLimit exceeded() const { return exceeded_; }
  void Exceed(TextLimit limit) { exceeded_ = limit; }
  // The origin of every byte; empty when not tracked.
  const std::vector<Offset>& spans() {
    MakeSpans();
    return spans_;
  }
  // Where bytes [begin, end) came from; not empty. Only of a tracked text.
  Offset Origin(std::size_t begin, std::size_t end) {
    if (!spans_made_ && ascii_) {
      return {first_ + static_cast<std::int32_t>(begin), first_ + static_cast<std::int32_t>(end)};
    }
    MakeSpans();
    return {spans_[begin].begin, spans_[end - 1].end};
  }

  // Replaces every byte of an ASCII text, or every ASCII byte of another, by another ASCII byte.
  template <class F>
  void MapAscii(F map) {
    for (char& c : text_) {
      if (static_cast<unsigned char>(c) < 0x80) c = map(c);
    }
  }
  // Whether any character satisfies `test`; ASCII ones are asked only if `ascii_too`.
  template <class F>
  bool Any(bool ascii_too, F test) const;
  // Keeps the characters for which `keep` holds.
  template <class F>
  void Filter(F keep);

  std::u32string Decode() const { return DecodeAllUtf8(text_); }

  // For a step that rewrites piece by piece: whether the successor may have so many bytes (exceeded() is set
  // if not), and the successor as a whole, with a span per byte if tracked.
  bool MayGrowTo(std::size_t bytes) {
    if (bytes > most_) Exceed(TextLimit::kBytes);
    return bytes <= most_;
  }
  void Become(std::string text, std::vector<Offset> spans, bool ascii) {
    text_ = std::move(text);
    spans_ = std::move(spans);
    spans_made_ = true;
    ascii_ = ascii;
  }

 private:
  friend class Rewriter;
  void MakeSpans() {
    if (tracked_ && !spans_made_) MakeSpansOfInput();
  }
  void MakeSpansOfInput();

  std::string text_;
  std::vector<Offset> spans_;  // one per byte
  bool tracked_, spans_made_ = false;
  std::int32_t first_;
  std::size_t most_;
  bool ascii_;
  TextLimit exceeded_ = TextLimit::kNone;
};

// Builds a text's successor from front to back. Every character of the old text is replaced, removed or has
// new ones inserted after it; at the end Finish puts the successor in place.
class Rewriter {
 public:
  explicit Rewriter(Normalized& text);
  // `change` as in Change: the new character stands for the next old one (0), shares the origin of the old
  // one before (1), or stands for the next and removes -change more.
  void Put(char32_t c, int change);
  void Keep(std::size_t bytes);  // copies the next bytes as they are; whole characters
  // `with` stands for the next character, of `bytes` bytes; each character of it has that one's origin.
  void Replace(std::size_t bytes, std::string_view with);
  void Drop(std::size_t bytes) { at_ += bytes; }
  std::size_t at() const { return at_; }  // bytes of the old text dealt with
  void Finish();

 private:
  void Advance();  // past one character of the old text
  // Whether `bytes` more may be built; after the first that may not, none.
  bool Fits(std::size_t bytes) {
    if (bytes > old_.most_ - text_.size()) old_.exceeded_ = TextLimit::kBytes;
    return old_.exceeded_ == TextLimit::kNone;
  }
  Normalized& old_;
  std::string text_;
  std::vector<Offset> spans_;
  std::size_t at_ = 0;
};

template <class F>
bool Normalized::Any(bool ascii_too, F test) const {
  if (ascii_ && !ascii_too) return false;
  for (std::size_t at = 0; at < text_.size();) {
    const CodePoint point = CodePointAt(text_, at);
    if ((ascii_too || point.bytes > 1) && test(point.value)) return true;
    at += point.bytes;
  }
  return false;
}

template <class F>
void Normalized::Filter(F keep) {
  Rewriter out(*this);
  std::size_t kept = 0;  // bytes not yet handed over
  for (std::size_t at = 0; at < text_.size();) {
    const CodePoint point = CodePointAt(text_, at);
    at += point.bytes;
    if (keep(point.value)) {
      kept += point.bytes;
      continue;
    }
    out.Keep(kept);
    out.Drop(point.bytes);
    kept = 0;
  }
  out.Keep(kept);
  out.Finish();
}

}  // namespace candor::text

// Cutting pieces at matches of something: what becomes of a match is the behaviour that tokenizer.json names.
//
// Pure templates; the rules are those of the tokenizers library (tokenizer/normalizer.rs, `split`).
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "text/pre_tokenizers/pre_tokenizer.h"

namespace candor::text {

// A match is dropped, a piece of its own, the end of the piece before it, the start of the one behind it, or
// one piece with the matches that touch it.
enum class Behavior : std::uint8_t { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };
// The behaviour at `key`, which must be written.
Behavior ReadBehavior(const package::Config& config, std::string_view key, Problems& problems);

// Takes the segments of one piece in order, matches and what lies between, and appends what they become.
class SegmentSink {
 public:
  SegmentSink(Behavior behavior, bool invert, std::vector<Piece>& out)
      : behavior_(behavior), invert_(invert), out_(out), first_(out.size()) {}

  void Take(std::size_t begin, std::size_t end, bool is_match) {
    const bool match = is_match != invert_;
    const bool previous = std::exchange(previous_, match);
    switch (behavior_) {
      case Behavior::kRemoved:
        if (match) return;
        break;
      case Behavior::kIsolated:
        break;
      case Behavior::kMergedWithPrevious:
        if (match && !previous && Extend(end)) return;
        break;
      case Behavior::kMergedWithNext:
        if (!match && previous && Extend(end)) return;
        break;
      case Behavior::kContiguous:
        if (match == previous && Extend(end)) return;
        break;
    }
    out_.push_back({begin, end});
  }

 private:
  bool Extend(std::size_t end) {
    if (out_.size() == first_) return false;
    out_.back().end = end;
    return true;
  }
  Behavior behavior_;
  bool invert_;
  std::vector<Piece>& out_;
  std::size_t first_;
  bool previous_ = false;  // whether the segment before was a match
};

// Splits every piece without an id. `each_match(piece, emit)` calls emit(begin, end), bytes of the piece, for
// each match from front to back; they do not overlap.
template <class EachMatch>
void SplitAtMatches(PreTokenized& text, Behavior behavior, bool invert, EachMatch each_match) {
  std::vector<Piece> out;
  out.reserve(text.pieces.size() + text.text.text().size() / 4);
  for (const Piece& piece : text.pieces) {
    if (piece.id >= 0) {
      out.push_back(piece);
      continue;
    }
    SegmentSink sink(behavior, invert, out);
    std::size_t done = 0;
    const std::string_view bytes =
        std::string_view(text.text.text()).substr(piece.begin, piece.end - piece.begin);
    each_match(bytes, [&](std::size_t begin, std::size_t end) {
      if (done < begin) sink.Take(piece.begin + done, piece.begin + begin, false);
      sink.Take(piece.begin + begin, piece.begin + end, true);
      done = end;
    });
    if (done < bytes.size()) sink.Take(piece.begin + done, piece.end, false);
  }
  std::erase_if(out, [](const Piece& p) { return p.begin == p.end; });  // matches may be empty, pieces not
  text.pieces = std::move(out);
}

// Splits every piece without an id at each character that `is_match` says is one.
template <class F>
void SplitAtCharacters(PreTokenized& text, Behavior behavior, F is_match) {
  SplitAtMatches(text, behavior, false, [&](std::string_view bytes, const auto& emit) {
    for (std::size_t at = 0; at < bytes.size();) {
      const CodePoint point = CodePointAt(bytes, at);
      if (is_match(point.value)) emit(at, at + point.bytes);
      at += point.bytes;
    }
  });
}

}  // namespace candor::text

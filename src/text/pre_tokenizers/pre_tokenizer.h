// PreTokenizer: cuts a normalised text into the pieces that the model sees one by one.
//
// Immutable; any number of threads. One file per component beside this one; the table is in table.cc.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "text/normalized.h"
#include "text/reader.h"

namespace candor::text {

// Bytes [begin, end) of the normalised text, never empty. With an id it is an added token and is left alone.
struct Piece {
  std::size_t begin = 0, end = 0;
  std::int32_t id = -1;
};

// A text may be rewritten by a pre-tokenizer, so it travels with its pieces.
struct PreTokenized {
  Normalized text;
  std::vector<Piece> pieces;
};

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  virtual void Split(PreTokenized& text) const = 0;
  // Whether it must know which piece begins the input: then the text there is tracked, offsets or not.
  virtual bool AsksForFront() const { return false; }
};
using PreTokenizerPtr = std::unique_ptr<const PreTokenizer>;

PreTokenizerPtr ReadPreTokenizer(const package::Config& config, Problems& problems);
PreTokenizerPtr ReadBertPreTokenizer(const package::Config& config, Problems& problems);
PreTokenizerPtr ReadCharDelimiterSplit(const package::Config& config, Problems& problems);
PreTokenizerPtr ReadFixedLength(const package::Config& config, Problems& problems);
PreTokenizerPtr ReadByteLevel(const package::Config& config, Problems& problems);
PreTokenizerPtr ReadMetaspace(const package::Config& config, Problems& problems);
PreTokenizerPtr ReadPunctuation(const package::Config& config, Problems& problems);
PreTokenizerPtr ReadSplit(const package::Config& config, Problems& problems);
PreTokenizerPtr ReadWhitespace(const package::Config& config, Problems& problems);
PreTokenizerPtr ReadWhitespaceSplit(const package::Config& config, Problems& problems);
PreTokenizerPtr ReadPreTokenizerSequence(const package::Config& config, Problems& problems);

// What a character is to a splitter: part of a run of its class, a piece of its own, or nothing.
enum class Cut : std::uint8_t { kRun, kOtherRun, kIsolated, kRemoved };

// Splits every piece without an id into runs of one class, by what `cut` says of each character.
template <class F>
void SplitByCharacter(PreTokenized& text, F cut) {
  std::vector<Piece> out;
  out.reserve(text.pieces.size() + text.text.text().size() / 4);
  const std::string& bytes = text.text.text();
  for (const Piece& piece : text.pieces) {
    if (piece.id >= 0) {
      out.push_back(piece);
      continue;
    }
    std::size_t begin = piece.begin;  // of the open run
    Cut open = Cut::kRun;
    for (std::size_t at = piece.begin; at < piece.end;) {
      const CodePoint point = CodePointAt(bytes, at);
      const Cut now = cut(point.value);
      if (now != open || now == Cut::kIsolated || now == Cut::kRemoved) {
        if (begin < at) out.push_back({begin, at});
        begin = at;
      }
      at += point.bytes;
      if (now == Cut::kIsolated) out.push_back({begin, at});
      if (now == Cut::kIsolated || now == Cut::kRemoved) begin = at;
      open = now;
    }
    if (begin < piece.end) out.push_back({begin, piece.end});
  }
  text.pieces = std::move(out);
}

}  // namespace candor::text

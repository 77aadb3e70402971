// ByteLevel: the pieces that GPT-2's pattern finds, each byte of them as a letter of the byte alphabet.
#include "text/pre_tokenizers/byte_level.h"

#include <algorithm>

#include "text/byte_alphabet.h"
#include "text/pre_tokenizers/piece_writer.h"
#include "text/pre_tokenizers/split.h"
#include "text/regex/regex.h"

namespace candor::text {
namespace {

class ByteLevel final : public PreTokenizer {
 public:
  explicit ByteLevel(const ByteLevelKeys& keys) : keys_(keys) {}

  void Split(PreTokenized& text) const override {
    if (keys_.add_prefix_space) AddPrefix(text);
    if (keys_.use_regex) {
      SplitAtMatches(text, Behavior::kIsolated, false, [&](std::string_view piece, auto emit) {
        const TextLimit limit = Gpt2Regex().ForEachMatch(piece, emit);
        if (limit != TextLimit::kNone) text.text.Exceed(limit);
      });
    }
    if (text.text.exceeded() == TextLimit::kNone) Spell(text);
  }

 private:
  static void AddPrefix(PreTokenized& text) {
    const std::string& bytes = text.text.text();
    const auto lacks = [&](const Piece& piece) { return piece.id < 0 && bytes[piece.begin] != ' '; };
    const auto count = std::count_if(text.pieces.begin(), text.pieces.end(), lacks);
    if (count == 0) return;
    PieceWriter out(text, static_cast<std::size_t>(count), text.pieces.size());
    if (!out.ok()) return;
    for (const Piece& piece : text.pieces) {
      if (lacks(piece)) out.Put(" ", piece.begin);
      out.CopyPiece(piece);
    }
    out.Finish(text.text.ascii());
  }

  // The reference rewrites what a piece stands for in the input. A piece that stands for nothing there, since
  // a normalizer inserted it, keeps its old text behind the letters.
  static bool IsInserted(Normalized& text, const Piece& piece) {
    if (piece.id >= 0 || !text.tracked()) return false;
    const Offset origin = text.Origin(piece.begin, piece.end);
    return origin.begin == origin.end;
  }

  // Added tokens keep their text.
  static void Spell(PreTokenized& text) {
    const std::string& from = text.text.text();
    std::size_t size = 0;
    for (const Piece& piece : text.pieces) {
      size += (piece.end - piece.begin) * (IsInserted(text.text, piece) ? 2 : 1);
      if (piece.id >= 0) continue;
      for (std::size_t i = piece.begin; i < piece.end; ++i) {
        size += !StandsForItself(static_cast<unsigned char>(from[i]));
      }
    }
    if (!text.text.MayGrowTo(size)) {
      text.pieces.clear();
      return;
    }
    // One more, since each letter is written as if it had two bytes.
    std::string to(size + 1, '\0');
    std::vector<Offset> origins(text.text.tracked() ? size + 1 : 0);
    char* const letters = to.data();
    if (origins.empty()) {
      SpellPieces(text, [letters](std::size_t at, std::size_t, ByteSpelling letter) {
        letters[at] = letter.utf8[0], letters[at + 1] = letter.utf8[1];
      });
    } else {
      SpellPieces(text, [letters, out = origins.data(), spans = text.text.spans().data()](
                            std::size_t at, std::size_t old, ByteSpelling letter) {
        letters[at] = letter.utf8[0], letters[at + 1] = letter.utf8[1];
        out[at] = out[at + 1] = spans[old];
      });
      origins.resize(size);
    }
    to.resize(size);
    const bool ascii = text.text.ascii() && size == from.size();
    text.text.Become(std::move(to), std::move(origins), ascii);
  }

  // write(place, place in the old text, letter) for every byte, and pieces put where they are then. Plain
  // pointers and copies: what is written may alias anything that is reached through a reference.
  template <class F>
  static void SpellPieces(PreTokenized& text, F write) {
    const char* const from = text.text.text().data();
    std::size_t at = 0;
    for (Piece& piece : text.pieces) {
      const Piece old = piece;
      const bool inserted = IsInserted(text.text, old);
      const auto copy = [&] {
        for (std::size_t i = old.begin; i < old.end; ++i) write(at++, i, ByteSpelling{{from[i], 0}, 1});
      };
      piece.begin = at;
      if (old.id < 0) {
        for (std::size_t i = old.begin; i < old.end; ++i) {
          const ByteSpelling letter = kByteSpellings[static_cast<unsigned char>(from[i])];
          write(at, i, letter);
          at += letter.size;
        }
      }
      if (old.id >= 0 || inserted) copy();
      piece.end = at;
    }
  }

  ByteLevelKeys keys_;
};

}  // namespace

ByteLevelKeys ReadByteLevelKeys(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"add_prefix_space", "trim_offsets", "use_regex"}, problems);
  return {.add_prefix_space = RequiredFlag(config, "add_prefix_space", problems),
          .trim_offsets = RequiredFlag(config, "trim_offsets", problems),
          .use_regex = config.Flag("use_regex", true, problems)};
}

PreTokenizerPtr ReadByteLevel(const package::Config& config, Problems& problems) {
  return std::make_unique<ByteLevel>(ReadByteLevelKeys(config, problems));
}

}  // namespace candor::text

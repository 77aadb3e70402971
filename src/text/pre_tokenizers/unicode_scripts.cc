// UnicodeScripts: cuts where the script changes. Kana count as Han; characters of no script, and the blank,
// stay with what is before them.
#include "text/pre_tokenizers/split.h"

namespace candor::text {
namespace {

class UnicodeScripts final : public PreTokenizer {
 public:
  void Split(PreTokenized& text) const override {
    const std::string& bytes = text.text.text();
    std::vector<Piece> out;
    out.reserve(text.pieces.size() + bytes.size() / 4);
    for (const Piece& piece : text.pieces) {
      if (piece.id >= 0) {
        out.push_back(piece);
        continue;
      }
      // What stands before the first character with a script belongs to no piece: the library drops it.
      std::size_t begin = piece.end;
      std::uint8_t last = kNoScript;
      for (std::size_t at = piece.begin; at < piece.end;) {
        const CodePoint point = CodePointAt(bytes, at);
        const std::uint8_t script = ScriptOf(point.value);
        if (script != kNoScript && script != last) {
          if (begin < at) out.push_back({begin, at});
          begin = at;
          last = script;
        }
        at += point.bytes;
      }
      if (begin < piece.end) out.push_back({begin, piece.end});
    }
    text.pieces = std::move(out);
  }
};

}  // namespace

PreTokenizerPtr ReadUnicodeScripts(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {}, problems);
  return std::make_unique<UnicodeScripts>();
}

}  // namespace candor::text

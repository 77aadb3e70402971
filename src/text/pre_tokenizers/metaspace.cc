// Metaspace: blanks become a visible character, one is put in front, and pieces begin at each.
#include "text/pre_tokenizers/metaspace.h"

#include <algorithm>

#include "text/pre_tokenizers/piece_writer.h"

namespace candor::text {
namespace {

using Prepend = MetaspaceKeys::Prepend;

class Metaspace final : public PreTokenizer {
 public:
  explicit Metaspace(MetaspaceKeys keys) : keys_(std::move(keys)) {}

  void Split(PreTokenized& text) const override {
    const std::string& bytes = text.text.text();
    const std::size_t size = keys_.replacement.size();
    std::size_t more = 0, blanks = 0;
    for (const Piece& piece : text.pieces) {
      if (piece.id >= 0) continue;
      const char* const begin = bytes.data() + piece.begin;
      const auto here = static_cast<std::size_t>(std::count(begin, bytes.data() + piece.end, ' '));
      more += size + here * (size - 1);
      blanks += here;
    }
    PieceWriter out(text, more, text.pieces.size() + blanks);
    if (!out.ok()) return;
    for (const Piece& piece : text.pieces) {
      if (piece.id >= 0) {
        out.CopyPiece(piece);
      } else {
        Rewrite(text.text, piece, out);
      }
    }
    // The character is hardly ever ASCII, and only speed hangs on it.
    out.Finish(text.text.ascii() && static_cast<unsigned char>(keys_.replacement[0]) < 0x80);
  }
  bool AsksForFront() const override { return keys_.prepend == Prepend::kFirst; }

 private:
  // Bytes of the blank or replacement at `at`; 0 when there is neither.
  std::size_t MarkAt(std::string_view text, std::size_t at) const {
    if (text[at] == ' ') return 1;
    if (text[at] != keys_.replacement[0]) return 0;
    return text.substr(at).starts_with(keys_.replacement) ? keys_.replacement.size() : 0;
  }

  void Rewrite(Normalized& text, const Piece& piece, PieceWriter& out) const {
    const std::string_view bytes = std::string_view(text.text()).substr(0, piece.end);
    std::size_t at = piece.begin, done = at;
    // The place of a piece is that of its first character, whatever was removed in front of it.
    const bool prepend =
        keys_.prepend == Prepend::kAlways ||
        (keys_.prepend == Prepend::kFirst && text.tracked() && text.Origin(at, piece.end).begin == 0);
    if (prepend && MarkAt(bytes, at) == 0) out.Put(keys_.replacement, at);
    while (at < piece.end) {
      const std::size_t mark = MarkAt(bytes, at);
      if (mark == 0) {
        ++at;
        continue;
      }
      out.Copy(done, at);
      if (keys_.split) out.EndPiece();
      out.Put(keys_.replacement, at);
      done = at += mark;
    }
    out.Copy(done, piece.end);
    out.EndPiece();
  }

  MetaspaceKeys keys_;
};

}  // namespace

MetaspaceKeys ReadMetaspaceKeys(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"replacement", "prepend_scheme", "split", "add_prefix_space", "str_rep"},
                  problems);
  MetaspaceKeys keys;
  keys.replacement = RequiredCharacter(config, "replacement", problems);
  const std::string scheme = config.Text("prepend_scheme", "always", problems);
  if (scheme == "first") {
    keys.prepend = Prepend::kFirst;
  } else if (scheme == "never") {
    keys.prepend = Prepend::kNever;
  } else if (scheme != "always") {
    Refuse(config, "prepend_scheme", scheme, "always, first, never", problems);
  }
  keys.split = config.Flag("split", true, problems);
  if (!config.Flag("add_prefix_space", true, problems) && keys.prepend != Prepend::kNever) {
    Refuse(config, "add_prefix_space", "false, with the prepend_scheme " + scheme,
           "false with the prepend_scheme never, or true", problems);
  }
  config.Text("str_rep", "", problems);
  return keys;
}

PreTokenizerPtr ReadMetaspace(const package::Config& config, Problems& problems) {
  return std::make_unique<Metaspace>(ReadMetaspaceKeys(config, problems));
}

}  // namespace candor::text

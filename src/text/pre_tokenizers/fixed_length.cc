// FixedLength: pieces of so many characters, the last of what is left.
#include "text/pre_tokenizers/split.h"

namespace candor::text {
namespace {

class FixedLength final : public PreTokenizer {
 public:
  explicit FixedLength(std::size_t length) : length_(length) {}
  void Split(PreTokenized& text) const override {
    const std::string& bytes = text.text.text();
    std::vector<Piece> out;
    out.reserve(text.pieces.size() + bytes.size() / length_);
    for (const Piece& piece : text.pieces) {
      if (piece.id >= 0) {
        out.push_back(piece);
        continue;
      }
      for (std::size_t at = piece.begin; at < piece.end;) {
        const std::size_t begin = at;
        for (std::size_t n = 0; n < length_ && at < piece.end; ++n) at += CodePointAt(bytes, at).bytes;
        out.push_back({begin, at});
      }
    }
    text.pieces = std::move(out);
  }

 private:
  std::size_t length_;
};

}  // namespace

PreTokenizerPtr ReadFixedLength(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"length"}, problems);
  constexpr std::size_t kDefault = 5;
  return std::make_unique<FixedLength>(config.Size("length", kDefault, problems, 1));
}

}  // namespace candor::text

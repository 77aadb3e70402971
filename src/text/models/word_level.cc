// WordLevel: a piece is a token of the vocabulary, or the unknown token.
#include <string>

#include "text/models/token_model.h"

namespace candor::text {
namespace {

class WordLevel final : public TokenModel {
 public:
  WordLevel(Vocabulary vocabulary, std::string unknown)
      : vocabulary_(std::move(vocabulary)),
        unknown_(std::move(unknown)),
        unknown_id_(vocabulary_.IdOf(unknown_).value_or(Vocabulary::kAbsent)) {}

  bool Tokenize(std::string_view piece, std::vector<PieceToken>& out) const override {
    std::int32_t id = Vocabulary::kAbsent;
    if (piece.size() <= vocabulary_.longest()) id = vocabulary_.Find({}, piece, Vocabulary::Hash(piece));
    if (id == Vocabulary::kAbsent) id = unknown_id_;
    if (id != Vocabulary::kAbsent) out.push_back({id, 0, piece.size()});
    return id != Vocabulary::kAbsent;
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string_view unknown() const override { return unknown_; }

 private:
  Vocabulary vocabulary_;
  std::string unknown_;
  std::int32_t unknown_id_;  // kAbsent: every piece must be a token
};

}  // namespace

TokenModelPtr ReadWordLevel(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"unk_token", "vocab"}, problems);
  std::string unknown = RequiredText(config, "unk_token", problems);
  return std::make_unique<WordLevel>(ReadVocabulary(config, "vocab", problems), std::move(unknown));
}

}  // namespace candor::text

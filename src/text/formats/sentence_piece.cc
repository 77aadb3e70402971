// The library's own parser does the reading, with its log handler silent; what it lets pass is checked here.
#include "text/formats/sentence_piece.h"

#include <formats/sentence_piece.pb.h>
#include <google/protobuf/stubs/logging.h>

#include <cmath>
#include <limits>
#include <unordered_set>

#include "base/utf8.h"

namespace candor::text {
namespace {

Error Damaged(const std::string& file, std::string pointer, std::string found, std::string allowed) {
  return {Code::kInvalidPackageSchema, Where::At(file, std::move(pointer)), std::move(found),
          std::move(allowed), Phase::kProcessing};
}

std::string Quoted(std::string_view text) { return "\"" + std::string(text.substr(0, 80)) + "\""; }

}  // namespace

Result<SentencePieceModel> ReadSentencePiece(std::string_view bytes, const std::string& file) {
  // Set once, before the first parse: a damaged file is a refusal, not a line on the error stream.
  static google::protobuf::LogHandler* const silent = google::protobuf::SetLogHandler(nullptr);
  static_cast<void>(silent);  // the handler before, which nobody wants back
  constexpr std::string_view kForm = "a SentencePiece model";
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return Damaged(file, {}, std::to_string(bytes.size()) + " bytes", std::string(kForm));
  }
  wire::Model model;
  if (!model.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Damaged(file, {}, "damaged or cut off, " + std::to_string(bytes.size()) + " bytes",
                   std::string(kForm));
  }
  if (model.pieces_size() == 0) return Damaged(file, "/pieces", "none", "at least one piece");
  SentencePieceModel out;
  std::unordered_set<std::string_view> seen;
  out.pieces.reserve(static_cast<std::size_t>(model.pieces_size()));
  for (int i = 0; i < model.pieces_size(); ++i) {
    const wire::Piece& piece = model.pieces(i);
    const std::string place = "/pieces/" + std::to_string(i);
    if (piece.piece().empty()) return Damaged(file, place, "an empty piece", "a text");
    if (!IsUtf8(piece.piece())) return Damaged(file, place, "invalid UTF-8", "UTF-8");
    if (!seen.insert(piece.piece()).second) {
      return Damaged(file, place, Quoted(piece.piece()) + ", a second time", "every piece once");
    }
    if (piece.type() < 1 || piece.type() > 6) {
      return Damaged(file, place + "/type", std::to_string(piece.type()), "1 to 6");
    }
    if (!std::isfinite(piece.score())) return Damaged(file, place + "/score", "not finite", "a number");
    out.pieces.push_back({piece.piece(), piece.score(), static_cast<SentencePieceModel::Kind>(piece.type())});
  }
  const int kind = model.trainer().model_type();
  if (kind != 1 && kind != 2) {
    return Damaged(file, "/trainer_spec/model_type", std::to_string(kind), "1 (unigram), 2 (bpe)");
  }
  out.unigram = kind == 1;
  const int unknown = model.trainer().unk_id();
  if (unknown < 0 || unknown >= model.pieces_size()) {
    return Damaged(file, "/trainer_spec/unk_id", std::to_string(unknown), "the number of a piece");
  }
  out.unknown = static_cast<std::size_t>(unknown);
  out.charsmap = model.normalizer().precompiled_charsmap();
  return out;
}

}  // namespace candor::text

// Writing, with one look-up for each way of cutting a piece.
#include "text/formats/pieces.h"

#include <unordered_set>

namespace candor::text {

std::size_t ScoredPieces::FirstOf(std::string_view text) const {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].first == text) return i;
  }
  return 0;
}

void ScoredPieces::Write(io::JsonWriter& out) const {
  out.Key("vocab").BeginArray();
  for (const auto& [piece, score] : pieces) out.BeginArray().String(piece).Double(score).EndArray();
  out.EndArray();
}

ScoredPieces Scored(const SentencePieceModel& model, std::span<const std::pair<std::string, double>> before,
                    std::size_t skipped, std::span<const std::pair<std::string, double>> after) {
  ScoredPieces out;
  out.pieces.reserve(before.size() + model.pieces.size() + after.size());
  out.pieces.assign(before.begin(), before.end());
  for (std::size_t i = skipped; i < model.pieces.size(); ++i) {
    out.pieces.emplace_back(model.pieces[i].text, static_cast<double>(model.pieces[i].score));
  }
  out.pieces.insert(out.pieces.end(), after.begin(), after.end());
  return out;
}

void WriteMerges(const SentencePieceModel& model, io::JsonWriter& out) {
  std::unordered_set<std::string_view> known;
  known.reserve(model.pieces.size());
  std::size_t id = 0;
  out.Key("vocab").BeginObject();
  for (const SentencePieceModel::Piece& piece : model.pieces) {
    known.insert(piece.text);
    out.Key(piece.text).Uint(id++);
  }
  out.EndObject().Key("merges").BeginArray();
  for (const SentencePieceModel::Piece& piece : model.pieces) {
    const std::string_view text = piece.text;
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
      if ((static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) continue;
      if (!known.contains(text.substr(0, cut)) || !known.contains(text.substr(cut))) continue;
      out.BeginArray().String(text.substr(0, cut)).String(text.substr(cut)).EndArray();
    }
  }
  out.EndArray();
}

std::string Base64Of(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) -> std::uint32_t {
      return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
    };
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    out += kDigits[group >> 18];
    out += kDigits[group >> 12 & 63];
    out += i + 1 < bytes.size() ? kDigits[group >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? kDigits[group & 63] : '=';
  }
  return out;
}

}  // namespace candor::text

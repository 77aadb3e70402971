// A SentencePiece model as "vocab" (and "merges") of a model of tokenizer.json.
#pragma once
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "io/json.h"
#include "text/formats/sentence_piece.h"

namespace candor::text {

// [[piece, score], ...]: `before`, the pieces but the first `skipped`, `after`.
struct ScoredPieces {
  std::vector<std::pair<std::string, double>> pieces;
  std::size_t FirstOf(std::string_view text) const;  // 0 when there is none
  void Write(io::JsonWriter& out) const;
};
ScoredPieces Scored(const SentencePieceModel& model, std::span<const std::pair<std::string, double>> before,
                    std::size_t skipped, std::span<const std::pair<std::string, double>> after);
// Ids by place, and every way of cutting a piece in two pieces as a merge, in the order of ids: the reference
// ranks them so and not by score.
void WriteMerges(const SentencePieceModel& model, io::JsonWriter& out);

std::string Base64Of(std::string_view bytes);

}  // namespace candor::text

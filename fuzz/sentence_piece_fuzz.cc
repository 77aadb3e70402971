// Any bytes as a SentencePiece model: a refusal, or pieces that keep what the header of the reader promises.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "text/formats/sentence_piece.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto model = candor::text::ReadSentencePiece(bytes, "model");
  if (!model) return 0;
  if (model->pieces.empty() || model->unknown >= model->pieces.size()) std::abort();
  for (const auto& piece : model->pieces) {
    if (piece.text.empty() || !candor::IsUtf8(piece.text) || !std::isfinite(piece.score)) std::abort();
  }
  return 0;
}

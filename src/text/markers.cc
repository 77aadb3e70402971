// Markers of late interaction, registered as sentence-transformers 6.2 does it
// (multi_vector_encoder/model.py, _register_prefix_tokens).
#include "text/parts.h"
#include "text/unicode.h"

namespace candor::text {
namespace {

// What Python's split() gives first.
std::string_view FirstWord(std::string_view text) {
  std::size_t begin = 0, end = 0;
  for (bool inside = false; end < text.size();) {
    const CodePoint point = DecodeUtf8(text, end);
    const bool blank = Is(point.value, kSpace) || (point.value >= 0x1c && point.value <= 0x1f);
    if (blank && inside) break;
    if (!blank && !inside) inside = true, begin = end;
    end += point.bytes;
    if (!inside) begin = end;
  }
  return text.substr(begin, end - begin);
}

}  // namespace

void Tokenizer::Register(std::span<const std::string> markers, const std::string& file, Problems& problems) {
  std::vector<AddedToken> tokens;
  for (const std::string& marker : markers) {
    const std::string_view word = FirstWord(marker);
    if (word.empty()) continue;
    for (const std::string_view text : {std::string_view(marker), word}) {
      if (!IdOf(text)) continue;
      const Result<Encoding> cut = Encode(text, {.add_special = false, .offsets = false, .tokens = true});
      if (!cut || cut->tokens != std::vector<std::string>{std::string(text)})
        tokens.push_back({.content = std::string(text), .normalized = false, .special = true});
      break;
    }
  }
  if (tokens.empty()) return;
  parts_->added.Add(tokens, parts_->model->vocabulary());
  for (const std::string& content : parts_->added.Seal(parts_->normalizer.get())) {
    problems.push_back({Code::kUnsupportedProcessorRecipe, Where::At(file), content,
                        "markers that stay distinct from the other added tokens", Phase::kProcessing});
  }
}

}  // namespace candor::text

// The decoders that tokenizer.json may name, and what they share.
#include "base/utf8.h"
#include "text/decoders/decoder.h"
#include "text/limits.h"

namespace candor::text {
namespace {

constexpr ComponentReader<DecoderPtr> kTable[] = {
    {"BPEDecoder", ReadBpeDecoder},
    {"ByteFallback", ReadByteFallbackDecoder},
    {"ByteLevel", ReadByteLevelDecoder},
    {"CTC", ReadCtcDecoder},
    {"Fuse", ReadFuseDecoder},
    {"Metaspace", ReadMetaspaceDecoder, "split add_prefix_space str_rep"},
    {"Replace", ReadReplaceDecoder},
    {"Sequence", ReadDecoderSequence},
    {"Strip", ReadStripDecoder},
    {"WordPiece", ReadWordPieceDecoder},
};

}  // namespace

DecoderPtr ReadDecoder(const package::Config& config, Problems& problems) {
  return ReadByType<DecoderPtr>(config, {}, kTable, problems);
}

std::string Joined(const std::vector<std::string>& tokens, std::string_view between) {
  std::string out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i > 0) out += between;
    out += tokens[i];
  }
  return out;
}

std::string Replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t at = 0;
  while (out.size() <= kMaxTextBytes) {
    if (from.empty()) {
      out += to;
      if (at == text.size()) return out;
      const std::size_t bytes = DecodeUtf8(text, at).bytes;
      out += text.substr(at, bytes);
      at += bytes;
      continue;
    }
    const std::size_t found = text.find(from, at);
    out += text.substr(at, found - at);
    if (found == std::string_view::npos) return out;
    out += to;
    at = found + from.size();
  }
  return out;
}

Result<void> CheckSize(const std::string& token, std::size_t& bytes) {
  bytes += token.size();
  if (bytes <= kMaxTextBytes) return {};
  return Error{.code = Code::kInputTooLarge,
               .found = "more than " + std::to_string(kMaxTextBytes) + " bytes when decoded",
               .allowed = "at most " + std::to_string(kMaxTextBytes)};
}

}  // namespace candor::text

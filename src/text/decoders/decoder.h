// Decoder: turns token strings back into text, as the decoder section of tokenizer.json says.
//
// Immutable; any number of threads. The components are grouped in three files by what they look at: bytes,
// words, strings; the table is in table.cc.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"
#include "text/reader.h"

namespace candor::text {

class Decoder {
 public:
  virtual ~Decoder() = default;
  // An error where the library stops the process, or past kMaxTextBytes.
  virtual Result<void> Apply(std::vector<std::string>& tokens) const = 0;
};
using DecoderPtr = std::unique_ptr<const Decoder>;

DecoderPtr ReadDecoder(const package::Config& config, Problems& problems);
DecoderPtr ReadBpeDecoder(const package::Config& config, Problems& problems);
DecoderPtr ReadByteFallbackDecoder(const package::Config& config, Problems& problems);
DecoderPtr ReadByteLevelDecoder(const package::Config& config, Problems& problems);
DecoderPtr ReadCtcDecoder(const package::Config& config, Problems& problems);
DecoderPtr ReadFuseDecoder(const package::Config& config, Problems& problems);
DecoderPtr ReadMetaspaceDecoder(const package::Config& config, Problems& problems);
DecoderPtr ReadReplaceDecoder(const package::Config& config, Problems& problems);
DecoderPtr ReadDecoderSequence(const package::Config& config, Problems& problems);
DecoderPtr ReadStripDecoder(const package::Config& config, Problems& problems);
DecoderPtr ReadWordPieceDecoder(const package::Config& config, Problems& problems);

std::string Joined(const std::vector<std::string>& tokens, std::string_view between);
// Every `from` replaced, from the front; an empty one stands at every character and at the end. What grows
// past kMaxTextBytes is cut there, which CheckSize then finds.
std::string Replaced(std::string_view text, std::string_view from, std::string_view to);
// Adds to `bytes`, the size of tokens so far; an error when that is past kMaxTextBytes. Asked after every
// token, since each may become as long as all are allowed to be.
Result<void> CheckSize(const std::string& token, std::size_t& bytes);

}  // namespace candor::text

#include "engine/tokenize.h"

namespace candor::engine {

Result<TokenizedText> Tokenize(const text::Tokenizer& tokenizer, std::size_t limit, std::string_view text,
                               std::optional<std::string_view> pair, const TextOptions& options) {
  text::EncodeOptions encode;
  if (options.max_length) {
    if (*options.max_length == 0 || (limit != 0 && *options.max_length > limit)) {
      return Error{Code::kUnsupportedOption, Where::Option("max-length"), std::to_string(*options.max_length),
                   limit == 0 ? "at least 1" : "1 to " + std::to_string(limit)};
    }
    limit = *options.max_length;
  }
  encode.max_length = limit;
  encode.truncate_left = options.truncate_left.value_or(tokenizer.facts().truncation_left);
  CANDOR_TRY(text::Encoding e,
             pair ? tokenizer.EncodePair(text, *pair, encode) : tokenizer.Encode(text, encode));
  if (e.truncated() && !options.truncate) {
    return Error{Code::kInputTooLarge, Where::Field("text"), std::to_string(e.total) + " tokens",
                 "at most " + std::to_string(limit)};
  }
  TokenizedText out;
  for (const std::int32_t id : e.ids) out.tokens.emplace_back(tokenizer.TokenOf(id));
  for (const text::Offset& o : e.offsets) out.offsets.emplace_back(o.begin, o.end);
  out.ids = std::move(e.ids), out.type_ids = std::move(e.type_ids), out.total = e.total;
  return out;
}

}  // namespace candor::engine

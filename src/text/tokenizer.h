// Tokenizer: text to token ids, exactly as tokenizer.json through the Hugging Face `tokenizers` library says,
// changed only by keys that are written in tokenizer_config.json.
//
// Built once from a package, immutable, used by any number of threads. What it cannot reproduce exactly is a
// problem at build time, never an approximation. Offsets count Unicode code points of the input.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"
#include "package/package.h"
#include "text/offset.h"
#include "text/truncation.h"

namespace candor::text {

struct Encoding {
  std::vector<std::int32_t> ids, type_ids;
  std::vector<Offset> offsets;        // (0, 0) for special tokens of the template; empty if not asked for
  std::vector<std::uint8_t> special;  // 1 for tokens that the template added
  std::vector<std::int8_t> sequence;  // 0 first text, 1 second, -1 added by the template
  // The library's token strings, when asked for: TokenOf(id), except that an added token, and what Unigram
  // cannot spell, are named by their normalised text.
  std::vector<std::string> tokens;
  std::size_t total = 0;  // tokens before truncation, special ones included
  bool truncated() const { return total > ids.size(); }
};

struct EncodeOptions {
  std::size_t max_length = 0;  // tokens, special ones included; 0 is no limit
  bool truncate_left = false;
  TruncationStrategy truncation = TruncationStrategy::kLongestFirst;
  bool add_special = true;
  bool offsets = true;        // without them it is faster
  bool parse_special = true;  // text that spells a special token becomes it (the reference's default)
  bool tokens = false;        // fills Encoding::tokens
};

// What the package says about lengths and sides, with provenance in the ReadLog.
struct TokenizerFacts {
  std::optional<std::size_t> model_max_length;  // absent, or absurdly large in the file: no limit
  bool truncation_left = false;
  std::size_t vocabulary = 0;  // ids are below this, added tokens included
  std::optional<std::int32_t> pad_id, cls_id, sep_id, mask_id, unk_id, eos_id;
  // What transformers' object calls its unk_token, where `unk_id` is the model's: a plain class has only a
  // written one, the others have one by default.
  std::optional<std::int32_t> unk_token_id;
  bool marks_continuation = false;  // tokens tell by a prefix ("##") that they continue a word
  // What tokenizer.json's own truncation section says; Encode never applies it, nor any padding.
  std::optional<std::size_t> file_truncation;
  bool file_truncation_left = false;
};

class Tokenizer {
 public:
  // Reads tokenizer.json, or without one what formats/ makes of older files, and what tokenizer_config.json,
  // special_tokens_map.json and added_tokens.json write beside it. `lowercase_first` is
  // sentence_bert_config's do_lower_case: a Lowercase normalizer in front. `folder` ("1_Words/") has the
  // files; only an encoder's may be older ones. Each of `markers` is a text that
  // begins with one token of the vocabulary, the whole of it or its first word: what would be cut into pieces
  // becomes a special token under its id, as sentence-transformers registers the prefixes of late
  // interaction.
  static Planned<std::shared_ptr<const Tokenizer>> Read(const package::Package& package,
                                                        std::shared_ptr<package::ReadLog> log,
                                                        bool lowercase_first = false,
                                                        const std::string& folder = "",
                                                        std::span<const std::string> markers = {});
  // tokenizer.json alone, as the library itself opens it: nothing beside it counts and no special token is
  // ever added. With `cuts` its truncation section is in force: it becomes the length and the side of
  // facts().
  static Planned<std::shared_ptr<const Tokenizer>> ReadFile(const package::Package& package,
                                                            std::string_view file, bool cuts,
                                                            std::shared_ptr<package::ReadLog> log);
  ~Tokenizer();
  // Text must be valid UTF-8 (invalid_input names the byte otherwise).
  Result<Encoding> Encode(std::string_view text, const EncodeOptions& options = {}) const;
  Result<Encoding> EncodePair(std::string_view first, std::string_view second,
                              const EncodeOptions& options = {}) const;
  // The text that the decoder of the file makes of the tokens; ids that no token has are passed over, as
  // there. Without a decoder, the tokens joined by blanks. A decoder section with a type or key outside the
  // tables is refused here, with its place, and stops no encoding.
  Result<std::string> Decode(std::span<const std::int32_t> ids, bool skip_special = true) const;
  std::string_view TokenOf(std::int32_t id) const;  // empty when there is none
  std::optional<std::int32_t> IdOf(std::string_view token) const;
  const TokenizerFacts& facts() const;
  // Code points of every token, added ones included, in no order.
  std::vector<std::size_t> TokenLengths() const;

 private:
  struct Parts;
  friend struct PartsReader;
  Result<Encoding> EncodeTexts(std::span<const std::string_view> texts, const EncodeOptions& options) const;
  explicit Tokenizer(std::unique_ptr<Parts> parts);
  void Register(std::span<const std::string> markers, const std::string& file, Problems& problems);
  std::unique_ptr<Parts> parts_;
};

}  // namespace candor::text

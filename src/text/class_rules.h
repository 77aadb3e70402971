// ClassRules: which keys of tokenizer_config.json a tokenizer class of the reference library acts on when
// there is a tokenizer.json, and how. A key that the package's class passes by changes nothing, and the log
// says so.
#pragma once
#include <optional>
#include <string_view>

#include "text/post_processors/template.h"
#include "text/tokenizer_config.h"

namespace candor::text {

struct ClassRules {
  std::string_view name;  // without Tokenizer or TokenizerFast
  // do_lower_case, strip_accents and tokenize_chinese_chars rebuild BERT's normalizer.
  bool bert_keys = false;
  // add_prefix_space is the flag of the ByteLevel pre-tokenizer, and with trim_offsets that of its
  // post-processor; or it is how Metaspace (or Prepend) must already be.
  enum class Space : std::uint8_t {
    kNone,
    kByteLevel,
    kByteLevelAndOffsets,
    kMetaspace
  } space = Space::kNone;
  // Releases before 5 built the template from add_bos_token and add_eos_token, this one drops the keys: where
  // they contradict the file, nobody knows what the model was trained with.
  bool ends = false;
  // Takes tokenizer.json as it stands, whatever is written; an add_prefix_space that contradicts a ByteLevel
  // which stands alone is refused, since releases before 5 acted on it.
  bool plain = false;
};

// Null for a class that is in no row; a package without a class has a plain one.
const ClassRules* RulesOf(std::string_view tokenizer_class);

// `pre_tokenizer` and `post_processor` as written keys change them; nullopt where nothing changes.
std::optional<package::Config> WithPrefixSpace(const package::Config& file, const TokenizerConfig& says,
                                               Problems& problems);
std::optional<package::Config> WithOffsets(const package::Config& file, const TokenizerConfig& says);
// add_bos_token and add_eos_token beside a tokenizer.json: this release of the library drops them, those
// before 5 built some classes' template from them. Where the two give the same it does not matter which;
// where they do not, nobody knows what the model was trained with, and that is a problem. `single` is the
// template of one text with its special tokens.
void CheckEnds(const TokenizerConfig& says, const PartList& single, const AddedTokens& added,
               Problems& problems);

}  // namespace candor::text

// TokenizerConfig: what tokenizer_config.json changes about tokenizer.json, by the keys written there.
//
// A key that is not written says nothing, whatever default a class of the reference library has.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "package/config.h"
#include "text/added_tokens.h"
#include "text/normalizers/normalizer.h"

namespace candor::text {

// A token that a key names ("cls_token"): a bare string, or an object with flags.
struct NamedToken {
  std::string key;
  AddedToken token;
};

struct TokenizerConfig {
  std::string tokenizer_class;
  // Keys of BERT's normalizer. strip_accents may be written as null, which makes it follow the lower-casing.
  std::optional<bool> lowercase, handle_chinese_chars;
  std::optional<std::optional<bool>> strip_accents;
  std::optional<std::map<std::int32_t, AddedToken>> added_tokens_decoder;
  std::vector<NamedToken> named;
  std::optional<std::size_t> model_max_length;
  bool truncation_left = false;
  bool type_ids = true;  // false when model_input_names is written without token_type_ids

  bool ChangesNormalizer() const { return lowercase || handle_chinese_chars || strip_accents; }
};

TokenizerConfig ReadTokenizerConfig(const package::Config& config, Problems& problems);
// Every *_token key of an object that names tokens.
std::vector<NamedToken> ReadNamedTokens(const package::Config& config, Problems& problems);
// An object of an added token, with the flags of `base` where none are written. Other keys than `extra` and
// the token's own are refused.
AddedToken ReadAddedToken(const package::Config& config, AddedToken base,
                          std::initializer_list<std::string_view> extra, Problems& problems);
// Whether the class builds BERT's normalizer from do_lower_case and its like.
bool IsBertLike(std::string_view tokenizer_class);

}  // namespace candor::text

// TokenizerConfig: what tokenizer_config.json changes about tokenizer.json, by the keys written there.
//
// A key that is not written says nothing, whatever default a class of the reference library has.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "package/config.h"
#include "text/added_tokens.h"
#include "text/normalizers/normalizer.h"

namespace candor::text {

// A token that a key names ("cls_token"): a bare string, or an object with flags.
struct NamedToken {
  std::string key;
  AddedToken token;
  Where place;
  bool bare = true;  // a string, without flags of its own
};

struct TokenizerConfig {
  std::string folder;           // of the package, that has these files
  std::string tokenizer_class;  // tokenizer_config.json's, else config.json's
  Where class_place;
  // Keys of BERT's normalizer. strip_accents may be written as null, which makes it follow the lower-casing.
  std::optional<bool> lowercase, handle_chinese_chars;
  std::optional<std::optional<bool>> strip_accents;
  std::optional<std::map<std::int32_t, AddedToken>> added_tokens_decoder;
  std::optional<std::map<std::int32_t, AddedToken>> added_tokens_file;  // added_tokens.json, where it counts
  std::vector<NamedToken> named;  // in the order in which the library adds them
  std::set<std::string> unnamed;  // "mask_token", written as null
  bool extra_written = false;     // extra_special_tokens, or its old name
  std::optional<bool> add_bos_token, add_eos_token, add_prefix_space, trim_offsets;
  bool split_special_tokens = false;
  std::optional<std::size_t> model_max_length;
  bool truncation_left = false;
  std::optional<bool> type_ids;  // whether model_input_names, when it is written, has token_type_ids

  Where At(std::string_view file, std::string pointer = {}) const {
    return Where::At(folder + std::string(file), std::move(pointer));
  }
  bool ChangesNormalizer() const { return lowercase || handle_chinese_chars || strip_accents; }
};

TokenizerConfig ReadTokenizerConfig(const package::Config& config, Problems& problems);
// What special_tokens_map.json and added_tokens.json say, which only counts where tokenizer_config.json has
// no added_tokens_decoder: names in the first replace those of tokenizer_config.json, and the second, strings
// to ids, takes the decoder's place. Either may be absent.
void ApplyOldFiles(const std::optional<package::Config>& names, const std::optional<package::Config>& added,
                   TokenizerConfig& says, Problems& problems);
// Every *_token key of an object that names tokens.
std::vector<NamedToken> ReadNamedTokens(const package::Config& config, Problems& problems);
// An object of an added token, with the flags of `base` where none are written. Other keys than `extra` and
// the token's own are refused.
AddedToken ReadAddedToken(const package::Config& config, AddedToken base,
                          std::initializer_list<std::string_view> extra, Problems& problems);
// Keys of lists of further tokens, the newer and the older name.
inline constexpr std::string_view kExtra = "extra_special_tokens", kAdditional = "additional_special_tokens";
// Names whose tokens the library adds first, in this order.
inline constexpr std::string_view kNamedTokens[] = {"bos_token", "eos_token", "unk_token", "sep_token",
                                                    "pad_token", "cls_token", "mask_token"};

}  // namespace candor::text

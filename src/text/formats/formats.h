// Packages without tokenizer.json: their vocabulary files as the tokenizer.json that the reference library's
// tokenizer class would make of them, so that one path reads both.
//
// Which class: tokenizer_class.cc. What a class makes: recipes.cc, one row a class. Here its defaults do
// count, since there is no file that says otherwise. A class outside the table is refused by name, and so is
// one that is code in the package. Pure functions over a Package.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "package/package.h"
#include "text/added_tokens.h"
#include "text/tokenizer_config.h"

namespace candor::text {

// What the vocabulary comes from.
enum class VocabularySource : std::uint8_t { kVocabTxt, kVocabAndMerges, kUnigram, kPieceMerges };

// A key of tokenizer_config.json that a class reads, as the JSON that stands for `$key` in its parts.
struct RecipeOption {
  std::string_view key, fallback;  // the class's default
};

// Which pieces of a SentencePiece model make the vocabulary: the first `skipped` are replaced by `before`,
// and `after` follows. Both list names of tokens ("pad"), tokens themselves, or extra_ids.
struct PieceFrame {
  std::string_view before;
  std::size_t skipped = 0;
  std::string_view after;
};

// Texts in parts are JSON in which `$name` stands for an option or for what convert.cc knows: $charsmap,
// $scheme (of the prefix space), $cls, $cls_id and their like.
struct Recipe {
  std::string_view tokenizer_class;
  VocabularySource source;
  std::string_view file;   // vocab.txt, spiece.model
  std::string_view model;  // members of /model but its vocabulary
  std::string_view normalizer = "null", pre_tokenizer, decoder;
  // What stands around texts, single and pair: names of tokens and A and B, with type ids other than 0; or a
  // whole post-processor; or neither: bos and eos where add_bos_token and add_eos_token ask for them.
  std::string_view ends = {}, processor = {};
  std::span<const RecipeOption> options;
  std::array<std::string_view, std::size(kNamedTokens)> names;  // in that order; empty: none
  bool mask_takes_space_before = false;
  bool renews_names = false;  // named tokens are added once more, without their written flags
  bool type_ids = false;      // whether the model is given any
  PieceFrame pieces = {};
  bool unknown_in_model = false;
  std::string_view without_prefix = {};  // the scheme of the prefix space when add_prefix_space is false
};
std::span<const Recipe> Recipes();
const Recipe* FindRecipe(std::string_view tokenizer_class);  // without "Fast"; null when there is none

// The class that the reference library would take, from tokenizer_config.json and config.json.
const Recipe* RecipeOf(const package::Package& package, const TokenizerConfig& says,
                       const std::shared_ptr<package::ReadLog>& log, Problems& problems);

struct Converted {
  const Recipe* recipe = nullptr;
  std::optional<package::Config> body;  // as tokenizer.json, without added tokens and post-processor
  std::string config_file;              // tokenizer_config.json, where names are written
  std::vector<AddedToken> tokens;       // to be added in this order
  std::vector<std::int32_t> ids;        // of each: what a file says, or kAnyId
  std::vector<Where> places;
  std::map<std::string, std::string, std::less<>> names;   // "cls_token" to its content
  std::map<std::string, std::string, std::less<>> values;  // of `$name`
  std::shared_ptr<package::ReadLog> log;
  static constexpr std::int32_t kAnyId = -3;
};
// Nullopt: problems say why.
std::optional<Converted> Convert(const package::Package& package, const TokenizerConfig& says,
                                 const std::shared_ptr<package::ReadLog>& log, Problems& problems);
// The post-processor, once the tokens have their ids.
std::optional<package::Config> PostProcessorOf(const Converted& converted,
                                               const std::map<std::string, std::int32_t, std::less<>>& ids,
                                               Problems& problems);

}  // namespace candor::text

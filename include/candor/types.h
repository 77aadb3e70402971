// Requests and results, one pair per task contract. Plain values; the public vocabulary of Candor.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "candor/result.h"

namespace candor {

// ---- what goes in -------------------------------------------------------------------------------------
using TokenIds = std::vector<std::int32_t>;  // final ids: used as they are, nothing added or cut silently
using Content = std::variant<std::string, TokenIds>;

// How one text becomes rows; absent members take the package's recipe.
struct TextOptions {
  std::optional<std::string> prompt_name = {}, prompt = {};
  std::optional<std::size_t> max_length = {};  // at most the plan's
  bool truncate = true;                        // false: a text over the limit is that item's error
  std::optional<bool> truncate_left = {};      // absent: the side that the tokenizer's files name
  // Text that spells a special token is ordinary text; by default it becomes the token, as in the reference.
  bool split_special_tokens = false;
};

// candor.embedding.dense/v1
struct EmbedRequest {
  std::vector<Content> inputs;
  TextOptions text = {};
  std::optional<std::size_t> dimensions = {};  // Matryoshka cut; normalised again if the recipe normalises
  std::optional<std::string> adapter = {};     // of the model's adapters; absent: its own weights alone
};
using Request = std::variant<EmbedRequest>;

// ---- what comes out -----------------------------------------------------------------------------------
// A row per input; the row of an item that failed is zeros and its report carries the error.
struct Embeddings {
  std::size_t dimensions = 0;
  bool normalized = false;
  std::string similarity;  // cosine, dot, euclidean, manhattan: the package's own function
  std::string space;       // embedding-space id: vectors of different spaces are never compared
  std::vector<float> values;
};
using Output = std::variant<Embeddings>;

struct ItemReport {
  std::optional<Error> error = {};
  std::size_t tokens = 0;  // rows that ran
  std::size_t total = 0;   // before truncation; above `tokens` when the text was cut
};

// One text as the model would see it.
struct TokenizedText {
  std::vector<std::int32_t> ids, type_ids;
  std::vector<std::pair<std::int32_t, std::int32_t>> offsets;  // code points of prompt and text
  std::vector<std::string> tokens;
  std::size_t total = 0;  // before truncation
};

}  // namespace candor

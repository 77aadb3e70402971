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

// The side that a text is on in a search, where a package treats the two differently.
enum class TextRole : std::uint8_t { kQuery, kDocument };

// How one text becomes rows; absent members take the package's recipe.
struct TextOptions {
  std::optional<std::string> prompt_name = {}, prompt = {};
  // Chooses prompt and route as the reference's encode_query and encode_document do; a prompt that is asked
  // for by name or as text comes before the role's.
  std::optional<TextRole> role = {};
  std::optional<std::size_t> max_length = {};  // at most the plan's
  bool truncate = true;                        // false: a text over the limit is that item's error
  std::optional<bool> truncate_left = {};      // absent: the side that the tokenizer's files name
  // Text that spells a special token is ordinary text; by default it becomes the token, as in the reference.
  bool split_special_tokens = false;
};

// What the numbers of a dense vector are given as, after cut and norm, by the formulas of
// sentence-transformers 6.2 (util/quantization.py), in f32:
//   kInt8     floor((x - least) / ((most - least) / 255)), kept in 0 to 255, minus 128
//   kUint8    the same without the 128
//   kBinary   a bit for each number, whether it is above 0; eight a byte, the first the highest; minus 128
//   kUbinary  the same without the 128
enum class VectorType : std::uint8_t { kFloat32, kInt8, kUint8, kBinary, kUbinary };

// candor.embedding.dense/v1
struct EmbedRequest {
  std::vector<Content> inputs;
  TextOptions text = {};
  std::optional<std::size_t> dimensions = {};  // Matryoshka cut; normalised again if the recipe normalises
  std::optional<std::string> adapter = {};     // of the model's adapters; absent: its own weights alone
  VectorType type = VectorType::kFloat32;
  // Of kInt8 and kUint8 alone, and required there: the least of each dimension, then the most of each. Ranges
  // of the request's own texts would let each change the others.
  std::vector<float> ranges = {};
};

// candor.embedding.sparse/v1
struct SparseRequest {
  std::vector<Content> inputs;
  TextOptions text = {};
  std::optional<std::size_t> max_active = {};  // only the so many largest values of a vector stay
};

// candor.embedding.multi_vector/v1: a vector for each token that is scored (late interaction).
struct MultiVectorRequest {
  std::vector<Content> inputs;
  TextOptions text = {};
};

// How labels of tokens become labels of spans, as transformers' token-classification pipeline says; kNone:
// they stay those of tokens.
enum class Aggregation : std::uint8_t { kNone, kSimple, kFirst, kAverage, kMax };

// candor.token_classification/v1
struct TokenClassifyRequest {
  std::vector<Content> inputs;
  TextOptions text = {};
  Aggregation aggregation = Aggregation::kNone;
};

// One text, or two that the model reads together.
struct TextPair {
  std::string text;
  std::optional<std::string> pair = {};
};

// candor.classification/v1
struct ClassifyRequest {
  std::vector<TextPair> inputs;
  TextOptions text = {};
};

// candor.rerank/v1: each document is read together with the query, which stands first.
struct RerankRequest {
  std::string query;
  std::vector<std::string> documents;
  TextOptions text = {};
};
using Request = std::variant<EmbedRequest, SparseRequest, MultiVectorRequest, ClassifyRequest,
                             TokenClassifyRequest, RerankRequest>;

// ---- what comes out -----------------------------------------------------------------------------------
// A row per input; the row of an item that failed is zeros and its report carries the error.
struct Embeddings {
  std::size_t dimensions = 0;
  bool normalized = false;
  std::string similarity = {};  // cosine, dot, euclidean, manhattan: the package's own function
  std::string space = {};       // embedding-space id: vectors of different spaces are never compared
  std::vector<float> values = {};
  VectorType type = VectorType::kFloat32;
  // In the place of values where the type is another: a byte for a dimension, or for eight; signed ones in
  // two's complement.
  std::vector<std::uint8_t> bytes = {};
};

// A vector of `dimensions` numbers of which most are zero.
struct SparseVector {
  std::vector<std::int32_t> indices;  // ascending, each once
  std::vector<float> values;          // none is zero
};
// One per input; that of an item that failed is empty.
struct SparseEmbeddings {
  std::size_t dimensions = 0;
  std::string similarity = {}, space = {};  // as those of Embeddings
  std::vector<SparseVector> vectors = {};
};

// The vectors of the tokens of one text that are scored, in their order.
struct TokenVectors {
  std::vector<std::int32_t> token_ids;
  std::vector<float> values;  // [token_ids.size(), dimensions]
};
// One per input; that of an item that failed is empty.
struct MultiVectors {
  std::size_t dimensions = 0;
  bool normalized = false;
  std::string similarity = {},
              space = {};  // maxsim: the sum over a query's vectors of the largest dot product
  std::vector<TokenVectors> texts = {};
};

// A row per input, a column per label; rows of items that failed are zeros.
struct Classes {
  std::vector<std::string> labels;  // in the order of their ids
  std::string activation;           // what made scores of logits: softmax, sigmoid, none
  std::vector<float> logits, scores;
};

// Of one text: every token that ran, the special ones of the template included. Offsets count code points of
// the text; those of special tokens are (0, 0), and ids have none at all.
struct LabelledTokens {
  std::vector<std::int32_t> token_ids;
  std::vector<std::pair<std::int32_t, std::int32_t>> offsets;
  std::vector<float> logits, scores;  // [token_ids.size(), labels]
  struct Span {
    std::string label;
    float score = 0;
    std::int32_t begin = 0, end = 0;
  };
  std::vector<Span> spans;  // what the asked aggregation makes of them
};
// One per input; that of an item that failed is empty.
struct TokenClasses {
  std::vector<std::string> labels = {};  // in the order of their ids
  std::string activation = {};
  std::vector<LabelledTokens> texts = {};
};

// One number per document, in their order; those of items that failed are zeros.
struct Ranks {
  std::string activation;     // what made `activated` of the scores: sigmoid, none
  std::vector<float> scores;  // logits
  std::vector<float> activated;
};
using Output = std::variant<Embeddings, SparseEmbeddings, MultiVectors, Classes, TokenClasses, Ranks>;

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

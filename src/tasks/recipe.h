// The embedding recipe of a package: what sentence-transformers' files say happens before and after the
// encoder.
//
// Read exactly as sentence-transformers 6.2 reads them; what cannot be reproduced exactly is a problem naming
// file, pointer, found and allowed. A value: no weights, no tokenizer.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "candor/result.h"
#include "candor/types.h"
#include "ops/ops.h"
#include "package/package.h"

namespace candor::tasks {

struct PoolingStep {
  std::vector<Pooling> modes;  // concatenated in this order
  bool include_prompt = true;
};
struct DenseStep {
  std::size_t in = 0, out = 0;
  bool bias = true;
  Activation activation = Activation::kTanh;
  std::string activation_name;     // as the file names it: part of the identity
  bool residual = false;           // adds x, or residual.weight x when the widths differ
  std::string tensors = "linear";  // its module's name in its folder
};
struct LayerNormStep {
  std::size_t width = 0;
};
struct NormalizeStep {};

struct Module {
  std::string folder;  // "2_Dense/": where its tensors and its config are
  std::variant<PoolingStep, DenseStep, LayerNormStep, NormalizeStep> step;
  std::optional<std::size_t> route = {};  // only texts of this route of EmbedRecipe::routes take it
  bool IsOn(std::size_t taken) const { return !route || *route == taken; }
};

// WeightedLayerPooling: what the chain takes is a weighted mean of the rows of several layers. The reference
// gives it these rows only where config.json says output_hidden_states; else it changes nothing.
struct LayersStep {
  std::string folder;
  std::size_t first = 0, count = 0;  // the embeddings are number 0, the last layer is first + count - 1
  bool used = false;
  Where named, counted;  // where the module and its number of layers are written
};

// The ways through a Router. It stands behind the pooling, or each has one of its own.
struct Routes {
  std::vector<std::string> names;
  std::array<std::optional<std::size_t>, 3> taken;  // by no role, query, document
  // Null where the reference raises an error.
  std::optional<std::size_t> Of(std::optional<TextRole> role) const {
    return taken[!role ? 0 : *role == TextRole::kQuery ? 1 : 2];
  }
};

// How texts become ids where there is no encoder but a table (package/static_table.h).
struct TableText {
  std::string folder;                          // whose tokenizer.json alone counts; no special token is added
  bool model2vec = false;                      // the rules of its StaticModel.encode, which are the next two
  std::optional<std::int32_t> left_out = {};   // the unknown token, taken out of what is cut
  std::optional<std::size_t> characters = {};  // a text is cut at so many for each token it may have
};

// MultiVectorMask: which tokens late interaction scores.
struct ScoringMask {
  std::vector<std::string> skipped;  // tokens by their text; those that the vocabulary lacks are none
  bool skips_queries = false, skips_documents = true;  // a text without a role counts as a document
  std::vector<std::int32_t> kept;  // of texts that are no queries, only these ids; empty: all
};

// SparseAutoEncoder (CSR, arXiv:2503.01776): relu of the `most` largest of W (x - pre_bias) + latent_bias,
// where it normalises of (x - mean) / (s + 1e-5) for x, with s the deviation of a sample: of n - 1.
struct AutoEncoder {
  std::string folder;
  std::size_t in = 0, out = 0, most = 0;
  bool normalizes = false;
};

struct EmbedRecipe {
  std::string encoder;               // its folder ("0_Transformer/"); "": the root
  std::optional<LayersStep> layers;  // before the chain
  std::vector<Module> chain;         // after the encoder, in order; the first of a route pools
  std::optional<Routes> routes;      // some modules of the chain are one route's alone
  std::optional<TableText> table;    // no encoder
  std::size_t width = 0;             // of the last module's output
  bool lowercase_first = false;
  std::optional<std::size_t> max_seq_length;
  Where max_seq_length_at;
  std::vector<std::pair<std::string, std::string>> prompts;  // in file order; an empty text is no prompt
  std::optional<std::string> default_prompt;                 // a name in prompts
  std::optional<ScoringMask> mask;                           // of late interaction alone
  std::optional<AutoEncoder> codes;                          // behind the chain, of sparse encoders alone
  std::vector<std::string> markers;  // too: prompts that begin with one token (Tokenizer::Read)
  bool has_roles = false;            // queries and documents take other ways than their prompts alone
  std::string similarity = "cosine";
  std::optional<std::size_t> truncate_dim;
  std::vector<std::size_t> matryoshka;                      // declared sizes, ascending
  bool normalizes(std::size_t route = 0) const;             // the chain ends in unit length
  const PoolingStep& pooling(std::size_t route = 0) const;  // of a chain that pools
  std::size_t route_count() const { return routes ? routes->names.size() : 1; }
  bool cuts() const;  // long texts are cut: a table without a written limit has none
};

struct RecipeOptions {
  std::optional<std::string> pooling = {};       // only for a package without a module manifest
  bool no_normalize = false;                     // asserts that the chain does not normalise
  std::string_view encoder_module = {};          // Family::own_module: stands for Transformer
  std::string_view family = "this family";       // its name, where it is known
  std::optional<std::size_t> given_layers = {};  // Model's; none where the family was refused
};

// `width` is the encoder's, 0 when it is not known because the family was refused: then widths are not
// compared.
EmbedRecipe ReadRecipe(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                       const RecipeOptions& options, std::size_t width, Problems& problems);

// The names of --pooling, in the reference's spelling.
std::string PoolingChoices();
std::string_view PoolingName(Pooling pooling);
std::optional<Pooling> PoolingByName(std::string_view name);

}  // namespace candor::tasks

// What a sparse encoder's files say, as sentence-transformers 6.2 reads them (sparse_encoder/model.py and
// modules): logits for each word of the vocabulary at each token, and how they become one number for each
// word; or that BGE-M3's head stands beside a dense package (m3_recipe.h). A value.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "ops/ops.h"
#include "tasks/recipe.h"

namespace candor::tasks {

// What a text takes: nothing (the reference raises an error), the encoder, or a table of the weights of
// words.
enum class SparseWay : std::uint8_t { kNone, kEncoder, kTable };

struct SparseRecipe {
  EmbedRecipe text;  // prompts, length and similarity; where it has codes, the chain before them too
  Reduce reduce = Reduce::kMax;
  Activation activation = Activation::kReluLog;
  std::optional<std::size_t> dimensions = {};  // as SpladePooling's file says, if it does
  Where dimensions_at = {};
  std::optional<std::size_t> max_active = {};  // of a text, unless the request says otherwise
  // Texts of no role, queries, documents.
  std::array<SparseWay, 3> ways = {SparseWay::kEncoder, SparseWay::kEncoder, SparseWay::kEncoder};
  std::optional<std::string> table = {};  // folder of SparseStaticEmbedding
  std::string table_file = {};            // its weights in JSON (idf_table.h); empty: they are stored tensors
  bool codes = false;                     // it ends in text.codes, which a refused one lacks
  std::string token_weights = {};         // file of BGE-M3's head; empty: it is a masked-LM head's
};

// Whether the package's own file says that it is a sparse encoder.
bool DeclaresSparse(const package::Package& package);

// `width` and `encoder_module` as those of ReadRecipe. nullopt, with a problem, where the package is no
// sparse encoder at all.
std::optional<SparseRecipe> ReadSparseRecipe(const package::Package& package,
                                             const std::shared_ptr<package::ReadLog>& log,
                                             std::string_view encoder_module, std::size_t width,
                                             Problems& problems);

}  // namespace candor::tasks

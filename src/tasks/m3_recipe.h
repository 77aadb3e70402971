// BGE-M3's two heads: a linear each, which stands beside a dense package in a file of its own and makes
// words' weights, or vectors of tokens, of the encoder's rows. As FlagEmbedding computes them
// (finetune/embedder/encoder_only/m3/modeling.py).
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>

#include "tasks/recipe.h"

namespace candor::tasks {

// The files' names without ".safetensors". They are published as pickles, which are never opened.
inline constexpr std::string_view kSparseLinear = "sparse_linear", kColbertLinear = "colbert_linear";

enum class M3Head : std::uint8_t {
  kNone,
  kPickled,  // the problem says what to store instead
  kStored,   // stem.safetensors, whose tensors stand under the file's name in Package::tensors
};
M3Head FindM3Head(const package::Package& package, std::string_view stem, Problems& problems);

// The file of a stored one.
std::string M3File(std::string_view stem);

// The length of texts. What the files say of the dense vectors, prompts too, is not read: the reference has
// none.
void ReadM3Texts(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                 EmbedRecipe& recipe, Problems& problems);

}  // namespace candor::tasks

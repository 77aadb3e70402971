// SparseNumbers: how an encoder's rows become a sparse vector, by each of the heads that there are.
//
// A batch's numbers are dense on the device and become indices and values when it has run (Keep). Immutable
// once its slots are bound.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/head.h"
#include "tasks/sparse_recipe.h"
#include "tasks/task.h"

namespace candor::tasks {

class SparseNumbers {
 public:
  virtual ~SparseNumbers() = default;
  virtual std::size_t dimensions() const = 0;
  virtual std::string_view pooling() const = 0;
  // Its steps, for TaskFacts::chain.
  virtual std::vector<std::pair<std::string, std::string>> Describe() const = 0;
  virtual void DeclareTensors(const Scope& root) = 0;
  // Shape of the numbers of one batch, as Task has them.
  virtual std::size_t Rows(std::size_t /*rows*/, std::size_t runs) const { return runs; }
  virtual std::size_t Width() const { return dimensions(); }
  virtual void Compute(const Packed& packed, Matrix hidden, Matrix out, Ops& ops, Workspace& ws) const = 0;
  // What of them is not zero. What is not finite stays to be seen.
  virtual Kept Keep(const Work& work, View<const float> numbers) const = 0;
};

// SPLADE: a masked-LM head whose logits are pooled as they are made.
std::unique_ptr<SparseNumbers> MakeWordScores(Reduce reduce, Activation activation, HeadSpec head,
                                              std::size_t width);

// BGE-M3: relu(w x + b) of each token is its word's weight; of a word that stands there more than once the
// largest. The words `left_out` have none.
std::unique_ptr<SparseNumbers> MakeTokenWeights(std::string file, std::vector<std::int32_t> left_out,
                                                std::size_t vocabulary, std::size_t width);

// CSR: the recipe's chain, then its auto-encoder. Everything above zero is kept; how many of them are a
// result is the task's business, as of any sparse vector.
std::unique_ptr<SparseNumbers> MakeCodes(const EmbedRecipe& recipe, std::size_t width,
                                         std::size_t max_length);

// A weight for each token to one for each word, by id.
Kept FoldByWord(std::span<const std::int32_t> tokens, std::span<const float> weights,
                std::span<const std::int32_t> left_out);

}  // namespace candor::tasks

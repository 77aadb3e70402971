// SparseTask: texts to vectors with a number for each word of a vocabulary, most of them zero
// (candor.embedding.sparse/v1): SPLADE, by a masked-LM head whose logits are pooled as they are made.
//
// Texts of a side may be looked up in a table of the weights of words instead (inference-free retrieval):
// nothing runs for them.
//
// A batch's dense rows become indices and values when it has run (Keep). Immutable once its slots are bound
// and its space is set.
#pragma once
#include <memory>
#include <string>

#include "model/head.h"
#include "tasks/registry.h"
#include "tasks/sparse_recipe.h"
#include "tasks/task.h"
#include "tasks/text_parts.h"
#include "tasks/text_rules.h"

namespace candor::tasks {

class SparseTask final : public Task {
 public:
  // `words` is the tokenizer of the recipe's table, where it has one.
  SparseTask(SparseRecipe recipe, TextParts parts, HeadSpec head,
             std::shared_ptr<const text::Tokenizer> words);

  std::string_view contract() const override { return "candor.embedding.sparse/v1"; }
  const TaskFacts& facts() const override { return facts_; }
  std::shared_ptr<const text::Tokenizer> tokenizer() const override { return parts_.tokenizer; }
  std::string SetSpace(std::string_view package_digest) override;
  void DeclareTensors(const Scope& root) override;
  Result<Laid> Lay(const Request& request) const override;
  std::size_t OutputWidth() const override { return head_.out(); }
  void Compute(const Packed& packed, Matrix hidden, Matrix out, Ops& ops, Workspace& ws) const override {
    head_.ApplyReduced(hidden, packed.runs, recipe_.activation, recipe_.reduce, out, ops, ws);
  }
  Kept Keep(const Work& work, View<const float> numbers) const override;
  Result<Output> Finish(const Request& request, Laid& laid, std::span<const Kept> kept) const override;

 private:
  // How a text becomes ids: for the encoder, or for the table.
  struct Layout : TextLayout {
    const text::Tokenizer* tokenizer = nullptr;
    bool looks_up = false;
  };
  Result<Layout> Prepare(const TextOptions& options) const;
  Result<Work> LayText(const std::string& text, const Layout& layout, ItemReport& report) const;
  SparseVector LookUp(std::vector<std::int32_t> ids) const;

  SparseRecipe recipe_;
  TextParts parts_;
  Head head_;
  TaskFacts facts_;
  std::string space_;
  std::shared_ptr<const text::Tokenizer> words_;
  std::vector<float> weights_;  // of words, by id; filled when the package is loaded
};

// Of a vector's values only the `most` largest by size stay, of equal ones those of lower indices; indices
// stay in order.
void KeepLargest(SparseVector& vector, std::size_t most);

std::unique_ptr<Task> MakeSparseTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                     const TaskOptions& options, const Model* model, Problems& problems);

}  // namespace candor::tasks

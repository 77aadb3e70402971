// SparseTask: texts to vectors with many numbers, most of them zero (candor.embedding.sparse/v1), by one of
// the heads of sparse_numbers.h.
//
// Texts of a side may be looked up in a table of the weights of words instead (inference-free retrieval):
// nothing runs for them. Immutable once its slots are bound and its space is set.
#pragma once
#include <memory>
#include <string>

#include "tasks/registry.h"
#include "tasks/sparse_numbers.h"
#include "tasks/sparse_recipe.h"
#include "tasks/task.h"
#include "tasks/text_parts.h"
#include "tasks/text_rules.h"

namespace candor::tasks {

class SparseTask final : public Task {
 public:
  // `words` is the tokenizer of the recipe's table, where it has one, `weights` what the table has in a file
  // that is no tensor's; empty: it is a tensor.
  SparseTask(SparseRecipe recipe, TextParts parts, std::unique_ptr<SparseNumbers> numbers,
             std::shared_ptr<const text::Tokenizer> words, std::vector<float> weights = {});

  std::string_view contract() const override { return "candor.embedding.sparse/v1"; }
  const TaskFacts& facts() const override { return facts_; }
  std::shared_ptr<const text::Tokenizer> tokenizer() const override { return parts_.tokenizer; }
  std::string SetSpace(std::string_view package_digest) override;
  void DeclareTensors(const Scope& root) override;
  Result<Laid> Lay(const Request& request) const override;
  std::size_t OutputRows(std::size_t rows, std::size_t runs) const override {
    return numbers_->Rows(rows, runs);
  }
  std::size_t OutputWidth() const override { return numbers_->Width(); }
  void Compute(const Packed& packed, Matrix hidden, Matrix out, Ops& ops, Workspace& ws) const override {
    numbers_->Compute(packed, hidden, out, ops, ws);
  }
  Kept Keep(const Work& work, View<const float> numbers) const override {
    return numbers_->Keep(work, numbers);
  }
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
  std::unique_ptr<SparseNumbers> numbers_;
  TaskFacts facts_;
  std::string space_;
  std::shared_ptr<const text::Tokenizer> words_;
  std::vector<float> weights_;  // of words, by id; a tensor's are filled when the package is loaded
};

// Of a vector's values only the `most` largest by size stay, of equal ones those of lower indices; indices
// stay in order.
void KeepLargest(SparseVector& vector, std::size_t most);

std::unique_ptr<Task> MakeSparseTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                     const TaskOptions& options, const Model* model, Problems& problems);

}  // namespace candor::tasks

// MultiVectorTask: texts to a vector for each token that late interaction scores
// (candor.embedding.multi_vector/v1).
//
// A text of a role gets the prompt, length, expansion and skip list of its side, as the package declares
// them; a text without a role is a document without any of these but the skip list. Immutable once its slots
// are bound and its space is set.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tasks/chain.h"
#include "tasks/multi_vector_recipe.h"
#include "tasks/registry.h"
#include "tasks/task.h"
#include "tasks/text_rules.h"

namespace candor::tasks {

// What the recipe's words are in the package's vocabulary, and the tokens that a text may have.
struct MultiVectorIds {
  std::vector<std::int32_t> skipped, kept;  // ascending
  std::int32_t expansion = 0;
  std::optional<std::int32_t> query_marker = {};  // the one token that the query's prompt is
  std::size_t plain_length = 0, query_length = 0, document_length = 0;
};

class MultiVectorTask final : public Task {
 public:
  MultiVectorTask(MultiVectorRecipe recipe, MultiVectorIds ids,
                  std::shared_ptr<const text::Tokenizer> tokenizer, const InputRule& input,
                  std::size_t width);

  std::string_view contract() const override { return "candor.embedding.multi_vector/v1"; }
  const TaskFacts& facts() const override { return facts_; }
  std::shared_ptr<const text::Tokenizer> tokenizer() const override { return tokenizer_; }
  std::string SetSpace(std::string_view package_digest) override;
  void DeclareTensors(const Scope& root) override { chain_.DeclareTensors(root); }
  Result<Laid> Lay(const Request& request) const override;
  std::size_t OutputRows(std::size_t rows, std::size_t) const override { return rows; }
  std::size_t OutputWidth() const override { return recipe_.base.width; }
  void Compute(const Packed& packed, Matrix hidden, Matrix out, Ops& ops, Workspace& ws) const override {
    chain_.Apply(hidden, packed.runs, out, ops, ws);
  }
  Kept Keep(const Work& work, View<const float> numbers) const override;
  Result<Output> Finish(const Request& request, Laid& laid, std::span<const Kept> kept) const override;

 private:
  // What one request asks of its texts.
  struct Side {
    std::optional<TextRole> role;
    TextLayout layout;
    const SideRule* rule;
  };
  Result<Side> SideOf(TextOptions options) const;
  Result<Work> LayText(const std::string& text, const Side& side, ItemReport& report) const;
  Result<Work> LayIds(const TokenIds& ids, const TextOptions& options, Side side, ItemReport& report) const;
  // One sequence of the tokens, of which the last `expansion` are a query's.
  Result<Work> LayTokens(std::vector<std::int32_t> tokens, std::vector<std::int32_t> types,
                         std::size_t expansion, const Side& side) const;
  std::size_t LengthOf(std::optional<TextRole> role) const;
  std::vector<EffectiveOption> OptionsOf(const TextOptions& options, const Side& side) const;

  MultiVectorRecipe recipe_;
  MultiVectorIds ids_;
  std::shared_ptr<const text::Tokenizer> tokenizer_;
  InputRule input_;
  ModuleChain chain_;
  TaskFacts facts_;
  std::string space_;
};

std::unique_ptr<Task> MakeMultiVectorTask(const package::Package& package,
                                          std::shared_ptr<package::ReadLog> log, const TaskOptions& options,
                                          const Model* model, Problems& problems);

}  // namespace candor::tasks

// EmbedTask: texts to dense vectors (candor.embedding.dense/v1), by the package's own recipe.
//
// Lay adds the prompt, tokenises and cuts; Compute pools and runs the modules after the encoder; Finish cuts
// to the asked dimensions and checks what came out. Immutable once its slots are bound and its space is set.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/layer_mix.h"
#include "tasks/chain.h"
#include "tasks/recipe.h"
#include "tasks/registry.h"
#include "tasks/task.h"
#include "tasks/text_rules.h"

namespace candor::tasks {

class EmbedTask final : public Task {
 public:
  // `max_length` is the effective one; `input` and `width` are the model's.
  EmbedTask(EmbedRecipe recipe, std::shared_ptr<const text::Tokenizer> tokenizer, const InputRule& input,
            std::size_t width, std::size_t max_length);

  std::string_view contract() const override { return "candor.embedding.dense/v1"; }
  const TaskFacts& facts() const override { return facts_; }
  std::shared_ptr<const text::Tokenizer> tokenizer() const override { return tokenizer_; }
  std::string SetSpace(std::string_view package_digest) override;
  void DeclareTensors(const Scope& root) override;
  Result<Laid> Lay(const Request& request) const override;
  std::size_t Routes() const override { return recipe_.route_count(); }
  std::size_t OutputWidth() const override { return recipe_.width; }
  const LayerMix* layer_mix() const override { return mix_ && recipe_.layers->used ? &*mix_ : nullptr; }
  void Compute(const Packed& packed, Matrix hidden, Matrix out, Ops& ops, Workspace& ws) const override {
    chain_.Apply(hidden, packed.runs, out, ops, ws, packed.route);
  }
  Result<Output> Finish(const Request& request, Laid& laid, std::span<const Kept> kept) const override;

  const EmbedRecipe& recipe() const { return recipe_; }

 private:
  struct Layout : TextLayout {
    std::size_t excluded = 0;  // rows of the prompt that are not pooled
  };
  Result<Layout> Prepare(const TextOptions& options, std::size_t route) const;
  Result<std::size_t> PromptLength(const Layout& layout) const;
  Result<Work> LayText(const std::string& text, const Layout& layout, ItemReport& report) const;
  Result<std::size_t> Dimensions(const EmbedRequest& request) const;
  Result<std::size_t> RouteOf(const TextOptions& options) const;      // an index of the recipe's routes
  Result<std::int32_t> AdapterOf(const EmbedRequest& request) const;  // its index, or Batch::kNoAdapter

  EmbedRecipe recipe_;
  std::shared_ptr<const text::Tokenizer> tokenizer_;
  InputRule input_;
  std::optional<LayerMix> mix_;
  ModuleChain chain_;
  TaskFacts facts_;
  std::string space_;
};

std::unique_ptr<Task> MakeEmbedTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                    const TaskOptions& options, const Model* model, Problems& problems);

}  // namespace candor::tasks

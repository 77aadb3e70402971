// EmbedRun: an open embedding model and the account of one run over it, for every verb that embeds.
//
// Owns the engine and the model; the context must outlive it. One thread.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "apps/context.h"
#include "apps/input.h"
#include "apps/run_account.h"
#include "candor/engine.h"

namespace candor::apps {

inline constexpr std::size_t kSliceTexts = 4096;  // texts of one request: output streams, progress moves

class EmbedRun {
 public:
  static Planned<EmbedRun> Open(const Context& context);
  const Embedder& model() const { return *embedder_; }
  std::shared_ptr<const Embedder> shared_model() const { return embedder_; }
  const Engine& engine() const { return *engine_; }

  // One request, of texts of a role that stands in the place of the options'. Its receipt joins the run's,
  // its truncations and failures are counted.
  Result<EmbedReply> Embed(std::vector<Content> inputs, std::optional<TextRole> role = {});
  void Failed(const Item& item, const Error& error) { account_.Failed(item, error); }
  int Finish() { return account_.Finish(embedder_->info().max_length); }

 private:
  EmbedRun(const Context& context, RunAccount account) : context_(&context), account_(std::move(account)) {}
  const Context* context_;
  RunAccount account_;
  std::vector<float> ranges_;
  std::shared_ptr<Engine> engine_;
  std::shared_ptr<const Embedder> embedder_;
};

// Row `index` of a reply.
std::span<const float> Row(const Embeddings& embeddings, std::size_t index);

}  // namespace candor::apps

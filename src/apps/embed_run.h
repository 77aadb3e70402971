// EmbedRun: an open embedding model and the account of one run over it, for every verb that embeds.
//
// Owns the engine and the model; the context must outlive it. One thread.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "apps/context.h"
#include "apps/file_output.h"
#include "apps/input.h"
#include "candor/engine.h"

namespace candor::apps {

inline constexpr std::size_t kSliceTexts = 4096;  // texts of one request: output streams, progress moves

class EmbedRun {
 public:
  static Planned<EmbedRun> Open(const Context& context);
  const Embedder& model() const { return *embedder_; }
  std::shared_ptr<const Embedder> shared_model() const { return embedder_; }
  const Engine& engine() const { return *engine_; }

  // One request. Its receipt joins the run's, its truncations and failures are counted.
  Result<EmbedReply> Embed(std::vector<Content> inputs);
  // Failed items are named on standard error: a few where their lines name them all, every one in an array.
  void Failed(const Item& item, const Error& error);
  // Counts for people, then the receipt where it was asked for. Gives the exit code.
  int Finish();

 private:
  explicit EmbedRun(const Context& context) : context_(&context) {}
  const Context* context_;
  std::shared_ptr<Engine> engine_;
  std::shared_ptr<const Embedder> embedder_;
  std::unique_ptr<FileOutput> receipt_file_;  // null: none asked for
  std::optional<Receipt> receipt_;
  std::size_t items_ = 0, truncated_ = 0, failed_ = 0;
};

// Row `index` of a reply.
std::span<const float> Row(const Embeddings& embeddings, std::size_t index);

}  // namespace candor::apps

#include "apps/embed_run.h"

#include "apps/ranges.h"

namespace candor::apps {

Planned<EmbedRun> EmbedRun::Open(const Context& context) {
  auto account = RunAccount::Open(context);
  if (!account) return Problems{account.error()};
  EmbedRun run(context, std::move(account).value());
  if (const auto& file = context.options.ranges) {
    const auto text = ReadFileOf("ranges", *file);
    if (!text) return Problems{text.error()};
    auto ranges = ParseRanges(*text, *file);
    if (!ranges) return Problems{ranges.error()};
    run.ranges_ = std::move(ranges).value();
  }
  auto engine = context.OpenEngine();
  if (!engine) return Problems{engine.error()};
  run.engine_ = std::move(engine).value();
  auto embedder = run.engine_->OpenEmbedder(context.options.model);
  if (!embedder) return embedder.error();
  run.embedder_ = std::move(embedder).value();
  return run;
}

Result<EmbedReply> EmbedRun::Embed(std::vector<Content> inputs, std::optional<TextRole> role) {
  EmbedRequest request;
  request.inputs = std::move(inputs);
  request.text = context_->options.text;
  if (role) request.text.role = role;
  request.dimensions = context_->options.dimensions;
  request.adapter = context_->options.adapter;
  request.type = context_->options.type, request.ranges = ranges_;
  auto reply = embedder_->Embed(request);
  if (!reply) return reply.error();
  account_.Add(reply->items, reply->receipt);
  return reply;
}

std::span<const float> Row(const Embeddings& embeddings, std::size_t index) {
  return std::span(embeddings.values).subspan(index * embeddings.dimensions, embeddings.dimensions);
}

}  // namespace candor::apps

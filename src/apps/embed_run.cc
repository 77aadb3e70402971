#include "apps/embed_run.h"

#include "apps/lines.h"
#include "apps/receipt_text.h"

namespace candor::apps {
namespace {

constexpr std::size_t kNamedFailures = 5;  // on standard error, when all stand in their lines

// An array has no place for an error: there every failure is named on standard error.
bool HasLines(const Context& context) {
  return !context.options.output || !context.options.output->ends_with(".npy");
}

Result<void> WriteReceipt(FileOutput& file, const Receipt& receipt) {
  CANDOR_CHECKED(file.Write(ToJson(receipt, true) + '\n'));
  return file.Commit();
}

}  // namespace

Planned<EmbedRun> EmbedRun::Open(const Context& context) {
  EmbedRun run(context);
  if (context.options.receipt) {  // before the work: a place that cannot be written is no news for its end
    auto file = FileOutput::Open(*context.options.receipt, "receipt", context.console);
    if (!file) return Problems{file.error()};
    run.receipt_file_ = std::move(file).value();
  }
  auto engine = context.OpenEngine();
  if (!engine) return Problems{engine.error()};
  run.engine_ = std::move(engine).value();
  auto embedder = run.engine_->OpenEmbedder(context.options.model);
  if (!embedder) return embedder.error();
  run.embedder_ = std::move(embedder).value();
  return run;
}

Result<EmbedReply> EmbedRun::Embed(std::vector<Content> inputs) {
  EmbedRequest request;
  request.inputs = std::move(inputs);
  request.text = context_->options.text;
  request.dimensions = context_->options.dimensions;
  request.adapter = context_->options.adapter;
  auto reply = embedder_->Embed(request);
  if (!reply) return reply.error();
  items_ += reply->items.size();
  for (const ItemReport& item : reply->items) {
    if (!item.error && item.total > item.tokens) ++truncated_;
  }
  if (receipt_) {
    Merge(*receipt_, reply->receipt);
  } else {
    receipt_ = reply->receipt;
  }
  return reply;
}

void EmbedRun::Failed(const Item& item, const Error& error) {
  if (++failed_ <= kNamedFailures || !HasLines(*context_)) context_->console.Problem(Placed(item, error));
}

int EmbedRun::Finish() {
  const Console& console = context_->console;
  if (truncated_ > 0) {
    console.Note(std::to_string(truncated_) + " of " + std::to_string(items_) + " texts were truncated to " +
                 std::to_string(embedder_->info().max_length) + " tokens");
  }
  if (failed_ > 0) {
    console.Note(std::to_string(failed_) + " items failed; " +
                 (HasLines(*context_) ? "each is named in its line" : "each is a row of NaN"));
  }
  if (receipt_ && context_->options.verbose) console.Lines(ReceiptText(*receipt_));
  if (receipt_ && receipt_file_) {
    if (const auto written = WriteReceipt(*receipt_file_, *receipt_); !written) {
      return Refuse(*context_, {written.error()});
    }
  }
  return failed_ > 0 ? kSomeFailed : kDone;
}

std::span<const float> Row(const Embeddings& embeddings, std::size_t index) {
  return std::span(embeddings.values).subspan(index * embeddings.dimensions, embeddings.dimensions);
}

}  // namespace candor::apps

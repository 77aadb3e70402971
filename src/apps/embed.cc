// candor embed: a vector for each input, in input order; sparse or one for each token where --task says so.
#include <unistd.h>

#include <algorithm>

#include "apps/embed_run.h"
#include "apps/input.h"
#include "apps/lines.h"
#include "apps/progress.h"
#include "apps/score_run.h"
#include "apps/table.h"
#include "apps/vector_output.h"
#include "apps/verbs.h"

namespace candor::apps {
namespace {

// An item whose error is known already takes its place in the request with no ids, so that the positions in
// reply and receipt are those of the input.
std::vector<Content> Contents(std::span<const Item> items) {
  std::vector<Content> contents;
  contents.reserve(items.size());
  for (const Item& item : items) contents.push_back(item.error ? Content(TokenIds{}) : item.content);
  return contents;
}

std::vector<const Error*> Errors(std::span<const Item> items, const EmbedReply& reply) {
  std::vector<const Error*> errors;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& error = items[i].error ? items[i].error : reply.items[i].error;
    errors.push_back(error ? &*error : nullptr);
  }
  return errors;
}

std::string Shown(const Item& item) {
  const auto* text = std::get_if<std::string>(&item.content);
  return text == nullptr ? "(token ids)" : OneLine(*text, 60);
}

const Content& ContentOf(const Item& item) { return item.content; }

int EmbedSparse(const Context& context) {
  const SparseRequest asked{
      .inputs = {}, .text = context.options.text, .max_active = context.options.max_active};
  return RunScores(
      context, "embed-sparse", LineForm::kText, kSliceTexts, &Engine::OpenSparse,
      [&](const SparseEmbedder& model, std::span<const Item> items, RunAccount& account) {
        return AnswerItems(
            context, model, asked, items, account, ContentOf,
            [&](const Item& item, const SparseEmbeddings& all, std::size_t row, const ItemReport& report) {
              const SparseVector& vector = all.vectors[row];
              return context.WantsText()
                         ? Shown(item) + ": " + std::to_string(vector.indices.size()) + " of " +
                               std::to_string(all.dimensions) + " numbers are not zero\n"
                         : SparseLine(item, vector, report);
            });
      });
}

int EmbedTokens(const Context& context) {
  const MultiVectorRequest asked{.inputs = {}, .text = context.options.text};
  return RunScores(
      context, "embed-tokens", LineForm::kText, kSliceTexts, &Engine::OpenMultiVector,
      [&](const MultiVectorEmbedder& model, std::span<const Item> items, RunAccount& account) {
        return AnswerItems(
            context, model, asked, items, account, ContentOf,
            [&](const Item& item, const MultiVectors& all, std::size_t row, const ItemReport& report) {
              return context.WantsText()
                         ? Shown(item) + ": " + std::to_string(all.texts[row].token_ids.size()) +
                               " vectors of " + std::to_string(all.dimensions) + " numbers\n"
                         : TokenVectorsLine(item, all, row, report);
            });
      });
}

int EmbedDense(const Context& context) {
  const auto items = ReadItems(context.options, LineForm::kText, ::isatty(STDIN_FILENO) == 1);
  if (!items) return Refuse(context, items.error());
  auto run = EmbedRun::Open(context);
  if (!run) return Refuse(context, run.error());
  const std::span<const Item> all = items.value();
  // Opened after the first answer: a request that is wrong as a whole leaves no file.
  std::unique_ptr<VectorOutput> output;
  {
    Progress progress(context.console, all.size());
    for (std::size_t begin = 0; begin < all.size(); begin += kSliceTexts) {
      const auto slice = all.subspan(begin, std::min(kSliceTexts, all.size() - begin));
      const auto reply = run->Embed(Contents(slice));
      if (!reply) return Refuse(context, {reply.error()});
      if (output == nullptr) {
        auto opened = OpenVectorOutput(context, all.size());
        if (!opened) return Refuse(context, {opened.error()});
        output = std::move(opened).value();
      }
      const auto errors = Errors(slice, reply.value());
      if (const auto written = output->Write(slice, reply.value(), errors); !written) {
        return Refuse(context, {written.error()});
      }
      for (std::size_t i = 0; i < slice.size(); ++i) {
        if (errors[i] != nullptr) run->Failed(slice[i], *errors[i]);
      }
      progress.Advance(begin + slice.size());
    }
  }
  if (const auto committed = output->Commit(); !committed) return Refuse(context, {committed.error()});
  return run->Finish();
}

}  // namespace

int RunEmbed(const Context& context) {
  const std::string& task = context.options.model.task;
  return task == "embed-sparse"   ? EmbedSparse(context)
         : task == "embed-tokens" ? EmbedTokens(context)
                                  : EmbedDense(context);
}

}  // namespace candor::apps

// candor rerank: scores of a query's documents, in their order; each line of input is one query.
#include <unistd.h>

#include <algorithm>

#include "apps/file_output.h"
#include "apps/lines.h"
#include "apps/progress.h"
#include "apps/run_account.h"
#include "apps/table.h"
#include "apps/verbs.h"

namespace candor::apps {
namespace {

std::string People(const Item& item, const Ranks& ranks, std::size_t shown) {
  Table table;
  table.Column("", Table::Align::kRight).Column("", Table::Align::kRight).Column("");
  const std::vector<std::size_t> order = Ranking(ranks);
  for (const std::size_t i : std::span(order).first(std::min(shown, order.size()))) {
    table.Row({std::to_string(i), Fixed(static_cast<double>(ranks.activated[i]), 4),
               OneLine(item.documents[i], 90)});
  }
  return OneLine(std::get<std::string>(item.content), 100) + '\n' + table.Text("  ");
}

// The line's error is its first document's that has one: scores of some documents are no ranking.
Result<std::string> Answer(const Context& context, const Reranker& model, const Item& item,
                           RunAccount& account) {
  if (item.error) return *item.error;
  CANDOR_TRY(const RerankReply reply, model.Rerank({.query = std::get<std::string>(item.content),
                                                    .documents = item.documents,
                                                    .text = context.options.text}));
  account.Add(reply.items, reply.receipt);
  Cut cut;
  for (const ItemReport& report : reply.items) {
    if (report.error) return *report.error;
    if (report.total <= report.tokens) continue;
    cut.tokens += report.total, cut.kept += report.tokens;
  }
  const std::size_t top = context.options.top_n.value_or(0);
  if (context.WantsText()) return People(item, reply.ranks, top == 0 ? item.documents.size() : top);
  return RerankLine(item, reply.ranks, top, cut);
}

}  // namespace

int RunRerank(const Context& context) {
  const auto items = ReadItems(context.options, LineForm::kDocuments, ::isatty(STDIN_FILENO) == 1);
  if (!items) return Refuse(context, items.error());
  auto account = RunAccount::Open(context);
  if (!account) return Refuse(context, {account.error()});
  const auto engine = context.OpenEngine();
  if (!engine) return Refuse(context, {engine.error()});
  ModelOptions options = context.options.model;
  options.task = "rerank";
  const auto model = engine.value()->OpenReranker(options);
  if (!model) return Refuse(context, model.error());
  const auto file = FileOutput::Open(context.options.output.value_or("-"), "output", context.console);
  if (!file) return Refuse(context, {file.error()});
  const std::span<const Item> all = items.value();
  {
    Progress progress(context.console, all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto line = Answer(context, *model.value(), all[i], account.value());
      if (!line && !all[i].error && line.error().where.option == "prompt-name")
        return Refuse(context, {line.error()});  // wrong for every line
      if (!line) account->Failed(all[i], line.error());
      const std::string text = line ? line.value()
                               : context.WantsText()
                                   ? "error: " + Message(Placed(all[i], line.error())) + '\n'
                                   : ErrorLine(all[i], line.error());
      if (const auto written = file.value()->Write(text); !written) return Refuse(context, {written.error()});
      if (const auto flushed = file.value()->Flush(); !flushed) return Refuse(context, {flushed.error()});
      progress.Advance(i + 1);
    }
  }
  if (const auto committed = file.value()->Commit(); !committed) return Refuse(context, {committed.error()});
  return account->Finish(model.value()->info().max_length);
}

}  // namespace candor::apps

// candor rerank: scores of a query's documents, in their order; each line of input is one query.
#include <algorithm>

#include "apps/lines.h"
#include "apps/score_run.h"
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
Result<std::string> Score(const Context& context, const Reranker& model, const Item& item,
                          RunAccount& account) {
  if (item.error) return *item.error;
  CANDOR_TRY(const Reply<Ranks> reply, model.Run({.query = std::get<std::string>(item.content),
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
  if (context.WantsText()) return People(item, reply.output, top == 0 ? item.documents.size() : top);
  return RerankLine(item, reply.output, top, cut);
}

}  // namespace

int RunRerank(const Context& context) {
  return RunScores(
      context, "rerank", LineForm::kDocuments, 1, &Engine::OpenReranker,
      [&](const Reranker& model, std::span<const Item> items, RunAccount& account) -> Result<std::string> {
        const Item& item = items.front();
        Result<std::string> text = Score(context, model, item, account);
        // An option is wrong for every line.
        if (text || !text.error().where.option.empty()) return text;
        return FailedText(context, item, text.error(), account);
      });
}

}  // namespace candor::apps

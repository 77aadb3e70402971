// candor classify: the labels of texts, or of pairs of texts, in input order.
#include <algorithm>
#include <numeric>

#include "apps/embed_run.h"
#include "apps/lines.h"
#include "apps/score_run.h"
#include "apps/table.h"
#include "apps/verbs.h"

namespace candor::apps {
namespace {

constexpr std::size_t kShownLabels = 5;  // to people

// Best first.
std::string People(const Item& item, const Classes& classes, std::size_t row) {
  const std::size_t count = classes.labels.size();
  const float* const scores = classes.scores.data() + row * count;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  Table table;
  table.Column("", Table::Align::kRight).Column("");
  for (std::size_t i = 0; i < std::min(count, kShownLabels); ++i)
    table.Row({Fixed(static_cast<double>(scores[order[i]]), 4), OneLine(classes.labels[order[i]], 60)});
  return OneLine(std::get<std::string>(item.content), 100) + '\n' + table.Text("  ");
}

Result<std::string> Answer(const Context& context, const Classifier& model, std::span<const Item> items,
                           RunAccount& account) {
  ClassifyRequest request;
  request.text = context.options.text;
  for (const Item& item : items)
    if (!item.error) request.inputs.push_back({std::get<std::string>(item.content), item.pair});
  ClassifyReply reply;
  if (!request.inputs.empty()) {
    CANDOR_TRY(reply, model.Classify(request));
    account.Add(reply.items, reply.receipt);
  }
  std::string text;
  std::size_t row = 0;
  for (const Item& item : items) {
    const std::optional<Error>& error = item.error ? item.error : reply.items[row].error;
    if (error)
      text += FailedText(context, item, *error, account);
    else
      text += context.WantsText() ? People(item, reply.classes, row)
                                  : ClassifyLine(item, reply.classes, row, reply.items[row]);
    if (!item.error) ++row;
  }
  return text;
}

}  // namespace

int RunClassify(const Context& context) {
  return RunScores(context, "classify", LineForm::kTextPair, kSliceTexts, &Engine::OpenClassifier,
                   [&](const Classifier& model, std::span<const Item> items, RunAccount& account) {
                     return Answer(context, model, items, account);
                   });
}

}  // namespace candor::apps

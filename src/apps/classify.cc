// candor classify: the labels of texts, or of pairs of texts, in input order.
#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "apps/embed_run.h"
#include "apps/file_output.h"
#include "apps/lines.h"
#include "apps/progress.h"
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

Result<void> Answer(const Context& context, const Classifier& model, std::span<const Item> items,
                    FileOutput& file, RunAccount& account) {
  ClassifyRequest request;
  request.text = context.options.text;
  for (const Item& item : items)
    if (!item.error) request.inputs.push_back({std::get<std::string>(item.content), item.pair});
  ClassifyReply reply;
  if (!request.inputs.empty()) {
    CANDOR_TRY(reply, model.Classify(request));
    account.Add(reply.items, reply.receipt);
  }
  const bool people = context.WantsText();
  std::size_t row = 0;
  for (const Item& item : items) {
    const Error* error = item.error ? &*item.error : nullptr;
    const ItemReport* report = nullptr;
    if (error == nullptr) {
      report = &reply.items[row];
      if (report->error) error = &*report->error;
    }
    if (error != nullptr) {
      account.Failed(item, *error);
      CANDOR_CHECKED(
          file.Write(people ? "error: " + Message(Placed(item, *error)) + '\n' : ErrorLine(item, *error)));
    } else {
      CANDOR_CHECKED(file.Write(people ? People(item, reply.classes, row)
                                       : ClassifyLine(item, reply.classes, row, *report)));
    }
    if (!item.error) ++row;
  }
  return file.Flush();
}

}  // namespace

int RunClassify(const Context& context) {
  const auto items = ReadItems(context.options, LineForm::kTextPair, ::isatty(STDIN_FILENO) == 1);
  if (!items) return Refuse(context, items.error());
  auto account = RunAccount::Open(context);
  if (!account) return Refuse(context, {account.error()});
  const auto engine = context.OpenEngine();
  if (!engine) return Refuse(context, {engine.error()});
  ModelOptions options = context.options.model;
  options.task = "classify";
  const auto model = engine.value()->OpenClassifier(options);
  if (!model) return Refuse(context, model.error());
  const auto file = FileOutput::Open(context.options.output.value_or("-"), "output", context.console);
  if (!file) return Refuse(context, {file.error()});
  const std::span<const Item> all = items.value();
  {
    Progress progress(context.console, all.size());
    for (std::size_t begin = 0; begin < all.size(); begin += kSliceTexts) {
      const auto slice = all.subspan(begin, std::min(kSliceTexts, all.size() - begin));
      if (const auto done = Answer(context, *model.value(), slice, *file.value(), account.value()); !done)
        return Refuse(context, {done.error()});
      progress.Advance(begin + slice.size());
    }
  }
  if (const auto committed = file.value()->Commit(); !committed) return Refuse(context, {committed.error()});
  return account->Finish(model.value()->info().max_length);
}

}  // namespace candor::apps

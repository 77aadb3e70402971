// candor classify: the labels of texts, of pairs of texts, or of every token, in input order.
#include <algorithm>
#include <numeric>

#include "apps/embed_run.h"
#include "apps/lines.h"
#include "apps/score_run.h"
#include "apps/table.h"
#include "apps/verbs.h"
#include "base/utf8.h"

namespace candor::apps {
namespace {

std::size_t Index(std::int32_t at) { return static_cast<std::size_t>(at); }

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

// The labels that tokens have of their own, best first by score.
std::string PeopleOfTokens(const Item& item, const TokenClasses& classes, std::size_t row) {
  const LabelledTokens& tokens = classes.texts[row];
  const std::string& text = std::get<std::string>(item.content);
  Table table;
  table.Column("").Column("").Column("", Table::Align::kRight);
  const auto add = [&](std::int32_t begin, std::int32_t end, const std::string& label, float score) {
    table.Row({OneLine(SliceUtf8(text, Index(begin), Index(end)), 40), OneLine(label, 30),
               Fixed(static_cast<double>(score), 4)});
  };
  if (!tokens.spans.empty()) {
    for (const LabelledTokens::Span& span : tokens.spans) add(span.begin, span.end, span.label, span.score);
  } else {
    for (std::size_t i = 0; i < tokens.token_ids.size(); ++i) {
      const auto [begin, end] = tokens.offsets[i];
      if (begin == end) continue;  // a special token: no text of its own
      const std::size_t best = BestLabel(classes, tokens, i);
      add(begin, end, classes.labels[best], tokens.scores[i * classes.labels.size() + best]);
    }
  }
  return OneLine(text, 100) + '\n' + table.Text("  ");
}

int LabelTokens(const Context& context) {
  const TokenClassifyRequest asked{
      .inputs = {}, .text = context.options.text, .aggregation = context.options.aggregation};
  return RunScores(
      context, "classify-tokens", LineForm::kText, kSliceTexts, &Engine::OpenTokenClassifier,
      [&](const TokenClassifier& model, std::span<const Item> items, RunAccount& account) {
        return AnswerItems(
            context, model, asked, items, account, [](const Item& item) { return item.content; },
            [&](const Item& item, const TokenClasses& classes, std::size_t row, const ItemReport& report) {
              const bool text = context.WantsText() && std::holds_alternative<std::string>(item.content);
              return text ? PeopleOfTokens(item, classes, row)
                          : TokenClassesLine(item, classes, row, asked.aggregation, report);
            });
      });
}

int LabelTexts(const Context& context) {
  const ClassifyRequest asked{.inputs = {}, .text = context.options.text};
  return RunScores(
      context, "classify", LineForm::kTextPair, kSliceTexts, &Engine::OpenClassifier,
      [&](const Classifier& model, std::span<const Item> items, RunAccount& account) {
        return AnswerItems(
            context, model, asked, items, account,
            [](const Item& item) {
              return TextPair{std::get<std::string>(item.content), item.pair};
            },
            [&](const Item& item, const Classes& classes, std::size_t row, const ItemReport& report) {
              return context.WantsText() ? People(item, classes, row)
                                         : ClassifyLine(item, classes, row, report);
            });
      });
}

}  // namespace

int RunClassify(const Context& context) {
  return context.options.model.task == "classify-tokens" ? LabelTokens(context) : LabelTexts(context);
}

}  // namespace candor::apps

// candor tokenize: texts as the model would see them. No weight is read.
#include <unistd.h>

#include "apps/file_output.h"
#include "apps/input.h"
#include "apps/lines.h"
#include "apps/table.h"
#include "apps/verbs.h"

namespace candor::apps {
namespace {

std::string People(const TokenizedText& text) {
  Table table;
  table.Column("id", Table::Align::kRight).Column("type", Table::Align::kRight);
  table.Column("offsets").Column("token");
  for (std::size_t i = 0; i < text.ids.size(); ++i) {
    const auto& [start, end] = text.offsets[i];
    table.Row({std::to_string(text.ids[i]), std::to_string(text.type_ids[i]),
               std::to_string(start) + "-" + std::to_string(end), OneLine(text.tokens[i], 60)});
  }
  return table.Text() + '\n';
}

Result<TokenizedText> Tokenize(const TextTokenizer& tokenizer, const Item& item, const TextOptions& options) {
  std::optional<std::string_view> pair;
  if (item.pair) pair = *item.pair;
  return tokenizer.Tokenize(std::get<std::string>(item.content), pair, options);
}

struct Counts {
  std::size_t truncated = 0, failed = 0;
};

Result<Counts> Answer(const Context& context, const TextTokenizer& tokenizer, std::span<const Item> items) {
  const Options& options = context.options;
  const bool people = context.WantsText();
  CANDOR_TRY(const auto file, FileOutput::Open(options.output.value_or("-"), "output", context.console));
  Counts counts;
  for (const Item& item : items) {
    const auto text = Tokenize(tokenizer, item, options.text);
    if (text) {
      if (text.value().total > text.value().ids.size()) ++counts.truncated;
      CANDOR_CHECKED(file->Write(people ? People(text.value()) : TokenLine(item, text.value())));
    } else {
      ++counts.failed;
      context.console.Problem(Placed(item, text.error()));
      CANDOR_CHECKED(file->Write(people ? "error: " + Message(Placed(item, text.error())) + '\n'
                                        : ErrorLine(item, text.error())));
    }
  }
  CANDOR_CHECKED(file->Commit());
  return counts;
}

}  // namespace

int RunTokenize(const Context& context) {
  const auto items = ReadItems(context.options, LineForm::kTextPair, ::isatty(STDIN_FILENO) == 1);
  if (!items) return Refuse(context, items.error());
  const auto engine = context.OpenEngine();
  if (!engine) return Refuse(context, {engine.error()});
  const auto tokenizer = engine.value()->OpenTokenizer(context.options.model);
  if (!tokenizer) return Refuse(context, tokenizer.error());
  const auto counts = Answer(context, *tokenizer.value(), items.value());
  if (!counts) return Refuse(context, {counts.error()});
  if (counts.value().truncated > 0) {
    context.console.Note(std::to_string(counts.value().truncated) + " of " +
                         std::to_string(items.value().size()) + " texts were truncated");
  }
  return counts.value().failed > 0 ? kSomeFailed : kDone;
}

}  // namespace candor::apps

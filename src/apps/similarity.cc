// candor similarity: one text against others, in the package's own similarity function and by the task of
// embeddings that was asked for, or else the one that the package declares.
#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "apps/embed_run.h"
#include "apps/file_output.h"
#include "apps/input.h"
#include "apps/lines.h"
#include "apps/progress.h"
#include "apps/score_run.h"
#include "apps/table.h"
#include "apps/verbs.h"

namespace candor::apps {
namespace {

struct Scores {
  std::vector<float> values;
  Cut cut;  // over the texts of this item that were cut
};

Embeddings Slice(const Embeddings& all, std::size_t begin, std::size_t rows) {
  Embeddings part{.dimensions = all.dimensions,
                  .normalized = all.normalized,
                  .similarity = all.similarity,
                  .space = all.space,
                  .values = {}};
  const auto first = all.values.begin() + static_cast<std::ptrdiff_t>(begin * all.dimensions);
  part.values.assign(first, first + static_cast<std::ptrdiff_t>(rows * all.dimensions));
  return part;
}

// The item's own text stands first, its documents follow. Its error is the first text's that has one.
Result<Scores> Score(const Embedder& model, const EmbedReply& reply, std::size_t begin,
                     std::size_t documents) {
  Scores scores;
  for (std::size_t i = begin; i <= begin + documents; ++i) {
    const ItemReport& report = reply.items[i];
    if (report.error) return *report.error;
    if (report.total <= report.tokens) continue;
    scores.cut.tokens += report.total;
    scores.cut.kept += report.tokens;
  }
  CANDOR_TRY(scores.values, model.Similarity(Slice(reply.embeddings, begin, 1),
                                             Slice(reply.embeddings, begin + 1, documents)));
  return scores;
}

std::string People(const Item& item, std::span<const float> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  Table table;
  table.Column("", Table::Align::kRight).Column("");
  for (const std::size_t i : order) table.Row({Fixed(scores[i], 4), OneLine(item.documents[i], 90)});
  return OneLine(std::get<std::string>(item.content), 100) + '\n' + table.Text("  ");
}

// Items whose texts together make one request; at least one item.
std::size_t SliceEnd(std::span<const Item> items, std::size_t begin) {
  std::size_t texts = 0, end = begin;
  while (end < items.size() && (end == begin || texts + items[end].documents.size() < kSliceTexts)) {
    texts += items[end++].documents.size() + 1;
  }
  return end;
}

std::vector<Content> Contents(std::span<const Item> items) {
  std::vector<Content> contents;
  for (const Item& item : items) {
    if (item.error) continue;
    contents.push_back(item.content);
    contents.insert(contents.end(), item.documents.begin(), item.documents.end());
  }
  return contents;
}

class SimilarityRun {
 public:
  SimilarityRun(const Context& context, EmbedRun& run)
      : context_(context), run_(run), people_(context.WantsText()) {}

  Result<void> Answer(std::span<const Item> items) {
    const bool sides = context_.options.text.role.has_value();
    EmbedReply reply;
    if (auto contents = Contents(items); !contents.empty() && !sides) {
      CANDOR_TRY(reply, run_.Embed(std::move(contents)));
    }
    if (file_ == nullptr) {
      CANDOR_TRY(file_, FileOutput::Open(context_.options.output.value_or("-"), "output", context_.console));
    }
    std::size_t begin = 0;
    for (const Item& item : items) {
      if (item.error) {
        CANDOR_CHECKED(Fail(item, *item.error));
        continue;
      }
      if (sides) {
        CANDOR_TRY(reply, EmbedSides(item));
        begin = 0;
      }
      const auto scores = Score(run_.model(), reply, begin, item.documents.size());
      begin += item.documents.size() + 1;
      if (scores) {
        CANDOR_CHECKED(file_->Write(people_
                                        ? People(item, scores.value().values)
                                        : SimilarityLine(item, scores.value().values, scores.value().cut)));
      } else {
        CANDOR_CHECKED(Fail(item, scores.error()));
      }
    }
    return file_->Flush();
  }
  Result<void> Commit() { return file_->Commit(); }

 private:
  // The item's own text by the role that was asked for, behind it its documents as documents.
  Result<EmbedReply> EmbedSides(const Item& item) {
    CANDOR_TRY(EmbedReply reply, run_.Embed({item.content}, context_.options.text.role));
    if (item.documents.empty()) return reply;
    CANDOR_TRY(const EmbedReply more,
               run_.Embed({item.documents.begin(), item.documents.end()}, TextRole::kDocument));
    const std::vector<float>& values = more.embeddings.values;
    reply.embeddings.values.insert(reply.embeddings.values.end(), values.begin(), values.end());
    reply.items.insert(reply.items.end(), more.items.begin(), more.items.end());
    return reply;
  }

  Result<void> Fail(const Item& item, const Error& error) {
    run_.Failed(item, error);
    return file_->Write(people_ ? "error: " + Message(Placed(item, error)) + '\n' : ErrorLine(item, error));
  }

  const Context& context_;
  EmbedRun& run_;
  bool people_;  // text for them instead of JSON Lines
  std::unique_ptr<FileOutput> file_;
};

// ---- packages with a query's side and a document's ------------------------------------------------------

// Of the documents, where the asked text has a role.
TextOptions DocumentSide(TextOptions text) {
  const bool named = text.prompt_name && (*text.prompt_name == "query" || *text.prompt_name == "document");
  if (text.role || named) text.role = TextRole::kDocument;
  if (named) text.prompt_name.reset();
  return text;
}

// The line of one item: its own text in one request, its documents in another.
template <class Request, class Output>
Result<std::string> ScoreSides(const Context& context, const Runs<Request, Output>& model, const Item& item,
                               RunAccount& account,
                               Result<std::vector<float>> (*score)(const Output&, const Output&)) {
  if (item.error) return *item.error;
  Request one{.inputs = {item.content}, .text = context.options.text};
  Request many{.inputs = {}, .text = DocumentSide(context.options.text)};
  many.inputs.assign(item.documents.begin(), item.documents.end());
  Scores scores;
  Reply<Output> replies[2];
  for (const bool documents : {false, true}) {
    const Request& request = documents ? many : one;
    if (request.inputs.empty()) continue;
    CANDOR_TRY(Reply<Output> reply, model.Run(request));
    account.Add(reply.items, reply.receipt);
    for (const ItemReport& report : reply.items) {
      if (report.error) return *report.error;
      if (report.total <= report.tokens) continue;
      scores.cut.tokens += report.total, scores.cut.kept += report.tokens;
    }
    replies[documents] = std::move(reply);
  }
  if (!many.inputs.empty()) {
    CANDOR_TRY(scores.values, score(replies[0].output, replies[1].output));
  }
  return context.WantsText() ? People(item, scores.values) : SimilarityLine(item, scores.values, scores.cut);
}

template <class Request, class Output>
int RunSides(const Context& context, const char* task,
             Planned<std::shared_ptr<const Runs<Request, Output>>> (Engine::*open)(const ModelOptions&) const,
             Result<std::vector<float>> (*score)(const Output&, const Output&)) {
  const Options& asked = context.options;
  const auto refuse = [&](const char* option, std::string found, const char* allowed) {
    return Refuse(context, {Error{Code::kUnsupportedOption, Where::Option(option), std::move(found), allowed,
                                  Phase::kRequest}});
  };
  if (asked.dimensions)
    return refuse("dimensions", std::to_string(*asked.dimensions),
                  "none: the package's embeddings are not cut");
  if (asked.adapter) return refuse("adapter", *asked.adapter, "none: only dense vectors have adapters");
  return RunScores(context, task, LineForm::kDocuments, 1, open,
                   [&](const Runs<Request, Output>& model, std::span<const Item> items,
                       RunAccount& account) -> Result<std::string> {
                     Result<std::string> text = ScoreSides(context, model, items.front(), account, score);
                     // An option is wrong for every line.
                     if (text || !text.error().where.option.empty()) return text;
                     return FailedText(context, items.front(), text.error(), account);
                   });
}

}  // namespace

int RunSimilarity(const Context& context) {
  std::string task = context.options.scored_task.value_or("");
  if (task.empty()) {
    const auto engine = context.OpenEngine();
    if (!engine) return Refuse(context, {engine.error()});
    auto declared = engine.value()->DeclaredEmbedding(context.options.model.path);
    if (!declared) return Refuse(context, declared.error());
    task = std::move(declared).value();
  }
  if (task == "embed-tokens")
    return RunSides<MultiVectorRequest, MultiVectors>(context, "embed-tokens", &Engine::OpenMultiVector,
                                                      MaxSim);
  if (task == "embed-sparse")
    return RunSides<SparseRequest, SparseEmbeddings>(context, "embed-sparse", &Engine::OpenSparse,
                                                     Similarity);
  const auto items = ReadItems(context.options, LineForm::kDocuments, ::isatty(STDIN_FILENO) == 1);
  if (!items) return Refuse(context, items.error());
  auto run = EmbedRun::Open(context);
  if (!run) return Refuse(context, run.error());
  SimilarityRun similarity(context, *run);
  const std::span<const Item> all = items.value();
  {
    Progress progress(context.console, all.size());
    for (std::size_t begin = 0; begin < all.size();) {
      const std::size_t end = SliceEnd(all, begin);
      if (const auto answered = similarity.Answer(all.subspan(begin, end - begin)); !answered) {
        return Refuse(context, {answered.error()});
      }
      begin = end;
      progress.Advance(begin);
    }
  }
  if (const auto committed = similarity.Commit(); !committed) return Refuse(context, {committed.error()});
  return run->Finish();
}

}  // namespace candor::apps

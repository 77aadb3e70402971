// From a package to a ClassifyTask or a RerankTask: the head of the class that its config.json names, or the
// modules of a cross-encoder, and its labels.
#include <utility>
#include <variant>

#include "tasks/chat_text.h"
#include "tasks/cross_encoder.h"
#include "tasks/head_class.h"
#include "tasks/logit_score.h"
#include "tasks/modules.h"
#include "tasks/score.h"

namespace candor::tasks {
namespace {

std::size_t WidthOf(const Model* model) { return model == nullptr ? 0 : model->width(); }

// What says how many labels there are: the last Dense of a chain, or config.json.
Where CountedBy(const package::Config& config, const EmbedRecipe& recipe) {
  for (auto m = recipe.chain.rbegin(); m != recipe.chain.rend(); ++m)
    if (std::holds_alternative<DenseStep>(m->step))
      return Where::At(m->folder + "config.json", "/out_features");
  return config.At("id2label");
}

// Names of a chain's labels are config.json's, where they are as many.
void CheckCount(const package::Config& config, std::size_t names, std::size_t labels, Problems& problems) {
  if (names == 0 || labels == 0 || names == labels) return;
  problems.push_back({Code::kEvidenceConflict, config.At("id2label"), std::to_string(names) + " labels",
                      std::to_string(labels) + ", the width of the last module", Phase::kProcessing});
}

// Of the words' rows those that are asked for, and no others.
void TakeRows(const LogitTokens& tokens, HeadSpec& head) {
  HeadStep& last = head.steps.back();
  last.stored = last.out;
  last.taken = {tokens.yes};
  if (tokens.no) last.taken.push_back(*tokens.no);
  last.out = last.taken.size();
}

// What the reference's module for texts gives to the next, and where it says so itself.
EncoderOutput OutputOf(ScoredBy by) {
  EncoderOutput rows = kHiddenRows;
  rows.chat = true;
  return by == ScoredBy::kModules ? rows : by == ScoredBy::kNextWord ? kNextWords : kScores;
}

// The reference makes modules of its own without modules.json, and opens no settings.
void CheckNoSettings(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                     Problems& problems) {
  if (package.Has("modules.json")) return;
  if (const auto config = EncoderConfig(package, log))
    problems.push_back({Code::kEvidenceConflict, Where::At(config->file()), "settings of a module",
                        "modules.json beside them: else the reference does not read them",
                        Phase::kProcessing});
}

// What both tasks need; nullopt when the package cannot give it. `pairs`: of a cross-encoder, whose texts may
// be conversations.
std::optional<ScoreParts> ReadParts(const package::Package& package,
                                    const std::shared_ptr<package::ReadLog>& log, const TaskOptions& options,
                                    const Model* model, ScoredBy by, bool pairs, EmbedRecipe recipe,
                                    Problems& problems) {
  const bool crossed = IsCrossEncoder(package, log);
  EncoderOutput output = OutputOf(by);
  const bool chats = pairs || crossed;
  output.chat = chats && package.Has("modules.json");
  if (by == ScoredBy::kNextWord) CheckNoSettings(package, log, problems);
  const bool said = ReadEncoderSettings(package, log, output, recipe, problems);
  if (!said && by != ScoredBy::kModules && crossed) {
    // The reference would open the encoder without its head, and find no scores.
    problems.push_back({Code::kUnsupportedTaskHead,
                        Where::At(package.InEncoder("sentence_bert_config.json"), "/transformer_task"),
                        "absent", '"' + std::string(output.task) + '"', Phase::kProcessing});
  }
  std::shared_ptr<const ChatText> chat;
  if (chats) chat = ReadChat(package, log, output, pairs, problems);
  std::optional<TextParts> texts = ReadTextParts(package, log, options, model, std::move(recipe), problems);
  if (!texts) return std::nullopt;
  ScoreParts parts;
  static_cast<TextParts&>(parts) = *std::move(texts);
  parts.chat = std::move(chat);
  return parts;
}

// Whether the package has what makes scores of that kind; a problem otherwise.
bool HasScores(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
               const package::Config& config, const Family& family, ScoredBy by, Problems& problems) {
  if (by == ScoredBy::kModules) return CheckChain(package, log, problems);
  if (by == ScoredBy::kClass) {
    if (!IsCrossEncoder(package, log) && !CheckRootEncoder(package, problems)) return false;
    return NamesHead(config, family, kForSequences, problems);
  }
  if (package.Has("modules.json") && !CheckChain(package, log, problems)) return false;
  if (family.causal_head != nullptr) return true;
  problems.push_back({Code::kUnsupportedTaskHead, config.At("model_type"), std::string(family.name),
                      "a decoder with a built head for the next word", Phase::kProcessing});
  return false;
}

}  // namespace

std::unique_ptr<Task> MakeClassifyTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                       const TaskOptions& options, const Model* model, Problems& problems) {
  const std::optional<package::Config> config = package.Read(package.InEncoder("config.json"), log);
  if (!config || options.family == nullptr) return nullptr;
  const ScoredBy by = HowScored(package, *config);
  const bool chained = by == ScoredBy::kModules;
  // A word is no label.
  if (by == ScoredBy::kNextWord && package.Has("modules.json")) {
    problems.push_back({Code::kUnsupportedTaskHead, Where::At("modules.json"), "LogitScore",
                        "modules that give labels; these are for rerank", Phase::kProcessing});
    return nullptr;
  }
  if (!HasScores(package, log, *config, *options.family, chained ? by : ScoredBy::kClass, problems))
    return nullptr;
  Labels labels;
  EmbedRecipe recipe;
  if (chained || IsCrossEncoder(package, log)) {
    CrossEncoder read =
        ReadCrossEncoder(package, log, *config, WidthOf(model), "recipe.classify_activation", problems);
    labels = {ReadLabelNames(*config, problems), read.activation};
    CheckCount(*config, labels.names.size(), read.labels, problems);
    recipe = std::move(read.recipe);
  } else {
    labels = ReadLabels(*config, problems);
  }
  std::optional<ScoreParts> parts =
      ReadParts(package, log, options, model, by, false, std::move(recipe), problems);
  if (!parts || (labels.names.empty() && !chained)) return nullptr;
  if (!chained)
    parts->head = options.family->sequence_head(*config, {parts->width, labels.names.size()}, problems);
  parts->activation = labels.activation;
  return std::make_unique<ClassifyTask>(*std::move(parts), std::move(labels.names));
}

std::unique_ptr<Task> MakeRerankTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                     const TaskOptions& options, const Model* model, Problems& problems) {
  const std::optional<package::Config> config = package.Read(package.InEncoder("config.json"), log);
  if (!config || options.family == nullptr) return nullptr;
  const ScoredBy by = HowScored(package, *config);
  if (!HasScores(package, log, *config, *options.family, by, problems)) return nullptr;
  CrossEncoder read =
      ReadCrossEncoder(package, log, *config, WidthOf(model), "recipe.rerank_activation", problems);
  const std::size_t labels = read.labels;
  if (labels > 1) {
    problems.push_back({Code::kUnsupportedTaskHead, CountedBy(*config, read.recipe),
                        std::to_string(labels) + " labels", "one label; this head is for classify",
                        Phase::kProcessing});
  }
  std::optional<ScoreParts> parts =
      ReadParts(package, log, options, model, by, true, std::move(read.recipe), problems);
  std::optional<LogitTokens> tokens;
  if (by == ScoredBy::kNextWord) {
    const text::Tokenizer* tokenizer = parts ? parts->tokenizer.get() : nullptr;
    const std::size_t vocabulary = model == nullptr ? 0 : model->input().vocabulary;
    tokens = ReadLogitTokens(package, log, *config, tokenizer, vocabulary, problems);
    if (!parts || !tokens) return nullptr;
    parts->head = options.family->causal_head(*config, {parts->width, vocabulary}, problems);
    TakeRows(*tokens, *parts->head);
    parts->tokens = tokens;
  } else {
    if (!parts || labels > 1 || (labels == 0 && by == ScoredBy::kClass)) return nullptr;
    if (by == ScoredBy::kClass)
      parts->head = options.family->sequence_head(*config, {parts->width, 1}, problems);
  }
  parts->activation = read.activation;
  return std::make_unique<RerankTask>(*std::move(parts));
}

}  // namespace candor::tasks

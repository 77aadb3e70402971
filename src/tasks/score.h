// ScoreTask: texts or pairs of texts to the logits of a sequence head; what they mean is its two contracts':
//
//   ClassifyTask   labels and their scores      candor.classification/v1
//   RerankTask     one score per document       candor.rerank/v1
//
// Immutable once its slots are bound.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/head.h"
#include "tasks/chain.h"
#include "tasks/chat_text.h"
#include "tasks/labels.h"
#include "tasks/logit_score.h"
#include "tasks/registry.h"
#include "tasks/task.h"
#include "tasks/text_parts.h"
#include "tasks/text_rules.h"

namespace candor::tasks {

struct ScoreParts : TextParts {
  std::optional<HeadSpec> head;          // else the chain of the recipe makes the logits
  std::optional<LogitTokens> tokens;     // the head gives their logits, and the score is made of those
  std::shared_ptr<const ChatText> chat;  // texts are a conversation; null: the tokenizer's template
  ScoreActivation activation = ScoreActivation::kNone;
};

class ScoreTask : public Task {
 public:
  explicit ScoreTask(ScoreParts parts);
  const TaskFacts& facts() const override { return facts_; }
  std::shared_ptr<const text::Tokenizer> tokenizer() const override { return parts_.tokenizer; }
  // The identity of scores: the same head, labels and activation of the same package.
  std::string SetSpace(std::string_view package_digest) override;
  void DeclareTensors(const Scope& root) override;
  std::size_t OutputWidth() const override;
  void Compute(const Packed& packed, Matrix hidden, Matrix out, Ops& ops, Workspace& ws) const override;

 protected:
  // `field` is the request's name of its list.
  Result<Laid> LayAll(const std::vector<TextPair>& inputs, const TextOptions& options,
                      const std::string& field) const;
  // Rows of logits by item, zeros where an item failed; what is not finite becomes that item's error.
  std::vector<float> Logits(Laid& laid, std::span<const Kept> kept) const;
  ScoreActivation activation() const { return parts_.activation; }
  virtual std::string Meaning() const = 0;  // of the numbers, for the identity

 private:
  Result<text::Encoding> EncodeInput(const TextPair& input, const TextLayout& layout,
                                     std::size_t& total) const;
  Result<Work> LayPair(const TextPair& input, const TextLayout& layout, ItemReport& report) const;

  ScoreParts parts_;
  std::variant<Head, ModuleChain> readout_;
  TaskFacts facts_;
};

class ClassifyTask final : public ScoreTask {
 public:
  ClassifyTask(ScoreParts parts, std::vector<std::string> labels)
      : ScoreTask(std::move(parts)), labels_(std::move(labels)) {}
  std::string_view contract() const override { return "candor.classification/v1"; }
  Result<Laid> Lay(const Request& request) const override;
  Result<Output> Finish(const Request& request, Laid& laid, std::span<const Kept> kept) const override;

 private:
  std::string Meaning() const override;
  std::vector<std::string> labels_;
};

class RerankTask final : public ScoreTask {
 public:
  using ScoreTask::ScoreTask;
  std::string_view contract() const override { return "candor.rerank/v1"; }
  Result<Laid> Lay(const Request& request) const override;
  Result<Output> Finish(const Request& request, Laid& laid, std::span<const Kept> kept) const override;

 private:
  std::string Meaning() const override { return "one score"; }
};

std::unique_ptr<Task> MakeClassifyTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                       const TaskOptions& options, const Model* model, Problems& problems);
std::unique_ptr<Task> MakeRerankTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                     const TaskOptions& options, const Model* model, Problems& problems);

}  // namespace candor::tasks

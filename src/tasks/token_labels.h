// TokenLabelTask: the labels of every token that ran, and of spans where an aggregation is asked for
// (candor.token_classification/v1). Logits are those of the class "...ForTokenClassification"; scores are
// their softmax whatever config.json says of problem_type, as in transformers' pipeline.
//
// Immutable once its slots are bound.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "model/head.h"
#include "tasks/aggregate.h"
#include "tasks/registry.h"
#include "tasks/task.h"
#include "tasks/text_parts.h"
#include "tasks/text_rules.h"

namespace candor::tasks {

struct TokenLabelParts : TextParts {
  HeadSpec head;
  std::vector<std::string> labels;  // by id
};

class TokenLabelTask final : public Task {
 public:
  explicit TokenLabelTask(TokenLabelParts parts);
  std::string_view contract() const override { return "candor.token_classification/v1"; }
  const TaskFacts& facts() const override { return facts_; }
  std::shared_ptr<const text::Tokenizer> tokenizer() const override { return parts_.tokenizer; }
  // The identity of logits: the same head and labels of the same package.
  std::string SetSpace(std::string_view package_digest) override;
  void DeclareTensors(const Scope& root) override { head_.DeclareTensors(root); }
  Result<Laid> Lay(const Request& request) const override;
  using Task::OutputRows;
  std::size_t OutputRows(std::size_t rows, std::size_t /*runs*/) const override { return rows; }
  std::size_t OutputWidth() const override { return parts_.labels.size(); }
  void Compute(const Packed& packed, Matrix hidden, Matrix out, Ops& ops, Workspace& ws) const override {
    head_.Apply(hidden, packed.runs, out, ops, ws);
  }
  Result<Output> Finish(const Request& request, Laid& laid, std::span<const Kept> kept) const override;

 private:
  Result<Work> LayText(const std::string& text, const TextLayout& layout, ItemReport& report) const;
  std::vector<LabelledTokens::Span> Spans(Aggregation how, std::string_view text, const Work& work,
                                          const LabelledTokens& tokens) const;

  TokenLabelParts parts_;
  Head head_;
  WordRule words_;
  TaskFacts facts_;
};

std::unique_ptr<Task> MakeTokenLabelTask(const package::Package& package,
                                         std::shared_ptr<package::ReadLog> log, const TaskOptions& options,
                                         const Model* model, Problems& problems);

}  // namespace candor::tasks

// FakeEngine: an engine whose answers are plain to see, for tests of the command line.
//
// The vector of a text is {length, 1}, of ids {count, 2}; the text "fail" is an item's error, "broken" the
// whole request's. Texts over 8 bytes count as cut to 8 tokens. The path decides what opening gives:
// "missing" and "unqualified" are refused; inspecting "no memory" and "defect" throws.
#pragma once
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "base/check.h"
#include "candor/engine.h"

namespace candor::apps {

class FakeEmbedder final : public Embedder {
 public:
  explicit FakeEmbedder(ModelOptions options) : options_(std::move(options)) {
    info_.name = "fake";
    info_.max_length = 8;
    info_.dimensions = 2;
  }
  Result<EmbedReply> Embed(const EmbedRequest& request) const override {
    EmbedReply reply;
    reply.embeddings.dimensions = request.dimensions.value_or(2);
    if (reply.embeddings.dimensions > 2) {
      return Error{Code::kUnsupportedOption, Where::Option("dimensions"), std::to_string(*request.dimensions),
                   "1 to 2"};
    }
    for (const Content& content : request.inputs) {
      if (const auto* text = std::get_if<std::string>(&content); text != nullptr && *text == "broken") {
        return Error{Code::kRuntimeFailure, {}, "a broken text", "", Phase::kRun};
      }
      Add(content, reply);
    }
    reply.receipt.plan = "plan";
    reply.receipt.items = reply.items.size();
    return reply;
  }
  const ModelInfo& info() const override { return info_; }
  Result<std::string> PlanJson(bool) const override { return std::string("{}"); }
  Result<std::vector<float>> Similarity(const Embeddings& one, const Embeddings& many) const override {
    std::vector<float> scores;
    for (std::size_t at = 0; at < many.values.size(); at += many.dimensions) {
      scores.push_back(one.values[0] * many.values[at]);
    }
    return scores;
  }

 private:
  static void Add(const Content& content, EmbedReply& reply) {
    ItemReport report;
    std::vector<float> row(2, 0);
    if (const auto* ids = std::get_if<TokenIds>(&content)) {
      row = {static_cast<float>(ids->size()), 2};
      report.tokens = report.total = ids->size();
      if (ids->empty()) report.error = Error{Code::kZeroValidTokens, {}, "no token", "at least one"};
    } else if (const auto& text = std::get<std::string>(content); text == "fail") {
      report.error = Error{Code::kInputTooLarge, {}, "9 tokens", "at most 8", Phase::kRequest};
    } else {
      row = {static_cast<float>(text.size()), 1};
      report.total = text.size();
      report.tokens = std::min<std::size_t>(text.size(), 8);
    }
    row.resize(reply.embeddings.dimensions);
    reply.embeddings.values.insert(reply.embeddings.values.end(), row.begin(), row.end());
    reply.items.push_back(std::move(report));
  }
  ModelOptions options_;
  ModelInfo info_;
};

// Of {length, -length} for a text, with the pair's length added; the document's length for a query.
class FakeClassifier final : public Classifier {
 public:
  Result<Reply<Classes>> Run(const ClassifyRequest& request) const override {
    Reply<Classes> reply;
    reply.output.labels = {"long", "short"}, reply.output.activation = "none";
    for (const TextPair& input : request.inputs) {
      ItemReport report;
      const auto length = static_cast<float>(input.text.size() + (input.pair ? input.pair->size() : 0));
      if (input.text == "fail") report.error = Error{Code::kInputTooLarge, {}, "9 tokens", "at most 8"};
      for (auto* values : {&reply.output.logits, &reply.output.scores})
        values->insert(values->end(), {length, -length});
      report.total = input.text.size(), report.tokens = std::min<std::size_t>(input.text.size(), 8);
      reply.items.push_back(std::move(report));
    }
    return reply;
  }
  const ModelInfo& info() const override { return info_; }

 private:
  ModelInfo info_;
};

class FakeReranker final : public Reranker {
 public:
  Result<Reply<Ranks>> Run(const RerankRequest& request) const override {
    Reply<Ranks> reply;
    for (const std::string& document : request.documents) {
      ItemReport report;
      if (document == "fail") report.error = Error{Code::kInputTooLarge, {}, "9 tokens", "at most 8"};
      reply.output.scores.push_back(static_cast<float>(document.size()));
      reply.output.activated.push_back(static_cast<float>(document.size()) / 8);
      reply.items.push_back(std::move(report));
    }
    return reply;
  }
  const ModelInfo& info() const override { return info_; }

 private:
  ModelInfo info_;
};

class FakeTokenizer final : public TextTokenizer {
 public:
  Result<TokenizedText> Tokenize(std::string_view text, std::optional<std::string_view> pair,
                                 const TextOptions&) const override {
    if (text == "fail") return Error{Code::kInputTooLarge, {}, "9 tokens", "at most 8"};
    TokenizedText tokens;
    const auto length = static_cast<std::int32_t>(text.size());
    tokens.ids = {length};
    tokens.type_ids = {pair ? 1 : 0};
    tokens.offsets = {{0, length}};
    tokens.tokens = {std::string(text)};
    tokens.total = text.size() > 8 ? 2 : 1;
    return tokens;
  }
};

class FakeEngine final : public Engine {
 public:
  explicit FakeEngine(EngineOptions options) : options_(std::move(options)) {}
  const std::string& VersionJson() const override { return version_; }
  std::size_t threads() const override { return options_.threads == 0 ? 1 : options_.threads; }
  Planned<std::string> InspectJson(const std::string& path) const override {
    if (path == "missing") return Missing();
    if (path == "no memory") throw std::bad_alloc();  // lint: allow throws because it plays the system
    CANDOR_CHECK(path != "defect", "a fake defect");
    return std::string(R"({"files":[{"path":"config.json","size":2}],"problems":[]})");
  }
  Planned<std::string> DeclaredEmbedding(const std::string&) const override { return std::string("embed"); }
  Planned<PlanAnswer> Plan(const ModelOptions& options) const override {
    if (options.path == "missing") return Missing();
    PlanAnswer answer{
        .json = R"({"decision":"eligible"})", .fingerprint = "plan", .decision = "eligible", .blockers = {}};
    if (options.path == "unqualified") answer.blockers = Unqualified();
    return answer;
  }
  Planned<WhyNotAnswer> WhyNot(const WhyNotQuestion& question) const override {
    if (question.model.path == "missing") return Missing();
    return WhyNotAnswer{
        .possible = false,
        .decision = "unqualified",
        .json = R"({"possible":false,"asked":)" + std::to_string(question.options.size()) + "}",
        .blockers = Unqualified()};
  }
  Planned<std::shared_ptr<const Embedder>> OpenEmbedder(const ModelOptions& options) const override {
    if (options.path == "missing") return Missing();
    if (options.path == "unqualified" && !options.allow_unqualified) return Unqualified();
    return std::shared_ptr<const Embedder>(std::make_shared<FakeEmbedder>(options));
  }
  Planned<std::shared_ptr<const SparseEmbedder>> OpenSparse(const ModelOptions&) const override {
    return Missing();
  }
  Planned<std::shared_ptr<const MultiVectorEmbedder>> OpenMultiVector(const ModelOptions&) const override {
    return Missing();
  }
  Planned<std::shared_ptr<const TokenClassifier>> OpenTokenClassifier(const ModelOptions&) const override {
    return Missing();
  }
  Planned<std::shared_ptr<const Classifier>> OpenClassifier(const ModelOptions& options) const override {
    if (options.path == "missing") return Missing();
    return std::shared_ptr<const Classifier>(std::make_shared<FakeClassifier>());
  }
  Planned<std::shared_ptr<const Reranker>> OpenReranker(const ModelOptions& options) const override {
    if (options.path == "missing") return Missing();
    return std::shared_ptr<const Reranker>(std::make_shared<FakeReranker>());
  }
  Planned<std::shared_ptr<const TextTokenizer>> OpenTokenizer(const ModelOptions& options) const override {
    if (options.path == "missing") return Missing();
    return std::shared_ptr<const TextTokenizer>(std::make_shared<FakeTokenizer>());
  }
  Result<Receipt> RunShape(const Embedder&, std::size_t, std::size_t) const override { return Receipt{}; }

 private:
  static Problems Missing() {
    return {{Code::kArtifactMissing, Where::At("config.json"), "no such file", "a file", Phase::kResolve},
            {Code::kComponentMissing, Where::At("model.safetensors"), "no such file", "weights",
             Phase::kResolve}};
  }
  static Problems Unqualified() {
    return {
        {Code::kUnqualifiedCase, Where::At("config.json", "/hidden_act"), "\"odd\"", "gelu", Phase::kPolicy}};
  }
  EngineOptions options_;
  std::string version_ = R"({"product":"candor","isa":")" + options_.isa + "\"}";
};

}  // namespace candor::apps

#include "engine/embedder.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/door.h"
#include "tasks/registry.h"

namespace candor {
namespace engine {
namespace {

class EmbedderImpl final : public Embedder {
 public:
  EmbedderImpl(std::shared_ptr<const LoadedModel> model, const ModelOptions& options,
               std::shared_ptr<const CpuMachine> machine)
      : runner_(std::move(model), options, std::move(machine)) {}

  Result<EmbedReply> Embed(const EmbedRequest& request) const override {
    return AtTheDoor<EmbedReply, Error>([&] { return Answer(request); });
  }
  const ModelInfo& info() const override { return runner_.info(); }
  Result<std::string> PlanJson(bool pretty) const override {
    return AtTheDoor<std::string, Error>(
        [&]() -> Result<std::string> { return plan::Serialize(runner_.model().plan(), pretty); });
  }
  Result<std::vector<float>> Similarity(const Embeddings& one, const Embeddings& many) const override {
    return AtTheDoor<std::vector<float>, Error>([&] { return tasks::Similarity(one, many); });
  }

 private:
  Result<EmbedReply> Answer(const EmbedRequest& request) const {
    CANDOR_TRY(Runner::Answer ran, runner_.Run(request));
    EmbedReply reply{std::get<Embeddings>(std::move(ran.output)), std::move(ran.items),
                     std::move(ran.receipt)};
    const Embeddings& e = reply.embeddings;
    Receipt& r = reply.receipt;
    r.dimensions = e.dimensions, r.normalized = e.normalized, r.similarity = e.similarity;
    r.recipe = e.space;
    r.dimensions_declared =
        !request.dimensions || *request.dimensions == info().dimensions || !info().matryoshka.empty();
    return reply;
  }
  Runner runner_;
};

class ClassifierImpl final : public Classifier {
 public:
  ClassifierImpl(std::shared_ptr<const LoadedModel> model, const ModelOptions& options,
                 std::shared_ptr<const CpuMachine> machine)
      : runner_(std::move(model), options, std::move(machine)) {}

  Result<ClassifyReply> Classify(const ClassifyRequest& request) const override {
    return AtTheDoor<ClassifyReply, Error>([&]() -> Result<ClassifyReply> {
      CANDOR_TRY(Runner::Answer ran, runner_.Run(request));
      ran.receipt.activation = std::get<Classes>(ran.output).activation;
      return ClassifyReply{std::get<Classes>(std::move(ran.output)), std::move(ran.items),
                           std::move(ran.receipt)};
    });
  }
  const ModelInfo& info() const override { return runner_.info(); }

 private:
  Runner runner_;
};

class RerankerImpl final : public Reranker {
 public:
  RerankerImpl(std::shared_ptr<const LoadedModel> model, const ModelOptions& options,
               std::shared_ptr<const CpuMachine> machine)
      : runner_(std::move(model), options, std::move(machine)) {}

  Result<RerankReply> Rerank(const RerankRequest& request) const override {
    return AtTheDoor<RerankReply, Error>([&]() -> Result<RerankReply> {
      CANDOR_TRY(Runner::Answer ran, runner_.Run(request));
      ran.receipt.activation = std::get<Ranks>(ran.output).activation;
      return RerankReply{std::get<Ranks>(std::move(ran.output)), std::move(ran.items),
                         std::move(ran.receipt)};
    });
  }
  const ModelInfo& info() const override { return runner_.info(); }

 private:
  Runner runner_;
};

}  // namespace

std::shared_ptr<const Embedder> MakeEmbedder(std::shared_ptr<const LoadedModel> model,
                                             const ModelOptions& options,
                                             std::shared_ptr<const CpuMachine> machine) {
  return std::make_shared<EmbedderImpl>(std::move(model), options, std::move(machine));
}

std::shared_ptr<const Classifier> MakeClassifier(std::shared_ptr<const LoadedModel> model,
                                                 const ModelOptions& options,
                                                 std::shared_ptr<const CpuMachine> machine) {
  return std::make_shared<ClassifierImpl>(std::move(model), options, std::move(machine));
}

std::shared_ptr<const Reranker> MakeReranker(std::shared_ptr<const LoadedModel> model,
                                             const ModelOptions& options,
                                             std::shared_ptr<const CpuMachine> machine) {
  return std::make_shared<RerankerImpl>(std::move(model), options, std::move(machine));
}

}  // namespace engine

std::vector<std::size_t> Ranking(const Ranks& ranks) {
  std::vector<std::size_t> order(ranks.scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return ranks.scores[a] > ranks.scores[b]; });
  return order;
}

}  // namespace candor

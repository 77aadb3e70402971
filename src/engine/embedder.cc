#include "engine/embedder.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/door.h"
#include "tasks/max_sim.h"
#include "tasks/quantize.h"
#include "tasks/registry.h"
#include "tasks/similarity.h"

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
    if (e.type != VectorType::kFloat32) r.output_dtype = tasks::Name(e.type);
    r.dimensions_declared =
        !request.dimensions || *request.dimensions == info().dimensions || !info().matryoshka.empty();
    return reply;
  }
  Runner runner_;
};

// What an output says of itself in its receipt.
void Note(const SparseEmbeddings& e, Receipt& r) {
  r.representation = "sparse", r.similarity = e.similarity, r.recipe = e.space;
}
void Note(const MultiVectors& m, Receipt& r) {
  r.representation = "tokens", r.dimensions = m.dimensions, r.normalized = m.normalized;
  r.similarity = m.similarity, r.recipe = m.space;
}
void Note(const Classes& c, Receipt& r) { r.representation = "logits", r.activation = c.activation; }
void Note(const TokenClasses& c, Receipt& r) { r.representation = "logits", r.activation = c.activation; }
void Note(const Ranks& ranks, Receipt& r) { r.representation = "logits", r.activation = ranks.activation; }

template <class Request, class Output>
class Handle final : public Runs<Request, Output> {
 public:
  Handle(std::shared_ptr<const LoadedModel> model, const ModelOptions& options,
         std::shared_ptr<const CpuMachine> machine)
      : runner_(std::move(model), options, std::move(machine)) {}

  Result<Reply<Output>> Run(const Request& request) const override {
    return AtTheDoor<Reply<Output>, Error>([&]() -> Result<Reply<Output>> {
      CANDOR_TRY(Runner::Answer ran, runner_.Run(request));
      Reply<Output> reply{std::get<Output>(std::move(ran.output)), std::move(ran.items),
                          std::move(ran.receipt)};
      Note(reply.output, reply.receipt);
      return reply;
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

template <class Request, class Output>
std::shared_ptr<const Runs<Request, Output>> MakeHandle(std::shared_ptr<const LoadedModel> model,
                                                        const ModelOptions& options,
                                                        std::shared_ptr<const CpuMachine> machine) {
  return std::make_shared<Handle<Request, Output>>(std::move(model), options, std::move(machine));
}
template std::shared_ptr<const Runs<SparseRequest, SparseEmbeddings>> MakeHandle(
    std::shared_ptr<const LoadedModel>, const ModelOptions&, std::shared_ptr<const CpuMachine>);
template std::shared_ptr<const Runs<MultiVectorRequest, MultiVectors>> MakeHandle(
    std::shared_ptr<const LoadedModel>, const ModelOptions&, std::shared_ptr<const CpuMachine>);
template std::shared_ptr<const Runs<ClassifyRequest, Classes>> MakeHandle(std::shared_ptr<const LoadedModel>,
                                                                          const ModelOptions&,
                                                                          std::shared_ptr<const CpuMachine>);
template std::shared_ptr<const Runs<TokenClassifyRequest, TokenClasses>> MakeHandle(
    std::shared_ptr<const LoadedModel>, const ModelOptions&, std::shared_ptr<const CpuMachine>);
template std::shared_ptr<const Runs<RerankRequest, Ranks>> MakeHandle(std::shared_ptr<const LoadedModel>,
                                                                      const ModelOptions&,
                                                                      std::shared_ptr<const CpuMachine>);

}  // namespace engine

Result<std::vector<float>> MaxSim(const MultiVectors& query, const MultiVectors& documents) {
  return engine::AtTheDoor<std::vector<float>, Error>([&] { return tasks::MaxSim(query, documents); });
}

Result<std::vector<float>> Similarity(const SparseEmbeddings& one, const SparseEmbeddings& many) {
  return engine::AtTheDoor<std::vector<float>, Error>([&] { return tasks::Similarity(one, many); });
}

std::vector<std::size_t> Ranking(const Ranks& ranks) {
  std::vector<std::size_t> order(ranks.scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return ranks.scores[a] > ranks.scores[b]; });
  return order;
}

}  // namespace candor

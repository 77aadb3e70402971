// The public Engine: the machine's backend, its threads, and the ways from a package to an answer. Every
// call that can run out of memory passes the door (engine/door.h), as those of embedder.cc do.
#include "candor/engine.h"

#include "engine/backends.h"
#include "engine/door.h"
#include "engine/embedder.h"
#include "engine/tokenize.h"
#include "engine/version.h"
#include "engine/why_not.h"
#include "families/registry.h"
#include "tasks/recipe.h"
#include "tasks/registry.h"
#include "tasks/text_rules.h"

namespace candor {
namespace engine {
namespace {

class EngineImpl final : public Engine {
 public:
  explicit EngineImpl(std::shared_ptr<const CpuMachine> machine)
      : machine_(std::move(machine)),
        product_("candor " + std::string(Version())),
        version_(machine_->VersionJson()) {}

  const std::string& VersionJson() const override { return version_; }
  std::size_t threads() const override { return machine_->threads(); }

  Planned<std::string> InspectJson(const std::string& path) const override {
    return AtTheDoor<std::string, Problems>([&]() -> Planned<std::string> {
      auto package = package::Package::Open(path);
      if (!package) return Problems{package.error()};
      return package::InspectJson(**package);
    });
  }

  Planned<std::string> DeclaredEmbedding(const std::string& path) const override {
    return AtTheDoor<std::string, Problems>([&]() -> Planned<std::string> {
      auto package = package::Package::Open(path);
      if (!package) return Problems{package.error()};
      return std::string(tasks::DeclaredEmbedding(**package));
    });
  }

  Planned<PlanAnswer> Plan(const ModelOptions& options) const override {
    return AtTheDoor<PlanAnswer, Problems>([&]() -> Planned<PlanAnswer> {
      Planned<plan::Draft> draft = Draft(options);
      if (!draft) return draft.error();
      Result<std::string> digest = draft->package->Digest();
      if (!digest) return Problems{digest.error()};
      plan::Seal(*draft, std::move(digest).value());
      PlanAnswer answer{plan::Serialize(draft->plan), plan::Fingerprint(draft->plan),
                        std::string(plan::Name(draft->plan.decision)), plan::Unqualified(draft->plan)};
      return answer;
    });
  }

  Planned<WhyNotAnswer> WhyNot(const WhyNotQuestion& question) const override {
    return AtTheDoor<WhyNotAnswer, Problems>([&]() -> Planned<WhyNotAnswer> {
      auto package = package::Package::Open(question.model.path);
      if (!package) return Problems{package.error()};
      return AnswerWhyNot(std::move(package).value(), question, Machine());
    });
  }

  Planned<std::shared_ptr<const Embedder>> OpenEmbedder(const ModelOptions& options) const override {
    return Open<Embedder>(options, "embed", MakeEmbedder);
  }
  Planned<std::shared_ptr<const SparseEmbedder>> OpenSparse(const ModelOptions& options) const override {
    return Open<SparseEmbedder>(options, "embed-sparse", MakeHandle);
  }
  Planned<std::shared_ptr<const MultiVectorEmbedder>> OpenMultiVector(
      const ModelOptions& options) const override {
    return Open<MultiVectorEmbedder>(options, "embed-tokens", MakeHandle);
  }
  Planned<std::shared_ptr<const Classifier>> OpenClassifier(const ModelOptions& options) const override {
    return Open<Classifier>(options, "classify", MakeHandle);
  }
  Planned<std::shared_ptr<const TokenClassifier>> OpenTokenClassifier(
      const ModelOptions& options) const override {
    return Open<TokenClassifier>(options, "classify-tokens", MakeHandle);
  }
  Planned<std::shared_ptr<const Reranker>> OpenReranker(const ModelOptions& options) const override {
    return Open<Reranker>(options, "rerank", MakeHandle);
  }

  Planned<std::shared_ptr<const TextTokenizer>> OpenTokenizer(const ModelOptions& options) const override {
    using Answer = std::shared_ptr<const TextTokenizer>;
    return AtTheDoor<Answer, Problems>([&]() -> Planned<Answer> {
      auto package = package::Package::Open(options.path);
      if (!package) return Problems{package.error()};
      return ReadTokenizer(**package, options);
    });
  }

  Result<Receipt> RunShape(const Embedder& model, std::size_t count, std::size_t length) const override {
    return AtTheDoor<Receipt, Error>([&] { return EmbedShape(model, count, length); });
  }

 private:
  // A handle of one task: planned, judged, loaded.
  template <class Handle>
  Planned<std::shared_ptr<const Handle>> Open(
      const ModelOptions& options, std::string_view task,
      std::shared_ptr<const Handle> (*make)(std::shared_ptr<const LoadedModel>, const ModelOptions&,
                                            std::shared_ptr<const CpuMachine>)) const {
    using Answer = std::shared_ptr<const Handle>;
    return AtTheDoor<Answer, Problems>([&]() -> Planned<Answer> {
      if (options.task != task) {
        return Problems{
            {Code::kUnknownTask, Where::Option("task"), options.task, std::string(task), Phase::kRequest}};
      }
      Planned<plan::Draft> draft = Draft(options);
      if (!draft) return draft.error();
      if (!options.allow_unqualified) {
        if (Problems blockers = plan::Unqualified(draft->plan); !blockers.empty()) return blockers;
      }
      auto loaded = LoadedModel::Load(std::move(draft).value(), machine_->backend(), machine_->parallel());
      if (!loaded) return loaded.error();
      return make(std::move(loaded).value(), options, machine_);
    });
  }

  plan::Machine Machine() const {
    return {machine_->backend(), families::Families(), product_, plan::BuiltInEnvelope(), threads()};
  }

  Planned<plan::Draft> Draft(const ModelOptions& options) const {
    auto package = package::Package::Open(options.path);
    if (!package) return Problems{package.error()};
    return plan::MakeDraft(std::move(package).value(), options, Machine());
  }

  static Result<Receipt> EmbedShape(const Embedder& model, std::size_t count, std::size_t length);

  // What the model takes; nothing is known where no family of ours reads the configuration.
  static InputRule RuleOf(const package::Package& package, const std::shared_ptr<package::ReadLog>& log) {
    Problems other;
    const families::Found found = families::FindModel(package, log, other);
    return found.model != nullptr ? found.model->input() : InputRule{};
  }

  // The recipe has a say in how texts are lowered, cut and prompted; its other problems do not stop a
  // tokenizer.
  static Planned<std::shared_ptr<const TextTokenizer>> ReadTokenizer(const package::Package& package,
                                                                     const ModelOptions& options) {
    const auto log = std::make_shared<package::ReadLog>();
    Problems found;
    tasks::EmbedRecipe recipe = tasks::ReadRecipe(package, log, {}, 0, found);
    Problems problems = tasks::TextProblems(package, found);
    auto tokenizer = tasks::ReadTokenizer(package, log, recipe);
    if (!tokenizer) problems.insert(problems.end(), tokenizer.error().begin(), tokenizer.error().end());
    if (!problems.empty()) return problems;
    std::size_t limit = tasks::PackageLimit(recipe, (*tokenizer)->facts(), RuleOf(package, log)).tokens;
    if (options.max_length) {
      if (auto fits = tasks::CheckMaxLength(*options.max_length, **tokenizer, limit); !fits)
        return Problems{fits.error()};
      recipe.max_seq_length = limit = *options.max_length;
    }
    return MakeTextTokenizer(std::move(tokenizer).value(), std::move(recipe), limit);
  }

  std::shared_ptr<const CpuMachine> machine_;
  std::string product_, version_;
};

Result<Receipt> EngineImpl::EmbedShape(const Embedder& model, std::size_t count, std::size_t length) {
  EmbedRequest request;
  request.inputs.reserve(count);
  std::uint64_t state = 0x9e3779b97f4a7c15u;  // xorshift64: the same ids every time
  for (std::size_t i = 0; i < count; ++i) {
    TokenIds ids(length);
    for (std::int32_t& id : ids) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      id = static_cast<std::int32_t>(state % model.info().vocabulary);
    }
    request.inputs.emplace_back(std::move(ids));
  }
  CANDOR_TRY(EmbedReply reply, model.Embed(request));
  for (const ItemReport& item : reply.items)
    if (item.error) return *item.error;
  return std::move(reply.receipt);
}

}  // namespace
}  // namespace engine

Result<std::shared_ptr<Engine>> Engine::New(const EngineOptions& options) {
  using Answer = std::shared_ptr<Engine>;
  return engine::AtTheDoor<Answer, Error>([&]() -> Result<Answer> {
    CANDOR_TRY(std::unique_ptr<engine::CpuMachine> machine, engine::CpuMachine::New(options));
    return Answer(std::make_shared<engine::EngineImpl>(std::move(machine)));
  });
}

}  // namespace candor

// The public Engine: the machine's backend, its threads, and the ways from a package to an answer. bad_alloc
// is turned into insufficient_memory here, at the door, and nowhere below (DESIGN section 7).
#include "candor/engine.h"

#include <algorithm>

#include "engine/backends.h"
#include "engine/door.h"
#include "engine/embedder.h"
#include "engine/version.h"
#include "engine/why_not.h"
#include "families/registry.h"
#include "tasks/recipe.h"

namespace candor {
namespace engine {
namespace {

class EngineImpl final : public Engine {
 public:
  explicit EngineImpl(std::shared_ptr<const CpuMachine> machine)
      : machine_(std::move(machine)), product_("candor " + std::string(Version())) {}

  std::string VersionJson() const override { return machine_->VersionJson(); }
  std::size_t threads() const override { return machine_->threads(); }

  Planned<std::string> InspectJson(const std::string& path) const override {
    return AtTheDoor<std::string, Problems>([&]() -> Planned<std::string> {
      auto package = package::Package::Open(path);
      if (!package) return Problems{package.error()};
      return package::InspectJson(**package);
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
    using Answer = std::shared_ptr<const Embedder>;
    return AtTheDoor<Answer, Problems>([&]() -> Planned<Answer> {
      Planned<plan::Draft> draft = Draft(options);
      if (!draft) return draft.error();
      if (!options.allow_unqualified) {
        if (Problems blockers = plan::Unqualified(draft->plan); !blockers.empty()) return blockers;
      }
      auto loaded = LoadedModel::Load(std::move(draft).value(), machine_->backend(), machine_->parallel());
      if (!loaded) return loaded.error();
      return MakeEmbedder(std::move(loaded).value(), options, machine_);
    });
  }

  Planned<std::shared_ptr<const TextTokenizer>> OpenTokenizer(const ModelOptions& options) const override {
    using Answer = std::shared_ptr<const TextTokenizer>;
    return AtTheDoor<Answer, Problems>([&]() -> Planned<Answer> {
      auto package = package::Package::Open(options.path);
      if (!package) return Problems{package.error()};
      return ReadTokenizer(**package, options);
    });
  }

  Result<Receipt> RunShape(const Embedder& model, std::size_t count, std::size_t length) const override;

 private:
  plan::Machine Machine() const { return {machine_->backend(), families::Families(), product_}; }

  Planned<plan::Draft> Draft(const ModelOptions& options) const {
    auto package = package::Package::Open(options.path);
    if (!package) return Problems{package.error()};
    return plan::MakeDraft(std::move(package).value(), options, Machine());
  }

  // What the model's position table allows; 0 where no family of ours reads the configuration.
  static std::size_t PositionLimit(const package::Package& package,
                                   const std::shared_ptr<package::ReadLog>& log) {
    Problems other;
    const auto config = package.Read("config.json", log);
    const Family* family = config ? families::Recognise(*config, other) : nullptr;
    const auto model = family != nullptr ? families::ReadModel(*family, *config, other) : nullptr;
    return model != nullptr ? model->input().max_length : 0;
  }

  // The recipe has a say in how texts are cut and lowered; its other problems do not stop a tokenizer.
  static Planned<std::shared_ptr<const TextTokenizer>> ReadTokenizer(const package::Package& package,
                                                                     const ModelOptions& options) {
    const auto log = std::make_shared<package::ReadLog>();
    Problems other;
    const tasks::EmbedRecipe recipe = tasks::ReadRecipe(package, log, {}, 0, other);
    auto tokenizer = text::Tokenizer::Read(package, log, recipe.lowercase_first);
    if (!tokenizer) return tokenizer.error();
    const std::size_t positions = PositionLimit(package, log);
    std::size_t limit =
        recipe.max_seq_length.value_or((*tokenizer)->facts().model_max_length.value_or(positions));
    if (positions != 0) limit = std::min(limit, positions);
    if (options.max_length) {
      if (limit != 0 && *options.max_length > limit) {
        return Problems{{Code::kUnsupportedOption, Where::Option("max-length"),
                         std::to_string(*options.max_length), "1 to " + std::to_string(limit),
                         Phase::kRequest}};
      }
      limit = *options.max_length;
    }
    return MakeTextTokenizer(std::move(tokenizer).value(), limit);
  }

  std::shared_ptr<const CpuMachine> machine_;
  std::string product_;
};

Result<Receipt> EngineImpl::RunShape(const Embedder& model, std::size_t count, std::size_t length) const {
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
  CANDOR_TRY(std::unique_ptr<engine::CpuMachine> machine, engine::CpuMachine::New(options));
  return std::shared_ptr<Engine>(std::make_shared<engine::EngineImpl>(std::move(machine)));
}

}  // namespace candor

// From a package to a ClassifyTask or a RerankTask: the class that its config.json names, its head, its
// labels, and what sentence-transformers' files say of a cross-encoder.
#include <algorithm>
#include <iterator>
#include <utility>

#include "tasks/modules.h"
#include "tasks/score.h"
#include "tasks/text_checks.h"

namespace candor::tasks {
namespace {

constexpr std::string_view kClass = "ForSequenceClassification";

// Whether config.json names a class with such a head; the problem says what can be done instead.
bool HasHead(const package::Config& config, const Family& family, Problems& problems) {
  const std::vector<std::string> names = config.Texts("architectures", problems);
  const bool named = std::ranges::any_of(names, [](const std::string& n) { return n.ends_with(kClass); });
  if (named && family.sequence_head != nullptr) {
    config.Choice("head", "sequence", "architectures");
    return true;
  }
  std::string found = names.empty() ? "absent" : names.front();
  problems.push_back({Code::kUnsupportedTaskHead, config.At("architectures"), std::move(found),
                      family.sequence_head == nullptr
                          ? "embed: no head of " + std::string(family.name) + " is built"
                          : "a class ..." + std::string(kClass) + "; this one is for embed",
                      Phase::kProcessing});
  return false;
}

// ---- cross-encoders -----------------------------------------------------------------------------------

// sentence-transformers 6.2, cross_encoder/model.py: a class of torch by its path.
ScoreActivation ReadActivation(const package::Config& config, std::string_view key, Problems& problems) {
  const std::string path = config.Text(key, "", problems);
  const std::string name = path.substr(path.rfind('.') + 1);
  ScoreActivation activation = ScoreActivation::kNone;
  if (path.starts_with("torch.") && name == "Sigmoid") {
    activation = ScoreActivation::kSigmoid;
  } else if (!path.starts_with("torch.") || name != "Identity") {
    problems.push_back({Code::kUnsupportedConfigVariant, config.At(key), path,
                        "torch.nn.modules.activation.Sigmoid, torch.nn.modules.linear.Identity",
                        Phase::kProcessing});
  }
  config.Choice("recipe.rerank_activation", Name(activation), key);
  return activation;
}

// In its order of precedence; without a word it is the sigmoid of the one label.
ScoreActivation ChooseActivation(const package::Package& package,
                                 const std::shared_ptr<package::ReadLog>& log, const package::Config& config,
                                 Problems& problems) {
  const std::optional<package::Config> own = package.Read("config_sentence_transformers.json", log);
  if (own && own->Has("activation_fn")) return ReadActivation(*own, "activation_fn", problems);
  if (const auto inside = config.Inside("sentence_transformers", problems);
      inside && inside->Has("activation_fn"))
    return ReadActivation(*inside, "activation_fn", problems);
  if (config.Has("sbert_ce_default_activation_function"))
    return ReadActivation(config, "sbert_ce_default_activation_function", problems);
  config.Choice("recipe.rerank_activation", Name(ScoreActivation::kSigmoid), "sentence_transformers");
  return ScoreActivation::kSigmoid;
}

// What the package's own files say beside its activation.
void ReadOwn(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
             EmbedRecipe& recipe, Problems& problems) {
  CheckLoneEncoder(package, log, problems);
  const auto own = package.Read("config_sentence_transformers.json", log);
  if (!own) return;
  OnlyNeutral(*own, "model_type", {"\"CrossEncoder\""}, Code::kUnsupportedTaskHead, problems);
  ReadPrompts(*own, recipe, problems);
  own->Choice("recipe.default_prompt", recipe.default_prompt ? "set" : "none", "default_prompt_name");
  IgnoreKey(*own, "similarity_fn_name", "of embeddings");
  IgnoreKey(*own, "__version__", "provenance, no computation reads it");
  IgnoreKey(*own, "requirements", "versions of Python packages");
}

// What both tasks need; nullopt when the package cannot give it.
std::optional<ScoreParts> ReadParts(const package::Package& package,
                                    const std::shared_ptr<package::ReadLog>& log, const TaskOptions& options,
                                    const Model* model, EmbedRecipe recipe, Problems& problems) {
  if (options.pooling) {
    problems.push_back({Code::kUnsupportedOption, Where::Option("pooling"), *options.pooling,
                        "of embeddings alone; the head pools", Phase::kProcessing});
  }
  ReadEncoderSettings(package, log, kScores, recipe, problems);
  Planned<std::shared_ptr<const text::Tokenizer>> tokenizer =
      text::Tokenizer::Read(package, log, recipe.lowercase_first);
  if (!tokenizer) std::ranges::copy(tokenizer.error(), std::back_inserter(problems));
  if (model == nullptr || !tokenizer) return std::nullopt;
  ScoreParts parts;
  parts.width = model->width(), parts.input = model->input(), parts.tokenizer = std::move(tokenizer).value();
  const Limit limit = PackageLimit(recipe, parts.tokenizer->facts(), parts.input);
  CheckRows(*parts.tokenizer, "tokenizer.json", parts.input, problems);
  CheckLimit(*parts.tokenizer, limit, options.max_length, problems);
  parts.max_length = options.max_length.value_or(limit.tokens);
  parts.recipe = std::move(recipe);
  return parts;
}

}  // namespace

std::unique_ptr<Task> MakeClassifyTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                       const TaskOptions& options, const Model* model, Problems& problems) {
  const std::optional<package::Config> config = package.Read("config.json", log);
  if (!config || options.family == nullptr || !HasHead(*config, *options.family, problems)) return nullptr;
  Labels labels = ReadLabels(*config, problems);
  std::optional<ScoreParts> parts = ReadParts(package, log, options, model, {}, problems);
  if (!parts || labels.names.empty()) return nullptr;
  parts->head = options.family->sequence_head(*config, {parts->width, labels.names.size()}, problems);
  parts->activation = labels.activation;
  return std::make_unique<ClassifyTask>(*std::move(parts), std::move(labels.names));
}

std::unique_ptr<Task> MakeRerankTask(const package::Package& package, std::shared_ptr<package::ReadLog> log,
                                     const TaskOptions& options, const Model* model, Problems& problems) {
  const std::optional<package::Config> config = package.Read("config.json", log);
  if (!config || options.family == nullptr || !HasHead(*config, *options.family, problems)) return nullptr;
  const std::size_t before = problems.size();
  const std::size_t labels = LabelCount(*config, problems);
  if (problems.size() == before && labels != 1) {
    problems.push_back({Code::kUnsupportedTaskHead, config->At("id2label"),
                        std::to_string(labels) + " labels", "one label; this head is for classify",
                        Phase::kProcessing});
  }
  EmbedRecipe recipe;
  ReadOwn(package, log, recipe, problems);
  const ScoreActivation activation = ChooseActivation(package, log, *config, problems);
  std::optional<ScoreParts> parts = ReadParts(package, log, options, model, std::move(recipe), problems);
  if (!parts || labels != 1) return nullptr;
  parts->head = options.family->sequence_head(*config, {parts->width, 1}, problems);
  parts->activation = activation;
  return std::make_unique<RerankTask>(*std::move(parts));
}

}  // namespace candor::tasks

#include "tasks/cross_encoder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include "tasks/logit_score.h"
#include "tasks/modules.h"

namespace candor::tasks {
namespace {

constexpr const char* kOwn = "config_sentence_transformers.json";
constexpr std::string_view kActivation = "activation_fn", kType = "\"CrossEncoder\"";

bool IsWritten(const package::Config& config, std::string_view key) {
  const std::vector<std::string> keys = config.Keys();
  return std::ranges::find(keys, key) != keys.end();
}

void Push(Problems& problems, Code code, Where where, std::string found, std::string allowed) {
  problems.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kProcessing});
}

// ---- the activation -----------------------------------------------------------------------------------

// A class of torch by its path. The reference takes another one than torch's for unsaid, with a warning.
ScoreActivation ReadActivation(const package::Config& config, std::string_view key, Problems& problems) {
  const std::string path = config.Text(key, "", problems);
  constexpr std::pair<std::string_view, ScoreActivation> kKnown[] = {
      {"activation.Sigmoid", ScoreActivation::kSigmoid}, {"linear.Identity", ScoreActivation::kNone}};
  for (const auto& [name, activation] : kKnown) {
    const std::string_view bare = name.substr(name.find('.') + 1);
    for (const std::string& full : {"torch.nn.modules." + std::string(name),
                                    "torch.nn.modules." + std::string(bare), "torch.nn." + std::string(bare)})
      if (path == full) return activation;
  }
  Push(problems, Code::kUnsupportedConfigVariant, config.At(key), path,
       "torch.nn.modules.activation.Sigmoid, torch.nn.modules.linear.Identity");
  return ScoreActivation::kNone;
}

struct Chosen {
  ScoreActivation activation;
  std::string_view key;  // that says so
};

// What config.json says; without a word the sigmoid of one label, and nothing of several.
Chosen ByConfig(const package::Config& config, std::size_t labels, Problems& problems) {
  constexpr std::string_view kInside = "sentence_transformers", kOld = "sbert_ce_default_activation_function";
  const Chosen unsaid{labels == 1 ? ScoreActivation::kSigmoid : ScoreActivation::kNone, kInside};
  const auto inside = config.Inside(kInside, problems);
  if (inside) IgnoreKey(*inside, "version", "the library that saved the package; no computation reads it");
  if (inside && IsWritten(*inside, kActivation)) {
    // A null there is no word either, and hides the old key.
    if (inside->Has(kActivation)) return {ReadActivation(*inside, kActivation, problems), kInside};
    if (config.Raw(kOld) != nullptr) config.Ignore(kOld, "sentence_transformers.activation_fn is written");
    return unsaid;
  }
  if (config.Has(kOld)) return {ReadActivation(config, kOld, problems), kOld};
  return unsaid;
}

// ---- the package's own file -----------------------------------------------------------------------------

// The reference opens it only beside modules.json, and only where it says that it is a cross-encoder's. What
// it would change elsewhere is refused: its author and the reference would not agree.
void CheckNotRead(const package::Config& own, ScoreActivation chosen, Problems& problems) {
  constexpr std::string_view kAllowed =
      "beside modules.json, under model_type \"CrossEncoder\": else the reference does not read it";
  const auto refuse = [&](Where where, std::string found) {
    Push(problems, Code::kEvidenceConflict, std::move(where), std::move(found), std::string(kAllowed));
  };
  const std::size_t before = problems.size();
  if (own.Has(kActivation) && ReadActivation(own, kActivation, problems) != chosen &&
      problems.size() == before)
    refuse(own.At(kActivation), own.Shown(kActivation));
  if (const auto prompts = own.Inside("prompts", problems)) {
    for (const std::string& name : prompts->Keys())
      if (!prompts->Text(name, "", problems).empty()) refuse(prompts->At(name), prompts->Shown(name));
  }
  IgnoreKey(own, "default_prompt_name", "of no prompt");
}

// Single products in f32 under another precision. Nothing to do where everything is; but a list it must be.
void CheckKept(const package::Config& own, Problems& problems) {
  constexpr std::string_view kKey = "keep_in_fp32_modules";
  const io::Json* kept = own.Raw(kKey);
  if (kept == nullptr) return;
  const bool fits = kept->is_array() && std::ranges::all_of(kept->items(), [](const io::Json& path) {
                      return path.is_string() && !path.as_string().empty();
                    });
  if (!fits)
    Push(problems, Code::kInvalidPackageSchema, own.At(kKey), kept->Dump(), "a list of paths of modules");
  else
    own.Ignore(kKey,
               "products that a half precision run of the reference leaves in f32; the profile decides here");
}

}  // namespace

bool HasModuleChain(const package::Package& package) {
  const std::shared_ptr<const io::Json> modules = package.Document("modules.json");
  return modules != nullptr && modules->is_array() && modules->items().size() > 1;
}

bool IsCrossEncoder(const package::Package& package, const std::shared_ptr<package::ReadLog>& log) {
  const std::optional<package::Config> own = package.Read(kOwn, log);
  return own && package.Has("modules.json") && own->Shown("model_type") == kType;
}

bool CheckChain(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                Problems& problems) {
  if (IsCrossEncoder(package, log)) return true;
  const std::optional<package::Config> own = package.Read(kOwn, log);
  Push(problems, Code::kUnsupportedTaskHead, Where::At(kOwn, "/model_type"),
       own ? own->Shown("model_type") : "absent",
       std::string(kType) + ": the modules are those of embeddings");
  return false;
}

CrossEncoder ReadCrossEncoder(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                              const package::Config& config, std::size_t width, std::string_view fact,
                              Problems& problems) {
  CrossEncoder out;
  const ScoredBy by = HowScored(package, config);
  const std::size_t before = problems.size();
  if (by == ScoredBy::kNextWord) {
    out.labels = 1;  // its own reader says how it is made
  } else if (by == ScoredBy::kModules) {
    ReadModules(package, log, {.width = width, .result = kScoreRow}, out.recipe, problems);
    if (problems.size() == before) out.labels = out.recipe.width;
    log->Add(
        {"recipe.scores", "modules", "registry_mapping", "modules.json", "", "more than the encoder", true});
    for (const Module& m : out.recipe.chain) {
      const auto* pooling = std::get_if<PoolingStep>(&m.step);
      if (pooling != nullptr && !pooling->include_prompt)
        Push(problems, Code::kUnsupportedProcessorRecipe,
             Where::At(m.folder + "config.json", "/include_prompt"), "false",
             "true: of a pair the reference counts a prompt that stands in the query");
    }
  } else {
    CheckLoneEncoder(package, log, problems);
    out.labels = LabelCount(config, problems);
  }
  Chosen chosen = ByConfig(config, out.labels, problems);
  const std::optional<package::Config> own = package.Read(kOwn, log);
  bool of_another = false;
  if (own) {
    const std::size_t typed = problems.size();
    OnlyNeutral(*own, "model_type", {kType}, Code::kUnsupportedTaskHead, problems);
    of_another = problems.size() != typed;
    IgnoreKey(*own, "similarity_fn_name", "of embeddings");
    IgnoreKey(*own, "__version__", "provenance, no computation reads it");
    IgnoreKey(*own, "requirements", "versions of Python packages");
    CheckKept(*own, problems);
  }
  if (IsCrossEncoder(package, log)) {
    if (own->Has(kActivation)) chosen = {ReadActivation(*own, kActivation, problems), kActivation};
    ReadPrompts(*own, out.recipe, problems);
    own->Choice("recipe.default_prompt", out.recipe.default_prompt ? "set" : "none", "default_prompt_name");
  } else if (own && !of_another) {
    CheckNotRead(*own, chosen.activation, problems);
  }
  out.activation = chosen.activation;
  config.Choice(fact, Name(out.activation), chosen.key);
  return out;
}

}  // namespace candor::tasks

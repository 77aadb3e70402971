#include "tasks/logit_score.h"

#include <algorithm>

#include "tasks/modules.h"

namespace candor::tasks {
namespace {

constexpr std::string_view kModule = "LogitScore";
constexpr const char* kModules = "modules.json";

void Push(Problems& problems, Code code, Where where, std::string found, std::string allowed) {
  problems.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kProcessing});
}

bool IsLogitScore(const io::Json& entry) {
  const io::Json* type = entry.is_object() ? entry.Find("type") : nullptr;
  return type != nullptr && type->is_string() &&
         std::string_view(type->as_string()).ends_with('.' + std::string(kModule));
}

// The config of the module, which stands alone behind the encoder.
std::optional<package::Config> ReadModule(const package::Package& package,
                                          const std::shared_ptr<package::ReadLog>& log, Problems& problems) {
  const std::shared_ptr<const io::Json> document = package.Document(kModules);
  const std::span<const io::Json> items = document->items();
  if (items.size() != 2 || !items[0].is_object() || !IsLogitScore(items[1])) {
    Push(problems, Code::kUnsupportedProcessorRecipe, Where::At(kModules),
         std::to_string(items.size()) + " modules", "Transformer, then LogitScore, and no other");
    return std::nullopt;
  }
  const std::size_t before = problems.size();
  std::string folder, name;
  for (std::size_t i = 0; i < 2; ++i) {
    const package::Config entry(document, &items[i], kModules, "/" + std::to_string(i), log);
    log->MarkRead(kModules, "/" + std::to_string(i));
    for (const char* key : {"idx", "kwargs"})
      IgnoreKey(entry, key, "the list's order, names, paths and types decide");
    const std::string own = entry.Text("name", "", problems);
    if (i == 1 && own == name)
      Push(problems, Code::kInvalidPackageSchema, entry.At("name"), own, "a name of its own");
    name = own;
    const std::string type = ModuleClass(entry, "type", problems);
    const std::optional<std::string> path = ModulePath(entry, problems);
    if (i == 0 && !type.empty() && type != "Transformer")
      Push(problems, Code::kUnsupportedProcessorRecipe, entry.At("type"), type, "Transformer");
    if (i == 1) {
      folder = path.value_or("");
      if (path && folder.empty())
        Push(problems, Code::kUnsupportedProcessorRecipe, entry.At("path"), "the package's root",
             "a folder of its own");
      entry.Choice("recipe.module", kModule, "type");
    }
  }
  if (problems.size() != before) return std::nullopt;
  std::optional<package::Config> config = package.Read(folder + "config.json", log);
  if (!config)
    Push(problems, Code::kComponentMissing, Where::At(folder + "config.json"), "no such file",
         "true_token_id and false_token_id");
  return config;
}

std::optional<LogitTokens> FromModule(const package::Config& config, std::size_t vocabulary,
                                      Problems& problems) {
  constexpr std::string_view kYes = "true_token_id", kNo = "false_token_id";
  const std::size_t before = problems.size();
  RefuseUnknownKeys(config, {kYes, kNo, "module_input_name"}, problems);
  OnlyNeutral(config, "module_input_name", {"\"causal_logits\""}, Code::kUnsupportedProcessorRecipe,
              problems);
  LogitTokens out;
  const auto read = [&](std::string_view key) {
    const std::size_t id = config.Size(key, 0, problems);
    if (problems.size() == before && vocabulary != 0 && id >= vocabulary)
      Push(problems, Code::kEvidenceConflict, config.At(key), std::to_string(id),
           "below vocab_size " + std::to_string(vocabulary));
    return id;
  };
  if (!config.Has(kYes))
    Push(problems, Code::kInvalidPackageSchema, config.At(kYes), config.Shown(kYes), "the id of a token");
  else
    out.yes = read(kYes);
  if (config.Has(kNo)) out.no = read(kNo);
  if (problems.size() == before && out.no == out.yes)
    Push(problems, Code::kEvidenceConflict, config.At(kNo), std::to_string(out.yes),
         "another id than " + std::string(kYes) + ": every score would be zero");
  config.Choice("recipe.score", out.no ? "difference" : "one logit", kNo);
  if (problems.size() != before) return std::nullopt;
  return out;
}

// Entries of the vocabulary by their whole text.
std::optional<LogitTokens> ByWords(const package::Package& package, const text::Tokenizer& tokenizer,
                                   package::ReadLog& log, std::size_t vocabulary, Problems& problems) {
  const std::string file = package.InEncoder("tokenizer.json");
  std::size_t ids[2] = {};
  const std::size_t before = problems.size();
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string word = i == 0 ? "yes" : "no";
    const std::optional<std::int32_t> id = tokenizer.IdOf(word);
    if (!id || (vocabulary != 0 && static_cast<std::size_t>(*id) >= vocabulary))
      Push(problems, Code::kUnsupportedTaskHead, Where::At(file),
           id ? "the id " + std::to_string(*id) + " of " + word : "no token " + word,
           "tokens yes and no with rows of the vocabulary, or a LogitScore module in modules.json");
    else
      ids[i] = static_cast<std::size_t>(*id);
  }
  if (problems.size() != before) return std::nullopt;
  log.Add({"recipe.score", "difference", "registry_mapping", file, "", "the tokens yes and no", true});
  return LogitTokens{ids[0], ids[1]};
}

}  // namespace

ScoredBy HowScored(const package::Package& package, const package::Config& config) {
  if (const std::shared_ptr<const io::Json> modules = package.Document(kModules)) {
    if (!modules->is_array() || modules->items().size() < 2) return ScoredBy::kClass;
    const bool word = std::ranges::any_of(modules->items().subspan(1), IsLogitScore);
    return word ? ScoredBy::kNextWord : ScoredBy::kModules;
  }
  Problems ignored;
  const std::vector<std::string> names = config.Texts("architectures", ignored);
  const bool causal = !package.Has(kModules) && !names.empty() && names.front().ends_with("ForCausalLM");
  return causal ? ScoredBy::kNextWord : ScoredBy::kClass;
}

std::optional<LogitTokens> ReadLogitTokens(const package::Package& package,
                                           const std::shared_ptr<package::ReadLog>& log,
                                           const package::Config& config, const text::Tokenizer* tokenizer,
                                           std::size_t vocabulary, Problems& problems) {
  config.Choice("head", "next word", "architectures");
  if (!package.Has(kModules))
    return tokenizer == nullptr ? std::nullopt : ByWords(package, *tokenizer, *log, vocabulary, problems);
  const std::optional<package::Config> module = ReadModule(package, log, problems);
  return module ? FromModule(*module, vocabulary, problems) : std::nullopt;
}

std::string Description(const LogitTokens& tokens) {
  return "token " + std::to_string(tokens.yes) +
         (tokens.no ? " less token " + std::to_string(*tokens.no) : "");
}

}  // namespace candor::tasks

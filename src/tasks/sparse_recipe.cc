#include "tasks/sparse_recipe.h"

#include <algorithm>
#include <array>
#include <set>

#include "tasks/modules.h"

namespace candor::tasks {
namespace {

constexpr const char* kModules = "modules.json";
constexpr std::string_view kChain = "Transformer (or MLMTransformer), then SpladePooling";
constexpr std::size_t kMostWords = std::size_t{1} << 24;

void Push(Problems& problems, Code code, Where where, std::string found, std::string allowed) {
  problems.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kProcessing});
}

// One of `names`, the first where the key is absent.
std::size_t ReadName(const package::Config& config, std::string_view key, std::string_view fact,
                     const std::array<std::string_view, 2>& names, Problems& problems) {
  const std::string name = config.Text(key, names[0], problems);
  const auto at = std::ranges::find(names, name);
  config.Choice(fact, name, key);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  Push(problems, Code::kUnsupportedProcessorRecipe, config.At(key), name,
       std::string(names[0]) + ", " + std::string(names[1]));
  return 0;
}

void ReadSpladePooling(const package::Config& config, SparseRecipe& recipe, Problems& problems) {
  RefuseUnknownKeys(config,
                    {"pooling_strategy", "activation_function", "embedding_dimension",
                     "word_embedding_dimension", "chunk_size"},
                    problems);
  recipe.reduce = ReadName(config, "pooling_strategy", "recipe.splade_pooling", {"max", "sum"}, problems) == 0
                      ? Reduce::kMax
                      : Reduce::kSum;
  recipe.activation = ReadName(config, "activation_function", "recipe.splade_activation",
                               {"relu", "log1p_relu"}, problems) == 0
                          ? Activation::kReluLog
                          : Activation::kReluLogLog;
  const std::string_view key = config.FirstOf({"embedding_dimension", "word_embedding_dimension"});
  if (config.Has(key)) recipe.dimensions = config.Size(key, 0, problems, 1, kMostWords);
  recipe.dimensions_at = config.At(key);
  IgnoreKey(config, "chunk_size", "splits the same computation over rows");
}

// What each module is, and in which folder. MLMTransformer is a Transformer that is told to give logits.
void ReadChain(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
               SparseRecipe& recipe, EncoderOutput& output, Problems& problems) {
  const std::shared_ptr<const io::Json> document = package.Document(kModules);
  if (document == nullptr) return;  // damaged: among the package's own problems
  if (!document->is_array() || document->items().empty()) {
    return Push(problems, Code::kInvalidPackageSchema, Where::At(kModules), std::string(document->KindName()),
                "a list of at least one module");
  }
  std::set<std::string> names;
  const std::span<const io::Json> items = document->items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string pointer = "/" + std::to_string(i);
    if (!items[i].is_object()) {
      Push(problems, Code::kInvalidPackageSchema, Where::At(kModules, pointer),
           std::string(items[i].KindName()), "an object");
      continue;
    }
    const package::Config entry(document, &items[i], kModules, pointer, log);
    log->MarkRead(kModules, pointer);
    for (const std::string& key : entry.Keys()) {
      if (key != "name" && key != "path" && key != "type")
        IgnoreKey(entry, key, "the list's order, names, paths and types decide");
    }
    if (const std::string name = entry.Text("name", "", problems); !names.insert(name).second)
      Push(problems, Code::kInvalidPackageSchema, entry.At("name"), name, "a name of its own");
    const std::string type = ModuleClass(entry, "type", problems);
    const std::optional<std::string> folder = ModulePath(entry, problems);
    if (type.empty() || !folder) continue;
    const bool encoder = type == "Transformer" || type == "MLMTransformer",
               fits = i == 0 ? encoder : i == 1 && type == "SpladePooling";
    if (!fits) {
      Push(problems, Code::kUnsupportedProcessorRecipe, entry.At("type"), type, std::string(kChain));
    } else if (encoder) {
      output.unasked = type == "MLMTransformer";
      if (!folder->empty()) {
        Push(problems, Code::kUnsupportedProcessorRecipe, entry.At("path"), *folder,
             "the package's root for the encoder");
      }
    } else {
      entry.Choice("recipe.module", type, "type");
      // Without the file every parameter has its default.
      const std::string file = *folder + "config.json";
      if (folder->empty()) {
        Push(problems, Code::kUnsupportedProcessorRecipe, entry.At("path"), "the package's root",
             "a folder of its own");
      } else if (const auto config = package.Read(file, log)) {
        ReadSpladePooling(*config, recipe, problems);
      } else if (!package.Has(file)) {
        Push(problems, Code::kComponentMissing, Where::At(file), "no such file",
             "pooling_strategy and activation_function");
      }
    }
  }
  if (items.size() == 1) {
    Push(problems, Code::kUnsupportedProcessorRecipe, Where::At(kModules), "no SpladePooling module",
         std::string(kChain));
  }
}

void ReadOwn(const package::Config& config, SparseRecipe& recipe, Problems& problems) {
  ReadPrompts(config, recipe.text, problems);
  config.Choice("recipe.default_prompt", recipe.text.default_prompt ? "set" : "none", "default_prompt_name");
  static constexpr std::array<std::string_view, 4> kKnown{"cosine", "dot", "euclidean", "manhattan"};
  recipe.text.similarity = config.Text("similarity_fn_name", "dot", problems);
  if (std::ranges::find(kKnown, recipe.text.similarity) == kKnown.end()) {
    Push(problems, Code::kUnsupportedProcessorRecipe, config.At("similarity_fn_name"), recipe.text.similarity,
         "cosine, dot, euclidean, manhattan");
  }
  config.Choice("recipe.similarity", recipe.text.similarity, "similarity_fn_name");
  if (config.Has("max_active_dims"))
    recipe.max_active = config.Size("max_active_dims", 0, problems, 1, kMostWords);
  config.Choice("recipe.max_active_dims", recipe.max_active ? "set" : "none", "max_active_dims");
  IgnoreKey(config, "truncate_dim", "of dense vectors");
  IgnoreKey(config, "__version__", "provenance, no computation reads it");
  IgnoreKey(config, "requirements", "versions of Python packages");
}

}  // namespace

std::optional<SparseRecipe> ReadSparseRecipe(const package::Package& package,
                                             const std::shared_ptr<package::ReadLog>& log,
                                             Problems& problems) {
  SparseRecipe recipe;
  recipe.text.similarity = "dot";
  EncoderOutput output = kWordScores;
  // A package that says nothing of its kind is a SentenceTransformer to the reference.
  constexpr const char* kOwn = "config_sentence_transformers.json";
  const std::optional<package::Config> own = package.Read(kOwn, log);
  const std::string kind =
      own ? own->Text("model_type", "SentenceTransformer", problems) : "SentenceTransformer";
  if (!package.Has(kModules)) {
    Push(problems, Code::kUnsupportedTaskHead, Where::At(kModules), "no such file",
         "the modules of a sparse encoder: " + std::string(kChain));
    return std::nullopt;
  }
  if (kind != "SparseEncoder") {
    Push(problems, Code::kUnsupportedTaskHead, own ? own->At("model_type") : Where::At(kOwn, "/model_type"),
         kind, "SparseEncoder");
    return std::nullopt;
  }
  ReadChain(package, log, recipe, output, problems);
  ReadEncoderSettings(package, log, output, recipe.text, problems);
  if (own) ReadOwn(*own, recipe, problems);
  return recipe;
}

}  // namespace candor::tasks

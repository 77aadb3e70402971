#include "tasks/sparse_recipe.h"

#include <algorithm>
#include <array>
#include <set>

#include "tasks/m3_recipe.h"
#include "tasks/modules.h"
#include "tasks/router.h"

namespace candor::tasks {
namespace {

constexpr const char *kModules = "modules.json", *kOwn = "config_sentence_transformers.json";
constexpr std::string_view kKind = "SparseEncoder";  // its model_type
constexpr std::string_view kChain =
    "Transformer (or MLMTransformer), then SpladePooling; or Transformer, Pooling, SparseAutoEncoder";
constexpr std::string_view kTable = "SparseStaticEmbedding";
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

// A module where it stands: in modules.json, or on a way of a router.
struct Placed {
  std::string type, folder;
  Where type_at, path_at;
};

class ChainReader {
 public:
  ChainReader(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
              SparseRecipe& recipe, Problems& problems)
      : package_(package), log_(log), recipe_(recipe), problems_(problems) {}

  // Whether the encoder gives logits without its settings saying so: MLMTransformer does, Transformer does
  // not.
  bool unasked() const { return unasked_; }

  void Run() {
    const std::vector<Placed> modules = Listed();
    if (modules.size() == 1 && modules.front().type == "Router") {
      ReadRoutes(modules.front());
    } else if (!modules.empty()) {
      ReadWay(modules);
    }
  }

 private:
  // The entries of modules.json.
  std::vector<Placed> Listed() {
    std::vector<Placed> out;
    const std::shared_ptr<const io::Json> document = package_.Document(kModules);
    if (document == nullptr) return out;  // damaged: among the package's own problems
    if (!document->is_array() || document->items().empty()) {
      Push(problems_, Code::kInvalidPackageSchema, Where::At(kModules), std::string(document->KindName()),
           "a list of at least one module");
      return out;
    }
    std::set<std::string> names;
    const std::span<const io::Json> items = document->items();
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string pointer = "/" + std::to_string(i);
      if (!items[i].is_object()) {
        Push(problems_, Code::kInvalidPackageSchema, Where::At(kModules, pointer),
             std::string(items[i].KindName()), "an object");
        continue;
      }
      const package::Config entry(document, &items[i], kModules, pointer, log_);
      log_->MarkRead(kModules, pointer);
      for (const std::string& key : entry.Keys()) {
        if (key != "name" && key != "path" && key != "type")
          IgnoreKey(entry, key, "the list's order, names, paths and types decide");
      }
      if (const std::string name = entry.Text("name", "", problems_); !names.insert(name).second)
        Push(problems_, Code::kInvalidPackageSchema, entry.At("name"), name, "a name of its own");
      const std::string type = ModuleClass(entry, "type", problems_);
      const std::optional<std::string> folder = ModulePath(entry, problems_);
      if (!type.empty() && folder) out.push_back({type, *folder, entry.At("type"), entry.At("path")});
    }
    return out.size() == items.size() ? out : std::vector<Placed>();
  }

  void ReadRoutes(const Placed& router) {
    const std::optional<Router> routes = ReadRouter(package_, log_, router.folder, problems_);
    if (!routes) return;
    recipe_.text.has_roles = true;
    std::vector<SparseWay> ways;
    for (const Router::Route& route : routes->routes) {
      std::vector<Placed> modules;
      for (const Router::Member& m : route.modules) {
        if (m.type.empty()) return;  // told already
        modules.push_back({m.type, m.folder, m.where, m.where});
      }
      ways.push_back(ReadWay(modules));
    }
    for (std::size_t side = 0; side < recipe_.ways.size(); ++side) {
      const auto& taken = routes->taken[side];
      recipe_.ways[side] = taken ? ways[*taken] : SparseWay::kNone;
    }
    if (std::ranges::find(ways, SparseWay::kEncoder) == ways.end()) {
      Push(problems_, Code::kUnsupportedProcessorRecipe, Where::At(routes->file, "/structure"),
           "no way through an encoder", std::string(kChain));
    }
    for (const auto& [name, way] : {std::pair{"none", recipe_.ways[0]}, std::pair{"query", recipe_.ways[1]},
                                    std::pair{"document", recipe_.ways[2]}}) {
      log_->Add({std::string("recipe.way_") + name,
                 way == SparseWay::kTable     ? "table"
                 : way == SparseWay::kEncoder ? "encoder"
                                              : "none",
                 "config_field", routes->file, "/structure", "router", true});
    }
  }

  SparseWay ReadWay(const std::vector<Placed>& modules) {
    if (modules.front().type == kTable) {
      if (modules.size() > 1)
        Push(problems_, Code::kUnsupportedProcessorRecipe, modules[1].type_at, modules[1].type,
             "nothing behind SparseStaticEmbedding");
      ReadTable(modules.front());
      return SparseWay::kTable;
    }
    if (encoder_) {
      const auto same = [](const Placed& a, const Placed& b) {
        return a.type == b.type && a.folder == b.folder;
      };
      // Another folder of an encoder is told where the model is looked for.
      if (encoder_->front().folder == modules.front().folder && !std::ranges::equal(*encoder_, modules, same))
        Push(problems_, Code::kUnsupportedProcessorRecipe, modules.front().type_at, "another encoder",
             "one way through an encoder");
      return SparseWay::kEncoder;
    }
    encoder_ = modules;
    for (std::size_t i = 0; i < modules.size(); ++i) {
      const Placed& m = modules[i];
      const bool encodes = m.type == "Transformer" || m.type == "MLMTransformer";
      if (i == 0 ? !encodes : i != 1 || m.type != "SpladePooling")
        Push(problems_, Code::kUnsupportedProcessorRecipe, m.type_at, m.type, std::string(kChain));
      else if (encodes)
        unasked_ = m.type == "MLMTransformer";
      else
        ReadPooling(m);
    }
    if (modules.size() == 1) {
      Push(problems_, Code::kUnsupportedProcessorRecipe, Where::At(modules.front().type_at.file),
           "no SpladePooling module", std::string(kChain));
    }
    return SparseWay::kEncoder;
  }

  void ReadPooling(const Placed& m) {
    log_->Add({"recipe.module", m.type, "config_field", m.type_at.file, m.type_at.pointer, "type", true});
    if (const auto config = SettingsOf(m, "pooling_strategy and activation_function"))
      ReadSpladePooling(*config, recipe_, problems_);
  }

  void ReadTable(const Placed& m) {
    if (recipe_.table && *recipe_.table != m.folder) {
      Push(problems_, Code::kUnsupportedProcessorRecipe, m.path_at, m.folder, "one table, " + *recipe_.table);
      return;
    }
    if (recipe_.table) return;
    recipe_.table = m.folder;
    const auto config = SettingsOf(m, "the settings of SparseStaticEmbedding");
    if (!config) return;
    RefuseUnknownKeys(*config, {"frozen", "path"}, problems_);
    IgnoreKey(*config, "frozen", "training only");
    ReadTableFile(*config);
  }

  // The reference opens a path to JSON from where its process was started, and asks a server where there is
  // no such file. It is one answer alone where the process starts in the package.
  void ReadTableFile(const package::Config& config) {
    std::string path = config.Text("path", "", problems_);
    const bool json = path.ends_with(".json");
    log_->Add({"recipe.table_weights", json ? "JSON" : "tensor", "config_field", config.file(), "/path",
               "SparseStaticEmbedding", true});
    if (!json) {
      IgnoreKey(config, "path", "names no JSON file: the module's tensor is read");
      return;
    }
    while (path.starts_with("./")) path.erase(0, 2);
    const bool own = std::ranges::any_of(package_.files(), [&](const package::FileFact& file) {
      return file.path == path && file.in_closure && (path == "idf.json" || path.ends_with("/idf.json"));
    });
    if (own) {
      recipe_.table_file = std::move(path);
      return;
    }
    Push(problems_, Code::kUnsupportedProcessorRecipe, config.At("path"), config.Shown("path"),
         "idf.json of the package, by its path from the root; or weights in the module's model.safetensors");
    recipe_.table.reset();  // none to be missed in its folder
  }

  std::optional<package::Config> SettingsOf(const Placed& m, std::string_view needs) {
    const std::string file = m.folder + "config.json";
    if (m.folder.empty()) {
      Push(problems_, Code::kUnsupportedProcessorRecipe, m.path_at, "the package's root",
           "a folder of its own");
      return std::nullopt;
    }
    std::optional<package::Config> config = package_.Read(file, log_);
    if (!config && !package_.Has(file))
      Push(problems_, Code::kComponentMissing, Where::At(file), "no such file", std::string(needs));
    return config;
  }

  const package::Package& package_;
  const std::shared_ptr<package::ReadLog>& log_;
  SparseRecipe& recipe_;
  Problems& problems_;
  std::optional<std::vector<Placed>> encoder_;
  bool unasked_ = true;
};

// Whether a SparseAutoEncoder stands in modules.json where SPLADE's pooling would.
bool EndsInCodes(const package::Package& package) {
  const std::shared_ptr<const io::Json> modules = package.Document(kModules);
  if (modules == nullptr || !modules->is_array()) return false;
  bool codes = false, words = false;
  for (const io::Json& entry : modules->items()) {
    const io::Json* type = entry.is_object() ? entry.Find("type") : nullptr;
    if (type == nullptr || !type->is_string()) continue;
    codes = codes || type->as_string().ends_with(".SparseAutoEncoder");
    words = words || type->as_string().ends_with(".SpladePooling");
  }
  return codes && !words;
}

void ReadCodes(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
               std::string_view encoder_module, std::size_t width, SparseRecipe& recipe, Problems& problems) {
  recipe.codes = true;
  ReadModules(package, log, {encoder_module, width, kCodes}, recipe.text, problems);
  ReadEncoderSettings(package, log, kHiddenRows, recipe.text, problems);
  for (const Module& m : recipe.text.chain) {
    const auto* pooling = std::get_if<PoolingStep>(&m.step);
    if (pooling != nullptr && !pooling->include_prompt)
      Push(problems, Code::kUnsupportedProcessorRecipe,
           Where::At(m.folder + "config.json", "/include_prompt"), "false",
           "true, before a SparseAutoEncoder");
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

bool DeclaresSparse(const package::Package& package) {
  const std::shared_ptr<const io::Json> own = package.Document(kOwn);
  const io::Json* kind = own == nullptr ? nullptr : own->Find("model_type");
  return kind != nullptr && kind->is_string() && kind->as_string() == kKind;
}

std::optional<SparseRecipe> ReadSparseRecipe(const package::Package& package,
                                             const std::shared_ptr<package::ReadLog>& log,
                                             std::string_view encoder_module, std::size_t width,
                                             Problems& problems) {
  SparseRecipe recipe;
  recipe.text.similarity = "dot";
  if (!DeclaresSparse(package)) {
    switch (FindM3Head(package, kSparseLinear, problems)) {
      case M3Head::kStored:
        recipe.token_weights = M3File(kSparseLinear);
        ReadM3Texts(package, log, recipe.text, problems);
        log->Add({"recipe.token_weights", "BGE-M3", "registry_mapping", "", "", "sparse_linear", true});
        return recipe;
      case M3Head::kPickled:
        return std::nullopt;
      case M3Head::kNone:
        break;
    }
  }
  // A package that says nothing of its kind is a SentenceTransformer to the reference.
  const std::optional<package::Config> own = package.Read(kOwn, log);
  const std::string kind =
      own ? own->Text("model_type", "SentenceTransformer", problems) : "SentenceTransformer";
  if (!package.Has(kModules)) {
    Push(problems, Code::kUnsupportedTaskHead, Where::At(kModules), "no such file",
         "the modules of a sparse encoder: " + std::string(kChain));
    return std::nullopt;
  }
  if (kind != kKind) {
    Push(problems, Code::kUnsupportedTaskHead, own ? own->At("model_type") : Where::At(kOwn, "/model_type"),
         kind, std::string(kKind));
    return std::nullopt;
  }
  if (EndsInCodes(package)) {
    ReadCodes(package, log, encoder_module, width, recipe, problems);
    if (own) ReadOwn(*own, recipe, problems);
    if (!recipe.max_active && recipe.text.codes) recipe.max_active = recipe.text.codes->most;
    return recipe;
  }
  ChainReader chain(package, log, recipe, problems);
  chain.Run();
  const bool told = ReadEncoderSettings(package, log, kWordScores, recipe.text, problems);
  if (!told && !chain.unasked()) {
    Push(problems, Code::kUnsupportedTaskHead,
         Where::At(package.InEncoder("sentence_bert_config.json"), "/transformer_task"),
         "absent: feature-extraction", std::string(kWordScores.task));
  }
  if (own) ReadOwn(*own, recipe, problems);
  return recipe;
}

}  // namespace candor::tasks

// Long because the chain's grammar stands in one place: which module may follow which, and in which route.
#include "tasks/modules.h"

#include <algorithm>
#include <set>
#include <utility>

#include "package/module_folder.h"
#include "tasks/module_readers.h"
#include "tasks/router.h"

namespace candor::tasks {
namespace {

// Namespaces of the reference's own classes, old and new; the class is the last segment of the path.
constexpr std::string_view kNamespaces[] = {
    "sentence_transformers.models.",
    "sentence_transformers.sentence_transformer.modules.",
    "sentence_transformers.base.modules.",
    "sentence_transformers.cross_encoder.modules.",
    "sentence_transformers.multi_vector_encoder.modules.",
    "sentence_transformers.sparse_encoder.models.",
    "sentence_transformers.sparse_encoder.modules.",
};

using ModuleReader = void (*)(ModuleContext&);
struct ModuleType {
  std::string_view name;
  ModuleReader read;
  bool of_vectors, of_rows;  // which chains it may be in
  bool of_codes = false;     // or in those that end in sparse codes alone, which may have all of vectors
};
constexpr ModuleType kTypes[] = {
    {"Pooling", ReadPooling, true, false},
    {"Dense", ReadDense, true, true},
    {"LayerNorm", ReadLayerNorm, true, false},
    {"MultiVectorMask", ReadMask, false, true},
    {"Normalize", ReadNormalize, true, true},
    {"Dropout", ReadDropout, true, false},
    {"SparseAutoEncoder", ReadAutoEncoder, false, false, true},
};
bool MayStand(const ModuleType& type, const ChainRules& rules) {
  if (rules.result == kCodes && type.of_codes) return true;
  return rules.first == kTokenRows ? type.of_rows : type.of_vectors;
}
// The one that stands before Pooling.
constexpr ModuleType kLayers{"WeightedLayerPooling", ReadLayerPooling, true, false};
constexpr std::string_view kOneBefore = "one between Transformer and Pooling, for embeddings";

std::string AllowedTypes(const ChainRules& rules = {}) {
  std::string out = rules.first == kTokenRows
                        ? "Transformer, then any of"
                        : "Transformer, then Pooling, or StaticEmbedding first, then any of";
  for (const ModuleType& t : kTypes)
    if (MayStand(t, rules) && t.name != "Pooling")
      out += (out.ends_with("of") ? " " : ", ") + std::string(t.name);
  return out;
}

std::string RoutedTypes() {
  std::string out;
  for (const ModuleType& t : kTypes)
    if (t.of_vectors && t.name != "Pooling") out += (out.empty() ? "" : ", ") + std::string(t.name);
  return out + "; one encoder and its Pooling stand before the Router";
}
constexpr std::string_view kWholeRoute =
    "Transformer, then Pooling, then any of Dense, LayerNorm, Normalize, Dropout";

// The first module is the encoder; its folder is Package::encoder. A static table's vectors are means
// already.
void ReadEncoder(const package::Config& entry, const std::string& type, EmbedRecipe& recipe,
                 Problems& problems) {
  if (!ModulePath(entry, problems) || type.empty()) return;
  if (recipe.table) {
    entry.Choice("recipe.module", type, "type");
    recipe.chain.push_back({recipe.table->folder, PoolingStep{{Pooling::kMean}, true}});
  } else if (type != "Transformer") {
    problems.push_back(
        {Code::kUnsupportedProcessorRecipe, entry.At("type"), type, AllowedTypes(), Phase::kProcessing});
  }
}

// What may stand in a route at `place`. Where the router is the first module its routes are `whole`: each
// begins with the one encoder, which all share, and pools. Null: nothing of the kind.
const ModuleType* RoutedType(std::string_view type, bool whole, std::size_t place) {
  const auto* row = std::ranges::find(kTypes, type, &ModuleType::name);
  const bool pools = whole && place == 1;
  return row != std::end(kTypes) && row->of_vectors && (type == "Pooling") == pools ? row : nullptr;
}

// The modules of each route; every route must give vectors of one width.
void ReadRoutes(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                const std::string& folder, bool whole, ModuleContext& context) {
  EmbedRecipe& recipe = context.recipe;
  const std::optional<Router> router = ReadRouter(package, log, folder, context.problems);
  if (!router) return;
  const std::size_t width = recipe.width;
  const std::string name = context.name;
  recipe.routes = Routes{{}, router->taken};
  recipe.has_roles = true;
  std::vector<std::size_t> widths;
  for (const Router::Route& route : router->routes) {
    recipe.width = width, context.name = name;
    for (std::size_t place = 0; place < route.modules.size(); ++place) {
      const Router::Member& member = route.modules[place];
      if (whole && place == 0 && member.type == "Transformer") continue;
      const ModuleType* row = RoutedType(member.type, whole, place);
      if (row == nullptr || (whole && place == 0)) {
        context.problems.push_back({Code::kUnsupportedProcessorRecipe, member.where,
                                    member.type + " in a route",
                                    whole ? std::string(kWholeRoute) : RoutedTypes(), Phase::kProcessing});
        recipe.width = 0;
        continue;
      }
      log->Add({"recipe.module", member.type, "config_field", router->file, member.where.pointer, "", true});
      ModuleContext own{member.folder,   package.Read(member.folder + "config.json", log),
                        context.entry,   recipe,
                        context.result,  context.name,
                        context.problems};
      const std::size_t before = recipe.chain.size();
      row->read(own);
      for (std::size_t i = before; i < recipe.chain.size(); ++i)
        recipe.chain[i].route = recipe.routes->names.size();
    }
    if (whole && route.modules.size() == 1 && route.modules.front().type == "Transformer") {
      context.problems.push_back({Code::kUnsupportedProcessorRecipe, route.modules.front().where,
                                  "no Pooling behind Transformer", std::string(kWholeRoute),
                                  Phase::kProcessing});
      recipe.width = 0;
    }
    recipe.routes->names.push_back(route.name);
    widths.push_back(recipe.width);
    if (recipe.width != 0 && widths.front() != 0 && recipe.width != widths.front()) {
      context.problems.push_back(
          {Code::kEvidenceConflict, route.modules.front().where,
           "vectors of " + std::to_string(recipe.width) + " numbers",
           std::to_string(widths.front()) + ", as of the route " + router->routes[0].name,
           Phase::kProcessing});
    }
  }
  context.entry.Choice("recipe.module", "Router", "type");
}

}  // namespace

// What packages' own classes do, and what to use in their place, where it is known.
constexpr std::pair<std::string_view, std::string_view> kOwnClasses[] = {
    {"st_quantize.FlexibleQuantizer",
     "vectors of floating-point numbers, which the package gives without this module"},
};

std::string ModuleClass(const package::Config& entry, std::string_view key, Problems& problems) {
  const std::string type = entry.Text(key, "", problems);
  const bool known =
      std::ranges::any_of(kNamespaces, [&](std::string_view n) { return type.starts_with(n); });
  if (known) return type.substr(type.rfind('.') + 1);
  if (type.empty()) {
    problems.push_back({Code::kInvalidPackageSchema, entry.At(key), "absent or not a string",
                        "the class of the module", Phase::kProcessing});
  } else if (type.starts_with("sentence_transformers.")) {
    problems.push_back(
        {Code::kUnsupportedProcessorRecipe, entry.At(key), type, AllowedTypes(), Phase::kProcessing});
  } else {
    const auto* own = std::ranges::find(kOwnClasses, std::string_view(type),
                                        &std::pair<std::string_view, std::string_view>::first);
    const bool told = own != std::end(kOwnClasses);
    problems.push_back(
        {told ? Code::kUnsupportedProcessorRecipe : Code::kCustomCodeDenied, entry.At(key), type,
         told ? std::string(own->second) : "modules of sentence_transformers; code of a package is never run",
         Phase::kProcessing});
  }
  return "";
}

std::optional<std::string> ModulePath(const package::Config& entry, Problems& problems) {
  if (!entry.Has("path")) {
    problems.push_back({Code::kInvalidPackageSchema, entry.At("path"), "absent", "the folder of the module",
                        Phase::kProcessing});
    return std::nullopt;
  }
  const std::string path = entry.Text("path", "", problems);
  const std::string folder = package::ModuleFolder(path), slashed = "/" + folder;
  if (path.starts_with('/') || path.find('\\') != std::string::npos || path.find('\0') != std::string::npos ||
      slashed.find("/../") != std::string::npos) {
    problems.push_back(
        {Code::kPathEscape, entry.At("path"), path, "a folder inside the package", Phase::kProcessing});
    return std::nullopt;
  }
  return folder;
}

void CheckLoneEncoder(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                      Problems& problems) {
  constexpr const char* kFile = "modules.json";
  const std::shared_ptr<const io::Json> document = package.Document(kFile);
  if (document == nullptr) return;  // there is none, or it is damaged
  const std::span<const io::Json> items =
      document->is_array() ? document->items() : std::span<const io::Json>();
  if (items.size() != 1 || !items.front().is_object()) {
    problems.push_back(
        {Code::kUnsupportedProcessorRecipe, Where::At(kFile),
         document->is_array() ? std::to_string(items.size()) + " modules" : std::string(document->KindName()),
         "one, of the class Transformer", Phase::kProcessing});
    return;
  }
  const package::Config entry(document, &items.front(), kFile, "/0", log);
  log->MarkRead(kFile, "/0");
  for (const std::string_view key : {"idx", "name", "kwargs"}) IgnoreKey(entry, key, "there is one module");
  EmbedRecipe none;
  ReadEncoder(entry, ModuleClass(entry, "type", problems), none, problems);
}

bool CheckRootEncoder(const package::Package& package, Problems& problems) {
  const package::EncoderPlace& encoder = package.encoders().front();
  if (encoder.folder.empty()) return true;
  problems.push_back({Code::kUnsupportedProcessorRecipe, Where::At(encoder.file, encoder.pointer),
                      encoder.folder, "the package's root, which this task's reference opens",
                      Phase::kProcessing});
  return false;
}

void RefuseUnknownKeys(const package::Config& config, std::initializer_list<std::string_view> known,
                       Problems& problems) {
  std::string allowed;
  for (const std::string_view k : known) allowed += (allowed.empty() ? "" : ", ") + std::string(k);
  for (const std::string& key : config.Keys()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    problems.push_back({Code::kUnsupportedProcessorRecipe, config.At(key), key, allowed, Phase::kProcessing});
  }
}

void IgnoreKey(const package::Config& config, std::string_view key, std::string_view rule) {
  if (config.Raw(key) != nullptr) config.Ignore(key, rule);
}

void OnlyNeutral(const package::Config& config, std::string_view key,
                 std::initializer_list<std::string_view> neutral, Code code, Problems& problems) {
  const io::Json* value = config.Raw(key);
  if (value == nullptr) return;
  const std::string found = value->Dump();
  std::string allowed;
  for (const std::string_view n : neutral) {
    if (n == found) return;
    allowed += (allowed.empty() ? "" : " | ") + std::string(n);
  }
  problems.push_back({code, config.At(key), found, std::move(allowed), Phase::kProcessing});
}

void ReadModules(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                 const ChainRules& rules, EmbedRecipe& recipe, Problems& problems) {
  constexpr const char* kFile = "modules.json";
  const std::shared_ptr<const io::Json> document = package.Document(kFile);
  if (document == nullptr) return;  // damaged: among the package's own problems
  const Where where = Where::At(kFile);
  if (!document->is_array() || document->items().empty()) {
    problems.push_back({Code::kInvalidPackageSchema, where, std::string(document->KindName()),
                        "a list of at least one module", Phase::kProcessing});
    return;
  }
  const std::size_t before = problems.size();
  std::set<std::string> names;
  recipe.width = rules.width;
  std::string last;  // class of the module before
  std::string name(rules.first);
  const bool of_rows = rules.first == kTokenRows;
  bool unpooled = !recipe.table && !of_rows;  // nothing that should have pooled stood there yet
  const std::span<const io::Json> items = document->items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_object()) {
      problems.push_back({Code::kInvalidPackageSchema, Where::At(kFile, "/" + std::to_string(i)),
                          std::string(items[i].KindName()), "an object", Phase::kProcessing});
      if (i != 0) unpooled = false;
      continue;
    }
    const package::Config entry(document, &items[i], kFile, "/" + std::to_string(i), log);
    log->MarkRead(kFile, "/" + std::to_string(i));
    for (const std::string& key : entry.Keys()) {
      if (key != "name" && key != "path" && key != "type")
        IgnoreKey(entry, key, "the list's order, names, paths and types decide");
    }
    // The reference keeps modules by name: a repeated one would replace the first.
    if (const std::string own = entry.Text("name", "", problems); !names.insert(own).second) {
      problems.push_back(
          {Code::kInvalidPackageSchema, entry.At("name"), own, "a name of its own", Phase::kProcessing});
    }
    const bool own = i == 0 && !rules.encoder_module.empty() &&
                     entry.Shown("type") == '"' + std::string(rules.encoder_module) + '"';
    // The one class of PyLate's that the reference takes for its own.
    const bool dense = of_rows && entry.Shown("type") == "\"pylate.models.Dense.Dense\"";
    const std::string type = own ? "Transformer" : dense ? "Dense" : ModuleClass(entry, "type", problems);
    const bool router = (type == "Router" || type == "Asym") && rules.result == kEmbedding && !recipe.table;
    if (i == 0 && router && !of_rows) {
      unpooled = false, last = type;
      const std::optional<std::string> folder = ModulePath(entry, problems);
      ModuleContext context{folder.value_or(""), std::nullopt, entry, recipe, rules.result, name, problems};
      if (folder) ReadRoutes(package, log, *folder, true, context);
      continue;
    }
    if (i == 0) {
      ReadEncoder(entry, type, recipe, problems);
      last = type;
      continue;
    }
    const std::size_t width = std::exchange(recipe.width, 0);  // not known behind a module that is not read
    const bool layers = type == kLayers.name, first = unpooled && !layers, pools = type == "Pooling";
    if (first) unpooled = false;
    if (type.empty()) continue;
    const bool mixes = layers && unpooled && !recipe.layers && rules.result == kEmbedding;
    const bool routes = router && !first && !recipe.routes;
    const auto* row = mixes ? &kLayers : std::ranges::find(kTypes, type, &ModuleType::name);
    const bool may = row != std::end(kTypes) && MayStand(*row, rules);
    if (!routes && !mixes && (!may || first != pools)) {
      problems.push_back({Code::kUnsupportedProcessorRecipe, entry.At("type"), type + " after " + last,
                          layers ? std::string(kOneBefore) : AllowedTypes(rules), Phase::kProcessing});
      last = type;
      continue;
    }
    last = type;
    if (!routes) entry.Choice("recipe.module", type, "type");
    const std::optional<std::string> folder = ModulePath(entry, problems);
    // A link that leads out was told by the package: the files that are not there follow from it.
    const bool told = std::ranges::any_of(
        package.problems(), [place = entry.At("path")](const Error& e) { return e.where == place; });
    if (!folder || told) continue;
    recipe.width = width;
    ModuleContext context{*folder, std::nullopt, entry, recipe, rules.result, name, problems};
    if (routes) {
      ReadRoutes(package, log, *folder, false, context);
      continue;
    }
    if (!folder->empty()) context.config = package.Read(*folder + "config.json", log);
    row->read(context);
  }
  if (unpooled) {
    problems.push_back(
        {Code::kUnsupportedProcessorRecipe, where, "no Pooling module", AllowedTypes(), Phase::kProcessing});
  }
  if (problems.size() == before && name != rules.result) {
    problems.push_back(
        {Code::kUnsupportedProcessorRecipe, where, "no module gives " + std::string(rules.result),
         "a Dense whose module_output_name is " + std::string(rules.result), Phase::kProcessing});
  }
}

}  // namespace candor::tasks

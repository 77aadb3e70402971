#include "tasks/router.h"

#include <algorithm>

#include "package/module_folder.h"
#include "tasks/modules.h"

namespace candor::tasks {
namespace {

void Push(Problems& problems, Code code, Where where, std::string found, std::string allowed) {
  problems.push_back({code, std::move(where), std::move(found), std::move(allowed), Phase::kProcessing});
}

// A key of route_mappings: a pair of Python, "('query', 'text')" or "(None, 'text')". Modalities beside texts
// are only told apart.
struct MappingKey {
  std::optional<std::string> task, modality;
};

// One string or None; what is behind it stays in `text`.
bool TakeWord(std::string_view& text, std::optional<std::string>& word) {
  if (text.starts_with("None")) {
    text.remove_prefix(4);
    return true;
  }
  if (text.empty() || (text.front() != '\'' && text.front() != '"')) return false;
  const std::size_t end = text.find(text.front(), 1);
  if (end == std::string_view::npos) return false;
  word = std::string(text.substr(1, end - 1));
  text.remove_prefix(end + 1);
  return word->find('\\') == std::string::npos;
}

std::optional<MappingKey> ReadKey(std::string_view text) {
  MappingKey key;
  if (!text.starts_with('(') || !text.ends_with(')')) return std::nullopt;
  text.remove_prefix(1), text.remove_suffix(1);
  if (!TakeWord(text, key.task) || !text.starts_with(", ")) return std::nullopt;
  text.remove_prefix(2);
  if (text.starts_with('(') && text.ends_with(')')) {  // several at once: never a text alone
    key.modality = std::string(text);
    return key;
  }
  if (!TakeWord(text, key.modality) || !text.empty()) return std::nullopt;
  return key;
}

using Mappings = std::vector<std::pair<MappingKey, std::size_t>>;

std::optional<std::size_t> IndexOf(const Router& router, std::string_view name) {
  const auto at = std::ranges::find(router.routes, name, &Router::Route::name);
  if (at == router.routes.end()) return std::nullopt;
  return static_cast<std::size_t>(at - router.routes.begin());
}

std::string Names(const Router& router) {
  std::string out;
  for (const Router::Route& route : router.routes) out += (out.empty() ? "" : ", ") + route.name;
  return out;
}

// In the order of Router._resolve_route: the pair, the task with any modality, the modality with any task,
// any of both; then a route of the task's name, and of the modality's; the default is for texts without a
// task.
std::optional<std::size_t> Resolve(const Router& router, const Mappings& mappings,
                                   const std::optional<std::string>& task,
                                   const std::optional<std::size_t>& fallback) {
  const std::optional<std::string> any, text = "text";
  for (const auto& wanted : {std::pair{task, text}, {task, any}, {any, text}, {any, any}}) {
    const auto row = std::ranges::find_if(mappings, [&](const auto& pair) {
      return pair.first.task == wanted.first && pair.first.modality == wanted.second;
    });
    if (row != mappings.end()) return row->second;
  }
  if (task)
    if (const auto own = IndexOf(router, *task)) return own;
  if (const auto own = IndexOf(router, *text)) return own;
  return task ? std::nullopt : fallback;
}

// structure: the routes and their modules, each of which types must name.
void ReadRoutes(const package::Config& config, const package::Config& types, const std::string& folder,
                Router& router, Problems& problems) {
  const auto structure = config.Inside("structure", problems);
  if (!structure || structure->Keys().empty())
    return Push(problems, Code::kInvalidPackageSchema, config.At("structure"), "no routes",
                "the modules of each route");
  const std::vector<std::string> named = types.Keys();
  for (const std::string& name : structure->Keys()) {
    Router::Route route{name, {}};
    const std::vector<std::string> members = structure->Texts(name, problems);
    for (std::size_t i = 0; i < members.size(); ++i) {
      Where where = structure->At(name);
      where.pointer += "/" + std::to_string(i);
      if (std::ranges::find(named, members[i]) == named.end()) {
        Push(problems, Code::kInvalidPackageSchema, std::move(where), members[i],
             "a folder that types names");
        continue;
      }
      route.modules.push_back({folder + package::ModuleFolder(members[i]),
                               ModuleClass(types, members[i], problems), std::move(where)});
    }
    if (members.empty())
      Push(problems, Code::kInvalidPackageSchema, structure->At(name), "no modules", "at least one");
    router.routes.push_back(std::move(route));
  }
}

void ReadParameters(const package::Config& parameters, Router& router, Problems& problems) {
  std::optional<std::size_t> fallback;
  const auto route = [&](const package::Config& at, std::string_view key) {
    const std::string name = at.Text(key, "", problems);
    const std::optional<std::size_t> found = IndexOf(router, name);
    if (!found)
      Push(problems, Code::kInvalidPackageSchema, at.At(key), name, "one of the routes: " + Names(router));
    return found;
  };
  if (parameters.Has("default_route")) fallback = route(parameters, "default_route");
  if (parameters.Flag("allow_empty_key", true, problems) && !parameters.Has("default_route")) fallback = 0;
  Mappings mappings;
  if (const auto written = parameters.Inside("route_mappings", problems)) {
    for (const std::string& text : written->Keys()) {
      const std::optional<MappingKey> key = ReadKey(text);
      if (!key)
        Push(problems, Code::kInvalidPackageSchema, written->At(text), text,
             "a task and a modality, as ('query', 'text')");
      else if (const auto target = route(*written, text))
        mappings.emplace_back(*key, *target);
    }
  }
  router.taken = {Resolve(router, mappings, {}, fallback), Resolve(router, mappings, "query", fallback),
                  Resolve(router, mappings, "document", fallback)};
}

}  // namespace

const Router::Route* Router::Of(std::optional<TextRole> role) const {
  const std::size_t which = !role ? 0 : *role == TextRole::kQuery ? 1 : 2;
  return taken[which] ? &routes[*taken[which]] : nullptr;
}

std::optional<Router> ReadRouter(const package::Package& package,
                                 const std::shared_ptr<package::ReadLog>& log, const std::string& folder,
                                 Problems& problems) {
  const std::size_t before = problems.size();
  std::optional<package::Config> config = package.Read(folder + std::string(package::kRouterFile), log);
  if (!config && !folder.empty()) config = package.Read(folder + std::string(package::kOldRouterFile), log);
  if (!config) {
    Push(problems, Code::kComponentMissing, Where::At(folder + std::string(package::kRouterFile)),
         "no such file", "the router's routes");
    return std::nullopt;
  }
  RefuseUnknownKeys(*config, {"types", "structure", "parameters"}, problems);
  Router router;
  router.file = config->file();
  const auto types = config->Inside("types", problems);
  if (!types) {
    Push(problems, Code::kInvalidPackageSchema, config->At("types"), "absent", "the class of each folder");
    return std::nullopt;
  }
  ReadRoutes(*config, *types, folder, router, problems);
  const auto parameters = config->Inside("parameters", problems);
  if (!parameters) {
    Push(problems, Code::kInvalidPackageSchema, config->At("parameters"), "absent", "an object, or {}");
    return std::nullopt;
  }
  RefuseUnknownKeys(*parameters, {"default_route", "allow_empty_key", "route_mappings"}, problems);
  if (!router.routes.empty()) ReadParameters(*parameters, router, problems);
  if (problems.size() != before) return std::nullopt;
  return router;
}

}  // namespace candor::tasks

#include "package/encoder_folder.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "package/module_folder.h"

namespace candor::package {
namespace {

const io::Json* Find(const Documents& documents, const std::string& file) {
  const auto it = documents.find(file);
  return it == documents.end() ? nullptr : it->second.get();
}

std::string_view Text(const io::Json* value) {
  return value != nullptr && value->is_string() ? value->as_string() : std::string_view();
}

// The transformers of the routes, as `structure` lists their folders and `types` their classes.
std::vector<EncoderPlace> OfRoutes(const Documents& documents, const std::string& folder) {
  std::string file = folder + std::string(kRouterFile);
  if (Find(documents, file) == nullptr && !folder.empty()) file = folder + std::string(kOldRouterFile);
  const io::Json* router = Find(documents, file);
  const io::Json* types = router == nullptr ? nullptr : router->Find("types");
  const io::Json* structure = router == nullptr ? nullptr : router->Find("structure");
  std::vector<EncoderPlace> out;
  if (types == nullptr || !types->is_object() || structure == nullptr || !structure->is_object()) return out;
  std::set<std::string> seen;  // a hostile router may name one folder a million times
  for (const io::JsonMember& route : structure->members()) {
    if (!route.value.is_array()) continue;
    for (std::size_t i = 0; i < route.value.items().size(); ++i) {
      const std::string_view name = Text(&route.value.items()[i]);
      std::string own = folder + ModuleFolder(std::string(name));
      if (!IsTransformer(Text(types->Find(name))) || !seen.insert(own).second) continue;
      out.push_back(
          {std::move(own), file, "/structure/" + io::EscapePointer(route.key) + "/" + std::to_string(i)});
    }
  }
  return out;
}

}  // namespace

std::vector<EncoderPlace> EncodersOf(const Documents& documents,
                                     const std::set<std::string, std::less<>>& folders) {
  constexpr const char* kModules = "modules.json";
  const FirstModule first = FirstModuleOf(Find(documents, kModules));
  std::vector<EncoderPlace> out;
  if (IsRouter(first.type))
    out = OfRoutes(documents, first.folder);
  else if (!first.Is(kStaticEmbedding))
    out.push_back({first.folder, kModules, "/0/path"});
  // A folder outside is told where it is named.
  std::erase_if(out, [&](const EncoderPlace& e) { return !e.folder.empty() && !folders.contains(e.folder); });
  if (out.empty()) out.emplace_back();
  return out;
}

}  // namespace candor::package

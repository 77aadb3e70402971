// What entries of modules.json name, a folder and a class: one reading for the inventory, the families and
// the recipe.
#pragma once
#include <string>
#include <string_view>

#include "io/json.h"

namespace candor::package {

// "./1_Pooling/" and "1_Pooling" are "1_Pooling/"; "." and "" are the root, "". Only spelled alike: whether
// the folder is inside the package is judged by whoever opens it.
inline std::string ModuleFolder(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  while (path.ends_with('/') && path.size() > 1) path.pop_back();
  if (path == ".") path.clear();
  return path.empty() ? path : path + "/";
}

// The first entry: what turns texts into rows. Empty where modules.json or the entry does not say.
struct FirstModule {
  std::string type;    // "sentence_transformers.models.Transformer"
  std::string folder;  // "0_Transformer/", or the root, ""

  // Whether it is the library's own class of this name.
  bool Is(std::string_view name) const {
    return type.starts_with("sentence_transformers.") && type.substr(type.rfind('.') + 1) == name;
  }
};

// `modules` is the parsed file; null: there is none.
inline FirstModule FirstModuleOf(const io::Json* modules) {
  FirstModule first;
  if (modules == nullptr || !modules->is_array() || modules->items().empty()) return first;
  const auto text = [&](std::string_view key) {
    const io::Json* value = modules->items()[0].Find(key);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
  };
  first.type = text("type"), first.folder = ModuleFolder(text("path"));
  return first;
}

// Router and its old name, Asym: a module whose own modules stand in folders inside its folder, as its
// settings say: {"types": {FOLDER: CLASS}, "structure": {ROUTE: [FOLDER]}, "parameters": {}}.
inline bool IsRouter(std::string_view type) {
  const std::string_view name = type.substr(type.rfind('.') + 1);
  return type.starts_with("sentence_transformers.") && (name == "Router" || name == "Asym");
}
// Where those are, the first that exists; the second is the old name, and not of a router in the root.
inline constexpr std::string_view kRouterFile = "router_config.json", kOldRouterFile = "config.json";

// The class of a module whose folder is a transformer's: config.json, tokenizer and weights.
inline bool IsTransformer(std::string_view type) {
  const std::string_view name = type.substr(type.rfind('.') + 1);
  return type.starts_with("sentence_transformers.") && (name == "Transformer" || name == "MLMTransformer");
}

// The class whose folder has the weights, and which has no config.json of a transformer.
inline constexpr std::string_view kStaticEmbedding = "StaticEmbedding";

}  // namespace candor::package

// The folder that an entry of modules.json names: one reading for the inventory and for the recipe.
#pragma once
#include <string>

namespace candor::package {

// "./1_Pooling/" and "1_Pooling" are "1_Pooling/"; "." and "" are the root, "". Only spelled alike: whether
// the folder is inside the package is judged by whoever opens it.
inline std::string ModuleFolder(std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  while (path.ends_with('/') && path.size() > 1) path.pop_back();
  if (path == ".") path.clear();
  return path.empty() ? path : path + "/";
}

}  // namespace candor::package

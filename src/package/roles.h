// What a file of a package is for, by its name: one visible table (roles.cc). A name is weak evidence
// (EVI-03): it says which files are read and digested, never what the package is.
#pragma once
#include <string>
#include <string_view>

namespace candor::package {

struct Role {
  std::string_view name;    // "tokenizer"
  bool in_closure = false;  // its bytes can decide an answer
  bool document = false;    // JSON that is parsed when the package is opened
  std::string_view note = {};
};

// `path` is relative to the package. Files in folders have a role only where the folder is a module's.
Role RoleOf(std::string_view path, bool in_module_folder);

// The weights of one head alone, in a file of its own beside the model's: "sparse_linear.safetensors". Its
// tensors stand under the file's name, as those of a module under its folder's.
bool IsHeadFile(std::string_view path);

// Where the weights of `folder` are: its model.safetensors, or the head's file itself.
std::string WeightsFile(const std::string& folder);

// model-00001-of-00003.safetensors, anywhere.
bool IsShardName(std::string_view path);

}  // namespace candor::package

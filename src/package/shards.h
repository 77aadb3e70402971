// The weights of one folder: a single file, or shards under an index that must agree with them both ways.
//
// SPEC ART-06, ART-07, ART-11. Reads headers; in the one case of a single file beside an index, also compares
// bytes.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"
#include "io/directory.h"
#include "io/json.h"
#include "package/safetensors.h"

namespace candor::package {

struct FolderWeights {
  std::vector<TensorInfo> tensors;                     // in the order of their files, by offset inside
  std::map<std::string, std::string> metadata;         // "file: key" to value
  std::vector<std::shared_ptr<const io::File>> files;  // whose bytes are the weights
};

struct FolderContent {
  const io::Directory& directory;
  std::string folder;                     // "" or "2_Dense/"
  const std::vector<std::string>& files;  // of the whole package, sorted
  const io::Json* index = nullptr;        // parsed model.safetensors.index.json, if there is one
  bool has_index = false;                 // the file is there, parsed or not
  bool required = false;                  // absent weights are a problem
};

FolderWeights ReadFolderWeights(const FolderContent& content, const SafetensorsLimits& limits,
                                Problems& problems);

}  // namespace candor::package

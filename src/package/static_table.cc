#include "package/static_table.h"

#include <algorithm>

#include "package/module_folder.h"

namespace candor::package {
namespace {

bool StoresModel2Vec(const Package& package) {
  const std::vector<TensorInfo>& tensors = package.tensors();
  const auto is = [](const TensorInfo& t) {
    return t.name == "embeddings" || t.name == "mapping" || t.name == "weights";
  };
  return std::ranges::all_of(tensors, is) &&
         std::ranges::find(tensors, "embeddings", &TensorInfo::name) != tensors.end();
}

bool IsModel2Vec(const Package& package) {
  const auto config = package.Document("config.json");
  if (config == nullptr || package.Has("modules.json")) return false;
  const io::Json* type = config->Find("model_type");
  if (type != nullptr) return type->is_string() && type->as_string() == "model2vec";
  return config->Find("architectures") == nullptr && config->Find("auto_map") == nullptr &&
         StoresModel2Vec(package);
}

}  // namespace

StaticTable StaticTableOf(const Package& package) {
  const FirstModule first = FirstModuleOf(package.Document("modules.json").get());
  if (first.Is(kStaticEmbedding)) return {StaticTable::Form::kModule, first.folder};
  if (IsModel2Vec(package)) return {StaticTable::Form::kModel2Vec};
  return {};
}

}  // namespace candor::package

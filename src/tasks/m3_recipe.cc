#include "tasks/m3_recipe.h"

#include <string>
#include <tuple>

#include "tasks/modules.h"

namespace candor::tasks {

std::string M3File(std::string_view stem) { return std::string(stem) + ".safetensors"; }

M3Head FindM3Head(const package::Package& package, std::string_view stem, Problems& problems) {
  if (package.Has(M3File(stem))) return M3Head::kStored;
  const std::string pickled = std::string(stem) + ".pt";
  if (!package.Has(pickled)) return M3Head::kNone;
  problems.push_back({Code::kComponentMissing, Where::At(pickled), "pickled weights, which are never opened",
                      M3File(stem) + " beside the model, with the tensors weight and bias",
                      Phase::kProcessing});
  return M3Head::kPickled;
}

void ReadM3Texts(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                 EmbedRecipe& recipe, Problems& problems) {
  std::ignore = CheckRootEncoder(package, problems);
  ReadEncoderSettings(package, log, kHiddenRows, recipe, problems);
  if (recipe.lowercase_first) {
    problems.push_back({Code::kUnsupportedProcessorRecipe, EncoderConfig(package, log)->At("do_lower_case"),
                        "true", "false: the heads' own library never reads it", Phase::kProcessing});
  }
  if (const auto own = package.Read("config_sentence_transformers.json", log)) {
    for (const std::string& key : own->Keys()) IgnoreKey(*own, key, "of the dense vectors");
  }
}

}  // namespace candor::tasks

// One reader for each class of modules.json: its config file to a step of the recipe. Internal to the room.
#pragma once
#include <optional>
#include <string>

#include "tasks/recipe.h"

namespace candor::tasks {

struct ModuleContext {
  std::string folder;                     // "2_Dense/"
  std::optional<package::Config> config;  // its config.json; absent: no such file
  const package::Config& entry;           // in modules.json
  EmbedRecipe& recipe;                    // width is the input's; the reader sets the output's
  std::string_view result;                // ChainRules::result
  std::string& name;                      // of the input; a reader sets the output's
  Problems& problems;
};

void ReadPooling(ModuleContext& context);
void ReadLayerPooling(ModuleContext& context);
void ReadDense(ModuleContext& context);
void ReadLayerNorm(ModuleContext& context);
void ReadMask(ModuleContext& context);
void ReadNormalize(ModuleContext& context);
void ReadDropout(ModuleContext& context);
void ReadAutoEncoder(ModuleContext& context);

}  // namespace candor::tasks

// A cross-encoder by sentence-transformers' files: modules.json, config_sentence_transformers.json, and the
// keys that config.json has for it. Read as sentence-transformers 6.2 reads them. Internal to the room.
#pragma once
#include <cstddef>
#include <memory>
#include <string_view>

#include "package/package.h"
#include "tasks/labels.h"
#include "tasks/recipe.h"

namespace candor::tasks {

struct CrossEncoder {
  EmbedRecipe recipe;      // prompts; and the chain, where modules behind a bare encoder make the logits
  std::size_t labels = 0;  // 0: not known, with a problem
  ScoreActivation activation = ScoreActivation::kNone;
};

// Whether modules.json has more than the encoder: then no head of a class is run.
bool HasModuleChain(const package::Package& package);

// Whether its own file says that the package is a cross-encoder's, where the reference opens that file.
bool IsCrossEncoder(const package::Package& package, const std::shared_ptr<package::ReadLog>& log);

// The same for a package with a chain, with a problem where it is another model's.
bool CheckChain(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                Problems& problems);

// `config` is config.json; `width` the encoder's, 0 when it is not known. `fact` names the choice of the
// activation in the evidence.
CrossEncoder ReadCrossEncoder(const package::Package& package, const std::shared_ptr<package::ReadLog>& log,
                              const package::Config& config, std::size_t width, std::string_view fact,
                              Problems& problems);

}  // namespace candor::tasks

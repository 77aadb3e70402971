// What a task whose head pools, or takes every row, knows of its texts. Internal to the room.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>

#include "model/model.h"
#include "package/package.h"
#include "tasks/recipe.h"
#include "tasks/registry.h"
#include "text/tokenizer.h"

namespace candor::tasks {

struct TextParts {
  std::size_t width = 0;  // of the model
  std::size_t max_length = 0;
  InputRule input;
  EmbedRecipe recipe;  // prompts and length alone
  std::shared_ptr<const text::Tokenizer> tokenizer;
};

// `recipe` is what the package's files say of prompts and length. nullopt when the package cannot give it.
std::optional<TextParts> ReadTextParts(const package::Package& package,
                                       const std::shared_ptr<package::ReadLog>& log,
                                       const TaskOptions& options, const Model* model, EmbedRecipe recipe,
                                       Problems& problems);

}  // namespace candor::tasks

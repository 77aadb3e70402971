// An embedding recipe in words and as an identity: for plans, receipts and the check that two vectors may be
// compared. Internal to the room.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tasks/recipe.h"
#include "tasks/task.h"

namespace candor::tasks {

std::string PoolingText(const EmbedRecipe& recipe);  // "cls+mean"
// Modules in order: type, description.
std::vector<std::pair<std::string, std::string>> ChainText(const EmbedRecipe& recipe, std::size_t max_length);

// "sha256:…" over everything that decides what a vector means (SPEC R18) and over `closure`.
std::string SpaceId(const EmbedRecipe& recipe, const TaskFacts& facts, bool truncate_left,
                    std::string_view closure);
// The same of vectors for each token: two sides of one package are one space.
std::string TokensSpaceId(const EmbedRecipe& recipe, const TaskFacts& facts, bool truncate_left,
                          std::string_view closure);
// The space of the same vectors cut to other dimensions.
std::string CutSpaceId(std::string_view space, std::size_t dimensions, bool normalized);
// The space of vectors made with an adapter of that space.
std::string AdapterSpaceId(std::string_view space, std::string_view adapters);

// The space of vectors of that space as bytes.
std::string BytesSpaceId(std::string_view space, std::string_view type, std::span<const float> ranges);

}  // namespace candor::tasks

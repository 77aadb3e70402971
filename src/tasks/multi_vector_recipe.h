// The recipe of a late-interaction package in its three layouts: sentence-transformers' own, PyLate's, and
// Stanford's ColBERT, each as sentence-transformers 6.2 loads it (multi_vector_encoder/model.py); and of
// BGE-M3's head beside a dense package (m3_recipe.h). A value.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "candor/types.h"
#include "tasks/recipe.h"

namespace candor::tasks {

// What stands behind the tokens of a query until there are `length` of them.
struct QueryExpansion {
  bool fixed = true;                      // longer queries are cut to `length`; else they stay as they are
  bool attend = false;                    // other tokens see those
  std::optional<std::string> token = {};  // absent: the mask token, else that of the end
  std::size_t length = 0;
  Where where = {};
};

// How texts of one role, or of none, become rows.
struct SideRule {
  std::optional<std::size_t> length;  // tokens of a text; absent: as many as the package takes
  Where length_at;
  std::optional<QueryExpansion> expansion;
  bool skips = false;  // tokens of the skip list are not scored
};

struct MultiVectorRecipe {
  EmbedRecipe base;  // a chain that does not pool, lengths, prompts
  SideRule plain, query, document;
  std::size_t first = 0;  // rows before it are not scored: BGE-M3 leaves out the first token
  std::string layout;     // for people: "sentence-transformers", "PyLate", "Stanford", "BGE-M3"
  const SideRule& Of(std::optional<TextRole> role) const {
    return !role ? plain : *role == TextRole::kQuery ? query : document;
  }
};

// The word by which the package declares itself one of late interaction, and its place; nullopt: it does not.
std::optional<std::pair<Where, std::string>> DeclaresMultiVector(const package::Package& package);

// `width` and `encoder_module` as those of ReadRecipe.
MultiVectorRecipe ReadMultiVectorRecipe(const package::Package& package,
                                        const std::shared_ptr<package::ReadLog>& log,
                                        std::string_view encoder_module, std::size_t width,
                                        Problems& problems);

}  // namespace candor::tasks

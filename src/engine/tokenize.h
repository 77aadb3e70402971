// The tokenizer of a package as a public handle: texts as the package's recipe would give them to the model.
#pragma once
#include <cstddef>
#include <memory>

#include "candor/engine.h"
#include "tasks/recipe.h"
#include "text/tokenizer.h"

namespace candor::engine {

// `limit` tokens at most (0: no limit is known) unless a call asks for fewer. Thread-safe.
std::shared_ptr<const TextTokenizer> MakeTextTokenizer(std::shared_ptr<const text::Tokenizer> tokenizer,
                                                       tasks::EmbedRecipe recipe, std::size_t limit);

}  // namespace candor::engine

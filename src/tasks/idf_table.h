// The weights of words where SparseStaticEmbedding has them in a JSON file, as sentence-transformers 6.2
// reads it (SparseStaticEmbedding.from_json): {TOKEN: WEIGHT}, each rounded to f32. Internal to the room.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "package/package.h"
#include "text/tokenizer.h"

namespace candor::tasks {

// By id, zero where the file has no such token. `tokenizer` is the module's, in `folder`; `words` is the
// width of a vector. nullopt: problems say why.
std::optional<std::vector<float>> ReadIdfTable(const package::Package& package, const std::string& file,
                                               const text::Tokenizer& tokenizer, const std::string& folder,
                                               std::size_t words, Problems& problems);

}  // namespace candor::tasks

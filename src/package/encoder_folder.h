// Which folders have an encoder: a transformer with its own config.json, tokenizer and weights.
//
// As sentence-transformers loads it: the first module of modules.json stands in its path, and where that is a
// router, the transformers of its routes stand in folders of theirs. Nothing is chosen here: a package with
// several encoders has all of them.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "package/facts.h"
#include "package/package.h"

namespace candor::package {

// Never empty. `folders` are those that modules.json and its routers name and that stand inside the package.
std::vector<EncoderPlace> EncodersOf(const Documents& documents,
                                     const std::set<std::string, std::less<>>& folders);

}  // namespace candor::package

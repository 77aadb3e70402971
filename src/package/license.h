// What a package says about its license (SPEC ART-18): from config.json and the front matter of README.md.
//
// A statement of the package, kept with its place; nothing verifies it and it grants nothing. README.md is
// outside the closure and only read here, when an inventory is asked for. Pure but for that read.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "package/package.h"

namespace candor::package {

std::vector<Fact> StatedLicenses(const Package& package);

// The value of a top-level `key` in the front matter at the head of `text`, or "". A plain or quoted value
// without its quotes; a block list as its entries, comma-separated; anything else of YAML as written.
std::string FrontMatterValue(std::string_view text, std::string_view key);

}  // namespace candor::package

// docs/tasks.md, its lists of families: what a test compares with the registry (SPEC FAM-03).
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace candor::goldens {

// The families that stand in backquotes between `title` and the next "Goldens:"; empty where either is
// missing.
std::set<std::string> NamedFamilies(std::string_view title);

}  // namespace candor::goldens

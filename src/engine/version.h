// What was built: set by the build from the project's version and the commit, never read at run time.
#pragma once
#include <string_view>

namespace candor::engine {

std::string_view Version();  // "0.1.0"
std::string_view Commit();   // short hash, or "unknown" outside a checkout

}  // namespace candor::engine

// Activation names of transformers' ACT2FN, read from a config key.
#pragma once
#include <string_view>

#include "ops/weights.h"
#include "package/config.h"

namespace candor::families {

// The function is logged as a choice; a name that is not implemented exactly is a problem with the names that
// are.
Activation ReadActivation(const package::Config& config, std::string_view key, std::string_view fallback,
                          Problems& problems);

}  // namespace candor::families

// --ranges: the least and the most of each dimension, for vectors of whole numbers.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"

namespace candor::apps {

// Of [[least, ...], [most, ...]] as JSON: one list behind the other.
Result<std::vector<float>> ParseRanges(std::string_view json, const std::string& name);

}  // namespace candor::apps

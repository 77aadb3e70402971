// A small document of numbers: [[…], […]], two lists of as many. Pure.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"

namespace candor::io {

// The numbers of both lists, the first list's in front. `name` is the document's in errors, which name no
// place: invalid_input.
Result<std::vector<float>> ParseTwoLists(std::string_view json, const std::string& name);

}  // namespace candor::io

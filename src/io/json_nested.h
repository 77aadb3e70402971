// Json::Nested: the storage behind arrays and objects. Only io/json*.cc include it.
#pragma once
#include <cstdint>
#include <vector>

#include "io/json.h"

namespace candor::io {

struct Json::Nested {
  std::vector<Json> items;
  std::vector<JsonMember> members;
  std::vector<std::uint32_t> sorted;  // members by key; empty for objects short enough to be scanned
};

}  // namespace candor::io

// Json::Nested: the storage behind arrays and objects. Only io/json*.cc include it.
#pragma once
#include <cstdint>
#include <vector>

#include "io/json.h"

namespace candor::io {

struct Json::Nested {
  std::vector<Json> items;
  std::vector<JsonMember> members;
  std::vector<std::uint32_t> sorted;  // SortedByKey; empty for objects short enough to be scanned
};

// Indices of the members in the order of their keys' bytes, equal keys in file order.
std::vector<std::uint32_t> SortedByKey(const std::vector<JsonMember>& members);

}  // namespace candor::io

// GenerateTensors: a tiny package that satisfies a declaration, values from a seed. For tests.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/tensor_decl.h"
#include "package/inventory.h"

namespace candor {

// Stored tensors over memory, as if read from `file`. Each owns its bytes.
TensorInfo MemoryTensor(std::string name, std::vector<std::size_t> shape, std::span<const float> values,
                        std::string file = "model.safetensors");

// Every part of every slot, each name prefixed; values are uniform in [-1/4, 1/4), scales of norms around
// one.
std::vector<TensorInfo> GenerateTensors(std::span<const TensorDecl> wanted, std::uint32_t seed,
                                        std::string_view prefix = "");

}  // namespace candor

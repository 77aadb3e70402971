// Safetensors: the header of one file as tensors, every rule of the format checked (SPEC ART-08).
//
// Reads the header only. All problems of the file are collected; a tensor with a problem is left out. Pure
// but for the reads; any thread.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"
#include "package/inventory.h"

namespace candor::package {

struct SafetensorsLimits {
  std::uint64_t header_bytes = 100'000'000;
  std::size_t tensors = 262'144, rank = 8;
  std::uint64_t dimension = 0x7fffffff;
};

struct Safetensors {
  std::vector<TensorInfo> tensors;              // by offset
  std::map<std::string, std::string> metadata;  // of __metadata__
};

Safetensors ReadSafetensors(std::shared_ptr<const io::ByteSource> source, const std::string& file,
                            const SafetensorsLimits& limits, Problems& problems);

std::optional<StoredType> StoredTypeOf(std::string_view name);

}  // namespace candor::package

// Base64 of float32 vectors, as embedding clients expect them: little-endian, standard alphabet, padded.
#pragma once
#include <span>
#include <string>

namespace candor::serve {

std::string Base64(std::span<const float> values);

}  // namespace candor::serve

// TensorInfo: one stored tensor of a package, as its file's header describes it. Judges nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.h"

namespace candor {

// Types a safetensors file may store. Most slots take the first three alone (model/match.h).
enum class StoredType : std::uint8_t {
  kF32,
  kF16,
  kBf16,
  kF64,
  kI8,
  kU8,
  kI16,
  kU16,
  kI32,
  kU32,
  kI64,
  kU64,
  kBool,
  kF8E4M3,
  kF8E5M2
};
std::size_t SizeOf(StoredType type);
std::string_view Name(StoredType type);  // "F32", as the format spells it

struct TensorInfo {
  std::string name;
  StoredType type = StoredType::kF32;
  std::vector<std::size_t> shape;
  std::string file;          // relative to the package
  std::uint64_t offset = 0;  // of the first byte in the file
  std::uint64_t bytes = 0;   // shape product times type size, verified
  std::shared_ptr<const io::ByteSource> source;
  std::size_t Count() const {
    std::size_t n = 1;
    for (const std::size_t s : shape) n *= s;
    return n;
  }
};

// Reads `count` elements from element `first`, widened exactly to f32: F32, F16, BF16 and I8; other types
// are unsupported_quantization. A read past the tensor is a defect; a truncated file is artifact_stale.
Result<void> ReadF32(const TensorInfo& tensor, std::size_t first, std::size_t count, float* out);
// The same to f64, of these and F64, and to whole numbers, of I32 and I64.
Result<void> ReadF64(const TensorInfo& tensor, std::size_t first, std::size_t count, double* out);
Result<void> ReadI64(const TensorInfo& tensor, std::size_t first, std::size_t count, std::int64_t* out);

}  // namespace candor

// Stored types, and reading a tensor's elements as f32. Bytes are little-endian, as the format and our
// machines are.
#include "package/inventory.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "base/checked.h"
#include "package/safetensors.h"

namespace candor {
namespace {

static_assert(std::endian::native == std::endian::little);

struct TypeRow {
  StoredType type;
  std::string_view name;
  std::size_t size;
};
constexpr TypeRow kTypes[] = {
    {StoredType::kF32, "F32", 4},   {StoredType::kF16, "F16", 2},        {StoredType::kBf16, "BF16", 2},
    {StoredType::kF64, "F64", 8},   {StoredType::kI8, "I8", 1},          {StoredType::kU8, "U8", 1},
    {StoredType::kI16, "I16", 2},   {StoredType::kU16, "U16", 2},        {StoredType::kI32, "I32", 4},
    {StoredType::kU32, "U32", 4},   {StoredType::kI64, "I64", 8},        {StoredType::kU64, "U64", 8},
    {StoredType::kBool, "BOOL", 1}, {StoredType::kF8E4M3, "F8_E4M3", 1}, {StoredType::kF8E5M2, "F8_E5M2", 1},
};

float WidenBf16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

// Shifted into place, a half's exponent is 112 too small; the product with 2^112 is exact for normal and
// subnormal halves alike. Infinity and NaN get the exponent of theirs. No branch: the compiler vectorises it.
float WidenF16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(bits & 0x7fffu) << 13;
  const std::uint32_t scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  const std::uint32_t special = magnitude | 0x7f800000u;
  return std::bit_cast<float>(sign | ((bits & 0x7c00u) == 0x7c00u ? special : scaled));
}

template <class Stored, class Value, class Widen>
Result<void> ReadWidened(const TensorInfo& tensor, std::size_t first, std::size_t count, Value* out,
                         Widen widen) {
  constexpr std::size_t kChunk =
      32768 / sizeof(Stored);  // 32 KiB of stored values stay in the first-level cache
  std::vector<Stored> stored(std::min(count, kChunk));
  while (count > 0) {
    const std::size_t n = std::min(count, kChunk);
    const std::span<Stored> part(stored.data(), n);
    CANDOR_CHECKED(tensor.source->Read(tensor.offset + sizeof(Stored) * first, std::as_writable_bytes(part)));
    for (std::size_t i = 0; i < n; ++i) out[i] = widen(part[i]);
    first += n;
    out += n;
    count -= n;
  }
  return {};
}

template <class Value>
Result<void> ReadStored(const TensorInfo& tensor, std::size_t first, std::size_t count, Value* out) {
  return tensor.source->Read(tensor.offset + sizeof(Value) * first,
                             std::as_writable_bytes(std::span(out, count)));
}

void CheckRange(const TensorInfo& tensor, std::size_t first, std::size_t count) {
  CANDOR_CHECK(RangeFits<std::uint64_t>(first, count, tensor.bytes / SizeOf(tensor.type)),
               "reads stay inside the tensor");
}

Error Unreadable(const TensorInfo& tensor, std::string allowed) {
  return {Code::kUnsupportedQuantization, Where::Tensor(tensor.file, tensor.name),
          std::string(Name(tensor.type)), std::move(allowed), Phase::kTensors};
}

}  // namespace

std::size_t SizeOf(StoredType type) { return kTypes[static_cast<std::size_t>(type)].size; }
std::string_view Name(StoredType type) { return kTypes[static_cast<std::size_t>(type)].name; }

std::optional<StoredType> package::StoredTypeOf(std::string_view name) {
  for (const TypeRow& row : kTypes) {
    if (row.name == name) return row.type;
  }
  return std::nullopt;
}

Result<void> ReadF32(const TensorInfo& tensor, std::size_t first, std::size_t count, float* out) {
  CheckRange(tensor, first, count);
  switch (tensor.type) {
    case StoredType::kF32:
      return ReadStored(tensor, first, count, out);
    case StoredType::kF16:
      return ReadWidened<std::uint16_t>(tensor, first, count, out, WidenF16);
    case StoredType::kBf16:
      return ReadWidened<std::uint16_t>(tensor, first, count, out, WidenBf16);
    case StoredType::kI8:
      return ReadWidened<std::int8_t>(tensor, first, count, out,
                                      [](std::int8_t i) { return static_cast<float>(i); });
    default:
      return Unreadable(tensor, "F32, F16, BF16 or I8");
  }
}

Result<void> ReadF64(const TensorInfo& tensor, std::size_t first, std::size_t count, double* out) {
  if (tensor.type == StoredType::kF64) {
    CheckRange(tensor, first, count);
    return ReadStored(tensor, first, count, out);
  }
  std::vector<float> narrow(count);
  CANDOR_CHECKED(ReadF32(tensor, first, count, narrow.data()));
  std::ranges::copy(narrow, out);
  return {};
}

Result<void> ReadI64(const TensorInfo& tensor, std::size_t first, std::size_t count, std::int64_t* out) {
  CheckRange(tensor, first, count);
  switch (tensor.type) {
    case StoredType::kI64:
      return ReadStored(tensor, first, count, out);
    case StoredType::kI32:
      return ReadWidened<std::int32_t>(tensor, first, count, out,
                                       [](std::int32_t i) { return std::int64_t{i}; });
    default:
      return Unreadable(tensor, "I32 or I64");
  }
}

}  // namespace candor

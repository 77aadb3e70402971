#include "model/slot_reader.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace candor {
namespace {

constexpr std::size_t kFloatsAtOnce = std::size_t{1} << 16;  // of a tensor that is stored the other way round

// Rows [first, first + count) of the part as it is meant.
Result<void> ReadRows(const Binding::Rows& part, std::size_t cols, std::size_t first, std::size_t count,
                      float* out) {
  if (part.take == Take::kRows) return ReadF32(*part.tensor, (part.first + first) * cols, count * cols, out);
  // Of each stored row a few values are wanted, but a file gives whole rows as fast.
  const std::size_t width = part.count, most = std::clamp<std::size_t>(kFloatsAtOnce / width, 1, cols);
  std::vector<float> stored(most * width);
  for (std::size_t c = 0; c < cols; c += most) {
    const std::size_t some = std::min(most, cols - c);
    CANDOR_CHECKED(ReadF32(*part.tensor, (part.first + c) * width, some * width, stored.data()));
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t i = 0; i < some; ++i) out[r * cols + c + i] = stored[i * width + first + r];
  }
  return {};
}

bool AllFinite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float x) { return std::isfinite(x); });
}

// The row of the slot that is not finite comes from a stored row or from the value it was multiplied by.
Error InMade(Error error, const Binding& binding) {
  std::vector<float> row(binding.cols);
  const SlotReader reader(binding);
  for (std::size_t r = 0; r < binding.rows; ++r) {
    if (!reader.Read(r, 1, row.data())) return error;
    if (AllFinite(row)) continue;
    double scale = 1;
    if (binding.scale != nullptr && !ReadF64(*binding.scale, r, 1, &scale)) return error;
    const TensorInfo& tensor = std::isfinite(scale) ? *binding.stored.front().tensor : *binding.scale;
    error.where = Where::Tensor(tensor.file, tensor.name);
    return error;
  }
  return error;
}

// The type that all the values have in the package, where they are taken as they are.
DType StoredAlike(const Binding& binding) {
  const StoredType type = binding.stored.front().tensor->type;
  const bool alike = std::ranges::all_of(
      binding.stored, [&](const Binding::Rows& part) { return part.tensor->type == type; });
  if (!alike || binding.scale != nullptr || binding.plus_one) return DType::kF32;
  return type == StoredType::kF16 ? DType::kF16 : type == StoredType::kBf16 ? DType::kBf16 : DType::kF32;
}

}  // namespace

SlotReader::SlotReader(const Binding& binding) : binding_(&binding) {
  if (binding.map == nullptr || binding.stored.front().tensor->shape[0] >= binding.rows) return;
  const TensorInfo& stored = *binding.stored.front().tensor;
  table_.resize(stored.Count());
  loaded_ = ReadF32(stored, 0, table_.size(), table_.data());
}

Result<void> SlotReader::Read(std::size_t first, std::size_t count, float* out) const {
  CANDOR_CHECKED(binding_->map != nullptr ? ReadMapped(first, count, out) : ReadStacked(first, count, out));
  if (binding_->plus_one)
    for (std::size_t i = 0; i < count * binding_->cols; ++i) out[i] = 1.0f + out[i];
  return binding_->scale != nullptr ? Scale(first, count, out) : Result<void>();
}

Result<void> SlotReader::ReadMapped(std::size_t first, std::size_t count, float* out) const {
  const TensorInfo &map = *binding_->map, &table = *binding_->stored.front().tensor;
  const std::size_t cols = binding_->cols, rows = table.shape[0];
  CANDOR_CHECKED(loaded_);
  std::vector<std::int64_t> from(count);
  CANDOR_CHECKED(ReadI64(map, first, count, from.data()));
  for (std::size_t i = 0; i < count; ++i) {
    if (from[i] >= 0 && static_cast<std::uint64_t>(from[i]) < rows) continue;
    return Error{Code::kInvalidPackageSchema, Where::Tensor(map.file, map.name),
                 "row " + std::to_string(from[i]) + " for id " + std::to_string(first + i),
                 "rows of " + table.name + ", 0 to " + std::to_string(rows - 1), Phase::kLoad};
  }
  for (std::size_t i = 0, end = 0; i < count; i = end) {
    if (!table_.empty()) {
      std::copy_n(table_.data() + static_cast<std::size_t>(from[i]) * cols, cols, out + i * cols);
      end = i + 1;
      continue;
    }
    for (end = i + 1; end < count && from[end] == from[end - 1] + 1;) ++end;  // neighbours in one read
    CANDOR_CHECKED(
        ReadF32(table, static_cast<std::size_t>(from[i]) * cols, (end - i) * cols, out + i * cols));
  }
  return {};
}

// A product of two f32 is exact in f64, so this rounds once, as torch does, and like it where the scale is
// f64.
Result<void> SlotReader::Scale(std::size_t first, std::size_t count, float* out) const {
  std::vector<double> scale(count);
  CANDOR_CHECKED(ReadF64(*binding_->scale, first, count, scale.data()));
  for (const double s : scale)
    for (const float* const end = out + binding_->cols; out != end; ++out)
      *out = static_cast<float>(static_cast<double>(*out) * s);
  return {};
}

Result<void> SlotReader::ReadStacked(std::size_t first, std::size_t count, float* out) const {
  const std::size_t cols = binding_->cols;
  std::size_t begin = 0;  // first row of the part
  for (const Binding::Rows& part : binding_->stored) {
    const std::size_t end = begin + part.count;
    if (count != 0 && first < end) {
      const std::size_t here = std::min(count, end - first);
      CANDOR_CHECKED(ReadRows(part, cols, first - begin, here, out));
      first += here, count -= here, out += here * cols;
    }
    begin = end;
  }
  if (count != 0)
    return Error{Code::kInternalInvariant, Where::Tensor("", binding_->slot), "rows past the slot",
                 std::to_string(begin) + " rows", Phase::kLoad};
  return {};
}

WeightSource SourceOf(const Binding& binding, const RowReader* reader) {
  WeightSource s;
  s.role = binding.role, s.exact = binding.exact, s.rows = binding.rows, s.cols = binding.cols;
  s.reader = reader, s.label = binding.stored.front().tensor->name, s.stored = StoredAlike(binding);
  return s;
}

Error InPackage(Error error, const Binding& binding) {
  if (error.code != Code::kNonFiniteParameter) return error;
  if (binding.map != nullptr || binding.scale != nullptr) return InMade(std::move(error), binding);
  std::vector<float> row;
  for (const Binding::Rows& part : binding.stored) {
    const bool as_stored = part.take == Take::kRows;
    row.resize(as_stored ? binding.cols : part.count);
    for (std::size_t r = 0; r < (as_stored ? part.count : binding.cols); ++r) {
      if (!ReadF32(*part.tensor, (part.first + r) * row.size(), row.size(), row.data())) return error;
      if (AllFinite(row)) continue;
      error.where = Where::Tensor(part.tensor->file, part.tensor->name);
      return error;
    }
  }
  return error;
}

}  // namespace candor

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

}  // namespace

Result<void> SlotReader::Read(std::size_t first, std::size_t count, float* out) const {
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

WeightSource SourceOf(const Binding& binding, const RowReader& reader) {
  WeightSource s;
  s.role = binding.role, s.exact = binding.exact, s.rows = binding.rows, s.cols = binding.cols;
  s.reader = &reader, s.label = binding.stored.front().tensor->name;
  return s;
}

Error InPackage(Error error, const Binding& binding) {
  if (error.code != Code::kNonFiniteParameter) return error;
  std::vector<float> row;
  for (const Binding::Rows& part : binding.stored) {
    const bool as_stored = part.take == Take::kRows;
    row.resize(as_stored ? binding.cols : part.count);
    for (std::size_t r = 0; r < (as_stored ? part.count : binding.cols); ++r) {
      if (!ReadF32(*part.tensor, (part.first + r) * row.size(), row.size(), row.data())) return error;
      if (std::ranges::all_of(row, [](float x) { return std::isfinite(x); })) continue;
      error.where = Where::Tensor(part.tensor->file, part.tensor->name);
      return error;
    }
  }
  return error;
}

}  // namespace candor

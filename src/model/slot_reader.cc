#include "model/slot_reader.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace candor {

namespace {

// `count` columns of the part's `rows` stored rows, from column `first` on, each as a row of `out`.
Result<void> ReadColumns(const Binding::Rows& part, std::size_t rows, std::size_t first, std::size_t count,
                         float* out) {
  std::vector<float> row(count);
  for (std::size_t r = 0; r < rows; ++r) {
    CANDOR_CHECKED(ReadF32(*part.tensor, (part.first + r) * part.count + first, count, row.data()));
    for (std::size_t c = 0; c < count; ++c) out[c * rows + r] = row[c];
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
      if (part.transposed)
        CANDOR_CHECKED(ReadColumns(part, cols, first - begin, here, out));
      else
        CANDOR_CHECKED(ReadF32(*part.tensor, (part.first + first - begin) * cols, here * cols, out));
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
  for (const Binding::Rows& part : binding.stored) {
    const std::size_t rows = part.transposed ? binding.cols : part.count,
                      cols = part.transposed ? part.count : binding.cols;
    std::vector<float> row(cols);
    for (std::size_t r = 0; r < rows; ++r) {
      if (!ReadF32(*part.tensor, (part.first + r) * cols, cols, row.data())) return error;
      if (std::ranges::all_of(row, [](float x) { return std::isfinite(x); })) continue;
      error.where = Where::Tensor(part.tensor->file, part.tensor->name);
      return error;
    }
  }
  return error;
}

}  // namespace candor

#include "cpu/prepared.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "ops/reference.h"

namespace candor::cpu {
namespace {

std::size_t Panels(const KernelTable& table, std::size_t rows) {
  return (rows + table.panel - 1) / table.panel;
}

Error NoMemory(std::size_t bytes) {
  return {.code = Code::kInsufficientMemory,
          .found = std::to_string(bytes) + " bytes wanted for a weight",
          .allowed = "what the system grants",
          .phase = Phase::kLoad};
}

Result<void> CheckFinite(const KernelTable& table, const WeightSource& source, const float* values,
                         std::size_t count) {
  if (table.finite.run(values, count)) return {};
  return NonFinite(source,
                   *std::find_if_not(values, values + count, [](float v) { return std::isfinite(v); }));
}

// Rows that are read together: enough for one system call to be cheap beside its bytes, and for a weight that
// is stored the other way round to be gone through a few times only.
std::size_t RowsAtOnce(std::size_t cols) {
  constexpr std::size_t kSlab = std::size_t{1} << 20;
  return std::max<std::size_t>(kSlab / std::max<std::size_t>(cols, 1), 1);
}

}  // namespace

std::size_t PreparedFloats(const KernelTable& table, Role role, std::size_t rows, std::size_t cols) {
  switch (role) {
    case Role::kMatrix:
      return Panels(table, rows) * table.panel * cols;
    case Role::kTable:
      return rows * cols;
    case Role::kVector:
      return Panels(table, rows) * table.panel;
  }
  return 0;
}

Result<std::unique_ptr<const PreparedWeight>> PrepareWeight(const KernelTable& table,
                                                            const WeightSource& source) {
  const std::size_t floats = PreparedFloats(table, source.role, source.rows, source.cols), cols = source.cols;
  AlignedFloats values = AlignedFloats::Try(floats);
  if (values.data() == nullptr) return NoMemory(floats * sizeof(float));
  if (source.role == Role::kMatrix) {
    const std::size_t some = std::clamp<std::size_t>(RowsAtOnce(cols) / table.panel, 1,
                                                     std::max<std::size_t>(Panels(table, source.rows), 1)) *
                             table.panel;
    const AlignedFloats slab = AlignedFloats::Try(some * cols);
    if (slab.data() == nullptr) return NoMemory(some * cols * sizeof(float));
    float* panel = values.data();
    for (std::size_t row = 0; row < source.rows; row += some) {
      const std::size_t last = std::min(row + some, source.rows);
      CANDOR_CHECKED(source.reader->Read(row, last - row, slab.data()));
      CANDOR_CHECKED(CheckFinite(table, source, slab.data(), (last - row) * cols));
      for (std::size_t r = row; r < last; r += table.panel, panel += table.panel * cols)
        table.pack.run({slab.data() + (r - row) * cols, cols}, std::min(table.panel, last - r), cols, panel);
    }
  } else {
    const std::size_t some = RowsAtOnce(cols);
    for (std::size_t row = 0; row < source.rows; row += some) {
      const std::size_t count = std::min(some, source.rows - row);
      float* const to = values.data() + row * cols;
      CANDOR_CHECKED(source.reader->Read(row, count, to));
      CANDOR_CHECKED(CheckFinite(table, source, to, count * cols));
    }
    std::fill(values.data() + source.rows * cols, values.data() + floats, 0.0f);
  }
  return std::unique_ptr<const PreparedWeight>(
      std::make_unique<CpuWeight>(std::move(values), source.rows, source.cols));
}

}  // namespace candor::cpu

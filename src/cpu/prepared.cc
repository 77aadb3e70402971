#include "cpu/prepared.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "ops/reference.h"

namespace candor::cpu {
namespace {

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

DType HeldType(const WeightSource& source) {
  return source.role == Role::kVector ? DType::kF32 : source.stored;
}

std::size_t PreparedValues(const KernelTable& table, Role role, std::size_t rows, std::size_t cols) {
  switch (role) {
    case Role::kMatrix:
      return CeilDivide(rows, table.panel) * table.panel * cols;
    case Role::kTable:
      return rows * cols;
    case Role::kVector:
      return CeilDivide(rows, table.panel) * table.panel;
  }
  return 0;
}

Result<std::unique_ptr<const PreparedWeight>> PrepareWeight(const KernelTable& table,
                                                            const WeightSource& source) {
  const DType type = HeldType(source);
  const std::size_t count = PreparedValues(table, source.role, source.rows, source.cols), cols = source.cols,
                    bytes = count * SizeOf(type);
  AlignedFloats values = AlignedFloats::Try(CeilDivide(bytes, sizeof(float)));
  if (values.data() == nullptr) return NoMemory(bytes);
  const auto at = [&](std::size_t i) {
    return reinterpret_cast<std::byte*>(values.data()) + i * SizeOf(type);
  };
  const bool same = type == DType::kF32, matrix = source.role == Role::kMatrix;
  const std::size_t step = matrix ? table.panel : 1,
                    some = std::clamp<std::size_t>(RowsAtOnce(cols) / step, 1,
                                                   std::max<std::size_t>(CeilDivide(source.rows, step), 1)) *
                           step;
  // Rows as they are read, and a panel before it is narrowed, where they cannot lie at their place.
  const AlignedFloats slab = matrix || !same ? AlignedFloats::Try(some * cols) : AlignedFloats(),
                      wide = matrix && !same ? AlignedFloats::Try(step * cols) : AlignedFloats();
  if (((matrix || !same) && slab.data() == nullptr) || (matrix && !same && wide.data() == nullptr))
    return NoMemory((some + step) * cols * sizeof(float));
  for (std::size_t row = 0; row < source.rows; row += some) {
    const std::size_t read = std::min(some, source.rows - row);
    float* const rows = slab.data() != nullptr ? slab.data() : values.data() + row * cols;
    CANDOR_CHECKED(source.reader->Read(row, read, rows));
    CANDOR_CHECKED(CheckFinite(table, source, rows, read * cols));
    if (!matrix) {
      if (!same) table.narrow.run(rows, read * cols, type, at(row * cols));
      continue;
    }
    for (std::size_t r = 0; r < read; r += step) {
      std::byte* const panel = at((row + r) * cols);
      table.pack.run({rows + r * cols, cols}, std::min(step, read - r), cols,
                     same ? reinterpret_cast<float*>(panel) : wide.data());
      if (!same) table.narrow.run(wide.data(), step * cols, type, panel);
    }
  }
  if (!matrix) std::memset(at(source.rows * cols), 0, (count - source.rows * cols) * SizeOf(type));
  return std::unique_ptr<const PreparedWeight>(
      std::make_unique<CpuWeight>(std::move(values), type, source.rows, source.cols));
}

}  // namespace candor::cpu

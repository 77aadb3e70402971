// Weights in the CPU backend's layouts, f32: matrices as panels of the table's width, tables as they are
// stored, vectors padded to whole panels with zeros. Immutable; made by Prepare.
#pragma once
#include <cstddef>
#include <memory>

#include "candor/result.h"
#include "cpu/aligned.h"
#include "cpu/kernel_table.h"
#include "ops/weights.h"

namespace candor::cpu {

class CpuWeight final : public PreparedWeight {
 public:
  CpuWeight(AlignedFloats values, std::size_t rows, std::size_t cols)
      : values_(std::move(values)), rows_(rows), cols_(cols) {}
  const float* data() const { return values_.data(); }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }

 private:
  AlignedFloats values_;
  std::size_t rows_, cols_;
};

std::size_t PreparedFloats(const KernelTable& table, Role role, std::size_t rows, std::size_t cols);

// Pulls the rows, some panels at a time, so that nothing but the result and those rows is held.
Result<std::unique_ptr<const PreparedWeight>> PrepareWeight(const KernelTable& table,
                                                            const WeightSource& source);

}  // namespace candor::cpu

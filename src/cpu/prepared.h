// Weights in the CPU backend's layouts: matrices as panels of the table's width, tables as they are stored,
// vectors padded to whole panels with zeros. Vectors are f32; matrices and tables that the package has in 16
// bits keep those, which kernels widen as they read: the same products from half the bytes. Immutable; made
// by Prepare.
#pragma once
#include <cstddef>
#include <memory>

#include "candor/result.h"
#include "cpu/aligned.h"
#include "cpu/kernel_table.h"
#include "ops/weights.h"

namespace candor::cpu {

inline std::size_t CeilDivide(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

class CpuWeight final : public PreparedWeight {
 public:
  CpuWeight(AlignedFloats values, DType type, std::size_t rows, std::size_t cols)
      : values_(std::move(values)), type_(type), rows_(rows), cols_(cols) {}
  Held held() const { return {reinterpret_cast<const std::byte*>(values_.data()), type_}; }
  const float* floats() const { return values_.data(); }  // of one that is held in f32
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }

 private:
  AlignedFloats values_;  // the memory, whatever the type
  DType type_;
  std::size_t rows_, cols_;
};

DType HeldType(const WeightSource& source);
std::size_t PreparedValues(const KernelTable& table, Role role, std::size_t rows, std::size_t cols);

// Pulls the rows, some panels at a time, so that nothing but the result and those rows is held.
Result<std::unique_ptr<const PreparedWeight>> PrepareWeight(const KernelTable& table,
                                                            const WeightSource& source);

}  // namespace candor::cpu

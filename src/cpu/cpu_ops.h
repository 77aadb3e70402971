// CpuOps: the operations over a kernel table and the thread pool. One per session, one thread at a time.
// Allocates nothing after construction but each thread's scratch, once. Work is split over rows, columns,
// heads and sequences, never along a sum, so how it was split leaves no trace in the numbers.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>

#include "cpu/kernel_table.h"
#include "cpu/pool.h"
#include "ops/ops.h"

namespace candor::cpu {

// The kernel that does the main work of an operation: what plans name and receipts note.
std::string_view KernelName(const KernelTable& table, Op op);

class CpuOps final : public Ops {
 public:
  CpuOps(const KernelTable& table, ThreadPool& pool);

  Index Stage(std::span<const std::int32_t> values) override { return {values, nullptr}; }
  Sequences Stage(std::span<const Sequence> values) override { return {values, nullptr}; }
  void Upload(std::span<const float> values, Matrix out) override;
  void Download(Matrix in, std::span<float> out) override;
  void Embed(std::initializer_list<Lookup> tables, const Norm& norm, Matrix out) override;
  void Gather(Matrix in, const Index& rows, Matrix out) override;
  void Unfold(Matrix in, const Sequences& sequences, std::size_t taps, Matrix out) override;
  void Normalize(Matrix in, const Norm& norm, Matrix out, std::size_t heads) override;
  void NormalizeL2(Matrix in, Matrix out) override;
  void Activate(Matrix in, Activation activation, Matrix out) override;
  void Combine(float alpha, Matrix x, float beta, Matrix y, Matrix out) override;
  void Gate(Matrix gate, Activation activation, Matrix x, Matrix out) override;
  void Angles(const Index& positions, const Sequences& sequences, const Rope& rope, Matrix out) override;
  void Rotate(Matrix x, std::size_t heads, Matrix angles) override;
  void Project(Matrix in, const Linear& linear, Matrix out, const Epilogue& epilogue) override;
  void FeedForward(Matrix in, const Mlp& mlp, Matrix out, const Epilogue& epilogue) override;
  void Route(Matrix in, const Router& router, const Routing& out) override;
  void Experts(Matrix in, const ExpertSet& set, const Routing& routing, Matrix out,
               const Epilogue& epilogue) override;
  void Attention(const AttentionArgs& args) override;
  void ShortConvolution(const ShortConvolutionArgs& args) override;
  void GatedDelta(const GatedDeltaArgs& args) override;
  void Pool(Matrix in, const Sequences& runs, Pooling pooling, Matrix out) override;
  void ProjectPool(Matrix in, const Linear& linear, const Sequences& runs, Activation activation,
                   Reduce reduce, Matrix out) override;
  const OpsReceipt& receipt() const override { return receipt_; }
  void ClearReceipt() override { receipt_.Clear(); }

 private:
  void Note(Op op) { receipt_.Note(op, KernelName(table_, op)); }
  // fn(first, last) over blocks of at most `most` rows; in other threads too when the work is worth it.
  template <class F>
  void OverRows(std::size_t rows, std::size_t most, std::size_t floats_per_row, F&& fn);
  // Columns of a product whose rows are too few to share; the norm follows when all columns are there.
  void OverPanels(const GemmArgs& gemm);

  const KernelTable& table_;
  ThreadPool& pool_;
  OpsReceipt receipt_;
};

}  // namespace candor::cpu

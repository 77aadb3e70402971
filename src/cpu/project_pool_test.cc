// Products reduced over runs: no number hides what is not finite, and blocks of rows leave no trace.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cpu/cpu_backend.h"
#include "cpu/features.h"
#include "ops/op_bench.h"

namespace candor::cpu {
namespace {

using Floats = std::vector<float>;

// in is [rows, 1] and the weights are ones: every column is the reduction of the rows themselves.
Floats Reduced(const KernelTable& table, const Floats& in, Reduce reduce, Activation activation,
               std::size_t columns = 3) {
  const CpuBackend backend(table, 2);
  OpBench b(backend);
  const std::vector<Sequence> run{{.begin = 0, .end = static_cast<std::int32_t>(in.size())}};
  const Matrix out = b.Place(Floats(columns), 1, columns);
  b.ops->ProjectPool(b.Place(in, in.size(), 1), b.MakeLinear(Floats(columns, 1.0f), columns, {}),
                     b.ops->Stage(std::span<const Sequence>(run)), activation, reduce, out);
  return b.Fetch(out);
}

// A NaN in any row of any block, the first and the last too, under a largest number that would hide it.
TEST(ProjectPool, NothingHidesWhatIsNotFinite) {
  for (const KernelTable* table : RunnableTables(DetectFeatures()))
    for (const float odd : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()})
      for (const std::size_t at : {0u, 1u, 127u, 128u, 200u, 299u}) {
        Floats in(300, 5.0f);
        in[at] = odd;
        for (const float y : Reduced(*table, in, Reduce::kMax, Activation::kReluLog))
          EXPECT_FALSE(std::isfinite(y)) << table->isa << " row " << at;
      }
}

// The same of Pool, whose result a caller looks at for numbers that are none.
TEST(ProjectPool, NorDoesPool) {
  for (const KernelTable* table : RunnableTables(DetectFeatures())) {
    const CpuBackend backend(*table, 1);
    OpBench b(backend);
    for (const std::size_t at : {0u, 1u, 6u}) {
      Floats in(7, 5.0f);
      in[at] = std::numeric_limits<float>::quiet_NaN();
      const std::vector<Sequence> run{{.begin = 0, .end = 7}};
      for (const Pooling pooling :
           {Pooling::kMax, Pooling::kMean, Pooling::kMeanSqrtLength, Pooling::kWeightedMean}) {
        const Matrix out = b.Place(Floats(1), 1, 1);
        b.ops->Pool(b.Place(in, 7, 1), b.ops->Stage(std::span<const Sequence>(run)), pooling, out);
        EXPECT_FALSE(std::isfinite(b.Fetch(out)[0])) << table->isa << " row " << at;
      }
    }
  }
}

// Sums of small whole numbers are exact; the largest may stand in any block.
TEST(ProjectPool, ValuesByHand) {
  for (const KernelTable* table : RunnableTables(DetectFeatures())) {
    Floats in(300);
    double sum = 0;
    for (std::size_t r = 0; r < in.size(); ++r) {
      in[r] = static_cast<float>(r % 7) - 3;
      sum += std::max(static_cast<double>(in[r]), 0.0);
    }
    for (const float y : Reduced(*table, in, Reduce::kSum, Activation::kRelu, 517))
      EXPECT_EQ(static_cast<double>(y), sum) << table->isa;
    in[250] = 40;
    for (const float y : Reduced(*table, in, Reduce::kMax, Activation::kRelu, 517)) EXPECT_EQ(y, 40.0f);
    for (float& v : in) v = -1;
    for (const float y : Reduced(*table, in, Reduce::kMax, Activation::kReluLogLog, 517))
      EXPECT_EQ(std::signbit(y) ? -1.0f : y, 0.0f);  // never negative, not even zero
  }
}

}  // namespace
}  // namespace candor::cpu

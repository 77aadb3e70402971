// Every table this machine can run, alone and with several threads, against the reference loops. The largest
// difference / bound seen, the same on all tables: embed 0.05, normalize 0.35, normalize_l2 0.25, activate
// 0.31, combine 0.67, rotate 0.67, project 0.61, feed_forward 0.08, route 0.27, experts
// 0.04, attention 0.16, pool 0.22, project_pool 0.67, angles 0.
#include "ops/conformance.h"

#include <gtest/gtest.h>

#include "cpu/cpu_backend.h"
#include "cpu/features.h"

namespace candor::cpu {
namespace {

class Conformance : public testing::TestWithParam<std::size_t> {};

TEST_P(Conformance, EveryTable) {  // DEV-03, DEV-09
  for (const KernelTable* table : RunnableTables(DetectFeatures())) {
    SCOPED_TRACE(table->isa);
    const CpuBackend backend(*table, GetParam());
    const ConformanceRatios ratios = CheckConformance(backend);
    for (std::size_t op = 0; op < kOpCount; ++op) {
      EXPECT_LE(ratios[op], 1.0) << Name(static_cast<Op>(op));
      RecordProperty(std::string(table->isa) + "." + std::string(Name(static_cast<Op>(op))),
                     std::to_string(ratios[op]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Conformance, testing::Values(1, 3));

}  // namespace
}  // namespace candor::cpu

// What this machine's processor offers, as far as a kernel table needs it, and the tables that follow.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"
#include "cpu/kernel_table.h"

namespace candor::cpu {

// Instruction sets that the processor has and the system saves: "avx2", "avx512f", ... in a fixed order.
std::vector<std::string_view> DetectFeatures();

// Tables this machine can run, best last. The scalar one is always first.
std::vector<const KernelTable*> RunnableTables(std::span<const std::string_view> features);

// The best table, or the one named ("scalar", "avx2", "avx512"); a refusal when the machine lacks it.
Result<const KernelTable*> SelectTable(std::string_view isa, std::span<const std::string_view> features);

}  // namespace candor::cpu

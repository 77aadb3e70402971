// How many CPUs this process may use: its affinity, cut to the CPU quota of its control groups (v2 and v1).
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace candor::cpu {

std::size_t UsableCpus();

// CPUs that a quota grants, rounded up; nothing when it is unlimited or unreadable. For v2 the text of
// cpu.max
// ("150000 100000", "max 100000"), for v1 quota and period are one such line too.
std::optional<std::size_t> QuotaCpus(std::string_view quota_and_period);

}  // namespace candor::cpu

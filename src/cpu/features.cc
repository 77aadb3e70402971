#include "cpu/features.h"

#include <algorithm>
#include <array>

namespace candor::cpu {
namespace {

struct Requirement {
  const KernelTable* table;
  std::vector<std::string_view> features;
};

// Worst first. A new table is a row here.
std::vector<Requirement> Tables() {
  std::vector<Requirement> rows{{&kScalarTable, {}}};
#if defined(__x86_64__)
  rows.push_back({&kAvx2Table, {"avx2", "fma", "f16c"}});
  rows.push_back({&kAvx512Table, {"avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512vl", "avx512dq"}});
#endif
  return rows;
}

std::string Joined(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

}  // namespace

std::vector<const KernelTable*> RunnableTables(std::span<const std::string_view> features) {
  std::vector<const KernelTable*> tables;
  for (const Requirement& row : Tables())
    if (std::ranges::all_of(row.features,
                            [&](std::string_view f) { return std::ranges::count(features, f) != 0; }))
      tables.push_back(row.table);
  return tables;
}

Result<const KernelTable*> SelectTable(std::string_view isa, std::span<const std::string_view> features) {
  const std::vector<const KernelTable*> tables = RunnableTables(features);
  std::vector<std::string_view> names;
  for (const KernelTable* table : tables) {
    if (table->isa == isa) return table;
    names.push_back(table->isa);
  }
  if (isa.empty()) return tables.back();
  return Error{.code = Code::kDevicePlanRejected,
               .where = Where::Option("isa"),
               .found = std::string(isa),
               .allowed = "a kernel table that this machine can run: " + Joined(names),
               .phase = Phase::kPlan};
}

}  // namespace candor::cpu

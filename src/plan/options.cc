// Names of precisions, devices and tasks, checked before a package is opened. A requested option never
// vanishes (SPEC PLAN-04): it is taken, or refused with what would have been accepted.
#include <charconv>
#include <string_view>

#include "plan/planner.h"

namespace candor::plan {
namespace {

bool IsOrdinal(std::string_view text) {
  unsigned n = 0;
  const auto r = std::from_chars(text.data(), text.data() + text.size(), n);
  return r.ec == std::errc() && r.ptr == text.data() + text.size();
}

// "cuda" or "cuda:1": a device kind with an optional ordinal.
bool IsKind(std::string_view device, std::string_view kind) {
  if (!device.starts_with(kind)) return false;
  device.remove_prefix(kind.size());
  return device.empty() || (device.front() == ':' && IsOrdinal(device.substr(1)));
}

}  // namespace

Problems CheckOptions(const ModelOptions& o) {
  Problems problems;
  if (o.precision != "f32") {
    problems.push_back({Code::kUnsupportedOption, Where::Option("precision"), o.precision,
                        "f32 (the only numeric profile built into this version)", Phase::kRequest});
  }
  if (o.device != "cpu") {
    // A known device that this build lacks is another remedy than a word that names none (SPEC CAP-08).
    bool known = false;
    for (const std::string_view kind : {"cuda", "metal", "mps", "xpu"})
      known = known || IsKind(o.device, kind);
    problems.push_back({known ? Code::kBackendNotCompiled : Code::kUnsupportedOption, Where::Option("device"),
                        o.device, "cpu", Phase::kPolicy});
  }
  constexpr std::size_t kMostTokens = std::size_t{1} << 20;
  if (o.max_batch_tokens > kMostTokens) {
    problems.push_back({Code::kUnsupportedOption, Where::Option("max-batch-tokens"),
                        std::to_string(o.max_batch_tokens), "at most " + std::to_string(kMostTokens),
                        Phase::kRequest});
  }
  return problems;
}

}  // namespace candor::plan

#include "tasks/task.h"

#include <algorithm>
#include <cmath>

namespace candor::tasks {

Result<Work> LayRows(const InputRule& input, std::vector<std::int32_t> tokens,
                     std::vector<std::int32_t> type_ids) {
  Work work;
  work.tokens = std::move(tokens);
  if (input.segments != 0) work.segments = std::move(type_ids);
  for (const std::int32_t type : work.segments) {
    if (type >= 0 && static_cast<std::size_t>(type) < input.segments) continue;
    return Error{Code::kPreprocessingContractMismatch, Where::Field("text"),
                 "token type " + std::to_string(type), std::to_string(input.segments) + " token types",
                 Phase::kRequest};
  }
  work.sequences = work.runs = {{.begin = 0, .end = static_cast<std::int32_t>(work.tokens.size())}};
  work.positions.resize(work.tokens.size());
  FillPositions(input, work.tokens, work.positions);
  return work;
}

Kept Task::Keep(const Work&, View<const float> numbers) const {
  Kept kept;
  kept.values.reserve(numbers.rows * numbers.cols);
  for (std::size_t r = 0; r < numbers.rows; ++r)
    kept.values.insert(kept.values.end(), numbers.Row(r).begin(), numbers.Row(r).end());
  return kept;
}

Result<void> CheckFinite(std::span<const float> numbers, std::string_view what) {
  const auto bad = std::ranges::find_if_not(numbers, [](float v) { return std::isfinite(v); });
  if (bad == numbers.end()) return {};
  return Error{Code::kNumericalFailure,
               {},
               std::to_string(*bad) + " in " + std::string(what),
               "finite numbers",
               Phase::kRun};
}

}  // namespace candor::tasks

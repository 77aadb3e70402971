#include "plan/dry_pass.h"

#include <algorithm>
#include <tuple>

#include "ops/trace.h"
#include "tasks/pass.h"

namespace candor::plan {

namespace {

// `longest` rows first, the rest shared out evenly.
std::vector<Sequence> Layout(std::size_t rows, std::size_t sequences, std::size_t longest) {
  std::vector<Sequence> out(sequences);
  const std::size_t first = sequences == 1 ? rows : std::min(longest, rows - (sequences - 1));
  const std::size_t rest = rows - first;
  for (std::size_t i = 0, at = 0; i < sequences; ++i) {
    const std::size_t length = i == 0 ? first : rest * i / (sequences - 1) - rest * (i - 1) / (sequences - 1);
    out[i].begin = static_cast<std::int32_t>(at);
    out[i].end = static_cast<std::int32_t>(at += length);
  }
  return out;
}

}  // namespace

DryPass RunDryConstants(Model& model, const Backend& backend, Profile profile) {
  TraceOps trace;
  Workspace measure(nullptr, 0, backend.activation(profile), backend.space());
  model.Precompute(trace, measure);
  return {trace.steps(), measure.peak(), trace.problems()};
}

DryPass RunDry(const Model& model, const tasks::Task& task, std::size_t rows, std::size_t sequences,
               std::size_t longest, const Backend& backend, Profile profile, std::size_t route) {
  const std::vector<std::int32_t> zeros(rows, 0);
  const std::vector<Sequence> layout = Layout(rows, sequences, longest);
  TraceOps trace;
  Workspace measure(nullptr, 0, backend.activation(profile), backend.space());
  tasks::Packed packed;
  packed.batch.tokens = trace.Stage(zeros);
  packed.batch.segments = trace.Stage(zeros);
  packed.batch.positions = trace.Stage(zeros);
  packed.batch.sequences = trace.Stage(std::span<const Sequence>(layout));
  packed.runs = packed.batch.sequences;
  packed.route = route;
  std::ignore = tasks::Pass(model, task, packed, task.OutputRows(rows, sequences), trace, measure);
  return {trace.steps(), measure.peak(), trace.problems()};
}

}  // namespace candor::plan

#include "plan/dry_pass.h"

#include <tuple>

#include "ops/trace.h"
#include "tasks/pass.h"

namespace candor::plan {

DryPass RunDry(const Model& model, const tasks::Task& task, std::size_t rows, std::size_t sequences,
               const Backend& backend, Profile profile) {
  const std::vector<std::int32_t> zeros(rows, 0);
  std::vector<Sequence> runs(sequences);
  for (std::size_t i = 0; i < sequences; ++i) {
    runs[i].begin = static_cast<std::int32_t>(i);
    runs[i].end = static_cast<std::int32_t>(i + 1 == sequences ? rows : i + 1);
  }
  TraceOps trace;
  Workspace measure(nullptr, 0, backend.activation(profile), backend.space());
  tasks::Packed packed;
  packed.batch.tokens = trace.Stage(zeros);
  packed.batch.segments = trace.Stage(zeros);
  packed.batch.positions = {trace.Stage(zeros), 1};
  packed.batch.sequences = trace.Stage(runs);
  packed.runs = packed.batch.sequences;
  std::ignore = tasks::Pass(model, task, packed, sequences, trace, measure);
  return {trace.steps(), measure.peak(), trace.problems()};
}

}  // namespace candor::plan

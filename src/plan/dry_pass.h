// The dry pass: a model and a task run over shapes alone. What it finds is not an estimate: the real pass
// takes the same steps and the same bytes.
#pragma once
#include <cstddef>
#include <vector>

#include "candor/result.h"
#include "ops/backend.h"
#include "tasks/task.h"

namespace candor::plan {

struct DryPass {
  std::vector<Step> steps;
  std::size_t workspace_bytes = 0;
  Problems problems;  // shapes that disagree: always a defect of Candor
};

// What the model makes of its weights once; comes before the others, which look at it.
DryPass RunDryConstants(Model& model, const Backend& backend, Profile profile);

// The largest batch: `rows` rows in `sequences` sequences, the longest of them `longest` rows (or what is
// left when each other one has a row). Fewer sequences and rows need less, the peak grows with both (tested):
// the largest batch bounds them all.
DryPass RunDry(const Model& model, const tasks::Task& task, std::size_t rows, std::size_t sequences,
               std::size_t longest, const Backend& backend, Profile profile, std::size_t route = 0);

}  // namespace candor::plan

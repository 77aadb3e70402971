// The planner: a package and a question in; a draft that a loader can carry out, or every problem at once.
//
// Stages in order: options, configuration, family, task recipe, tensors, dry pass, kernels, memory, envelope.
// A stage adds its problems and the next one still runs where that means something (SPEC PLAN-01, ERR-03). No
// weight is read, no device memory taken (PLAN-05). Pure functions of their arguments; any thread.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "candor/engine.h"
#include "model/model.h"
#include "package/package.h"
#include "plan/envelope.h"
#include "plan/plan.h"
#include "tasks/task.h"

namespace candor::plan {

// A plan together with the objects it was made on: their tensors have shapes, not yet weights.
struct Draft {
  Plan plan;
  std::shared_ptr<const package::Package> package;
  std::unique_ptr<Model> model;
  std::unique_ptr<tasks::Task> task;
  std::vector<TensorDecl> declarations;  // their slots are members of model and task
  Match match;
};

struct Machine {
  const Backend& backend;
  std::span<const Family* const> families;
  std::string product;  // "candor 0.1.0"
  const Envelope& envelope = BuiltInEnvelope();
  std::size_t sessions = 1;  // passes that may run at once, each with a workspace of its own
};

// Completes the plan with the package's digest (SPEC X-17): from here on it has a fingerprint, and the task's
// results a space.
void Seal(Draft& draft, std::string package_digest);

Planned<Draft> MakeDraft(std::shared_ptr<const package::Package> package, const ModelOptions& options,
                         const Machine& machine);

// Why an otherwise possible plan may not run by default: one unqualified_case for each choice or key that no
// golden covers. Empty when eligible.
Problems Unqualified(const Plan& plan, const Envelope& envelope = BuiltInEnvelope());

// Problems of precision, device and task names alone, before any package is opened.
Problems CheckOptions(const ModelOptions& options);

}  // namespace candor::plan

// LoadedModel: weights, model and task of one plan, made whole or not at all. Immutable and shared; the
// requests in flight keep it alive, so replacing a model is replacing a pointer (SPEC PLAN-11, SES-08).
#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "model/model.h"
#include "ops/backend.h"
#include "plan/planner.h"
#include "tasks/task.h"

namespace candor::engine {

// Runs fn(0) … fn(count - 1), some of them at once, and returns when all have ended.
using Parallel = std::function<void(std::size_t count, const std::function<void(std::size_t)>& fn)>;

class LoadedModel {
 public:
  // Requested, leased, verified, constructed, probed, published: any failure releases everything and is
  // returned with its phase. Hashing the package runs beside the packing of its weights. `backend` outlives
  // the model.
  static Planned<std::shared_ptr<const LoadedModel>> Load(plan::Draft draft, const Backend& backend,
                                                          const Parallel& parallel);
  const plan::Plan& plan() const { return draft_.plan; }
  const std::string& fingerprint() const { return fingerprint_; }
  const Model& model() const { return *draft_.model; }
  const tasks::Task& task() const { return *draft_.task; }
  const Backend& backend() const { return *backend_; }
  const package::Package& package() const { return *draft_.package; }

 private:
  LoadedModel(plan::Draft draft, const Backend& backend) : draft_(std::move(draft)), backend_(&backend) {}
  Problems Construct(const Parallel& parallel);
  Result<void> Precompute();
  Result<void> Probe() const;

  plan::Draft draft_;
  const Backend* backend_;
  std::string fingerprint_;
  std::unique_ptr<Memory> constants_;                           // what the model made of its weights
  std::vector<std::unique_ptr<const PreparedWeight>> weights_;  // what the slots of model and task point at
};

}  // namespace candor::engine

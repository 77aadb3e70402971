// ModuleChain: the modules behind an encoder as arithmetic: a row of numbers for each run of hidden rows, or,
// where none pools, for each hidden row.
// Immutable once its slots are bound.
#pragma once
#include <cstddef>
#include <vector>

#include "model/tensor_decl.h"
#include "ops/ops.h"
#include "tasks/recipe.h"
#include "tensor/workspace.h"

namespace candor::tasks {

class ModuleChain {
 public:
  // `modules` as a recipe has them; only the first may pool. `width` is the encoder's.
  ModuleChain(std::vector<Module> modules, std::size_t width);
  // Each module's, in its folder of the package; called once.
  void DeclareTensors(const Scope& root);
  // [runs, out()] f32 into `out`, by the modules that are on the route; [rows, out()] where no module pools.
  void Apply(Matrix hidden, const Sequences& runs, Matrix out, Ops& ops, Workspace& ws,
             std::size_t route = 0) const;
  std::size_t out() const;
  bool ReadsLastRows() const;  // only the last of a run's rows, by every route

 private:
  // Weights of one module; empty for those that have none.
  struct Slots {
    Linear linear;
    Linear residual;
    Norm norm;
  };
  std::vector<Module> modules_;
  std::size_t width_;
  std::vector<Slots> slots_;
};

}  // namespace candor::tasks

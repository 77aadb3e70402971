// A package's model over the reference operations, below the engine, with what keeps it alive.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "families/registry.h"
#include "model/tensor_decl.h"
#include "ops/backend.h"
#include "package/package.h"

namespace candor::goldens {

struct BoundModel {
  std::shared_ptr<const package::Package> package;
  std::shared_ptr<package::ReadLog> log = std::make_shared<package::ReadLog>();
  const Family* family = nullptr;
  std::unique_ptr<Model> model;
  std::vector<std::unique_ptr<const PreparedWeight>> weights;
  std::vector<float> constants;

  // False, with a failure of the test, when the folder cannot be read.
  bool Open(const std::string& folder);
  // Where the model's tensors, and those of a head beside it, are declared.
  Scope Encoder(std::vector<TensorDecl>& wanted) const { return Scope(wanted, "", package->encoder()); }
  // Fills the slots of `wanted`, then makes the model's constants. `part`: other tensors may be left over.
  void Bind(std::vector<TensorDecl>& wanted, const std::string& name, bool part);
};

std::string Words(const Problems& problems);

}  // namespace candor::goldens

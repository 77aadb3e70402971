#include "bound_model.h"

#include <gtest/gtest.h>

#include "model/slot_reader.h"
#include "ops/reference.h"
#include "ops/trace.h"

namespace candor::goldens {

std::string Words(const Problems& problems) {
  std::string out;
  for (const Error& e : problems) out += Message(e) + "\n";
  return out;
}

bool BoundModel::Open(const std::string& folder) {
  auto opened = package::Package::Open(folder);
  if (!opened) {
    ADD_FAILURE() << Message(opened.error());
    return false;
  }
  package = std::move(opened).value();
  EXPECT_EQ(Words(package->problems()), "");
  return true;
}

void BoundModel::Bind(std::vector<TensorDecl>& wanted, const std::string& name, bool part) {
  const Match match = MatchPackage(wanted, *package, family->names);
  for (const Error& e : match.problems)
    EXPECT_TRUE(part && e.code == Code::kUnexpectedTensor) << name << ": " << Message(e);
  const ReferenceBackend backend;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Binding& b = match.bindings[i];
    if (b.state != BindState::kBound) continue;
    const SlotReader reader(b);
    if (std::vector<float>* const values = wanted[i].values) {
      values->resize(b.rows * b.cols);
      EXPECT_TRUE(reader.Read(0, b.rows, values->data()));
      continue;
    }
    auto prepared = backend.Prepare(SourceOf(b, &reader), Profile::kF32);
    if (!prepared) {
      ADD_FAILURE() << Message(prepared.error());
      continue;
    }
    *wanted[i].slot = Weight(prepared->get(), b.rows, b.cols);
    weights.push_back(std::move(prepared).value());
  }
  TraceOps shapes;
  Workspace measure(nullptr, 0, DType::kF32, Space::kHost);
  model->Precompute(shapes, measure);
  constants.resize(measure.peak() / sizeof(float));
  Workspace memory(reinterpret_cast<std::byte*>(constants.data()), constants.size() * 4, DType::kF32,
                   Space::kHost);
  ReferenceOps ops;
  model->Precompute(ops, memory);
}

}  // namespace candor::goldens

#include "engine/backends.h"

#include "engine/version.h"
#include "io/json.h"
#include "ops/reference.h"

namespace candor::engine {

struct CpuMachine::Parts {
  ReferenceBackend backend;
};

Result<std::unique_ptr<CpuMachine>> CpuMachine::New(const EngineOptions&) {
  std::unique_ptr<CpuMachine> machine(new CpuMachine);
  machine->parts_ = std::make_unique<Parts>();
  machine->parallel_ = [](std::size_t n, const std::function<void(std::size_t)>& fn) {
    for (std::size_t i = 0; i < n; ++i) fn(i);
  };
  return machine;
}

CpuMachine::~CpuMachine() = default;
const Backend& CpuMachine::backend() const { return parts_->backend; }
std::size_t CpuMachine::threads() const { return 1; }
std::string CpuMachine::VersionJson() const {
  io::JsonWriter w;
  w.BeginObject().Member("version", Version()).Member("commit", Commit()).EndObject();
  return w.Take();
}

}  // namespace candor::engine

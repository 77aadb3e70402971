#include "engine/backends.h"

#include "engine/version.h"
#include "io/json.h"
#include "plan/envelope.h"

namespace candor::engine {
namespace {

using io::JsonWriter;

template <class Texts>
void List(JsonWriter& w, std::string_view key, const Texts& texts) {
  w.Key(key).BeginArray();
  for (const std::string_view t : texts) w.String(t);
  w.EndArray();
}

// Present, compiled, with kernels, qualified: four facts that never stand for each other (SPEC CAP-09). Only
// a CPU can be looked for by a build that has no other backend.
void WriteDevices(JsonWriter& w) {
  w.Key("devices").BeginArray();
  w.BeginObject().Member("device", "cpu").Member("present", true).Member("compiled", true);
  w.Member("kernels", true).Member("qualified", !plan::BuiltInEnvelope().rows.empty()).EndObject();
  for (const char* device : {"cuda", "metal", "mps", "xpu"}) {
    w.BeginObject().Member("device", device).Key("present").Null().Member("compiled", false);
    w.Member("kernels", false).Member("qualified", false).EndObject();
  }
  w.EndArray();
}

}  // namespace

CpuMachine::CpuMachine(std::unique_ptr<cpu::CpuBackend> backend) : backend_(std::move(backend)) {
  parallel_ = [pool = &backend_->pool()](std::size_t count, const std::function<void(std::size_t)>& fn) {
    pool->ParallelFor(count, cpu::Grain::kCoarse, fn);
  };
}

Result<std::unique_ptr<CpuMachine>> CpuMachine::New(const EngineOptions& options) {
  CANDOR_TRY(auto backend, cpu::CpuBackend::New({.threads = options.threads, .isa = options.isa}));
  return std::unique_ptr<CpuMachine>(new CpuMachine(std::move(backend)));
}

std::string CpuMachine::VersionJson() const {
  const cpu::CpuReport report = backend_->Report();
  JsonWriter w;
  w.BeginObject().Member("product", "candor").Member("version", Version()).Member("commit", Commit());
  List(w, "backends", std::initializer_list<std::string_view>{backend_->name()});
  WriteDevices(w);
  w.Key("cpu").BeginObject();
  List(w, "features", report.features);
  List(w, "tables", report.tables);
  w.Member("table", report.table).Key("threads").Uint(report.threads).Key("kernels").BeginArray();
  for (const auto& [op, kernel] : report.kernels)
    w.BeginObject().Member("op", op).Member("kernel", kernel).EndObject();
  w.EndArray().EndObject();
  List(w, "profiles", std::initializer_list<std::string_view>{plan::Name(Profile::kF32)});
  w.EndObject();
  return w.Take();
}

}  // namespace candor::engine

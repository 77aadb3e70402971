#include "engine/loaded_model.h"

#include <cmath>
#include <utility>

#include "base/mutex.h"
#include "engine/session.h"
#include "model/slot_reader.h"
#include "ops/reference.h"

namespace candor::engine {
namespace {

// What goes wrong while the pieces of a package are loaded side by side. Thread-safe.
class LoadProblems {
 public:
  void Add(Error error) {
    error.phase = Phase::kLoad;
    const MutexLock held(lock_);
    problems_.push_back(std::move(error));
  }
  Problems Take() {
    const MutexLock held(lock_);
    return std::move(problems_);
  }

 private:
  Mutex lock_;
  Problems problems_ CANDOR_GUARDED_BY(lock_);
};

// What a task keeps on the host, judged as a backend judges what it prepares.
Result<void> ReadValues(const SlotReader& reader, const Binding& binding, std::vector<float>& values) {
  CANDOR_CHECKED(reader.Read(0, binding.rows, values.data()));
  for (const float v : values)
    if (!std::isfinite(v)) return InPackage(NonFinite(SourceOf(binding, &reader), v), binding);
  return {};
}

}  // namespace

Planned<std::shared_ptr<const LoadedModel>> LoadedModel::Load(plan::Draft draft, const Backend& backend,
                                                              const Parallel& parallel) {
  std::shared_ptr<LoadedModel> loaded(new LoadedModel(std::move(draft), backend));
  if (Problems problems = loaded->Construct(parallel); !problems.empty()) return problems;
  if (Result<void> probed = loaded->Probe(); !probed) return Problems{probed.error()};
  return std::shared_ptr<const LoadedModel>(std::move(loaded));
}

Problems LoadedModel::Construct(const Parallel& parallel) {
  const std::size_t slots = draft_.declarations.size();
  weights_.resize(slots);
  LoadProblems noted;
  std::string digest;
  // Number 0 hashes the package, the others pack one slot each: the longest single piece starts first.
  parallel(slots + 1, [&](std::size_t i) {
    if (i == 0) {
      Result<std::string> hashed = draft_.package->Digest();
      if (hashed)
        digest = std::move(hashed).value();
      else
        noted.Add(hashed.error());
      return;
    }
    const Binding& binding = draft_.match.bindings[i - 1];
    if (binding.state != BindState::kBound) return;
    const SlotReader reader(binding);
    if (std::vector<float>* const values = draft_.declarations[i - 1].values) {
      values->resize(binding.rows * binding.cols);
      if (const auto read = ReadValues(reader, binding, *values); !read) noted.Add(read.error());
      return;
    }
    auto prepared = backend_->Prepare(SourceOf(binding, &reader), draft_.plan.profile);
    if (!prepared) return noted.Add(InPackage(prepared.error(), binding));
    weights_[i - 1] = std::move(prepared).value();
    *draft_.declarations[i - 1].slot = Weight(weights_[i - 1].get(), binding.rows, binding.cols);
  });
  // The bytes packed and the bytes hashed are the same ones only if no file changed in between (SPEC ART-12).
  if (Result<void> unchanged = draft_.package->CheckUnchanged(); !unchanged) noted.Add(unchanged.error());
  if (Problems problems = noted.Take(); !problems.empty()) return problems;
  if (Result<void> made = Precompute(); !made) return {made.error()};
  plan::Seal(draft_, std::move(digest));
  fingerprint_ = plan::Fingerprint(draft_.plan);
  return {};
}

Result<void> LoadedModel::Precompute() {
  const auto workspace = [&](std::byte* base, std::size_t bytes) {
    return Workspace(base, bytes, backend_->activation(draft_.plan.profile), backend_->space());
  };
  TraceOps shapes;
  Workspace measure = workspace(nullptr, 0);
  draft_.model->Precompute(shapes, measure);
  if (measure.peak() == 0) return {};
  CANDOR_TRY(constants_, backend_->Allocate(measure.peak()));
  Workspace constants = workspace(constants_->address(), measure.peak());
  draft_.model->Precompute(*backend_->NewOps(), constants);
  return {};
}

// One short pass before anyone sees the model: a kernel that cannot run, or one that is not the planned one,
// is found here and not by a request (SPEC PLAN-13).
Result<void> LoadedModel::Probe() const {
  CANDOR_TRY(const std::unique_ptr<Session> session, Session::Open(*this));
  tasks::Work work;
  work.tokens = {0}, work.segments = {0}, work.positions = {0};
  work.sequences = {{.begin = 0, .end = 1}}, work.runs = work.sequences;
  std::vector<float> numbers(draft_.task->OutputWidth());
  const tasks::Work* works[] = {&work};
  CANDOR_TRY(const RunReceipt receipt,
             session->Run(works, View<float>{numbers.data(), 1, numbers.size(), numbers.size()}));
  if (!receipt.as_planned) {
    return Error{Code::kDevicePlanRejected, Where::Option("device"), receipt.difference,
                 "the kernels of the plan", Phase::kProbe};
  }
  return {};
}

}  // namespace candor::engine

#include "engine/runner.h"

#include <atomic>
#include <chrono>

#include "base/mutex.h"
#include "engine/kernel_runs.h"
#include "engine/packer.h"
#include "engine/version.h"

namespace candor::engine {
namespace {

using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

std::string NextId(std::string_view kind) {
  static std::atomic<std::uint64_t> next{1};
  return std::string(kind) + "-" + std::to_string(next.fetch_add(1, std::memory_order_relaxed));
}

// Each type once: "F16+F32".
void AddType(std::string& types, const std::string& type) {
  if (types.find(type) == std::string::npos) types += (types.empty() ? "" : "+") + type;
}

std::string StoredTypes(const plan::Plan& plan) {
  std::string out;
  for (const plan::PlannedTensor& t : plan.tensors)
    for (const plan::PlannedTensor::Source& s : t.from) AddType(out, s.dtype);
  return out;
}

// What products read their matrices in.
std::string MatrixTypes(const plan::Plan& plan) {
  std::string out;
  for (const plan::PlannedTensor& t : plan.tensors)
    if (t.bound && t.role == Name(Role::kMatrix)) AddType(out, t.prepared_dtype);
  return out.empty() ? std::string(Name(DType::kF32)) : out;
}

ModelInfo Describe(const LoadedModel& model, const ModelOptions& options) {
  const plan::Plan& p = model.plan();
  const tasks::TaskFacts& f = model.task().facts();
  ModelInfo info;
  info.path = options.path;
  info.name = options.path.substr(options.path.find_last_of('/', options.path.find_last_not_of('/')) + 1);
  while (info.name.ends_with('/')) info.name.pop_back();
  info.family = p.family, info.contract = p.contract, info.precision = plan::Name(p.profile),
  info.device = p.device;
  info.plan = model.fingerprint(), info.package = p.package, info.decision = plan::Name(p.decision);
  info.dimensions = f.dimensions, info.max_length = f.max_length,
  info.max_batch_tokens = p.limits.max_batch_tokens;
  info.vocabulary = model.model().input().vocabulary;
  info.normalized = f.normalized, info.similarity = f.similarity, info.space = p.space,
  info.pooling = f.pooling;
  info.prompts = f.prompts, info.adapters = f.adapters, info.matryoshka = f.matryoshka;
  info.weight_bytes = p.limits.weight_bytes,
  info.session_bytes = p.limits.workspace_bytes + p.limits.scratch_bytes;
  for (const plan::PlannedStep& s : p.steps)
    AddKernel(info.kernels, {std::string(Name(s.step.op)), s.kernel, std::string(Name(s.precision)), 1});
  return info;
}

void AddRun(Receipt& receipt, const RunReceipt& run) {
  ++receipt.batches;
  receipt.rows += run.rows, receipt.shared_rows += run.shared_rows;
  if (!run.as_planned && receipt.as_planned) receipt.as_planned = false, receipt.difference = run.difference;
  for (const Ran& r : run.ran.rows())
    AddKernel(receipt.kernels,
              {std::string(Name(r.op)), std::string(r.kernel), std::string(Name(r.precision)), r.calls});
}

// The receipt of one request while its batches, which end in any order, are added to it. Thread-safe.
class SharedReceipt {
 public:
  explicit SharedReceipt(Receipt& receipt) : receipt_(&receipt) {}
  // Whether the batch ran; the first that did not fails the request.
  bool Add(const Result<RunReceipt>& run, double waited) {
    const MutexLock held(lock_);
    receipt_->timings.queue += waited;
    if (run)
      AddRun(*receipt_, *run);
    else if (!failed_)
      failed_ = run.error();
    return run.has_value();
  }
  Result<void> Outcome() {
    const MutexLock held(lock_);
    if (failed_) return *failed_;
    return {};
  }

 private:
  Mutex lock_;
  Receipt* const receipt_ CANDOR_PT_GUARDED_BY(lock_);
  std::optional<Error> failed_ CANDOR_GUARDED_BY(lock_);
};

}  // namespace

Runner::Runner(std::shared_ptr<const LoadedModel> model, const ModelOptions& options,
               std::shared_ptr<const CpuMachine> machine)
    : machine_(std::move(machine)),
      model_(model),
      pool_(std::move(model), machine_->threads()),
      info_(Describe(*model_, options)),
      device_(options.device),
      stored_(StoredTypes(model_->plan())),
      matrices_(MatrixTypes(model_->plan())) {}

Receipt Runner::NewReceipt() const {
  const plan::Plan& p = model_->plan();
  Receipt r;
  r.product = "candor", r.version = Version(), r.commit = Commit();
  r.request = NextId("request"), r.execution = NextId("execution");
  r.plan = model_->fingerprint(), r.package = p.package, r.contract = p.contract, r.family = p.family;
  r.route = "native", r.recipe = p.space;
  r.device_requested = device_, r.device_selected = p.device, r.machine = p.machine,
  r.profile = plan::Name(p.profile);
  r.stored_dtype = stored_, r.weight_dtype = matrices_;
  r.activation_dtype = Name(model_->backend().activation(p.profile));
  // Accumulators and results are f32 in every profile (ops/backend.h).
  r.accumulation_dtype = r.output_dtype = Name(DType::kF32);
  r.decision = Name(p.decision), r.unqualified = p.unqualified;
  return r;
}

Result<std::vector<tasks::Kept>> Runner::RunBatches(const tasks::Laid& laid, Receipt& receipt) const {
  const tasks::Task& task = model_->task();
  const auto batches = Pack(laid.works, model_->plan().limits, machine_->threads());
  const std::size_t width = task.OutputWidth();
  std::vector<tasks::Kept> kept(laid.works.size());
  SharedReceipt shared(receipt);
  machine_->parallel()(batches.size(), [&](std::size_t b) {
    std::vector<const tasks::Work*> works;
    std::size_t rows = 0;
    for (const std::size_t i : batches[b].works) {
      works.push_back(&laid.works[i]);
      rows += task.OutputRows(laid.works[i]);
    }
    std::vector<float> numbers(rows * width);
    Result<SessionPool::Lease> session = pool_.Take();
    Result<RunReceipt> run =
        session ? (*session)->Run(works, View<float>{numbers.data(), rows, width, width}, batches[b].shares)
                : session.error();
    if (!shared.Add(run, session ? session->waited() : 0)) return;
    const float* at = numbers.data();
    for (const std::size_t i : batches[b].works) {
      const View<const float> own{at, task.OutputRows(laid.works[i]), width, width};
      kept[i] = task.Keep(laid.works[i], own);
      at += own.rows * width;
    }
  });
  CANDOR_CHECKED(shared.Outcome());
  return kept;
}

Result<Runner::Answer> Runner::Run(const Request& request) const {
  const auto start = Clock::now();
  CANDOR_TRY(tasks::Laid laid, model_->task().Lay(request));
  const auto laid_at = Clock::now();
  Receipt receipt = NewReceipt();
  CANDOR_TRY(const std::vector<tasks::Kept> kept, RunBatches(laid, receipt));
  const auto ran_at = Clock::now();
  CANDOR_TRY(Output output, model_->task().Finish(request, laid, kept));
  Answer answer{std::move(output), std::move(laid.items), std::move(receipt)};
  const auto end = Clock::now();

  Receipt& r = answer.receipt;
  r.items = answer.items.size();
  const std::optional<bool> side = std::visit([](const auto& q) { return q.text.truncate_left; }, request);
  const bool left = side.value_or(model_->task().tokenizer()->facts().truncation_left);
  for (std::size_t i = 0; i < answer.items.size(); ++i) {
    const ItemReport& item = answer.items[i];
    r.failed += item.error ? 1u : 0u;
    r.tokens.push_back(item.tokens);
    if (item.total > item.tokens && !item.error)
      r.truncated.push_back({i, item.total, item.tokens, left ? "left" : "right"});
  }
  r.dimensions = info_.dimensions;
  r.prompt = laid.prompt, r.options = std::move(laid.options);
  r.timings = {.queue = r.timings.queue,
               .preprocess = Milliseconds(start, laid_at),
               .compute = Milliseconds(laid_at, ran_at),
               .finish = Milliseconds(ran_at, end),
               .total = Milliseconds(start, end)};
  return answer;
}

}  // namespace candor::engine

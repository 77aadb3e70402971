#include "plan/planner.h"

#include <algorithm>
#include <set>

#include "families/registry.h"
#include "model/slot_reader.h"
#include "plan/all_problems.h"
#include "plan/dry_pass.h"
#include "plan/envelope.h"
#include "tasks/registry.h"

namespace candor::plan {
namespace {

// What a process takes beside weights and one session: code, tokenizer, allocator. Measured on MiniLM: 29 MB
// of 129.
constexpr std::uint64_t kUncertainty = std::uint64_t{40} << 20;
constexpr std::size_t kResultNumbers = std::size_t{1} << 22;  // of one pass: 16 MiB
constexpr std::size_t kBatchTokens =
    1024;  // rows of one pass by default: activations of a layer stay in L2 and L3

void PlanTensors(Draft& d, const Machine& machine) {
  for (std::size_t i = 0; i < d.match.bindings.size(); ++i) {
    const Binding& b = d.match.bindings[i];
    if (b.state == BindState::kUnused) continue;  // among the explained
    PlannedTensor t;
    t.slot = b.folder + b.slot, t.role = Name(b.role), t.transform = b.transform, t.alias = b.alias;
    t.optional = b.need == Need::kOptional, t.bound = b.state == BindState::kBound;
    t.rows = b.rows, t.cols = b.cols;
    const auto from = [&](const TensorInfo& s) {
      t.from.push_back({s.name, s.file, std::string(Name(s.type)), s.shape});
    };
    for (const Binding::Rows& rows : b.stored) from(*rows.tensor);
    for (const TensorInfo* values : {b.map, b.scale})
      if (values != nullptr) from(*values);
    if (t.bound) {
      const WeightSource source = SourceOf(b, nullptr);
      const bool on_host = d.declarations[i].values != nullptr;
      t.prepared_bytes =
          on_host ? b.rows * b.cols * sizeof(float) : machine.backend.PreparedBytes(source, d.plan.profile);
      t.prepared_dtype = Name(on_host ? DType::kF32 : machine.backend.PreparedType(source, d.plan.profile));
      d.plan.limits.weight_bytes += t.prepared_bytes;
    }
    d.plan.tensors.push_back(std::move(t));
  }
  for (const Explained& e : d.match.explained)
    d.plan.ignored_tensors.push_back({e.tensor->name, std::string(e.rule)});
}

// How parameters are stored decides how they are widened: a choice like any other.
void LogStoredTypes(const Draft& d, package::ReadLog& log) {
  std::set<std::string> told;
  for (const PlannedTensor& t : d.plan.tensors)
    for (const PlannedTensor::Source& s : t.from)
      if (told.insert(s.dtype).second)
        log.Add({"weights.stored", s.dtype, "tensor_inventory", s.file, "", "safetensors header", true});
}

// The kernel of a step, or the problem that there is none.
std::optional<KernelChoice> ChooseKernel(const Draft& d, const Step& step, const Machine& machine,
                                         Problems& problems) {
  std::optional<KernelChoice> choice = machine.backend.Choose(step, d.plan.profile);
  if (choice) return choice;
  std::string found = std::string(Name(step.op)) + " in " + std::string(Name(d.plan.profile)) + " on " +
                      std::string(machine.backend.name());
  // Once, however many layers ask for it.
  if (std::ranges::find(problems, found, &Error::found) == problems.end()) {
    problems.push_back({Code::kUnsupportedOperatorDtypeDevice, Where::Option("device"), std::move(found),
                        "an operation this backend has a kernel for", Phase::kPlan});
  }
  return std::nullopt;
}

// The steps of one route of the task.
std::vector<PlannedStep> PlanRoute(Draft& d, const Machine& machine, std::size_t route, Problems& problems) {
  Limits& limits = d.plan.limits;
  const auto run = [&](std::size_t rows, std::size_t sequences) {
    return RunDry(*d.model, *d.task, rows, sequences, limits.max_length, machine.backend, d.plan.profile,
                  route);
  };
  const DryPass dry = run(limits.max_batch_tokens, limits.max_sequences);
  problems.insert(problems.end(), dry.problems.begin(), dry.problems.end());
  limits.workspace_bytes = std::max<std::uint64_t>(limits.workspace_bytes, dry.workspace_bytes);
  std::vector<PlannedStep> steps;
  for (const Step& step : dry.steps) {
    const std::optional<KernelChoice> choice = ChooseKernel(d, step, machine, problems);
    if (!choice) continue;
    limits.scratch_bytes = std::max<std::uint64_t>(limits.scratch_bytes, choice->scratch_bytes);
    steps.push_back({step, choice->kernel, choice->precision});
  }
  // A full batch of many texts need not hold the longest one: it is asked for alone.
  if (problems.empty())
    for (const Step& step : run(limits.max_length, 1).steps) ChooseKernel(d, step, machine, problems);
  return steps;
}

void PlanSteps(Draft& d, const Machine& machine, Problems& problems) {
  Limits& limits = d.plan.limits;
  const DryPass once = RunDryConstants(*d.model, machine.backend, d.plan.profile);
  problems.insert(problems.end(), once.problems.begin(), once.problems.end());
  for (const Step& step : once.steps) ChooseKernel(d, step, machine, problems);
  limits.weight_bytes += once.workspace_bytes;  // what is made of weights lives as long as they do
  limits.shares_prefixes = d.model->input().may_share && d.task->facts().last_rows;
  limits.sessions = machine.sessions;
  limits.estimate_uncertainty_bytes = kUncertainty;
  d.plan.steps = PlanRoute(d, machine, 0, problems);
  for (std::size_t route = 1; route < d.task->Routes(); ++route)
    d.plan.other_routes.push_back(PlanRoute(d, machine, route, problems));
  // What leaves a pass, until it is kept: 17 MB of SPLADE's 30522 words.
  limits.scratch_bytes += d.task->OutputRows(limits.max_batch_tokens, limits.max_sequences) *
                          d.task->OutputWidth() * sizeof(float);
}

// Every JSON file that somebody read is accounted for key by key.
void PlanKeys(Draft& d, const std::shared_ptr<package::ReadLog>& log) {
  std::set<std::string> files;
  for (const package::Evidence& e : log->evidence())
    if (!e.file.empty()) files.insert(e.file);
  // A head may read what says nothing to an encoder.
  const auto read = [&](const package::ReadLog::Ignored& k) {
    return std::ranges::any_of(log->evidence(), [&](const package::Evidence& e) {
      return e.choice && e.file == k.file && e.pointer == k.pointer;
    });
  };
  for (const package::ReadLog::Ignored& k : log->ignored()) {
    if (read(k)) continue;
    d.plan.ignored_keys.push_back({k.file, k.pointer, k.rule});
    files.insert(k.file);
  }
  for (const std::string& file : files) {
    if (const auto config = d.package->Read(file, log))
      for (const std::string& pointer : config->Unread()) d.plan.unknown_keys.push_back({file, pointer, ""});
  }
  d.plan.evidence = log->evidence();
  d.plan.files.assign(files.begin(), files.end());
}

void PlanOptions(Plan& plan, const ModelOptions& o) {
  const auto add = [&](std::string name, std::string value, bool requested, bool numeric) {
    plan.options.push_back(
        {std::move(name), std::move(value), requested ? "request" : "application_default", numeric});
  };
  add("precision", o.precision, o.precision != "f32", true);
  add("device", o.device, o.device != "cpu", true);
  if (o.pooling) add("pooling", *o.pooling, true, true);
  if (o.no_normalize) add("no-normalize", "true", true, true);
  plan.options.push_back({"max-length", std::to_string(plan.limits.max_length),
                          o.max_length       ? "request"
                          : plan.limits.cuts ? "package"
                                             : "application_default",
                          true});
  add("max-batch-tokens", std::to_string(plan.limits.max_batch_tokens), o.max_batch_tokens != 0, false);
  if (o.memory_limit != 0) add("memory-limit", std::to_string(o.memory_limit), true, false);
  if (o.allow_unqualified) add("allow-unqualified", "true", true, false);
}

// Sizes of a pass from the options and the model's longest text. `width` is of a row of results.
void PlanLimits(Plan& plan, const ModelOptions& o, const tasks::TaskFacts& facts, std::size_t width,
                Problems& problems) {
  const std::size_t max_length = facts.max_length;
  plan.limits.max_length = max_length, plan.limits.cuts = facts.cuts;
  plan.limits.max_batch_tokens =
      o.max_batch_tokens != 0 ? o.max_batch_tokens : std::max(kBatchTokens, max_length);
  if (plan.limits.max_batch_tokens < max_length) {
    problems.push_back({Code::kUnsupportedOption, Where::Option("max-batch-tokens"),
                        std::to_string(o.max_batch_tokens),
                        "at least max-length, " + std::to_string(max_length), Phase::kPlan});
    plan.limits.max_batch_tokens = max_length;
  }
  // The longest text there may be at all is no size to fill passes up to.
  plan.limits.batch_tokens =
      facts.cuts ? plan.limits.max_batch_tokens : std::min(kBatchTokens, plan.limits.max_batch_tokens);
  // A text is rarely shorter than two special tokens; a batch of one-row texts is cut at this many.
  // Of wide ones (a number for each word of a vocabulary) only as many as their results leave room for.
  plan.limits.max_sequences = std::max<std::size_t>(
      1, std::min(plan.limits.batch_tokens / 2, kResultNumbers / std::max<std::size_t>(width, 1)));
}

}  // namespace

Planned<Draft> MakeDraft(std::shared_ptr<const package::Package> package, const ModelOptions& options,
                         const Machine& machine) {
  Problems problems = CheckOptions(options);
  Draft d;
  d.package = std::move(package);
  Plan& plan = d.plan;
  plan.reading = d.package->limits();
  plan.product = machine.product, plan.verb = options.task, plan.device = options.device;
  plan.backend = machine.backend.name(), plan.machine = machine.backend.machine();

  const auto log = std::make_shared<package::ReadLog>();
  families::Found found = families::FindModel(*d.package, log, problems, machine.families);
  const Family* family = found.family;
  if (family != nullptr) plan.family = family->name, plan.family_version = family->version;
  d.model = std::move(found.model);
  // Without a model the recipe is still read: its problems belong in the same answer.
  d.task = tasks::MakeTask(options.task, *d.package, log,
                           {options.pooling, options.no_normalize, options.max_length, family}, d.model.get(),
                           problems);
  if (d.model != nullptr) {
    const Scope encoder(d.declarations, "", d.package->encoder());
    d.model->DeclareTensors(encoder);
    if (d.task != nullptr) d.task->DeclareTensors(encoder);
    d.match = MatchPackage(d.declarations, *d.package, family->names);
    plan.dialect = d.match.dialect;
    // Tensors of modules that could not be read would look unexpected; they are not a second fault.
    for (const Error& e : d.match.problems)
      if (d.task != nullptr || e.code != Code::kUnexpectedTensor) problems.push_back(e);
  }
  problems = AllProblems(*d.package, std::move(problems));
  if (problems.empty() && d.task != nullptr) {
    plan.contract = d.task->contract(), plan.modules = d.task->facts().chain;
    PlanLimits(plan, options, d.task->facts(), d.task->OutputWidth(), problems);
    PlanOptions(plan, options);
  }
  if (problems.empty()) {
    BindShapes(d.declarations, d.match);
    PlanTensors(d, machine);
    LogStoredTypes(d, *log);
    PlanSteps(d, machine, problems);
    PlanKeys(d, log);
    const std::uint64_t need = plan.limits.PeakBytes();
    if (options.memory_limit != 0 && need > options.memory_limit) {
      problems.push_back(
          {Code::kInsufficientMemory, Where::Option("memory-limit"), std::to_string(options.memory_limit),
           "at least " + std::to_string(need) + " bytes for weights and sessions", Phase::kPlan});
    }
  }
  if (!problems.empty()) return problems;
  if (Problems withdrawn = Withdrawn(plan, machine.envelope); !withdrawn.empty()) return withdrawn;
  plan.unqualified = OutsideEnvelope(plan, machine.envelope);
  for (const ListedKey& k : plan.unknown_keys)
    plan.unqualified.push_back("unknown key " + k.file + ":" + k.pointer);
  plan.decision = plan.unqualified.empty() ? Decision::kEligible : Decision::kUnqualified;
  return d;
}

void Seal(Draft& draft, std::string package_digest) {
  draft.plan.package = std::move(package_digest);
  draft.plan.space = draft.task->SetSpace(draft.plan.package);
}

Problems Unqualified(const Plan& plan, const Envelope& envelope) {
  Problems out;
  for (const std::string& choice : OutsideEnvelope(plan, envelope)) {
    Where where;
    for (const package::Evidence& e : plan.evidence)
      if (e.choice && e.fact + "=" + e.value == choice) where = Where::At(e.file, e.pointer);
    out.push_back({Code::kUnqualifiedCase, where, choice,
                   "a choice that a golden of this build covers, or --allow-unqualified", Phase::kPolicy});
  }
  for (const ListedKey& k : plan.unknown_keys) {
    out.push_back({Code::kUnqualifiedCase, Where::At(k.file, k.pointer), "a key that nothing here knows",
                   "keys with a known meaning, or --allow-unqualified", Phase::kPolicy});
  }
  return out;
}

}  // namespace candor::plan

#include "engine/session.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "tasks/pass.h"

namespace candor::engine {
namespace {

Sequence Shifted(Sequence s, std::int32_t rows) {
  s.begin += rows, s.end += rows;
  return s;
}

std::vector<Ran> Calls(std::span<const plan::PlannedStep> steps) {
  std::vector<Ran> calls;
  for (const plan::PlannedStep& step : steps) {
    const auto same = [&](const Ran& r) {
      return r.op == step.step.op && r.kernel == step.kernel && r.precision == step.precision;
    };
    const auto at = std::ranges::find_if(calls, same);
    if (at != calls.end())
      ++at->calls;
    else
      calls.push_back({step.step.op, step.precision, step.kernel, 1});
  }
  return calls;
}

}  // namespace

Result<std::unique_ptr<Session>> Session::Open(const LoadedModel& model) {
  const plan::Limits& limits = model.plan().limits;
  std::unique_ptr<Session> s(new Session(model));
  CANDOR_TRY(s->memory_, model.backend().Allocate(limits.workspace_bytes));
  s->workspace_ =
      std::make_unique<Workspace>(s->memory_->address(), limits.workspace_bytes,
                                  model.backend().activation(model.plan().profile), model.backend().space());
  s->ops_ = model.backend().NewOps();
  for (auto* ids : {&s->tokens_, &s->segments_, &s->positions_}) ids->reserve(limits.max_batch_tokens);
  s->sequences_.reserve(limits.max_sequences);
  s->runs_.reserve(limits.max_sequences);
  for (std::size_t route = 0; route < model.task().Routes(); ++route)
    s->planned_.push_back(Calls(model.plan().StepsOf(route)));
  return s;
}

void Session::Join(std::span<const tasks::Work* const> works) {
  tokens_.clear(), segments_.clear(), positions_.clear(), sequences_.clear(), runs_.clear();
  for (const tasks::Work* work : works) {
    const auto rows = static_cast<std::int32_t>(tokens_.size());
    tokens_.insert(tokens_.end(), work->tokens.begin(), work->tokens.end());
    segments_.insert(segments_.end(), work->segments.begin(), work->segments.end());
    positions_.insert(positions_.end(), work->positions.begin(), work->positions.end());
    for (const Sequence& s : work->sequences) sequences_.push_back(Shifted(s, rows));
    for (const Sequence& s : work->runs) runs_.push_back(Shifted(s, rows));
  }
}

Result<RunReceipt> Session::Run(std::span<const tasks::Work* const> works, View<float> numbers) {
  Join(works);
  const plan::Limits& limits = model_.plan().limits;
  CANDOR_CHECK(tokens_.size() <= limits.max_batch_tokens && runs_.size() <= limits.max_sequences,
               "a batch outside the plan's limits");
  const auto way = [](const tasks::Work* work) { return std::pair{work->adapter, work->route}; };
  CANDOR_CHECK(std::ranges::adjacent_find(works, std::ranges::not_equal_to{}, way) == works.end(),
               "a batch of several adapters or routes");
  ops_->ClearReceipt();
  tasks::Packed packed;
  packed.batch.tokens = ops_->Stage(tokens_);
  packed.batch.segments = ops_->Stage(segments_);
  packed.batch.positions = ops_->Stage(positions_);
  packed.batch.sequences = ops_->Stage(std::span<const Sequence>(sequences_));
  packed.batch.adapter = works.front()->adapter;
  packed.runs = ops_->Stage(std::span<const Sequence>(runs_));
  packed.route = works.front()->route;
  const auto frame = workspace_->Mark();
  const Matrix out = tasks::Pass(model_.model(), model_.task(), packed, numbers.rows, *ops_, *workspace_);
  ops_->Download(out, {numbers.data, numbers.rows * numbers.cols});
  RunReceipt receipt{ops_->receipt(), tokens_.size(), sequences_.size(), true, {}};
  Compare(packed.route, receipt);
  return receipt;
}

void Session::Compare(std::size_t route, RunReceipt& receipt) const {
  const std::vector<Ran>& planned = planned_[route];
  const auto describe = [](const Ran& r) {
    return std::string(Name(r.op)) + " by " + std::string(r.kernel) + " in " +
           std::string(Name(r.precision)) + ", " + std::to_string(r.calls) + " calls";
  };
  const auto same = [](const Ran& a, const Ran& b) {
    return a.op == b.op && a.kernel == b.kernel && a.precision == b.precision && a.calls == b.calls;
  };
  const auto first_missing = [&](std::span<const Ran> of, std::span<const Ran> in) -> const Ran* {
    for (const Ran& r : of)
      if (std::ranges::none_of(in, [&](const Ran& o) { return same(r, o); })) return &r;
    return nullptr;
  };
  if (const Ran* r = first_missing(receipt.ran.rows(), planned)) {
    receipt.difference = "not planned: " + describe(*r);
  } else if (const Ran* p = first_missing(planned, receipt.ran.rows())) {
    receipt.difference = "planned but not run: " + describe(*p);
  }
  receipt.as_planned = receipt.difference.empty();
}

}  // namespace candor::engine

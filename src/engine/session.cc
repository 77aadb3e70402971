#include "engine/session.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "tasks/pass.h"

namespace candor::engine {
namespace {

Sequence Shifted(Sequence s, std::size_t rows) {
  s.begin += static_cast<std::int32_t>(rows), s.end += static_cast<std::int32_t>(rows);
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

void Session::AddRows(const tasks::Work& work, std::size_t first, std::size_t last) {
  for (const auto& [from, to] :
       {std::pair{&work.tokens, &tokens_}, {&work.segments, &segments_}, {&work.positions, &positions_}}) {
    const auto begin = from->begin();
    if (!from->empty())
      to->insert(to->end(), begin + static_cast<std::ptrdiff_t>(first),
                 begin + static_cast<std::ptrdiff_t>(last));
  }
}

// Their common rows as a sequence, then each one's own, of which the task reads the last.
void Session::AddShared(std::span<const tasks::Work* const> works, std::size_t length) {
  const auto add = [&](const tasks::Work& work, std::size_t first, std::size_t last, std::int32_t prefix) {
    const auto begin = static_cast<std::int32_t>(tokens_.size());
    AddRows(work, first, last);
    sequences_.push_back(
        {.begin = begin, .end = static_cast<std::int32_t>(tokens_.size()), .prefix = prefix});
  };
  const auto prefix = static_cast<std::int32_t>(sequences_.size());
  add(*works.front(), 0, length, Sequence::kNoPrefix);
  for (const tasks::Work* work : works) {
    add(*work, length, work->tokens.size(), prefix);
    const std::int32_t end = sequences_.back().end;
    runs_.push_back({.begin = end - 1, .end = end});
  }
}

void Session::Join(std::span<const tasks::Work* const> works, std::span<const Share> shares) {
  tokens_.clear(), segments_.clear(), positions_.clear(), sequences_.clear(), runs_.clear();
  for (std::size_t i = 0; i < works.size();) {
    if (!shares.empty() && shares.front().first == i) {
      AddShared(works.subspan(i, shares.front().count), shares.front().length);
      i += shares.front().count, shares = shares.subspan(1);
      continue;
    }
    const std::size_t rows = tokens_.size();
    AddRows(*works[i], 0, works[i]->tokens.size());
    for (const Sequence& s : works[i]->sequences) sequences_.push_back(Shifted(s, rows));
    for (const Sequence& s : works[i]->runs) runs_.push_back(Shifted(s, rows));
    ++i;
  }
}

Result<RunReceipt> Session::Run(std::span<const tasks::Work* const> works, View<float> numbers,
                                std::span<const Share> shares) {
  Join(works, shares);
  const plan::Limits& limits = model_.plan().limits;
  CANDOR_CHECK(shares.empty() || limits.shares_prefixes, "rows that this model's texts cannot share");
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
  std::size_t spared = 0;
  for (const Share& share : shares) spared += share.spared();
  RunReceipt receipt{ops_->receipt(), tokens_.size(), spared, sequences_.size(), true, {}};
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

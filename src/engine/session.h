// Session: one workspace and one Ops of a loaded model. Runs one batch at a time, one thread at a time;
// allocates nothing after it was opened (tested with a counting allocator). What a request leaves behind is
// never read by the next: every row is written before it is read (SPEC SES-04, SES-06).
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/loaded_model.h"
#include "engine/packer.h"
#include "ops/backend.h"
#include "tasks/task.h"

namespace candor::engine {

// What ran in one batch, against what was planned.
struct RunReceipt {
  OpsReceipt ran;
  std::size_t rows = 0, shared_rows = 0, sequences = 0;  // computed; spared by shares; prefixes among them
  bool as_planned = true;
  std::string difference;  // the first one; empty when as planned
};

class Session {
 public:
  static Result<std::unique_ptr<Session>> Open(const LoadedModel& model);

  // Runs the Works as one batch; they must fit the plan's limits (invalid calls are a defect of ours).
  // `numbers` has one row block per Work, in order. What Works share is computed once, where the plan shares
  // prefixes. A pass is not interrupted: its length is bounded by the limits.
  Result<RunReceipt> Run(std::span<const tasks::Work* const> works, View<float> numbers,
                         std::span<const Share> shares = {});

 private:
  explicit Session(const LoadedModel& model) : model_(model) {}
  void Join(std::span<const tasks::Work* const> works, std::span<const Share> shares);
  void AddRows(const tasks::Work& work, std::size_t first, std::size_t last);
  void AddShared(std::span<const tasks::Work* const> works, std::size_t length);
  void Compare(std::size_t route, RunReceipt& receipt) const;

  const LoadedModel& model_;  // outlives its sessions: they belong to its pool
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<Ops> ops_;
  std::vector<std::int32_t> tokens_, segments_, positions_;
  std::vector<Sequence> sequences_, runs_;
  std::vector<std::vector<Ran>> planned_;  // by route: calls per (operation, kernel, precision) of one pass
};

}  // namespace candor::engine

// Runner: requests over a loaded model, whatever their task: lay out, pack, run, finish, account for it.
//
// Any number of callers at once. A caller's thread parses and tokenises, then works on its own batches
// together with whatever threads of the machine are idle; at most as many passes run as there are threads.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "candor/engine.h"
#include "engine/backends.h"
#include "engine/loaded_model.h"
#include "engine/session_pool.h"

namespace candor::engine {

class Runner {
 public:
  struct Answer {
    Output output;
    std::vector<ItemReport> items;
    Receipt receipt;
  };
  // Keeps the machine alive, and with it the threads and the backend that the weights belong to.
  Runner(std::shared_ptr<const LoadedModel> model, const ModelOptions& options,
         std::shared_ptr<const CpuMachine> machine);
  // The request must be one of the model's task.
  Result<Answer> Run(const Request& request) const;
  const ModelInfo& info() const { return info_; }
  const LoadedModel& model() const { return *model_; }

 private:
  Result<std::vector<tasks::Kept>> RunBatches(const tasks::Laid& laid, Receipt& receipt) const;
  Receipt NewReceipt() const;

  std::shared_ptr<const CpuMachine> machine_;  // first: outlives what was made on it
  std::shared_ptr<const LoadedModel> model_;
  mutable SessionPool pool_;
  ModelInfo info_;
  std::string device_, stored_, matrices_;
};

}  // namespace candor::engine

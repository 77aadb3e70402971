// Metrics: what the server did, in the Prometheus text format.
//
// Labels are bounded by construction: routes come from the table, models from the start of the server,
// statuses and outcomes from our own lists. Nothing that a client sends becomes a label. Thread-safe.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "candor/engine.h"
#include "candor/receipt.h"

namespace candor::serve {

// Read when scraped.
struct Gauges {
  std::size_t connections = 0, in_flight = 0, waiting = 0, running = 0;
  bool ready = false;
};

class Metrics {
 public:
  Metrics();
  ~Metrics();

  // Before the first request.
  void AddModel(std::string_view name, const ModelInfo& info);
  void CountRequest(std::string_view route, int status, double seconds);
  void CountOverload();
  // From admission to a worker, in seconds.
  void CountWait(double seconds);
  // `receipt` is of what ran; null when the request failed as a whole. `model` was added. Requests whose
  // client left before they began reach no model: they stand among the answers, as status 499.
  void CountInference(std::string_view model, double seconds, const Receipt* receipt);

  std::string Text(const Gauges& gauges) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace candor::serve

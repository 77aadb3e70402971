// WorkQueue: a bounded queue and the threads that take from it, so that the reactor never computes.
//
// The queue owns its threads. All calls are thread-safe; Start is called once, before the others, and Stop
// not from a worker.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>

#include "candor/result.h"

namespace candor::serve {

class WorkQueue {
 public:
  // `workers` run at a time, `waiting` more are held.
  WorkQueue(std::size_t workers, std::size_t waiting);
  ~WorkQueue();

  // All threads, or none: insufficient_memory when the system gives no more.
  Result<void> Start();

  // False when the queue is full or stopped: the work is not taken. Work that throws ends alone.
  bool Submit(std::function<void()> work);
  // Drops what has not begun, waits for what has.
  void Stop();

  std::size_t waiting() const;
  std::size_t running() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace candor::serve

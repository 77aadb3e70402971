// WorkQueue: a bounded queue and the threads that take from it, so that the reactor never computes.
//
// The queue owns its threads. All calls are thread-safe; Stop is called once, not from a worker.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>

namespace candor::serve {

class WorkQueue {
 public:
  // `workers` run at a time, `waiting` more are held.
  WorkQueue(std::size_t workers, std::size_t waiting);
  ~WorkQueue();

  // False when the queue is full or stopped: the work is not taken.
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

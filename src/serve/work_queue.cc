#include "serve/work_queue.h"

#include <deque>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"

namespace candor::serve {

struct WorkQueue::State {
  State(std::size_t most_running, std::size_t most_waiting) : workers(most_running), limit(most_waiting) {}

  const std::size_t workers, limit;
  Mutex mutex;
  CondVar changed;
  std::deque<std::function<void()>> queue CANDOR_GUARDED_BY(mutex);
  std::size_t running CANDOR_GUARDED_BY(mutex) = 0;
  bool stopping CANDOR_GUARDED_BY(mutex) = false;
  std::vector<std::thread> threads;  // touched by the queue's owner only

  void Work() {
    std::function<void()> work;
    while (Next(work)) {
      try {
        work();
      } catch (...) {
        // Whoever waits for this work learns of its end when it is released; the others still need the
        // worker.
      }
      work = nullptr;  // what it holds is released before it stops counting as running, outside the lock
      const MutexLock held(mutex);
      --running;
    }
  }

  // Waits for work and counts it as running. False: the queue has stopped.
  bool Next(std::function<void()>& work) {
    const MutexLock held(mutex);
    while (!stopping && queue.empty()) changed.Wait(mutex);
    if (stopping) return false;
    work = std::move(queue.front());
    queue.pop_front();
    ++running;
    return true;
  }
};

WorkQueue::WorkQueue(std::size_t workers, std::size_t waiting)
    : state_(std::make_unique<State>(workers, waiting)) {}

WorkQueue::~WorkQueue() { Stop(); }

Result<void> WorkQueue::Start() {
  try {
    state_->threads.reserve(state_->workers);
    while (state_->threads.size() < state_->workers) {
      state_->threads.emplace_back([s = state_.get()] { s->Work(); });
    }
  } catch (const std::exception& reason) {  // memory, or std::system_error
    Error error{.code = Code::kInsufficientMemory,
                .where = Where::Option("workers"),
                .found = std::to_string(state_->workers) + " threads (" + reason.what() + ")",
                .allowed = "as many as the system can start",
                .phase = Phase::kRequest};
    Stop();
    return error;
  }
  return {};
}

bool WorkQueue::Submit(std::function<void()> work) {
  {
    const MutexLock held(state_->mutex);
    // An idle worker's place does not count as waiting: with no places to wait, workers still get work.
    const std::size_t idle = state_->workers - state_->running;
    if (state_->stopping || state_->queue.size() >= state_->limit + idle) return false;
    state_->queue.push_back(std::move(work));
  }
  state_->changed.NotifyOne();
  return true;
}

void WorkQueue::Stop() {
  std::deque<std::function<void()>> dropped;
  {
    const MutexLock held(state_->mutex);
    state_->stopping = true;
    dropped.swap(state_->queue);
  }
  state_->changed.NotifyAll();
  for (std::thread& thread : state_->threads) thread.join();
  state_->threads.clear();
}

std::size_t WorkQueue::waiting() const {
  const MutexLock held(state_->mutex);
  return state_->queue.size();
}

std::size_t WorkQueue::running() const {
  const MutexLock held(state_->mutex);
  return state_->running;
}

}  // namespace candor::serve

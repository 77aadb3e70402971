#include "serve/work_queue.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace candor::serve {

struct WorkQueue::State {
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> queue;
  std::size_t limit = 0, running = 0, workers = 0;
  bool stopping = false;
  std::vector<std::thread> threads;

  void Work() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return stopping || !queue.empty(); });
      if (stopping) return;
      auto work = std::move(queue.front());
      queue.pop_front();
      ++running;
      lock.unlock();
      work();
      work = nullptr;  // what it holds is released outside the lock
      lock.lock();
      --running;
    }
  }
};

WorkQueue::WorkQueue(std::size_t workers, std::size_t waiting) : state_(std::make_unique<State>()) {
  state_->limit = waiting;
  state_->workers = workers;
  for (std::size_t i = 0; i < workers; ++i) state_->threads.emplace_back([s = state_.get()] { s->Work(); });
}

WorkQueue::~WorkQueue() { Stop(); }

bool WorkQueue::Submit(std::function<void()> work) {
  {
    const std::lock_guard lock(state_->mutex);
    // An idle worker's place does not count as waiting: with no places to wait, workers still get work.
    const std::size_t idle = state_->workers - state_->running;
    if (state_->stopping || state_->queue.size() >= state_->limit + idle) return false;
    state_->queue.push_back(std::move(work));
  }
  state_->changed.notify_one();
  return true;
}

void WorkQueue::Stop() {
  std::deque<std::function<void()>> dropped;
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    dropped.swap(state_->queue);
  }
  state_->changed.notify_all();
  for (std::thread& thread : state_->threads) thread.join();
  state_->threads.clear();
}

std::size_t WorkQueue::waiting() const {
  const std::lock_guard lock(state_->mutex);
  return state_->queue.size();
}

std::size_t WorkQueue::running() const {
  const std::lock_guard lock(state_->mutex);
  return state_->running;
}

}  // namespace candor::serve

// ThreadPool: the only threads that compute. A caller takes part in its own work and idle workers help.
//
// Calls nest and overlap freely: the engine shares batches (coarse pieces) and each operation inside a batch
// shares its rows, columns or heads (fine pieces). While every worker has a batch of its own, the pieces of
// an operation all run on the caller; when one batch runs alone, the idle workers help inside each operation.
// One caller runs at most `threads` threads; each further caller at the same time adds itself, no workers.
// Idle workers watch for some tens of microseconds
// before they sleep: the operations of one pass follow each other closer than that and pay no wake-up.
// When a helper keeps an operation waiting, or the caller itself is put aside, because something else wants
// the processors, callers do without help for some milliseconds. Measured with nine busy processes on two
// processors: a short query took 5.9 ms with a second thread, 1.6 without one, and so it does now.
// Thread-safe. A call allocates nothing. How work is split never changes its result: pieces are disjoint.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/mutex.h"

namespace candor::cpu {

enum class Grain : std::uint8_t {
  kCoarse,  // long pieces: whole passes, tensors to load; handed out first
  kFine,    // parts of one operation
};

class ThreadPool {
 public:
  explicit ThreadPool(std::size_t threads);  // the caller counts as one
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // fn(i) for every i in [0, pieces), each once; returns when all are done. The first exception is rethrown
  // here, and pieces not yet begun are then dropped.
  template <class F>
  void ParallelFor(std::size_t pieces, Grain grain, F&& fn) {
    using Function = std::remove_reference_t<F>;
    Run(
        pieces, grain, [](void* f, std::size_t i) { (*static_cast<Function*>(f))(i); },
        const_cast<void*>(static_cast<const void*>(&fn)));
  }
  std::size_t threads() const { return workers_.size() + 1; }

 private:
  struct Job;
  using Piece = void (*)(void* function, std::size_t i);
  void Run(std::size_t pieces, Grain grain, Piece piece, void* function);
  static void Work(Job& job);
  bool HelpOne(bool fine_only);
  void WaitForNews(std::uint64_t seen);
  void WaitForHelpers(const Job& job, std::int64_t began, std::int64_t own_work_done);
  void Unlink(Job& job);
  void Announce() CANDOR_REQUIRES(lock_);
  void Stop();
  // Taking a member's address is no access to Clang: this asks for the lock.
  Job** FirstLink() CANDOR_REQUIRES(lock_) { return &jobs_; }
  void Worker();

  Mutex lock_;
  CondVar news_;
  // Open jobs, coarse ones first.
  Job* jobs_ CANDOR_GUARDED_BY(lock_) CANDOR_PT_GUARDED_BY(lock_) = nullptr;
  std::size_t sleeping_ CANDOR_GUARDED_BY(lock_) = 0;
  bool stop_ CANDOR_GUARDED_BY(lock_) = false;
  std::atomic<std::uint64_t> epoch_{0};       // changes whenever there may be something new to do
  std::atomic<std::size_t> idle_{0};          // watching or sleeping
  std::atomic<std::int64_t> alone_until_{0};  // nanoseconds of the steady clock: no help before
  std::atomic<std::int64_t> penalty_{0};      // how long the last slow helper was paid for
  std::vector<std::thread> workers_;
};

// The calling thread's own scratch, kThreadFloats floats, 64-byte aligned. A worker has it from its start on;
// another thread gets it when it first asks.
float* ThreadScratch();

}  // namespace candor::cpu

#include "cpu/pool.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <utility>

#include "cpu/kernel_table.h"

namespace candor::cpu {
namespace {

// Longer than the gap between two operations of a pass, shorter than a scheduler's slice.
constexpr std::chrono::microseconds kWatch{60};

// A wait this long, and twice as long as the caller's own share took, is that of a helper without a
// processor.
constexpr std::int64_t kSlow = 100'000;
constexpr std::int64_t kLeastPenalty = 1'000'000, kMostPenalty = 32'000'000;

std::int64_t Now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Whether this thread lost its processor to another since it last asked.
bool Preempted() {
#if defined(RUSAGE_THREAD)
  thread_local long seen = 0;
  rusage used{};
  if (getrusage(RUSAGE_THREAD, &used) != 0 || used.ru_nivcsw == seen) return false;
  seen = used.ru_nivcsw;
  return true;
#else
  return false;
#endif
}

void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

struct alignas(64) Scratch {
  float values[kThreadFloats];
};
std::unique_ptr<Scratch> NewScratch() {
  return std::make_unique_for_overwrite<Scratch>();  // only what is used becomes memory
}
thread_local std::unique_ptr<Scratch> own_scratch;

}  // namespace

// Lives on its caller's stack. Helpers join under the pool's lock while it is linked, so after unlinking only
// those that have joined can touch it, and the caller waits for them.
struct ThreadPool::Job {
  Piece piece;
  void* function;
  std::size_t pieces;
  Grain grain;
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> helpers{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error = nullptr;  // of the one that set `failed`
  Job* following = nullptr;
};

ThreadPool::ThreadPool(std::size_t threads) {
  workers_.reserve(threads);
  try {
    for (std::size_t i = 1; i < threads; ++i) {
      workers_.emplace_back([this, scratch = NewScratch()]() mutable {
        own_scratch = std::move(scratch);
        Worker();
      });
    }
  } catch (const std::exception&) {
    // The system grants fewer threads or less memory; the threads that run are enough for everything.
  }
}

ThreadPool::~ThreadPool() {
  Stop();
  for (std::thread& worker : workers_) worker.join();
}

// Apart from the destructor, where Clang checks no locks.
void ThreadPool::Stop() {
  const MutexLock held(lock_);
  stop_ = true;
  ++epoch_;
  news_.NotifyAll();
}

void ThreadPool::Work(Job& job) {
  for (;;) {
    const std::size_t i = job.next.fetch_add(1, std::memory_order_relaxed);
    if (i >= job.pieces) return;
    try {
      job.piece(job.function, i);
    } catch (...) {
      job.next.store(job.pieces, std::memory_order_relaxed);
      if (!job.failed.exchange(true)) job.error = std::current_exception();
    }
  }
}

void ThreadPool::Announce() {
  epoch_.fetch_add(1, std::memory_order_release);
  if (sleeping_ != 0) news_.NotifyAll();
}

void ThreadPool::Unlink(Job& job) {
  const MutexLock held(lock_);
  for (Job** at = FirstLink(); *at != nullptr; at = &(*at)->following)
    if (*at == &job) {
      *at = job.following;
      return;
    }
}

void ThreadPool::Run(std::size_t pieces, Grain grain, Piece piece, void* function) {
  bool alone = pieces <= 1 || workers_.empty();
  std::int64_t began = 0;
  if (!alone && grain == Grain::kFine) {
    alone = idle_.load(std::memory_order_relaxed) == 0;
    if (!alone) began = Now(), alone = began < alone_until_.load(std::memory_order_relaxed);
  }
  if (alone) {
    for (std::size_t i = 0; i < pieces; ++i) piece(function, i);
    return;
  }
  Job job{.piece = piece, .function = function, .pieces = pieces, .grain = grain};
  {
    const MutexLock held(lock_);
    Job** at = FirstLink();
    while (grain == Grain::kFine && *at != nullptr && (*at)->grain == Grain::kCoarse) at = &(*at)->following;
    job.following = *at;
    *at = &job;
    Announce();
  }
  Work(job);
  Unlink(job);
  if (grain == Grain::kFine) {
    WaitForHelpers(job, began, Now());
  } else {
    // A helper's last piece may take long: meanwhile this thread is one more idle worker for the operations
    // in it.
    while (job.helpers.load(std::memory_order_acquire) != 0) {
      const std::uint64_t seen = epoch_.load(std::memory_order_acquire);
      if (job.helpers.load(std::memory_order_acquire) != 0 && !HelpOne(true)) WaitForNews(seen);
    }
  }
  if (job.error != nullptr) std::rethrow_exception(job.error);
}

void ThreadPool::WaitForHelpers(const Job& job, std::int64_t began, std::int64_t own_work_done) {
  for (std::size_t spins = 0; job.helpers.load(std::memory_order_acquire) != 0; ++spins) {
    if (spins < 1024)
      Pause();
    else
      std::this_thread::yield();  // the helper may have lost its processor
  }
  const std::int64_t now = Now(), waited = now - own_work_done,
                     before = penalty_.load(std::memory_order_relaxed);
  // Or the caller was put aside itself: with a share of the processors below two, a watching helper takes
  // from it.
  if ((waited > kSlow && waited > 2 * (own_work_done - began)) || Preempted()) {
    const std::int64_t penalty = std::clamp(2 * before, kLeastPenalty, kMostPenalty);
    penalty_.store(penalty, std::memory_order_relaxed);
    alone_until_.store(now + penalty, std::memory_order_relaxed);
  } else if (before != 0) {
    penalty_.store(before / 2, std::memory_order_relaxed);
  }
}

bool ThreadPool::HelpOne(bool fine_only) {
  Job* job = nullptr;
  {
    const MutexLock held(lock_);
    for (job = jobs_; job != nullptr; job = job->following)
      if ((!fine_only || job->grain == Grain::kFine) &&
          job->next.load(std::memory_order_relaxed) < job->pieces)
        break;
    if (job == nullptr) return false;
    job->helpers.fetch_add(1, std::memory_order_relaxed);
  }
  Work(*job);
  if (job->grain == Grain::kFine) {
    job->helpers.fetch_sub(1, std::memory_order_release);  // the job may be gone after this
  } else {
    const MutexLock held(lock_);
    job->helpers.fetch_sub(1, std::memory_order_release);
    Announce();
  }
  return true;
}

void ThreadPool::WaitForNews(std::uint64_t seen) {
  idle_.fetch_add(1, std::memory_order_relaxed);
  const auto until = std::chrono::steady_clock::now() + kWatch;
  bool news = false;
  do {
    for (int i = 0; i < 32 && !news; ++i) {
      Pause();
      news = epoch_.load(std::memory_order_acquire) != seen;
    }
  } while (!news && std::chrono::steady_clock::now() < until);
  if (!news) {
    const MutexLock held(lock_);
    ++sleeping_;
    while (epoch_.load(std::memory_order_acquire) == seen) news_.Wait(lock_);
    --sleeping_;
  }
  idle_.fetch_sub(1, std::memory_order_relaxed);
}

void ThreadPool::Worker() {
  for (;;) {
    const std::uint64_t seen = epoch_.load(std::memory_order_acquire);
    {
      const MutexLock held(lock_);
      if (stop_) return;
    }
    if (!HelpOne(false)) WaitForNews(seen);
  }
}

float* ThreadScratch() {
  if (own_scratch == nullptr) own_scratch = NewScratch();
  return own_scratch->values;
}

}  // namespace candor::cpu

// Mutex, MutexLock, CondVar: the only locks of this repository, and the words by which Clang checks their
// use.
//
// A member says which lock guards it (CANDOR_GUARDED_BY), a private function which lock its caller holds
// (CANDOR_REQUIRES). Clang's thread-safety analysis then refuses every access without that lock; ./check runs
// it. std::mutex of GCC's library carries no such words, so with it nothing would be checked: tools/homes.txt
// lets no other file include it. Underneath are std::mutex and std::condition_variable, at their cost.
//
// The analysis looks at one function at a time and at a lambda as a function of its own. So waiting is a
// written loop, not a predicate:
//   const MutexLock held(lock_);
//   while (queue_.empty()) changed_.Wait(lock_);
// and local variables that several threads change become members of a small class with the lock.
#pragma once
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define CANDOR_LOCK_ATTRIBUTE(x) __attribute__((x))
#else
#define CANDOR_LOCK_ATTRIBUTE(x)
#endif

// On a class: it is a lock; it holds one from construction to destruction.
#define CANDOR_CAPABILITY(name) CANDOR_LOCK_ATTRIBUTE(capability(name))
#define CANDOR_SCOPED_CAPABILITY CANDOR_LOCK_ATTRIBUTE(scoped_lockable)
// On a member: the lock without which it is not touched; for a pointer, what it points to is not.
#define CANDOR_GUARDED_BY(lock) CANDOR_LOCK_ATTRIBUTE(guarded_by(lock))
#define CANDOR_PT_GUARDED_BY(lock) CANDOR_LOCK_ATTRIBUTE(pt_guarded_by(lock))
// On a function: the caller holds the lock; holds it afterwards; holds it no longer.
#define CANDOR_REQUIRES(...) CANDOR_LOCK_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define CANDOR_ACQUIRE(...) CANDOR_LOCK_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define CANDOR_RELEASE(...) CANDOR_LOCK_ATTRIBUTE(release_capability(__VA_ARGS__))

namespace candor {

class CANDOR_CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() CANDOR_ACQUIRE() { mutex_.lock(); }
  void Unlock() CANDOR_RELEASE() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

// Holds the lock for a scope.
class CANDOR_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) CANDOR_ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() CANDOR_RELEASE() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

class CondVar {
 public:
  CondVar() = default;
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  // Releases the lock, sleeps, and holds the lock again. Also returns for no reason: always in a loop.
  void Wait(Mutex& mutex) CANDOR_REQUIRES(mutex) {
    std::unique_lock held(mutex.mutex_, std::adopt_lock);
    changed_.wait(held);
    held.release();  // the caller's MutexLock unlocks
  }
  void NotifyOne() noexcept { changed_.notify_one(); }
  void NotifyAll() noexcept { changed_.notify_all(); }

 private:
  std::condition_variable changed_;
};

}  // namespace candor

// must fail: 'AddLocked' requires holding mutex 'lock_'
#include "base/mutex.h"

// A function that needs the lock is not called without it. Only Clang knows: tools/clang_pass.sh compiles it.
class Counter {
 public:
  void Add() {
#ifndef CANDOR_MUST_FAIL
    const candor::MutexLock held(lock_);
#endif
    AddLocked();
  }

 private:
  void AddLocked() CANDOR_REQUIRES(lock_) { ++count_; }
  candor::Mutex lock_;
  int count_ CANDOR_GUARDED_BY(lock_) = 0;
};

void F(Counter& counter) { counter.Add(); }

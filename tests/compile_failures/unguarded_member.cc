// must fail: 'count_' requires holding mutex 'lock_'
#include "base/mutex.h"

// A member is not touched without its lock. Only Clang knows: tools/clang_pass.sh compiles this one.
class Counter {
 public:
  void Add() {
#ifndef CANDOR_MUST_FAIL
    const candor::MutexLock held(lock_);
#endif
    ++count_;
  }

 private:
  candor::Mutex lock_;
  int count_ CANDOR_GUARDED_BY(lock_) = 0;
};

void F(Counter& counter) { counter.Add(); }

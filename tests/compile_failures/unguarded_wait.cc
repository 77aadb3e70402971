// must fail: 'Wait' requires holding mutex 'lock_'
#include "base/mutex.h"

// Waiting gives a lock away, so it must be held. Only Clang knows: tools/clang_pass.sh compiles this one.
class Door {
 public:
  void Pass() {
    {
      const candor::MutexLock held(lock_);
      while (!open_) changed_.Wait(lock_);
    }
#ifdef CANDOR_MUST_FAIL
    changed_.Wait(lock_);
#endif
  }

 private:
  candor::Mutex lock_;
  candor::CondVar changed_;
  bool open_ CANDOR_GUARDED_BY(lock_) = false;
};

void F(Door& door) { door.Pass(); }

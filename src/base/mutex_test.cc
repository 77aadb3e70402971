// The locks at run time; that their use is checked is proven by tests/compile_failures/unguarded_*.cc.
#include "base/mutex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

namespace candor {
namespace {

class Turns {
 public:
  void Take(int mine, int of) {
    const MutexLock held(lock_);
    while (next_ % of != mine) changed_.Wait(lock_);
    order_.push_back(mine);
    ++next_;
    changed_.NotifyAll();
  }
  std::vector<int> order() {
    const MutexLock held(lock_);
    return order_;
  }

 private:
  Mutex lock_;
  CondVar changed_;
  int next_ CANDOR_GUARDED_BY(lock_) = 0;
  std::vector<int> order_ CANDOR_GUARDED_BY(lock_);
};

class Counter {
 public:
  void Add() {
    const MutexLock held(lock_);
    const int before = count_;
    std::this_thread::yield();  // another thread's Add would be lost here
    count_ = before + 1;
  }
  int count() {
    const MutexLock held(lock_);
    return count_;
  }

 private:
  Mutex lock_;
  int count_ CANDOR_GUARDED_BY(lock_) = 0;
};

TEST(Mutex, OneThreadAtATime) {
  Counter counter;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) counter.Add();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter.count(), 4 * 1000);
}

// Each waits for the one before it: Wait gives the lock away, holds it again afterwards, and the scope's end
// releases it once. Otherwise this would hang, or the order would be another.
TEST(CondVar, WakesInTurn) {
  Turns turns;
  constexpr int kThreads = 3, kRounds = 20;
  std::vector<std::thread> threads;
  for (int t = kThreads; t-- > 0;) {
    threads.emplace_back([&turns, t] {
      for (int i = 0; i < kRounds; ++i) turns.Take(t, kThreads);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<int> expected;
  for (int i = 0; i < kRounds; ++i) expected.insert(expected.end(), {0, 1, 2});
  EXPECT_EQ(turns.order(), expected);
}

TEST(CondVar, NotifyOneWakesAWaiter) {
  struct Door {
    Mutex lock;
    CondVar changed;
    bool open CANDOR_GUARDED_BY(lock) = false;
  } door;
  std::thread waiter([&] {
    const MutexLock held(door.lock);
    while (!door.open) door.changed.Wait(door.lock);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));  // mostly asleep by now; correct either way
  {
    const MutexLock held(door.lock);
    door.open = true;
  }
  door.changed.NotifyOne();
  waiter.join();
  const MutexLock held(door.lock);
  EXPECT_TRUE(door.open);
}

}  // namespace
}  // namespace candor

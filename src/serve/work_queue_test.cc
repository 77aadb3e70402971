#include "serve/work_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>

namespace candor::serve {
namespace {

TEST(WorkQueue, HoldsAsMuchAsItSays) {  // BAT-01
  WorkQueue queue(1, 2);
  std::promise<void> open;
  const std::shared_future<void> gate = open.get_future().share();
  std::promise<void> began;
  std::atomic<int> done{0};
  ASSERT_TRUE(queue.Submit([&] {
    began.set_value();
    gate.wait();
    ++done;
  }));
  began.get_future().wait();
  EXPECT_EQ(queue.running(), 1u);
  EXPECT_TRUE(queue.Submit([&] { ++done; }));
  EXPECT_TRUE(queue.Submit([&] { ++done; }));
  EXPECT_EQ(queue.waiting(), 2u);
  EXPECT_FALSE(queue.Submit([&] { ++done; }));
  std::promise<void> last;
  open.set_value();
  while (!queue.Submit([&] { last.set_value(); })) {
  }
  last.get_future().wait();
  EXPECT_EQ(done, 3);
}

TEST(WorkQueue, WithoutPlacesToWaitWorkersStillWork) {
  WorkQueue queue(2, 0);
  std::promise<void> done;
  ASSERT_TRUE(queue.Submit([&] { done.set_value(); }));
  done.get_future().wait();
}

TEST(WorkQueue, StopDropsWhatWaitsAndFinishesWhatRuns) {
  auto queue = std::make_unique<WorkQueue>(1, 4);
  std::promise<void> began;
  std::promise<void> open;
  std::atomic<bool> finished{false};
  std::atomic<bool> ran{false};
  auto held = std::make_shared<int>(0);
  ASSERT_TRUE(queue->Submit([&] {
    began.set_value();
    open.get_future().wait();
    finished = true;
  }));
  began.get_future().wait();
  ASSERT_TRUE(queue->Submit([&ran, held] { ran = true; }));
  auto stopped = std::async(std::launch::async, [&] { queue->Stop(); });
  while (queue->waiting() > 0) {  // Stop has taken what waited; only then may the running work end
  }
  EXPECT_FALSE(queue->Submit([] {}));
  open.set_value();
  stopped.wait();
  EXPECT_TRUE(finished);
  EXPECT_FALSE(ran);
  EXPECT_EQ(held.use_count(), 1);
  queue.reset();
}

}  // namespace
}  // namespace candor::serve

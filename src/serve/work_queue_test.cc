#include "serve/work_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>

namespace candor::serve {
namespace {

TEST(WorkQueue, HoldsAsMuchAsItSays) {  // BAT-01
  WorkQueue queue(1, 2);
  ASSERT_TRUE(queue.Start());
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
  ASSERT_TRUE(queue.Start());
  std::promise<void> done;
  ASSERT_TRUE(queue.Submit([&] { done.set_value(); }));
  done.get_future().wait();
}

TEST(WorkQueue, StopDropsWhatWaitsAndFinishesWhatRuns) {
  auto queue = std::make_unique<WorkQueue>(1, 4);
  ASSERT_TRUE(queue->Start());
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

TEST(WorkQueue, WorkThatThrowsEndsAlone) {
  WorkQueue queue(1, 2);
  ASSERT_TRUE(queue.Start());
  auto held = std::make_shared<int>(0);
  ASSERT_TRUE(queue.Submit([held] { throw 7; }));  // lint: allow throws because work may
  std::promise<void> done;
  ASSERT_TRUE(queue.Submit([&] { done.set_value(); }));
  done.get_future().wait();
  EXPECT_EQ(held.use_count(), 1);
  queue.Stop();
  EXPECT_EQ(queue.running(), 0u);
}

TEST(WorkQueue, ThreadsThatCannotStartAreAnError) {
  pthread_attr_t usual;
  pthread_attr_t huge;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  ASSERT_EQ(pthread_attr_init(&huge), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 47), 0);  // all that a process can address
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  WorkQueue queue(2, 2);
  const auto started = queue.Start();
  ASSERT_EQ(pthread_setattr_default_np(&usual), 0);
  pthread_attr_destroy(&usual);
  pthread_attr_destroy(&huge);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, Code::kInsufficientMemory);
  EXPECT_EQ(started.error().where, Where::Option("workers"));
  EXPECT_TRUE(started.error().found.starts_with("2 threads (")) << started.error().found;
  EXPECT_EQ(started.error().allowed, "as many as the system can start");
  EXPECT_FALSE(queue.Submit([] {}));
}

}  // namespace
}  // namespace candor::serve

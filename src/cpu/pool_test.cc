// The pool: every piece once, nested and overlapping calls, exceptions, and the CPU quota.
#include "cpu/pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cpu/cpus.h"

namespace candor::cpu {
namespace {

TEST(ThreadPool, EveryPieceOnce) {
  for (const std::size_t threads : {1u, 2u, 4u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t pieces : {0u, 1u, 2u, 7u, 100u}) {
      for (const Grain grain : {Grain::kCoarse, Grain::kFine}) {
        std::vector<std::atomic<int>> seen(pieces);
        pool.ParallelFor(pieces, grain, [&](std::size_t i) { ++seen[i]; });
        for (const auto& n : seen) EXPECT_EQ(n, 1);
      }
    }
  }
}

// Callers of their own, each with coarse work whose pieces share fine work, as the engine and its operations
// do.
TEST(ThreadPool, NestedAndConcurrentCallers) {
  ThreadPool pool(4);
  std::vector<std::thread> callers;
  std::atomic<std::uint64_t> total{0};
  for (int caller = 0; caller < 3; ++caller) {
    callers.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        pool.ParallelFor(5, Grain::kCoarse, [&](std::size_t batch) {
          for (int op = 0; op < 4; ++op) {
            std::vector<std::uint64_t> parts(17);
            pool.ParallelFor(parts.size(), Grain::kFine, [&](std::size_t i) { parts[i] = batch + i; });
            std::uint64_t sum = 0;
            for (const std::uint64_t p : parts) sum += p;
            total += sum;
          }
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  // Per batch b: 17 b + 136; over five batches 850; four operations, fifty rounds, three callers.
  EXPECT_EQ(total, 850u * 4 * 50 * 3);
}

TEST(ThreadPool, NeverMoreRunningThanThreads) {  // BAT-04
  ThreadPool pool(3);
  std::atomic<int> running{0}, most{0};
  const auto count = [&] {
    const int now = ++running;
    int seen = most.load();
    while (seen < now && !most.compare_exchange_weak(seen, now)) {
    }
    for (int i = 0; i < 2000; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
    --running;
  };
  for (int round = 0; round < 100; ++round)
    pool.ParallelFor(4, Grain::kCoarse,
                     [&](std::size_t) { pool.ParallelFor(8, Grain::kFine, [&](std::size_t) { count(); }); });
  EXPECT_LE(most, 3);
  EXPECT_GE(most, 1);
}

TEST(ThreadPool, ExceptionsReachTheCaller) {
  ThreadPool pool(3);
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> done{0};
    EXPECT_THROW(pool.ParallelFor(64, Grain::kCoarse,
                                  [&](std::size_t i) {
                                    if (i == 5) throw std::runtime_error("piece");
                                    ++done;
                                  }),
                 std::runtime_error);
    EXPECT_LT(done, 64);
  }
  std::atomic<int> after{0};
  pool.ParallelFor(10, Grain::kFine, [&](std::size_t) { ++after; });
  EXPECT_EQ(after, 10);
}

TEST(ThreadPool, SleepingWorkersWake) {
  ThreadPool pool(2);
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // longer than they watch
    std::atomic<int> n{0};
    pool.ParallelFor(20, Grain::kFine, [&](std::size_t) { ++n; });
    EXPECT_EQ(n, 20);
  }
}

TEST(Cpus, QuotaOfControlGroups) {  // BAT-04
  EXPECT_EQ(QuotaCpus("max 100000\n"), std::nullopt);
  EXPECT_EQ(QuotaCpus("200000 100000\n"), 2u);
  EXPECT_EQ(QuotaCpus("150000 100000"), 2u);
  EXPECT_EQ(QuotaCpus("10000 100000"), 1u);
  EXPECT_EQ(QuotaCpus("-1\n 100000\n"), std::nullopt);  // v1: no quota
  EXPECT_EQ(QuotaCpus(""), std::nullopt);
  EXPECT_EQ(QuotaCpus("12x 100"), std::nullopt);
  EXPECT_GE(UsableCpus(), 1u);
  EXPECT_LE(UsableCpus(), std::thread::hardware_concurrency());
}

}  // namespace
}  // namespace candor::cpu

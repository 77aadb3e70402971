// Sessions over the reference loops and the native backend: what ran, what was planned, what was allocated.
#include "engine/session.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <set>
#include <thread>
#include <vector>

#include "cpu/cpu_backend.h"
#include "engine/session_pool.h"
#include "engine/test_support.h"
#include "io/json.h"
#include "ops/reference.h"

namespace {
std::atomic<std::size_t> allocations = 0;
}

// Every allocation of this program is counted; the test below looks at the difference around one pass. Never
// inlined: GCC takes a free inlined next to a call of new for a mistake.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t align) {
  ++allocations;
  const std::size_t a = static_cast<std::size_t>(align);
  if (void* p = std::aligned_alloc(a, (bytes + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace candor::engine {
namespace {

TEST(Session, TheReceiptSaysWhatRan) {  // EXE-05
  const ReferenceBackend backend;
  const auto model = LoadedModel::Load(DraftFor(backend), backend, InOrder);
  ASSERT_TRUE(model);
  const auto session = Session::Open(**model);
  ASSERT_TRUE(session);
  const tasks::Work a = WorkOf({2, 130, 3}), b = WorkOf({2, 3});
  const tasks::Work* both[] = {&a, &b};
  const std::size_t width = (*model)->task().OutputWidth();
  std::vector<float> numbers(2 * width), alone(width);
  const auto receipt = (*session)->Run(both, {numbers.data(), 2, width, width});
  ASSERT_TRUE(receipt);
  EXPECT_TRUE(receipt->as_planned) << receipt->difference;
  EXPECT_EQ(receipt->rows, 5u);
  EXPECT_EQ(receipt->sequences, 2u);
  std::uint64_t calls = 0;
  for (const Ran& r : receipt->ran.rows()) calls += r.calls;
  EXPECT_EQ(calls, (*model)->plan().steps.size());  // the dry pass took the same steps
  const tasks::Work* one[] = {&b};
  ASSERT_TRUE((*session)->Run(one, {alone.data(), 1, width, width}));
  EXPECT_TRUE(std::equal(alone.begin(), alone.end(), numbers.begin() + static_cast<std::ptrdiff_t>(width)));
}

std::shared_ptr<const LoadedModel> LoadOn(const Backend& backend, const std::string& path = kPackage,
                                          const std::string& task = "embed") {
  auto model = LoadedModel::Load(DraftFor(backend, path, task), backend, InOrder);
  if (!model) {
    ADD_FAILURE() << Message(model.error().at(0));
    return nullptr;
  }
  return *model;
}

// goldens/FOLDER/CASE/package of every case that says itself how it pools, heads among them: which kernels a
// family needs is its config.json's to say.
std::vector<std::filesystem::path> Packages() {
  namespace fs = std::filesystem;
  std::vector<fs::path> out;
  for (const auto& family : fs::directory_iterator(fs::path(CANDOR_SOURCE_DIR) / "goldens")) {
    if (!family.is_directory()) continue;
    for (const auto& entry : fs::directory_iterator(family)) {
      const fs::path package = entry.path() / "package";
      const fs::path folder = family.path().filename();
      if (fs::exists(package / "modules.json") || folder == "static" || folder == "heads" ||
          folder == "late_interaction" || folder == "sparse" || folder == "token_heads")
        out.push_back(package);
    }
  }
  std::ranges::sort(out);
  return out;
}

// The task that the case is of, as its golden.json says.
std::string TaskOf(const std::filesystem::path& package) {
  std::ifstream in(package.parent_path() / "golden.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto golden = io::ParseJson(text, "golden.json");
  return golden ? std::string(golden->Find("task")->as_string()) : "";
}

// Where rows see none behind them, turn by angles of their own place, and the last one is read.
TEST(Session, WhichTextsShareTheirBeginnings) {  // SES-11
  const ReferenceBackend backend;
  const auto shares = [&](const std::string& name) {
    const std::string package = std::string(CANDOR_SOURCE_DIR) + "/goldens/" + name + "/package";
    const auto model = LoadOn(backend, package, TaskOf(package));
    return model != nullptr && model->plan().limits.shares_prefixes;
  };
  EXPECT_TRUE(shares("llama/plain"));
  EXPECT_TRUE(shares("qwen3/plain"));
  EXPECT_FALSE(shares("llama/dynamic"));  // angles by the length of the text
  EXPECT_TRUE(shares("heads/qwen3_rerank"));
  EXPECT_TRUE(shares("heads/qwen3_yes_no"));         // documents behind one query, a word read after each
  EXPECT_FALSE(shares("qwen3/windows"));             // the mean of all rows
  EXPECT_FALSE(shares("heads/llama_bidirec_last"));  // rows see what is behind them
  EXPECT_FALSE(shares("bert/classic"));
}

// Small ids, `common` of them always the same.
tasks::Work Continuing(std::int32_t common, std::int32_t own, std::int32_t seed) {
  std::vector<std::int32_t> ids;
  for (std::int32_t i = 0; i < common; ++i) ids.push_back(3 + i * 7 % 50);
  for (std::int32_t i = 0; i < own; ++i) ids.push_back(3 + (seed + i * i) % 50);
  return WorkOf(ids);
}

class SessionOfPackage : public testing::TestWithParam<std::filesystem::path> {};

// Lengths of beginnings around a panel of keys, texts of one row and more behind them, one text alone
// between.
TEST_P(SessionOfPackage, SharedBeginningsChangeNoBit) {
  for (const std::size_t threads : {std::size_t{1}, std::size_t{2}}) {
    const auto backend = cpu::CpuBackend::New({.threads = threads});
    const auto model = LoadOn(**backend, GetParam().string(), TaskOf(GetParam()));
    ASSERT_NE(model, nullptr);
    if (!model->plan().limits.shares_prefixes) return;  // WhichTextsShareTheirBeginnings
    const auto session = Session::Open(*model);
    ASSERT_TRUE(session);
    const std::size_t width = model->task().OutputWidth();
    for (const std::int32_t common : {1, 15, 16, 17, 33}) {
      const std::vector<tasks::Work> works{Continuing(common, 1, 1), Continuing(common, 6, 2),
                                           Continuing(0, 4, 9), Continuing(common + 2, 20, 3),
                                           Continuing(common + 2, 1, 4)};
      std::vector<const tasks::Work*> all;
      for (const tasks::Work& w : works) all.push_back(&w);
      std::vector<float> apart(5 * width), shared(5 * width);
      const auto length = static_cast<std::size_t>(common);
      const Share shares[] = {{0, 2, length}, {3, 2, length + 2}};
      ASSERT_TRUE((*session)->Run(all, {apart.data(), 5, width, width}));
      const auto receipt = (*session)->Run(all, {shared.data(), 5, width, width}, shares);
      ASSERT_TRUE(receipt);
      EXPECT_TRUE(receipt->as_planned) << receipt->difference;
      EXPECT_EQ(receipt->shared_rows, 2 * length + 2);
      EXPECT_EQ(receipt->sequences, 7u);
      EXPECT_EQ(apart, shared) << threads << " threads, " << common << " rows in common";
      // The rows matter: other beginnings give other numbers.
      EXPECT_NE(std::vector<float>(apart.begin(), apart.begin() + static_cast<std::ptrdiff_t>(width)),
                std::vector<float>(apart.begin() + static_cast<std::ptrdiff_t>(2 * width),
                                   apart.begin() + static_cast<std::ptrdiff_t>(3 * width)));
    }
  }
}

TEST_P(SessionOfPackage, RunAllocatesNothing) {  // DESIGN section 8
  const auto backend = cpu::CpuBackend::New({.threads = 2});
  ASSERT_TRUE(backend);
  const auto model = LoadOn(**backend, GetParam().string(), TaskOf(GetParam()));
  ASSERT_NE(model, nullptr);
  const auto session = Session::Open(*model);
  ASSERT_TRUE(session);
  const tasks::Work a = WorkOf({2, 130, 131, 132, 133, 3}), b = WorkOf({2, 3});
  const tasks::Work* both[] = {&a, &b};
  const std::size_t width = model->task().OutputWidth();
  const std::size_t rows = model->task().OutputRows(a) + model->task().OutputRows(b);
  std::vector<float> numbers(rows * width);
  const View<float> out{numbers.data(), rows, width, width};
  ASSERT_TRUE((*session)->Run(both, out));  // the calling thread's scratch is made when it first works
  for (int i = 0; i < 3; ++i) {
    const std::size_t before = allocations;
    const auto receipt = (*session)->Run(both, out);
    EXPECT_EQ(allocations, before) << "pass " << i;
    ASSERT_TRUE(receipt && receipt->as_planned);
  }
}

TEST(Session, EveryFamilyIsThere) {
  std::set<std::filesystem::path> folders;
  for (const auto& package : Packages())
    if (TaskOf(package) == "embed") folders.insert(package.parent_path().parent_path());
  EXPECT_EQ(folders.size(), families::Families().size());
}

INSTANTIATE_TEST_SUITE_P(Goldens, SessionOfPackage, testing::ValuesIn(Packages()));

TEST(Session, ThePlannedWorkspaceIsWhatAFullBatchTakes) {  // PLAN-10
  const ReferenceBackend backend;
  const auto model = LoadOn(backend);
  const plan::Limits& limits = model->plan().limits;
  EXPECT_GT(limits.workspace_bytes, 0u);
  // Fewer rows or sequences take no more: the largest batch bounds them all.
  for (const std::size_t rows : {1u, 2u, 33u, 512u}) {
    for (const std::size_t sequences : {1u, 2u, 17u}) {
      if (sequences > rows) continue;
      EXPECT_LE(plan::RunDry(model->model(), model->task(), rows, sequences, rows, backend, Profile::kF32)
                    .workspace_bytes,
                limits.workspace_bytes);
    }
  }
}

TEST(Session, NothingOfARequestReachesTheNext) {  // SES-06
  const auto backend = cpu::CpuBackend::New({.threads = 1});
  ASSERT_TRUE(backend);
  const auto model = LoadOn(**backend);
  const std::size_t width = model->task().OutputWidth();
  const tasks::Work big = WorkOf({2, 140, 141, 142, 143, 144, 145, 146, 3}), small = WorkOf({2, 131, 3});
  const tasks::Work *first[] = {&big}, *second[] = {&small};
  std::vector<float> numbers(width), after(width), fresh(width);
  const auto used = Session::Open(*model), clean = Session::Open(*model);
  ASSERT_TRUE(used && clean);
  ASSERT_TRUE((*used)->Run(first, {numbers.data(), 1, width, width}));
  ASSERT_TRUE((*used)->Run(second, {after.data(), 1, width, width}));
  ASSERT_TRUE((*clean)->Run(second, {fresh.data(), 1, width, width}));
  EXPECT_EQ(after, fresh);
}

TEST(LoadedModel, UnloadingGivesMemoryBack) {  // SES-08
  const auto backend = cpu::CpuBackend::New({.threads = 1});
  ASSERT_TRUE(backend);
  const auto cycle = [&] {
    const auto model = LoadOn(**backend);
    ASSERT_TRUE(Session::Open(*model));
  };
  for (int i = 0; i < 10; ++i) cycle();  // the allocator's own reserve is filled
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  for (int i = 0; i < 100; ++i) cycle();
  const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
  EXPECT_LE(after,
            before + 32768);  // one cycle takes some 400 KB; the allocator alone moved it by up to 6.4 KB
}

TEST(SessionPool, GivesOutAtMostWhatItMay) {  // SES-03
  const ReferenceBackend backend;
  SessionPool pool(LoadOn(backend), 2);
  Session* first = nullptr;
  {
    auto a = pool.Take(), b = pool.Take();
    ASSERT_TRUE(a && b);
    first = &**a;
    EXPECT_NE(first, &**b);
  }
  auto again = pool.Take();  // one of the two, not a third
  ASSERT_TRUE(again);
}

TEST(SessionPool, OthersWaitUntilOneIsReturned) {  // SES-03
  const ReferenceBackend backend;
  SessionPool pool(LoadOn(backend), 2);
  std::atomic<int> held = 0, most = 0, taken = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 5; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 40; ++i) {
        const auto lease = pool.Take();
        if (!lease) continue;
        ++taken;
        const int now = ++held;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::yield();  // the others come to wait
        --held;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, 5 * 40);
  EXPECT_LE(most, 2);
}

// Fails to open a session as often as it is told to.
class FailingBackend final : public Backend {
 public:
  void Fail(int times) { failures_ = times; }
  std::string_view name() const override { return inner_.name(); }
  std::string machine() const override { return inner_.machine(); }
  DType activation(Profile profile) const override { return inner_.activation(profile); }
  Space space() const override { return inner_.space(); }
  std::optional<KernelChoice> Choose(const Step& step, Profile profile) const override {
    return inner_.Choose(step, profile);
  }
  DType PreparedType(const WeightSource& source, Profile profile) const override {
    return inner_.PreparedType(source, profile);
  }
  std::size_t PreparedBytes(const WeightSource& source, Profile profile) const override {
    return inner_.PreparedBytes(source, profile);
  }
  Result<std::unique_ptr<const PreparedWeight>> Prepare(const WeightSource& source,
                                                        Profile profile) const override {
    return inner_.Prepare(source, profile);
  }
  Result<std::unique_ptr<Memory>> Allocate(std::size_t bytes) const override {
    return inner_.Allocate(bytes);
  }
  std::unique_ptr<Ops> NewOps() const override {
    if (failures_-- > 0) throw std::bad_alloc();
    return inner_.NewOps();
  }

 private:
  ReferenceBackend inner_;
  mutable std::atomic<int> failures_ = 0;
};

TEST(SessionPool, AnExceptionLosesNoPlace) {  // SES-03
  FailingBackend backend;
  SessionPool pool(LoadOn(backend), 2);
  backend.Fail(3);
  for (int i = 0; i < 3; ++i) EXPECT_THROW(static_cast<void>(pool.Take()), std::bad_alloc);
  // Were a place lost, the second of these would wait for good.
  const auto a = pool.Take(), b = pool.Take();
  EXPECT_TRUE(a && b);
}

TEST(SessionPool, SaysHowLongOneWaited) {
  const ReferenceBackend backend;
  SessionPool pool(LoadOn(backend), 1);
  std::optional<SessionPool::Lease> held(std::move(pool.Take()).value());
  EXPECT_EQ(held->waited(), 0);
  std::atomic<bool> asking = false;
  double waited = 0;
  std::thread other([&] {
    asking = true;
    waited = pool.Take()->waited();
  });
  while (!asking) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  held.reset();
  other.join();
  EXPECT_GT(waited, 0);  // 200 less what the thread needs to come to wait, on a busy machine much less
  EXPECT_LT(waited, 60'000);
}

}  // namespace
}  // namespace candor::engine

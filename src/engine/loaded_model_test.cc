// Loading over the reference loops, and over backends that fail on purpose.
#include "engine/loaded_model.h"

#include <gtest/gtest.h>

#include <atomic>

#include "engine/session.h"
#include "engine/test_support.h"
#include "ops/reference.h"

namespace candor::engine {
namespace {

// A backend that fails at one point, and counts what of its weights and memory is still alive.
struct Fault {
  int prepare = -1, allocate = -1;  // which call fails
  bool other_kernel = false;        // plans a kernel that its Ops do not run
};

class FaultyBackend final : public Backend {
 public:
  explicit FaultyBackend(Fault fault) : fault_(fault) {}
  std::string_view name() const override { return real_.name(); }
  std::string machine() const override { return real_.machine(); }
  DType activation(Profile p) const override { return real_.activation(p); }
  Space space() const override { return real_.space(); }
  std::optional<KernelChoice> Choose(const Step& s, Profile p) const override {
    std::optional<KernelChoice> choice = real_.Choose(s, p);
    if (choice && s.op == Op::kPool && fault_.other_kernel) choice->kernel = "reference.another_pool";
    return choice;
  }
  DType PreparedType(const WeightSource& source, Profile profile) const override {
    return real_.PreparedType(source, profile);
  }
  std::size_t PreparedBytes(const WeightSource& source, Profile profile) const override {
    return real_.PreparedBytes(source, profile);
  }
  Result<std::unique_ptr<const PreparedWeight>> Prepare(const WeightSource& source,
                                                        Profile p) const override {
    if (prepared++ == fault_.prepare)
      return Error{Code::kNonFiniteParameter, Where::Tensor("", source.label), "NaN", "finite values"};
    return real_.Prepare(source, p);
  }
  Result<std::unique_ptr<Memory>> Allocate(std::size_t bytes) const override {
    if (allocated++ == fault_.allocate)
      return Error{Code::kInsufficientMemory, {}, std::to_string(bytes) + " bytes", "less"};
    return real_.Allocate(bytes);
  }
  std::unique_ptr<Ops> NewOps() const override { return real_.NewOps(); }
  mutable std::atomic<int> prepared = 0, allocated = 0;

 private:
  ReferenceBackend real_;
  Fault fault_;
};

TEST(LoadedModel, AFailedSlotPublishesNothing) {  // PLAN-11
  const FaultyBackend whole({});
  ASSERT_TRUE(LoadedModel::Load(DraftFor(whole), whole, InOrder));
  const int slots = whole.prepared;
  ASSERT_GT(slots, 20);
  for (int i = 0; i < slots; ++i) {
    const FaultyBackend backend({.prepare = i});
    const auto loaded = LoadedModel::Load(DraftFor(backend), backend, InOrder);
    ASSERT_FALSE(loaded) << "slot " << i;
    ASSERT_EQ(loaded.error().size(), 1u);
    EXPECT_EQ(loaded.error()[0].code, Code::kNonFiniteParameter);
    EXPECT_EQ(loaded.error()[0].phase, Phase::kLoad);
  }
}

TEST(LoadedModel, TheProbeNeedsItsMemory) {  // PLAN-13
  const FaultyBackend backend({.allocate = 0});
  const auto loaded = LoadedModel::Load(DraftFor(backend), backend, InOrder);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().at(0).code, Code::kInsufficientMemory);
}

TEST(LoadedModel, AnUnplannedKernelIsFoundBeforeTraffic) {  // PLAN-13, EXE-05
  const FaultyBackend backend({.other_kernel = true});
  const auto loaded = LoadedModel::Load(DraftFor(backend), backend, InOrder);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().at(0).code, Code::kDevicePlanRejected);
  EXPECT_EQ(loaded.error().at(0).found, "not planned: pool by reference.pool in f32, 1 calls");
}

// CAP-05, CAP-10: what no golden proved is said, what was taken back is refused whatever was asked.
TEST(Envelope, DecidesByItsRowsAndWithdrawals) {
  const ReferenceBackend backend;
  const auto draft = [&](const plan::Envelope& envelope) {
    auto package = package::Package::Open(kPackage);
    return plan::MakeDraft(std::move(package).value(), {.path = kPackage, .allow_unqualified = true},
                           {backend, families::Families(), "candor test", envelope});
  };
  const auto built_in = draft(plan::BuiltInEnvelope());
  ASSERT_TRUE(built_in);
  EXPECT_EQ(built_in->plan.decision, plan::Decision::kEligible);

  const auto empty = draft({});
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->plan.decision, plan::Decision::kUnqualified);
  EXPECT_EQ(empty->plan.unqualified, empty->plan.Choices());
  const Problems blockers = plan::Unqualified(empty->plan, {});
  ASSERT_EQ(blockers.size(), empty->plan.Choices().size());
  EXPECT_EQ(blockers[0].code, Code::kUnqualifiedCase);

  const plan::Withdrawal withdrawn[] = {{"bert f32 cpu hidden_act=gelu", "wrong above 3"}};
  const auto taken_back = draft({plan::BuiltInEnvelope().rows, withdrawn});
  ASSERT_FALSE(taken_back);
  ASSERT_EQ(taken_back.error().size(), 1u);
  EXPECT_EQ(taken_back.error()[0].code, Code::kCaseWithdrawn);
  EXPECT_EQ(taken_back.error()[0].where, Where::At("config.json", "/hidden_act"));
  EXPECT_EQ(taken_back.error()[0].found, "hidden_act=gelu: wrong above 3");
}

TEST(LoadedModel, TwoLoadsHaveOneFingerprint) {  // PLAN-03, ART-01
  const ReferenceBackend backend;
  const auto a = LoadedModel::Load(DraftFor(backend), backend, InOrder);
  const auto b = LoadedModel::Load(DraftFor(backend), backend, InOrder);
  ASSERT_TRUE(a && b);
  EXPECT_EQ((*a)->fingerprint(), (*b)->fingerprint());
  EXPECT_TRUE((*a)->fingerprint().starts_with("sha256:"));
  EXPECT_EQ((*a)->plan().space, (*b)->plan().space);
}

}  // namespace
}  // namespace candor::engine

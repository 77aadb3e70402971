// What goes into the last product of a head, over the reference operations: where a logit differs and this
// does not, the last product is at fault.
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>
#include <variant>
#include <vector>

#include "bound_model.h"
#include "head_golden.h"
#include "ops/reference.h"
#include "tasks/chain.h"
#include "tasks/cross_encoder.h"
#include "tasks/logit_score.h"
#include "tasks/task.h"

namespace candor::goldens {
namespace {

using Readout = std::variant<Head, tasks::ModuleChain>;

// The head of a golden's package without its last product.
std::optional<Readout> WithoutLast(const BoundModel& m, const HeadGolden& golden, Problems& problems) {
  const auto config = m.package->Read(m.package->InEncoder("config.json"), m.log);
  const std::size_t width = m.model->width();
  if (tasks::HowScored(*m.package, *config) == tasks::ScoredBy::kNextWord)
    return Head({.pooling = Pooling::kLast}, width);
  if (tasks::HasModuleChain(*m.package)) {
    auto read = tasks::ReadCrossEncoder(*m.package, m.log, *config, width, "activation", problems);
    if (!problems.empty()) return std::nullopt;
    read.recipe.chain.pop_back();
    return tasks::ModuleChain(read.recipe.chain, width);
  }
  HeadSpec spec = m.family->sequence_head(*config, {width, golden.logits.shape[1]}, problems);
  if (!problems.empty()) return std::nullopt;
  spec.steps.pop_back();
  return Head(spec, width);
}

class HeadRows : public testing::TestWithParam<std::string> {};

// TSK-13, TSK-14. Largest distance seen: 1.5e-7, of a bound of 2.1e-6.
TEST_P(HeadRows, InFrontOfTheLastProductAreTheReferences) {
  const HeadGolden golden = LoadHead(GetParam());
  BoundModel m;
  ASSERT_TRUE(m.Open(golden.package));
  Problems problems;
  families::Found found = families::FindModel(*m.package, m.log, problems);
  ASSERT_NE(found.model, nullptr) << Words(problems);
  m.family = found.family, m.model = std::move(found.model);
  std::optional<Readout> readout = WithoutLast(m, golden, problems);
  ASSERT_TRUE(readout) << Words(problems);
  std::vector<TensorDecl> wanted;
  m.model->DeclareTensors(m.Encoder(wanted));
  std::visit([&](auto& r) { r.DeclareTensors(m.Encoder(wanted)); }, *readout);
  m.Bind(wanted, golden.name, true);
  const std::size_t width = std::visit([](const auto& r) { return r.out(); }, *readout);
  std::vector<double> got;
  for (const HeadItem& item : golden.items) {
    const auto work = tasks::LayRows(m.model->input(), item.ids, item.type_ids);
    ASSERT_TRUE(work) << Message(work.error());
    ReferenceOps ops;
    Batch batch;
    batch.tokens = ops.Stage(work->tokens), batch.segments = ops.Stage(work->segments);
    batch.positions = ops.Stage(work->positions), batch.sequences = ops.Stage(work->sequences);
    const Sequences runs = ops.Stage(work->runs);
    std::vector<float> memory(1u << 18), row(width);
    Workspace ws(reinterpret_cast<std::byte*>(memory.data()), memory.size() * 4, DType::kF32, Space::kHost);
    const Matrix out = ws.RowsF32(1, width);
    const Matrix hidden = m.model->Forward(batch, ops, ws);
    std::visit([&](const auto& r) { r.Apply(hidden, runs, out, ops, ws); }, *readout);
    ops.Download(out, row);
    got.insert(got.end(), row.begin(), row.end());
  }
  ASSERT_EQ(got.size(), golden.pooled.values.size());
  const double distance = RelativeL2(got, golden.pooled.values);
  std::printf("%-20s relative L2 %.2e of %.2e\n", golden.name.c_str(), distance, Bound(golden.pooled_delta));
  EXPECT_LE(distance, Bound(golden.pooled_delta));
}

INSTANTIATE_TEST_SUITE_P(Cases, HeadRows, testing::ValuesIn(HeadNames()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace candor::goldens

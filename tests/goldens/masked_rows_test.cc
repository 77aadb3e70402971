// Logits of masked-LM heads over the reference operations, for the first rows of a text: where a vector
// differs and these do not, the pooling is at fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "bound_model.h"
#include "model/head.h"
#include "ops/reference.h"
#include "sparse_golden.h"
#include "tasks/task.h"

namespace candor::goldens {
namespace {

class MaskedRows : public testing::TestWithParam<std::string> {};

// FAM-06. Largest distance seen: 4.3e-7, of a bound of 1.4e-6.
TEST_P(MaskedRows, LogitsAreTheReferences) {
  const SparseGolden golden = LoadSparse(GetParam());
  BoundModel m;
  ASSERT_TRUE(m.Open(golden.package));
  Problems problems;
  families::Found found = families::FindModel(*m.package, m.log, problems);
  ASSERT_NE(found.model, nullptr) << Words(problems);
  m.family = found.family, m.model = std::move(found.model);
  const auto config = m.package->Read(m.package->InEncoder("config.json"), m.log);
  Head head(m.family->masked_head(*config, {m.model->width(), golden.dimension}, problems), m.model->width());
  ASSERT_TRUE(problems.empty()) << Words(problems);
  std::vector<TensorDecl> wanted;
  m.model->DeclareTensors(m.Encoder(wanted));
  head.DeclareTensors(m.Encoder(wanted));
  m.Bind(wanted, golden.name, false);
  for (const Hidden& want : golden.logits) {
    const std::vector<std::int32_t>& ids = golden.items[want.item].ids;
    const auto work = tasks::LayRows(m.model->input(), ids, std::vector<std::int32_t>(ids.size(), 0));
    ASSERT_TRUE(work) << Message(work.error());
    ReferenceOps ops;
    Batch batch;
    batch.tokens = ops.Stage(work->tokens), batch.segments = ops.Stage(work->segments);
    batch.positions = ops.Stage(work->positions), batch.sequences = ops.Stage(work->sequences);
    std::vector<float> memory(1u << 18), rows(ids.size() * golden.dimension);
    Workspace ws(reinterpret_cast<std::byte*>(memory.data()), memory.size() * 4, DType::kF32, Space::kHost);
    const Matrix out = ws.RowsF32(ids.size(), golden.dimension);
    head.Apply(m.model->Forward(batch, ops, ws), ops.Stage(work->runs), out, ops, ws);
    ops.Download(out, rows);
    rows.resize(want.rows.values.size());
    const double distance = RelativeL2({rows.begin(), rows.end()}, want.rows.values);
    std::printf("%-24s item %zu relative L2 %.2e of %.2e\n", golden.name.c_str(), want.item, distance,
                Bound(want.delta));
    EXPECT_LE(distance, Bound(want.delta));
  }
}

// Of the cases with such a head.
std::vector<std::string> HeadNames() {
  std::vector<std::string> names = SparseNames();
  std::erase_if(names, [](const std::string& name) { return LoadSparse(name).logits.empty(); });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cases, MaskedRows, testing::ValuesIn(HeadNames()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace candor::goldens

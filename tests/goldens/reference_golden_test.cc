// Every family and the dense embedding task over the reference operations, against the reference library.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bound_model.h"
#include "families/registry.h"
#include "golden.h"
#include "late_interaction_golden.h"
#include "ops/reference.h"
#include "tasks/pass.h"
#include "tasks/registry.h"

namespace candor::goldens {
namespace {

struct Loaded : BoundModel {
  std::unique_ptr<tasks::Task> task;
};

// config.json with some keys changed, as a package in memory would state it.
package::Config Changed(const package::Package& package, const FirstLayer& cut,
                        const std::shared_ptr<package::ReadLog>& log) {
  io::JsonWriter writer;
  writer.BeginObject();
  const auto config = package.Read(package.InEncoder("config.json"), log);
  for (const std::string& key : config->Keys()) {
    writer.Key(key);
    const auto at = std::ranges::find(cut.config, key, &std::pair<std::string, io::Json>::first);
    const io::Json* value = at == cut.config.end() ? config->Raw(key) : &at->second;
    writer.Value(value == nullptr ? io::Json() : *value);  // of a null nothing is read
  }
  writer.EndObject();
  const auto document = std::make_shared<const io::Json>(io::ParseJson(writer.Take(), "config.json").value());
  return {document, document.get(), "config.json", "", log};
}

// With `cut`, the model that config.json then describes; the tensors of the other layers are left alone.
Loaded OpenTask(const std::string& folder, const char* verb, tasks::TaskOptions options,
                const FirstLayer* cut = nullptr) {
  Loaded l;
  if (!l.Open(folder)) return l;
  Problems problems;
  families::Found found;
  if (cut == nullptr) {
    found = families::FindModel(*l.package, l.log, problems);
  } else {
    const package::Config config = Changed(*l.package, *cut, l.log);
    found.family = families::Recognise(config, problems);
    if (found.family != nullptr) found.model = families::ReadModel(*found.family, config, problems);
  }
  l.family = found.family;
  l.model = std::move(found.model);
  options.family = l.family;
  l.task = tasks::MakeTask(verb, *l.package, l.log, options, l.model.get(), problems);
  if (!problems.empty() || l.model == nullptr) {
    ADD_FAILURE() << folder << ": " << Words(problems);
    l.model = nullptr;
    return l;
  }
  std::vector<TensorDecl> wanted;
  l.model->DeclareTensors(l.Encoder(wanted));
  l.task->DeclareTensors(l.Encoder(wanted));
  l.Bind(wanted, folder, cut != nullptr);
  return l;
}

Loaded Open(const Golden& golden, const FirstLayer* cut = nullptr) {
  tasks::TaskOptions options;
  if (NeedsPooling(golden)) options.pooling = "mean";
  return OpenTask(golden.package, "embed", std::move(options), cut);
}

struct Ran {
  std::vector<float> numbers, hidden;
};

Ran RunPass(const Loaded& l, const tasks::Work& work) {
  ReferenceOps ops;
  tasks::Packed packed;
  packed.batch.tokens = ops.Stage(work.tokens);
  packed.batch.segments = ops.Stage(work.segments);
  packed.batch.positions = ops.Stage(work.positions);
  packed.batch.sequences = ops.Stage(work.sequences);
  packed.batch.adapter = work.adapter;
  packed.runs = ops.Stage(work.runs);
  packed.route = work.route;
  std::vector<float> memory(1u << 20);
  Workspace ws(reinterpret_cast<std::byte*>(memory.data()), memory.size() * 4, DType::kF32, Space::kHost);
  Ran out;
  const std::size_t rows = l.task->OutputRows(work);
  out.numbers.resize(rows * l.task->OutputWidth());
  ops.Download(tasks::Pass(*l.model, *l.task, packed, rows, ops, ws), out.numbers);
  const auto frame = ws.Mark();
  const Matrix hidden = l.model->Forward(packed.batch, ops, ws);
  out.hidden.resize(hidden.rows() * hidden.cols());
  ops.Download(hidden, out.hidden);
  return out;
}

std::vector<double> Wide(const std::vector<float>& values) { return {values.begin(), values.end()}; }

// The tiny packages: plain loops take minutes over a real one, which the engine's test runs.
std::vector<std::string> TinyCases() {
  std::vector<std::string> names = CaseNames();
  std::erase_if(names, IsReal);
  return names;
}

class ReferenceGolden : public testing::TestWithParam<std::string> {};

// Largest distances seen: 2.2e-7 of hidden rows, 1.8e-7 of vectors; the bound is nowhere under 1e-6, and no
// distance above a seventh of its own.
TEST_P(ReferenceGolden, HiddenRowsAndVectors) {
  const Golden golden = Load(GetParam());
  const Loaded l = Open(golden);
  ASSERT_NE(l.model, nullptr);
  ASSERT_NE(l.task, nullptr);
  EXPECT_EQ(l.task->facts().max_length, LengthOf(golden));
  EXPECT_EQ(l.task->facts().dimensions, golden.dimension);
  EXPECT_EQ(l.task->facts().similarity, golden.similarity);
  std::vector<double> all(golden.embeddings.values.size());
  for (const Asked& asked : Requests(golden)) {
    auto laid = l.task->Lay(asked.request);
    ASSERT_TRUE(laid) << Message(laid.error());
    ASSERT_EQ(laid->works.size(), asked.items.size());
    std::vector<tasks::Kept> kept;
    for (std::size_t i = 0; i < laid->works.size(); ++i) {
      const Item& item = golden.items[asked.items[i]];
      // TSK-08, BR-109: ids, type ids (where the model has types) and counts exactly.
      EXPECT_EQ(laid->works[i].tokens, item.ids) << item.text;
      EXPECT_EQ(laid->works[i].segments,
                l.model->input().segments != 0 ? item.type_ids : std::vector<std::int32_t>())
          << item.text;
      EXPECT_EQ(laid->items[i].total, item.tokens_before_truncation) << item.text;
      Ran ran = RunPass(l, laid->works[i]);
      kept.push_back({std::move(ran.numbers), {}});
      for (const Hidden& h : golden.hidden) {
        if (h.item != asked.items[i]) continue;
        const double distance = RelativeL2(Wide(ran.hidden), h.rows.values);
        std::printf("%s hidden rows of item %zu: relative L2 %.2e of %.2e\n", golden.name.c_str(), h.item,
                    distance, Bound(h.delta));
        EXPECT_LE(distance, Bound(h.delta)) << "item " << h.item;
      }
    }
    const auto output = l.task->Finish(asked.request, *laid, kept);
    ASSERT_TRUE(output) << Message(output.error());
    const auto& e = std::get<Embeddings>(*output);
    for (std::size_t i = 0; i < asked.items.size(); ++i) {
      EXPECT_FALSE(laid->items[i].error);
      for (std::size_t c = 0; c < e.dimensions; ++c)
        all[asked.items[i] * e.dimensions + c] = static_cast<double>(e.values[i * e.dimensions + c]);
    }
  }
  const double distance = RelativeL2(all, golden.embeddings.values);
  std::printf("%s vectors: relative L2 %.2e of %.2e\n", golden.name.c_str(), distance, Bound(golden.delta));
  EXPECT_LE(distance, Bound(golden.delta));
}

class LateReferenceGolden : public testing::TestWithParam<std::string> {};

// Late interaction: which rows no row sees, the encoder's rows with them, and all rows of one query.
TEST_P(LateReferenceGolden, HiddenRows) {
  const LateGolden golden = LoadLate(GetParam());
  const Loaded l = OpenTask(golden.package, "embed-tokens", {});
  ASSERT_NE(l.model, nullptr);
  for (std::size_t i = 0; i < golden.items.size(); ++i) {
    const LateItem& item = golden.items[i];
    const auto laid = l.task->Lay(MultiVectorRequest{{Content(item.text)}, {.role = item.role}});
    ASSERT_TRUE(laid) << Message(laid.error());
    const tasks::Work& work = laid->works.at(0);
    EXPECT_EQ(work.tokens, item.ids) << item.text;
    EXPECT_EQ(static_cast<std::size_t>(work.sequences.at(0).unseen), item.unseen) << item.text;
    if (i != golden.hidden.item) continue;
    const double distance = RelativeL2(Wide(RunPass(l, work).hidden), golden.hidden.rows.values);
    std::printf("%s hidden rows: relative L2 %.2e of %.2e\n", golden.name.c_str(), distance,
                Bound(golden.hidden.delta));
    EXPECT_LE(distance, Bound(golden.hidden.delta));
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, LateReferenceGolden, testing::ValuesIn(LateNames()),
                         [](const auto& tested) { return tested.param; });

class FirstLayerGolden : public testing::TestWithParam<std::string> {};

// The model of the first layer alone, from the same tensors. Largest distance seen: 1.1e-7 of 1.2e-6.
TEST_P(FirstLayerGolden, HiddenRows) {
  const Golden golden = Load(GetParam());
  const Loaded l = Open(golden, &*golden.first_layer);
  ASSERT_NE(l.model, nullptr);
  EXPECT_FALSE(golden.first_layer->hidden.empty());
  for (const Hidden& h : golden.first_layer->hidden) {
    const Item& item = golden.items[h.item];
    tasks::Work work;
    work.tokens = item.ids, work.segments = item.type_ids, work.positions.resize(item.ids.size());
    if (l.model->input().segments == 0) work.segments.clear();
    FillPositions(l.model->input(), work.tokens, work.positions);
    const InputRule input = l.model->input();
    if (item.adapter) {
      const auto at = std::ranges::find(input.adapters, *item.adapter, &Adapter::name);
      work.adapter = static_cast<std::int32_t>(at - input.adapters.begin());
    }
    work.sequences = work.runs = {{.begin = 0, .end = static_cast<std::int32_t>(item.ids.size())}};
    const double distance = RelativeL2(Wide(RunPass(l, work).hidden), h.rows.values);
    std::printf("%s first layer, item %zu: relative L2 %.2e of %.2e\n", golden.name.c_str(), h.item, distance,
                Bound(h.delta));
    EXPECT_LE(distance, Bound(h.delta)) << "item " << h.item;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, FirstLayerGolden, testing::ValuesIn([] {
                           std::vector<std::string> names = TinyCases();
                           std::erase_if(names, [](const std::string& n) { return !Load(n).first_layer; });
                           return names;
                         }()),
                         [](const auto& tested) { return TestName(tested.param); });

INSTANTIATE_TEST_SUITE_P(Cases, ReferenceGolden, testing::ValuesIn(TinyCases()),
                         [](const auto& tested) { return TestName(tested.param); });

}  // namespace
}  // namespace candor::goldens

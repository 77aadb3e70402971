// Sparse encoders of every family with a masked-LM head through the public API, from folder to indices and
// values: agreement with the reference library, order and company, memory.
#include "sparse_golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "candor/engine.h"
#include "families/registry.h"
#include "io/json.h"
#include "tasks_page.h"

namespace candor::goldens {
namespace {

std::shared_ptr<Engine> NewEngine(const std::string& isa = "", std::size_t threads = 2) {
  Result<std::shared_ptr<Engine>> engine = Engine::New({.threads = threads, .isa = isa});
  return engine ? *engine : nullptr;  // a table this machine lacks
}

std::shared_ptr<const SparseEmbedder> Open(const Engine& engine, const SparseGolden& golden) {
  const auto model =
      engine.OpenSparse({.path = golden.package, .task = "embed-sparse", .allow_unqualified = true});
  if (!model) {
    for (const Error& e : model.error()) ADD_FAILURE() << golden.name << ": " << Message(e);
    return nullptr;
  }
  return *model;
}

struct Answered {
  std::vector<SparseVector> vectors;  // by item of the golden
  std::vector<ItemReport> items;
  bool as_planned = true;
};

// The items of `order`, those of one role together.
Answered Answer(const Engine& engine, const SparseGolden& golden, const std::vector<std::size_t>& order) {
  Answered out;
  out.vectors.resize(golden.items.size()), out.items.resize(golden.items.size());
  const auto model = Open(engine, golden);
  if (model == nullptr) return out;
  for (const std::optional<TextRole> role :
       {std::optional<TextRole>{}, {TextRole::kQuery}, {TextRole::kDocument}}) {
    SparseRequest request{.inputs = {}, .text = {.role = role}};
    std::vector<std::size_t> asked;
    for (const std::size_t i : order)
      if (golden.items[i].role == role) request.inputs.push_back(golden.items[i].text), asked.push_back(i);
    if (asked.empty()) continue;
    const auto reply = model->Run(request);
    if (!reply) {
      ADD_FAILURE() << golden.name << ": " << Message(reply.error());
      return out;
    }
    EXPECT_EQ(reply->output.dimensions, golden.dimension);
    EXPECT_EQ(reply->output.similarity, golden.similarity);
    out.as_planned = out.as_planned && reply->receipt.as_planned;
    for (std::size_t i = 0; i < asked.size(); ++i)
      out.vectors[asked[i]] = reply->output.vectors[i], out.items[asked[i]] = reply->items[i];
  }
  return out;
}

std::vector<std::size_t> All(const SparseGolden& golden) {
  std::vector<std::size_t> order(golden.items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::vector<double> Dense(const SparseGolden& golden, const Answered& got) {
  std::vector<double> out(golden.items.size() * golden.dimension);
  for (std::size_t i = 0; i < got.vectors.size(); ++i)
    for (std::size_t k = 0; k < got.vectors[i].indices.size(); ++k)
      out[i * golden.dimension + static_cast<std::size_t>(got.vectors[i].indices[k])] =
          static_cast<double>(got.vectors[i].values[k]);
  return out;
}

bool Same(const SparseVector& a, const SparseVector& b) {
  return a.indices == b.indices && a.values == b.values;
}

class SparseGoldenTest : public testing::TestWithParam<std::string> {};

// TSK-11. Largest distance seen: 8.7e-7 of a bound of 3.0e-6.
TEST_P(SparseGoldenTest, VectorsAreTheReferences) {
  const SparseGolden golden = LoadSparse(GetParam());
  const Answered got = Answer(*NewEngine(), golden, All(golden));
  EXPECT_TRUE(got.as_planned);
  for (std::size_t i = 0; i < golden.items.size(); ++i) {
    const SparseVector& v = got.vectors[i];
    EXPECT_FALSE(got.items[i].error) << golden.items[i].text;
    EXPECT_EQ(got.items[i].tokens, golden.items[i].ids.size()) << golden.items[i].text;
    EXPECT_EQ(got.items[i].total, golden.items[i].tokens_before_truncation) << golden.items[i].text;
    ASSERT_EQ(v.indices.size(), v.values.size());
    EXPECT_TRUE(std::ranges::is_sorted(v.indices, std::less_equal<>{}) || v.indices.size() < 2);
    EXPECT_EQ(std::set<std::int32_t>(v.indices.begin(), v.indices.end()).size(), v.indices.size());
    EXPECT_TRUE(std::ranges::none_of(v.values, [](float x) { return x == 0; }));
  }
  const double distance = RelativeL2(Dense(golden, got), golden.vectors.values);
  std::printf("%-24s relative L2 %.2e of %.2e\n", golden.name.c_str(), distance, Bound(golden.delta));
  EXPECT_LE(distance, Bound(golden.delta));
}

// BAT-03: alone, in reverse, by every table and number of threads: the same bits.
TEST_P(SparseGoldenTest, CompanyOrderTablesAndThreadsChangeNothing) {
  const SparseGolden golden = LoadSparse(GetParam());
  std::vector<std::size_t> order = All(golden);
  const auto engine = NewEngine();
  const Answered right = Answer(*engine, golden, order);
  for (const std::size_t i : order)
    EXPECT_TRUE(Same(Answer(*engine, golden, {i}).vectors[i], right.vectors[i])) << golden.items[i].text;
  std::ranges::reverse(order);
  const Answered backwards = Answer(*engine, golden, order);
  for (const std::size_t i : order) EXPECT_TRUE(Same(backwards.vectors[i], right.vectors[i])) << i;
  for (const char* isa : {"scalar", "avx2", "avx512"})
    for (const std::size_t threads : {1u, 3u}) {
      const auto other = NewEngine(isa, threads);
      if (other == nullptr) continue;
      const Answered got = Answer(*other, golden, All(golden));
      for (const std::size_t i : order)
        EXPECT_TRUE(Same(got.vectors[i], right.vectors[i])) << isa << " " << threads << " " << i;
    }
}

// Final ids give what their text gave.
TEST_P(SparseGoldenTest, IdsGiveTheSameVectors) {
  const SparseGolden golden = LoadSparse(GetParam());
  const auto engine = NewEngine();
  const Answered right = Answer(*engine, golden, All(golden));
  const auto model = Open(*engine, golden);
  for (std::size_t i = 0; i < golden.items.size(); ++i) {
    const SparseItem& item = golden.items[i];
    if (item.ids.empty()) continue;  // of a text that is looked up
    const auto reply = model->Run({.inputs = {item.ids}, .text = {.role = item.role}});
    ASSERT_TRUE(reply) << Message(reply.error());
    EXPECT_TRUE(Same(reply->output.vectors[0], right.vectors[i])) << item.text;
  }
}

// Every item against every item in the package's function; against the spread of the matrix, since a score
// may be a small difference of large numbers. Largest difference seen beside it: see the output.
TEST_P(SparseGoldenTest, SimilarityIsTheReferences) {
  const SparseGolden golden = LoadSparse(GetParam());
  const Answered got = Answer(*NewEngine(), golden, All(golden));
  const SparseEmbeddings all{golden.dimension, golden.similarity, "", got.vectors};
  std::vector<double> matrix;
  for (const SparseVector& vector : got.vectors) {
    const auto row = Similarity(SparseEmbeddings{golden.dimension, golden.similarity, "", {vector}}, all);
    ASSERT_TRUE(row);
    matrix.insert(matrix.end(), row->begin(), row->end());
  }
  const double distance = RelativeL2(matrix, golden.similarity_matrix.values);
  std::printf("%-24s similarity %.2e of %.2e\n", golden.name.c_str(), distance, 2 * Bound(golden.delta));
  EXPECT_LE(distance, 2 * Bound(golden.delta));  // of two vectors
}

// A request's own bound is a part of the whole vector: its largest values, in order.
TEST_P(SparseGoldenTest, FewerActiveNumbersAreTheLargest) {
  const SparseGolden golden = LoadSparse(GetParam());
  const auto model = Open(*NewEngine(), golden);
  SparseRequest request{
      .inputs = {golden.items[2].text, golden.items[1].text}, .text = {}, .max_active = golden.dimension};
  const auto whole = model->Run(request);
  request.max_active = 5;
  const auto few = model->Run(request);
  ASSERT_TRUE(whole && few);
  for (std::size_t i = 0; i < 2; ++i) {
    const SparseVector &all = whole->output.vectors[i], &some = few->output.vectors[i];
    ASSERT_EQ(some.indices.size(), std::min<std::size_t>(5, all.indices.size()));
    const float least = *std::ranges::min_element(some.values);
    std::size_t above = 0;
    for (const float v : all.values) above += v > least ? 1u : 0u;
    EXPECT_LT(above, 5u);
    for (std::size_t k = 0; k < some.indices.size(); ++k) {
      const auto at = std::ranges::find(all.indices, some.indices[k]) - all.indices.begin();
      EXPECT_EQ(all.values[static_cast<std::size_t>(at)], some.values[k]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, SparseGoldenTest, testing::ValuesIn(SparseNames()),
                         [](const auto& tested) { return tested.param; });

// TSK-11: of rows by vocabulary nothing is planned: what a row more takes is less than its logits beside its
// share of a result, a text having two rows at least. Seen: 858 bytes of 1134.
TEST(SparseMemory, NoRowsByVocabulary) {
  const SparseGolden golden = LoadSparse("bert_splade");
  const auto engine = NewEngine();
  const auto workspace = [&](std::size_t rows) -> std::uint64_t {
    const auto plan = engine->Plan({.path = golden.package,
                                    .task = "embed-sparse",
                                    .max_batch_tokens = rows,
                                    .allow_unqualified = true});
    EXPECT_TRUE(plan);
    return io::ParseJson(plan->json, "plan")->Find("memory")->Find("workspace_bytes")->as_uint();
  };
  const std::uint64_t logits = golden.dimension * sizeof(float);
  EXPECT_LT((workspace(1024) - workspace(64)) / 960, logits + logits / 2);
}

// Ten thousand documents: the receipt counts them all, and no pass is larger than planned.
TEST(SparseMemory, ManyDocuments) {
  const SparseGolden golden = LoadSparse("distilbert_splade");
  const auto model = Open(*NewEngine(), golden);
  SparseRequest request{.inputs = std::vector<Content>(10000, "river"), .text = {}, .max_active = 4};
  const auto reply = model->Run(request);
  ASSERT_TRUE(reply) << Message(reply.error());
  EXPECT_TRUE(reply->receipt.as_planned);
  EXPECT_EQ(reply->receipt.failed, 0u);
  EXPECT_GE(reply->receipt.batches, 10000u * 3 / model->info().max_batch_tokens);
  for (const SparseVector& v : reply->output.vectors)
    ASSERT_TRUE(Same(v, reply->output.vectors.front()) && v.indices.size() == 4);
}

// FAM-03: every family with a masked-LM head has a golden, and docs/tasks.md names just these.
TEST(SparseFamilies, HaveGoldensAndAreNamed) {
  std::set<std::string> built, proved;
  for (const Family* family : families::Families())
    if (family->masked_head != nullptr) built.emplace(family->name);
  for (const std::string& name : SparseNames()) proved.insert(LoadSparse(name).family);
  EXPECT_EQ(proved, built);
  EXPECT_EQ(NamedFamilies("Masked-LM heads under sparse vectors:"), built);
}

// What a package cannot do is refused before a weight is read, with what it can do.
TEST(SparseRefusals, OfOtherTasks) {
  const auto engine = NewEngine();
  const auto refusal = [&](const std::string& package, const std::string& task) {
    const std::string path = std::string(CANDOR_SOURCE_DIR) + "/goldens/" + package + "/package";
    const auto plan = engine->Plan({.path = path, .task = task, .allow_unqualified = true});
    std::string all;
    if (!plan)
      for (const Error& e : plan.error()) all += Message(e) + "\n";
    return all;
  };
  EXPECT_NE(refusal("bert/classic", "embed-sparse").find("found SentenceTransformer, allowed SparseEncoder"),
            std::string::npos);
  EXPECT_NE(refusal("heads/bert_softmax", "embed-sparse").find("no such file"), std::string::npos);
  EXPECT_EQ(refusal("sparse/bert_splade", "embed-sparse"), "");
  // BGE-M3's heads stand beside a dense package, which stays one.
  for (const char* task : {"embed", "embed-sparse", "embed-tokens"})
    EXPECT_EQ(refusal("sparse/xlm_roberta_m3", task), "");
  EXPECT_NE(refusal("sparse/bert_splade", "embed").find("embed --task sparse"), std::string::npos);
}

// An auto-encoder has no more numbers than it has, and the library's choice of more is an error.
TEST(SparseRefusals, MoreCodesThanThereAre) {
  const SparseGolden golden = LoadSparse("bert_codes");
  const auto model = Open(*NewEngine(), golden);
  const auto none = model->Run({.inputs = {"river"}, .text = {}, .max_active = golden.dimension + 1});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Code::kUnsupportedOption);
  const auto more = model->Run({.inputs = {"river"}, .text = {}, .max_active = 12});
  ASSERT_TRUE(more);
  EXPECT_GT(more->output.vectors[0].indices.size(), 6u);
}

TEST(SparseRefusals, Requests) {
  const SparseGolden golden = LoadSparse("bert_splade");
  const auto model = Open(*NewEngine(), golden);
  const auto none = model->Run({.inputs = {"river"}, .text = {}, .max_active = 0});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Code::kUnsupportedOption);
  EXPECT_EQ(none.error().where, Where::Option("max-active-dims"));
  const auto nothing = model->Run({.inputs = {}});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, Code::kEmptyInput);
  const auto mixed = model->Run({.inputs = {TokenIds{1, 100000}, "river", TokenIds{}}});
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->items[0].error->code, Code::kInvalidInput);
  EXPECT_TRUE(mixed->output.vectors[0].indices.empty());
  EXPECT_FALSE(mixed->items[1].error);
  EXPECT_EQ(mixed->items[2].error->code, Code::kZeroValidTokens);
}

}  // namespace

std::vector<std::string> ProvenSparsePlans() {
  std::vector<std::string> out;
  const auto engine = NewEngine();
  for (const std::string& name : SparseNames()) {
    const SparseGolden golden = LoadSparse(name);
    const Answered got = Answer(*engine, golden, All(golden));
    if (RelativeL2(Dense(golden, got), golden.vectors.values) > Bound(golden.delta)) continue;
    const auto plan =
        engine->Plan({.path = golden.package, .task = "embed-sparse", .allow_unqualified = true});
    if (plan) out.push_back(plan->json);
  }
  return out;
}

}  // namespace candor::goldens

// Classifiers and cross-encoders of every family through the public API, from folder to score: agreement with
// the reference library, ids and counts, order and company.
#include "head_golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>

#include "candor/engine.h"
#include "families/registry.h"
#include "tasks_page.h"

namespace candor::goldens {
namespace {

std::shared_ptr<Engine> NewEngine(const std::string& isa = "", std::size_t threads = 2) {
  Result<std::shared_ptr<Engine>> engine = Engine::New({.threads = threads, .isa = isa});
  return engine ? *engine : nullptr;  // a table this machine lacks
}

struct Answered {
  std::vector<float> logits, scores;
  std::vector<ItemReport> items;
  std::string activation;
  bool as_planned = false;
};

// Every item of a golden, or those of `order`. A rerank request has one query: each item is its own.
Answered Answer(const Engine& engine, const HeadGolden& golden, const std::vector<std::size_t>& order) {
  Answered out;
  const ModelOptions options{.path = golden.package, .task = golden.task, .allow_unqualified = true};
  const auto fail = [&](const Problems& problems) {
    for (const Error& e : problems) ADD_FAILURE() << golden.name << ": " << Message(e);
    return out;
  };
  if (golden.task == "rerank") {
    const auto model = engine.OpenReranker(options);
    if (!model) return fail(model.error());
    EXPECT_EQ((*model)->info().max_length, golden.max_length);
    out.as_planned = true;
    for (const std::size_t i : order) {
      const HeadItem& item = golden.items[i];
      const auto reply = (*model)->Run({.query = item.text, .documents = {*item.pair}});
      if (!reply) return fail({reply.error()});
      out.logits.push_back(reply->output.scores[0]), out.scores.push_back(reply->output.activated[0]);
      out.items.push_back(reply->items[0]);
      out.activation = reply->output.activation;
      out.as_planned = out.as_planned && reply->receipt.as_planned;
    }
    return out;
  }
  const auto model = engine.OpenClassifier(options);
  if (!model) return fail(model.error());
  EXPECT_EQ((*model)->info().max_length, golden.max_length);
  ClassifyRequest request;
  for (const std::size_t i : order) request.inputs.push_back({golden.items[i].text, golden.items[i].pair});
  const auto reply = (*model)->Run(request);
  if (!reply) return fail({reply.error()});
  EXPECT_EQ(reply->output.labels, golden.labels);
  return {reply->output.logits, reply->output.scores, reply->items, reply->output.activation,
          reply->receipt.as_planned};
}

std::vector<std::size_t> All(const HeadGolden& golden) {
  std::vector<std::size_t> order(golden.items.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  return order;
}

class HeadGoldenTest : public testing::TestWithParam<std::string> {};
class HeadTokenizerTest : public testing::TestWithParam<std::string> {};

// Those whose texts the tokenizer joins: a conversation is the task's.
std::vector<std::string> NamesWithoutChats() {
  std::vector<std::string> names = HeadNames();
  std::erase_if(names, [](const std::string& name) { return LoadHead(name).chats; });
  return names;
}

// TSK-13, TSK-14, FAM-06, A-03, A-04, the heads of COV-01, -03 to -09, -24 and -25. Logits within the bound
// of hidden rows; a score's slope is at most 1, so scores are within the largest difference of logits, and
// one rounding.
TEST_P(HeadGoldenTest, LogitsAndScoresAreTheReferences) {
  const HeadGolden golden = LoadHead(GetParam());
  const Answered got = Answer(*NewEngine(), golden, All(golden));
  ASSERT_EQ(got.logits.size(), golden.logits.values.size());
  EXPECT_TRUE(got.as_planned);
  EXPECT_EQ(got.activation, golden.activation);
  for (std::size_t i = 0; i < golden.items.size(); ++i) {
    EXPECT_FALSE(got.items[i].error) << golden.items[i].text;
    EXPECT_EQ(got.items[i].tokens, golden.items[i].ids.size()) << golden.items[i].text;
    EXPECT_EQ(got.items[i].total, golden.items[i].tokens_before_truncation) << golden.items[i].text;
  }
  const double distance = RelativeL2({got.logits.begin(), got.logits.end()}, golden.logits.values);
  double largest = 0;
  for (std::size_t i = 0; i < got.logits.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(got.logits[i]) - golden.logits.values[i]));
  std::printf("%-20s relative L2 %.2e of %.2e, largest difference %.2e\n", golden.name.c_str(), distance,
              Bound(golden.delta), largest);
  EXPECT_LE(distance, Bound(golden.delta));
  for (std::size_t i = 0; i < got.scores.size(); ++i) {
    const double want = golden.scores.values[i], rounding = std::ldexp(std::abs(want), -23);
    EXPECT_NEAR(static_cast<double>(got.scores[i]), want, 2 * largest + rounding) << i;
  }
}

// TSK-08: ids and token types of texts and pairs, exactly. What a task makes of them is in head_ids_test.cc.
TEST_P(HeadTokenizerTest, IdsAreTheReferences) {
  const HeadGolden golden = LoadHead(GetParam());
  const auto tokenizer = NewEngine()->OpenTokenizer({.path = golden.package});
  ASSERT_TRUE(tokenizer);
  for (const HeadItem& item : golden.items) {
    std::optional<std::string_view> pair;
    if (item.pair) pair = *item.pair;
    const auto got = (*tokenizer)->Tokenize(golden.prompt + item.text, pair, {.prompt = ""});
    ASSERT_TRUE(got) << Message(got.error());
    EXPECT_EQ(got->ids, item.ids) << item.text;
    EXPECT_EQ(got->type_ids, item.type_ids) << item.text;
  }
}

// BAT-03: in reverse, by every table and number of threads: the same bits.
TEST_P(HeadGoldenTest, OrderTablesAndThreadsChangeNothing) {
  const HeadGolden golden = LoadHead(GetParam());
  std::vector<std::size_t> order = All(golden);
  const std::vector<float> right = Answer(*NewEngine(), golden, order).logits;
  std::ranges::reverse(order);
  const std::size_t count = right.size() / order.size();
  std::vector<float> backwards = Answer(*NewEngine(), golden, order).logits;
  ASSERT_EQ(backwards.size(), right.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    EXPECT_EQ(std::memcmp(&right[order[i] * count], &backwards[i * count], count * sizeof(float)), 0) << i;
  for (const char* isa : {"scalar", "avx2", "avx512"}) {
    for (const std::size_t threads : {1u, 3u}) {
      const auto engine = NewEngine(isa, threads);
      if (engine != nullptr) {
        EXPECT_EQ(Answer(*engine, golden, All(golden)).logits, right) << isa << " " << threads;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, HeadTokenizerTest, testing::ValuesIn(NamesWithoutChats()),
                         [](const auto& tested) { return tested.param; });
INSTANTIATE_TEST_SUITE_P(Cases, HeadGoldenTest, testing::ValuesIn(HeadNames()),
                         [](const auto& tested) { return tested.param; });

// What a package cannot do is refused before a weight is read, with what it can do.
TEST(HeadRefusals, OfOtherTasks) {
  const auto engine = NewEngine();
  const auto code = [&](const std::string& name, const std::string& task) {
    const ModelOptions options{.path = LoadHead(name).package, .task = task, .allow_unqualified = true};
    const auto plan = engine->Plan(options);
    return plan ? std::string() : Message(plan.error().at(0));
  };
  EXPECT_NE(code("bert_softmax", "rerank").find("3 labels, allowed one label; this head is for classify"),
            std::string::npos);
  EXPECT_NE(code("bert_softmax", "embed").find("BertForSequenceClassification without a module manifest"),
            std::string::npos);
  EXPECT_EQ(code("bert_softmax", "classify"), "");
  EXPECT_EQ(code("bert_rerank", "classify"), "");  // one label has a score too
}

// FAM-03: every family with a head has a golden, and docs/tasks.md names just these.
TEST(TasksPage, NamesTheFamiliesWithHeads) {
  std::set<std::string> built, proved;
  for (const Family* family : families::Families())
    if (family->sequence_head != nullptr) built.emplace(family->name);
  for (const std::string& name : HeadNames()) proved.insert(LoadHead(name).family);
  EXPECT_EQ(proved, built);
  EXPECT_EQ(NamedFamilies("Heads of classes for sequences:"), built);
}

// Equal scores keep the documents' order; the ranking is of logits.
TEST(Ranking, IsStable) {
  EXPECT_EQ(Ranking({.activation = "", .scores = {1, 3, 2, 3, 1}, .activated = {}}),
            (std::vector<std::size_t>{1, 3, 2, 0, 4}));
}

}  // namespace

std::vector<std::string> ProvenHeadPlans() {
  std::vector<std::string> out;
  const auto engine = NewEngine();
  for (const std::string& name : HeadNames()) {
    const HeadGolden golden = LoadHead(name);
    const std::vector<float> got = Answer(*engine, golden, All(golden)).logits;
    if (got.size() != golden.logits.values.size() ||
        RelativeL2({got.begin(), got.end()}, golden.logits.values) > Bound(golden.delta))
      continue;
    const auto plan = engine->Plan({.path = golden.package, .task = golden.task, .allow_unqualified = true});
    if (plan) out.push_back(plan->json);
  }
  return out;
}

}  // namespace candor::goldens

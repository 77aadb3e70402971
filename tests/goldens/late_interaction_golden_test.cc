// Late interaction through the public API, from folder to score: rows of every role beside the reference's,
// ids, company, order, kernels and threads, and MaxSim.
#include "late_interaction_golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "candor/engine.h"

namespace candor::goldens {
namespace {

constexpr std::optional<TextRole> kRoles[] = {std::nullopt, TextRole::kQuery, TextRole::kDocument};

std::shared_ptr<Engine> NewEngine(const std::string& isa = "", std::size_t threads = 2) {
  Result<std::shared_ptr<Engine>> engine = Engine::New({.threads = threads, .isa = isa});
  return engine ? *engine : nullptr;  // a table this machine lacks
}

std::shared_ptr<const MultiVectorEmbedder> Open(const Engine& engine, const LateGolden& golden) {
  auto model =
      engine.OpenMultiVector({.path = golden.package, .task = "embed-tokens", .allow_unqualified = true});
  if (model) return *model;
  for (const Error& e : model.error()) ADD_FAILURE() << golden.name << ": " << Message(e);
  return nullptr;
}

struct Answered {
  std::vector<TokenVectors> texts;  // one per item, in the golden's order
  std::vector<ItemReport> reports;
  std::string similarity;
  bool as_planned = true;
};

// One request a role, its items in order or backwards.
Answered Answer(const MultiVectorEmbedder& model, const LateGolden& golden, bool backwards = false) {
  Answered out;
  out.texts.resize(golden.items.size()), out.reports.resize(golden.items.size());
  for (const auto& role : kRoles) {
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < golden.items.size(); ++i)
      if (golden.items[i].role == role) of.push_back(i);
    if (of.empty()) continue;  // of a package without sides
    if (backwards) std::ranges::reverse(of);
    MultiVectorRequest request{.inputs = {}, .text = {.role = role}};
    for (const std::size_t i : of) request.inputs.emplace_back(golden.items[i].text);
    auto reply = model.Run(request);
    if (!reply) {
      ADD_FAILURE() << golden.name << ": " << Message(reply.error());
      return out;
    }
    for (std::size_t k = 0; k < of.size(); ++k)
      out.texts[of[k]] = reply->output.texts[k], out.reports[of[k]] = reply->items[k];
    out.similarity = reply->output.similarity;
    out.as_planned = out.as_planned && reply->receipt.as_planned;
  }
  return out;
}

std::vector<double> Joined(const Answered& answered) {
  std::vector<double> out;
  for (const TokenVectors& text : answered.texts)
    out.insert(out.end(), text.values.begin(), text.values.end());
  return out;
}

bool SameBits(const Answered& a, const Answered& b) {
  return std::ranges::equal(a.texts, b.texts, [](const TokenVectors& x, const TokenVectors& y) {
    return x.values.size() == y.values.size() &&
           (x.values.empty() ||
            std::memcmp(x.values.data(), y.values.data(), x.values.size() * sizeof(float)) == 0);
  });
}

class LateGoldenTest : public testing::TestWithParam<std::string> {};

// TSK-12, COV-R4, X-06: which tokens of which side are scored, and their vectors.
TEST_P(LateGoldenTest, RowsAreTheReferences) {
  const LateGolden golden = LoadLate(GetParam());
  const auto engine = NewEngine();
  const auto model = Open(*engine, golden);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->info().dimensions, golden.dimensions);
  const Answered got = Answer(*model, golden);
  EXPECT_TRUE(got.as_planned);
  EXPECT_EQ(got.similarity, golden.similarity);
  for (std::size_t i = 0; i < golden.items.size(); ++i) {
    const LateItem& item = golden.items[i];
    std::vector<std::int32_t> scored;
    for (const std::size_t row : item.scored) scored.push_back(item.ids[row]);
    EXPECT_FALSE(got.reports[i].error) << i;
    EXPECT_EQ(got.texts[i].token_ids, scored) << i << " " << item.text;
    EXPECT_EQ(got.reports[i].tokens, item.ids.size()) << i;
    EXPECT_EQ(got.reports[i].total, std::max(item.total, item.ids.size())) << i;
  }
  const std::vector<double> rows = Joined(got);
  ASSERT_EQ(rows.size(), golden.rows.values.size());
  const double distance = RelativeL2(rows, golden.rows.values);
  std::printf("%-24s relative L2 %.2e of %.2e\n", golden.name.c_str(), distance, Bound(golden.delta));
  EXPECT_LE(distance, Bound(golden.delta));
}

// The ids of a query's expansion are given, and which of them are keys follows.
TEST_P(LateGoldenTest, FinalIdsGiveTheSameRows) {
  const LateGolden golden = LoadLate(GetParam());
  const auto engine = NewEngine();
  const auto model = Open(*engine, golden);
  ASSERT_NE(model, nullptr);
  const Answered right = Answer(*model, golden);
  for (std::size_t i = 0; i < golden.items.size(); ++i) {
    const LateItem& item = golden.items[i];
    // A text that ends in the expansion's token itself says nothing of where it ended.
    if (item.expansion == 0 && item.role == TextRole::kQuery) continue;
    if (item.expansion != 0 && item.ids[item.ids.size() - item.expansion - 1] == item.ids.back()) continue;
    const auto reply = model->Run({.inputs = {Content(item.ids)}, .text = {.role = item.role}});
    ASSERT_TRUE(reply) << Message(reply.error());
    EXPECT_FALSE(reply->items[0].error);
    EXPECT_EQ(reply->output.texts[0].values, right.texts[i].values) << i << " " << item.text;
  }
}

// BAT-03: alone, backwards, by every table and number of threads: the same bits.
TEST_P(LateGoldenTest, CompanyOrderTablesAndThreadsChangeNothing) {
  const LateGolden golden = LoadLate(GetParam());
  const auto engine = NewEngine();
  const auto model = Open(*engine, golden);
  ASSERT_NE(model, nullptr);
  const Answered right = Answer(*model, golden);
  EXPECT_TRUE(SameBits(right, Answer(*model, golden, true)));
  for (std::size_t i = 0; i < golden.items.size(); ++i) {
    const auto alone =
        model->Run({.inputs = {Content(golden.items[i].text)}, .text = {.role = golden.items[i].role}});
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->output.texts[0].values, right.texts[i].values) << i;
  }
  for (const char* isa : {"scalar", "avx2", "avx512"}) {
    for (const std::size_t threads : {1u, 3u}) {
      const auto other = NewEngine(isa, threads);
      if (other == nullptr) continue;
      const auto again = Open(*other, golden);
      ASSERT_NE(again, nullptr);
      EXPECT_TRUE(SameBits(right, Answer(*again, golden))) << isa << " " << threads;
    }
  }
}

// Every query against every document. A score is a sum over up to 32 vectors, each off by no more than the
// largest row: the bound of rows times what the scores are made of, generously.
TEST_P(LateGoldenTest, ScoresAreTheReferences) {
  const LateGolden golden = LoadLate(GetParam());
  const auto engine = NewEngine();
  const auto model = Open(*engine, golden);
  ASSERT_NE(model, nullptr);
  const Answered got = Answer(*model, golden);
  const bool sides = golden.items.back().role.has_value();
  const auto side = [&](TextRole role) {
    MultiVectors out{golden.dimensions, false, golden.similarity, model->info().space, {}};
    for (std::size_t i = 0; i < golden.items.size(); ++i)
      if (!sides || golden.items[i].role == role) out.texts.push_back(got.texts[i]);
    return out;
  };
  const MultiVectors queries = side(TextRole::kQuery), documents = side(TextRole::kDocument);
  const std::size_t columns = documents.texts.size();
  ASSERT_EQ(golden.scores.values.size(), queries.texts.size() * columns);
  std::vector<double> scores;
  for (std::size_t q = 0; q < queries.texts.size(); ++q) {
    MultiVectors one = queries;
    one.texts = {queries.texts[q]};
    const auto row = MaxSim(one, documents);
    ASSERT_TRUE(row);
    scores.insert(scores.end(), row->begin(), row->end());
  }
  const double distance = RelativeL2(scores, golden.scores.values);
  std::printf("%-24s scores: relative L2 %.2e\n", golden.name.c_str(), distance);
  EXPECT_LE(distance, 2 * Bound(golden.delta));  // each is of two rows
}

INSTANTIATE_TEST_SUITE_P(Cases, LateGoldenTest, testing::ValuesIn(LateNames()),
                         [](const auto& tested) { return tested.param; });

// COV-R3, API: what such a package cannot do is refused with what it can.
TEST(LateRefusals, OfPooledVectors) {
  const auto engine = NewEngine();
  const auto code = [&](const std::string& name, const std::string& task,
                        std::optional<std::string> pooling = {}) {
    const auto plan = engine->Plan({.path = LoadLate(name).package,
                                    .task = task,
                                    .pooling = std::move(pooling),
                                    .allow_unqualified = true});
    return plan ? std::string() : Message(plan.error().at(0));
  };
  for (const char* name : {"bert_fixed", "bert_pylate", "bert_stanford"}) {
    EXPECT_NE(code(name, "embed").find("embed --task tokens"), std::string::npos) << code(name, "embed");
    EXPECT_NE(code(name, "embed-tokens", "mean").find("every token has a vector of its own"),
              std::string::npos);
  }
  EXPECT_NE(code("bert_stanford", "embed", "mean").find("embed --task tokens"), std::string::npos);
}

}  // namespace

std::vector<std::string> ProvenLatePlans() {
  std::vector<std::string> out;
  const auto engine = NewEngine();
  for (const std::string& name : LateNames()) {
    const LateGolden golden = LoadLate(name);
    const auto model = Open(*engine, golden);
    if (model == nullptr) continue;
    const std::vector<double> rows = Joined(Answer(*model, golden));
    if (rows.size() != golden.rows.values.size() ||
        RelativeL2(rows, golden.rows.values) > Bound(golden.delta))
      continue;
    const auto plan =
        engine->Plan({.path = golden.package, .task = "embed-tokens", .allow_unqualified = true});
    if (plan) out.push_back(plan->json);
  }
  return out;
}

}  // namespace candor::goldens

// Token classifiers of every family through the public API: logits, ids, offsets and spans of the reference
// library, order and company.
#include "token_golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>

#include "base/utf8.h"
#include "candor/engine.h"
#include "families/registry.h"
#include "tasks_page.h"

namespace candor::goldens {
namespace {

std::shared_ptr<Engine> NewEngine(const std::string& isa = "", std::size_t threads = 2) {
  Result<std::shared_ptr<Engine>> engine = Engine::New({.threads = threads, .isa = isa});
  return engine ? *engine : nullptr;  // a table this machine lacks
}

ModelOptions OptionsOf(const TokenGolden& golden) {
  return {.path = golden.package, .task = "classify-tokens", .allow_unqualified = true};
}

std::shared_ptr<const TokenClassifier> Open(const Engine& engine, const TokenGolden& golden) {
  const auto model = engine.OpenTokenClassifier(OptionsOf(golden));
  if (model) return *model;
  for (const Error& e : model.error()) ADD_FAILURE() << golden.name << ": " << Message(e);
  return nullptr;
}

std::vector<std::size_t> All(const TokenGolden& golden) {
  std::vector<std::size_t> order(golden.items.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  return order;
}

Reply<TokenClasses> Label(const TokenClassifier& model, const TokenGolden& golden,
                          const std::vector<std::size_t>& order, Aggregation how = Aggregation::kNone) {
  TokenClassifyRequest request{.inputs = {}, .text = {}, .aggregation = how};
  for (const std::size_t i : order) request.inputs.emplace_back(golden.items[i].text);
  auto reply = model.Run(request);
  if (reply) return std::move(reply).value();
  ADD_FAILURE() << golden.name << ": " << Message(reply.error());
  return {};
}

std::vector<float> LogitsOf(const TokenClasses& classes) {
  std::vector<float> out;
  for (const LabelledTokens& t : classes.texts) out.insert(out.end(), t.logits.begin(), t.logits.end());
  return out;
}

double Largest(const std::vector<float>& got, const std::vector<double>& want) {
  double largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(got[i]) - want[i]));
  return largest;
}

class TokenGoldenTest : public testing::TestWithParam<std::string> {
 protected:
  TokenGolden golden_ = LoadTokens(GetParam());
};

// TSK-15, FAM-06. Largest distance seen: 4.5e-07 of 1.7e-06.
TEST_P(TokenGoldenTest, LogitsAreTheReferences) {
  const auto model = Open(*NewEngine(), golden_);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->info().max_length, golden_.max_length);
  EXPECT_EQ(model->info().contract, "candor.token_classification/v1");
  const Reply<TokenClasses> reply = Label(*model, golden_, All(golden_));
  EXPECT_TRUE(reply.receipt.as_planned);
  EXPECT_EQ(reply.output.labels, golden_.labels);
  EXPECT_EQ(reply.output.activation, "softmax");
  const std::vector<float> got = LogitsOf(reply.output);
  ASSERT_EQ(got.size(), golden_.logits.values.size());
  const double distance = RelativeL2({got.begin(), got.end()}, golden_.logits.values);
  std::printf("%-22s relative L2 %.2e of %.2e, largest difference %.2e\n", golden_.name.c_str(), distance,
              Bound(golden_.delta), Largest(got, golden_.logits.values));
  EXPECT_LE(distance, Bound(golden_.delta));
}

// TSK-08, TSK-09, TSK-15: ids, counts and offsets exactly; offsets lie inside the text.
TEST_P(TokenGoldenTest, TokensAreTheReferences) {
  const auto model = Open(*NewEngine(), golden_);
  ASSERT_NE(model, nullptr);
  const Reply<TokenClasses> reply = Label(*model, golden_, All(golden_));
  ASSERT_EQ(reply.output.texts.size(), golden_.items.size());
  for (std::size_t i = 0; i < golden_.items.size(); ++i) {
    const TokenItem& item = golden_.items[i];
    const LabelledTokens& got = reply.output.texts[i];
    EXPECT_FALSE(reply.items[i].error) << item.text;
    EXPECT_EQ(reply.items[i].tokens, item.ids.size()) << item.text;
    EXPECT_EQ(reply.items[i].total, item.tokens_before_truncation) << item.text;
    EXPECT_EQ(got.token_ids, item.ids) << item.text;
    EXPECT_EQ(got.offsets, item.offsets) << item.text;
    EXPECT_EQ(got.logits.size(), got.token_ids.size() * golden_.labels.size());
    EXPECT_EQ(got.scores.size(), got.logits.size());
    EXPECT_TRUE(got.spans.empty());
    const auto length = static_cast<std::int32_t>(CountUtf8(item.text));
    for (const auto& [begin, end] : got.offsets) EXPECT_TRUE(0 <= begin && begin <= end && end <= length);
  }
}

// BAT-03: alone, in reverse, by every table and number of threads: the same bits.
TEST_P(TokenGoldenTest, CompanyOrderTablesAndThreadsChangeNothing) {
  const auto model = Open(*NewEngine(), golden_);
  ASSERT_NE(model, nullptr);
  std::vector<std::size_t> order = All(golden_);
  const TokenClasses right = Label(*model, golden_, order).output;
  std::ranges::reverse(order);
  const TokenClasses backwards = Label(*model, golden_, order).output;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::vector<float>& want = right.texts[order[i]].logits;
    EXPECT_EQ(backwards.texts[i].logits, want) << order[i];
    EXPECT_EQ(Label(*model, golden_, {order[i]}).output.texts.at(0).logits, want) << order[i];
  }
  for (const char* isa : {"scalar", "avx2", "avx512"}) {
    for (const std::size_t threads : {1u, 3u}) {
      const auto engine = NewEngine(isa, threads);
      if (engine == nullptr) continue;
      const auto other = Open(*engine, golden_);
      ASSERT_NE(other, nullptr);
      EXPECT_EQ(LogitsOf(Label(*other, golden_, All(golden_)).output), LogitsOf(right)) << isa << threads;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, TokenGoldenTest, testing::ValuesIn(TokenNames()),
                         [](const auto& tested) { return tested.param; });

// ---- spans --------------------------------------------------------------------------------------------

class TokenSpans : public TokenGoldenTest {
 protected:
  // A score's slope is at most 1/2 a logit, so scores and their means are within the largest difference of
  // logits and a rounding. Largest difference of a score seen: 5.1e-07.
  double Near(const TokenClasses& got, double score) const {
    return Largest(LogitsOf(got), golden_.logits.values) + std::ldexp(std::abs(score), -22);
  }
};

// The pipeline's answer without aggregation: the best label of each token of the text, but for "O".
TEST_P(TokenSpans, OfSingleTokensAreThePipelines) {
  const auto model = Open(*NewEngine(), golden_);
  ASSERT_NE(model, nullptr);
  const TokenClasses got = Label(*model, golden_, All(golden_)).output;
  const std::size_t labels = golden_.labels.size();
  for (std::size_t i = 0; i < golden_.items.size(); ++i) {
    const TokenItem& item = golden_.items[i];
    const LabelledTokens& tokens = got.texts[i];
    std::size_t at = 0;
    const std::vector<TokenSpan>& want = item.spans.at("none");
    for (std::size_t t = 0; t < tokens.token_ids.size(); ++t) {
      const auto row = std::span(tokens.scores).subspan(t * labels, labels);
      const auto best = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
      if (item.special[t] != 0 || golden_.labels[best] == "O") continue;
      ASSERT_LT(at, want.size()) << item.text;
      EXPECT_EQ(want[at].index, t) << item.text;
      EXPECT_EQ(want[at].label, golden_.labels[best]) << item.text;
      EXPECT_EQ(tokens.offsets[t], std::pair(want[at].begin, want[at].end)) << item.text;
      EXPECT_NEAR(static_cast<double>(row[best]), want[at].score, Near(got, want[at].score)) << item.text;
      ++at;
    }
    EXPECT_EQ(at, want.size()) << item.text;
  }
}

TEST_P(TokenSpans, OfEveryAggregationAreThePipelines) {
  const auto model = Open(*NewEngine(), golden_);
  ASSERT_NE(model, nullptr);
  double largest = 0;
  for (const auto& [name, how] : {std::pair<std::string, Aggregation>{"simple", Aggregation::kSimple},
                                  {"first", Aggregation::kFirst},
                                  {"average", Aggregation::kAverage},
                                  {"max", Aggregation::kMax}}) {
    const TokenClasses got = Label(*model, golden_, All(golden_), how).output;
    for (std::size_t i = 0; i < golden_.items.size(); ++i) {
      const std::vector<LabelledTokens::Span>& spans = got.texts[i].spans;
      const std::vector<TokenSpan>& want = golden_.items[i].spans.at(name);
      ASSERT_EQ(spans.size(), want.size()) << name << ": " << golden_.items[i].text;
      for (std::size_t s = 0; s < spans.size(); ++s) {
        EXPECT_EQ(spans[s].label, want[s].label) << name << ": " << golden_.items[i].text;
        EXPECT_EQ(std::pair(spans[s].begin, spans[s].end), std::pair(want[s].begin, want[s].end)) << name;
        EXPECT_NEAR(static_cast<double>(spans[s].score), want[s].score, Near(got, want[s].score)) << name;
        largest = std::max(largest, std::abs(static_cast<double>(spans[s].score) - want[s].score));
      }
    }
  }
  std::printf("%-22s largest difference of a score %.2e\n", golden_.name.c_str(), largest);
}

INSTANTIATE_TEST_SUITE_P(Cases, TokenSpans, testing::ValuesIn([] {
                           std::vector<std::string> names = TokenNames();
                           std::erase_if(names, [](const std::string& n) {
                             return LoadTokens(n).items.at(0).spans.empty();
                           });
                           return names;
                         }()),
                         [](const auto& tested) { return tested.param; });

// ---- requests -----------------------------------------------------------------------------------------

// TSK-15: code points, so that what is cut out is the token's own text, behind characters of several bytes
// too.
TEST(TokenRequests, OffsetsSliceTheText) {
  const TokenGolden golden = LoadTokens("bert_entities");
  const auto model = Open(*NewEngine(), golden);
  ASSERT_NE(model, nullptr);
  const std::string text = "\u6211 \u00e9\U0001f642 tea, unable";
  const auto reply = model->Run({.inputs = {text}, .text = {}, .aggregation = Aggregation::kFirst});
  ASSERT_TRUE(reply) << Message(reply.error());
  std::vector<std::string> slices;
  const LabelledTokens& got = reply->output.texts.at(0);
  for (const auto& [begin, end] : got.offsets) {
    slices.emplace_back(SliceUtf8(text, static_cast<std::size_t>(begin), static_cast<std::size_t>(end)));
  }
  const std::vector<std::string> want{"", "\u6211", "\u00e9\U0001f642", "tea", ",", "un", "able", ""};
  EXPECT_EQ(slices, want);
  for (const LabelledTokens::Span& s : got.spans) EXPECT_LT(s.begin, s.end);
}

// Final ids have logits and no text: no offsets, and no spans.
TEST(TokenRequests, Ids) {
  const TokenGolden golden = LoadTokens("bert_entities");
  const auto model = Open(*NewEngine(), golden);
  ASSERT_NE(model, nullptr);
  const TokenItem& item = golden.items.at(1);
  const auto reply = model->Run({.inputs = {item.ids, item.text, TokenIds{1 << 30}}, .text = {}});
  ASSERT_TRUE(reply) << Message(reply.error());
  const LabelledTokens &ids = reply->output.texts.at(0), &text = reply->output.texts.at(1);
  EXPECT_EQ(ids.token_ids, text.token_ids);
  EXPECT_EQ(ids.logits, text.logits);
  EXPECT_TRUE(ids.offsets.empty());
  EXPECT_EQ(reply->items[2].error->code, Code::kInvalidInput);
  EXPECT_TRUE(reply->output.texts.at(2).token_ids.empty());
  const auto spans =
      model->Run({.inputs = {item.ids, item.text}, .text = {}, .aggregation = Aggregation::kMax});
  ASSERT_TRUE(spans) << Message(spans.error());
  EXPECT_EQ(Message(*spans->items[0].error),
            "aggregate: the option is not supported: found max, allowed none, for ids: a span is of a text");
  EXPECT_FALSE(spans->items[1].error);
}

TEST(TokenRequests, AreRefusedByName) {
  const TokenGolden golden = LoadTokens("bert_entities");
  const auto model = Open(*NewEngine(), golden);
  ASSERT_NE(model, nullptr);
  const auto refused = [&](TextOptions options) {
    const auto reply = model->Run({.inputs = {"a"}, .text = std::move(options)});
    if (reply) return std::string();
    EXPECT_EQ(reply.error().code, Code::kUnsupportedOption);
    return reply.error().where.option;
  };
  EXPECT_EQ(refused({.prompt_name = "query"}), "prompt-name");
  EXPECT_EQ(refused({.prompt = "query: "}), "prompt");
  EXPECT_EQ(refused({.role = TextRole::kQuery}), "role");
  EXPECT_EQ(refused({.max_length = 400}), "max-length");
  EXPECT_EQ(refused({.max_length = 3}), "");
  const auto none = model->Run({.inputs = {}, .text = {}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Code::kEmptyInput);
}

// FAM-03: every family with such a head has a golden, and docs/tasks.md names just these.
TEST(TasksPage, NamesTheFamiliesWithHeadsForTokens) {
  std::set<std::string> built, proved;
  for (const Family* family : families::Families())
    if (family->token_head != nullptr) built.emplace(family->name);
  for (const std::string& name : TokenNames()) proved.insert(LoadTokens(name).family);
  EXPECT_EQ(proved, built);
  EXPECT_EQ(NamedFamilies("Heads of classes for tokens:"), built);
}

}  // namespace

std::vector<std::string> ProvenTokenPlans() {
  std::vector<std::string> out;
  const auto engine = NewEngine();
  for (const std::string& name : TokenNames()) {
    const TokenGolden golden = LoadTokens(name);
    const auto model = Open(*engine, golden);
    if (model == nullptr) continue;
    const std::vector<float> got = LogitsOf(Label(*model, golden, All(golden)).output);
    if (got.size() != golden.logits.values.size() ||
        RelativeL2({got.begin(), got.end()}, golden.logits.values) > Bound(golden.delta))
      continue;
    const auto plan = engine->Plan(OptionsOf(golden));
    if (plan) out.push_back(plan->json);
  }
  return out;
}

}  // namespace candor::goldens

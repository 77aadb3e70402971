// Faults of other engines in pairs, heads and what is made of logits, each on a transparent package whose
// numbers a hand can write down. Through the public API; BR numbers are those of the field log.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <tuple>

#include "candor/engine.h"
#include "transparent.h"

namespace candor::goldens {
namespace {

using package::TestFolder;
using package::TestTensor;

std::shared_ptr<Engine> NewEngine() { return Engine::New({.threads = 1}).value(); }

ModelOptions At(const TestFolder& folder, const std::string& task) {
  return {.path = folder.path(), .task = task, .allow_unqualified = true};
}

template <class Opened>
Opened Given(Planned<Opened> opened) {
  if (opened) return *opened;
  for (const Error& e : opened.error()) ADD_FAILURE() << Message(e);
  return nullptr;
}

TestTensor F32(const std::string& name, std::size_t rows, std::size_t columns,
               const std::vector<float>& values) {
  const std::string shape = columns == 0 ? "" : ", " + std::to_string(columns);
  return {name, "F32", "[" + std::to_string(rows) + shape + "]", package::F32Bytes(values)};
}

constexpr const char* kClass = R"(,"architectures":["BertForSequenceClassification"])";

// Every hidden row is (0.3, 0.1), whatever the text.
Transparent Constant(const std::string& config) {
  Transparent t;
  t.width = 2, t.heads = 1;
  t.tensors["encoder.layer.0.output.LayerNorm.weight"] = {0, 0};
  t.tensors["encoder.layer.0.output.LayerNorm.bias"] = {0.3f, 0.1f};
  t.config = config;
  return t;
}

// A class whose logits are `biases`, whatever the text.
Transparent Logits(const std::vector<float>& biases, const std::string& config) {
  Transparent t = Constant(kClass + config);
  t.prefix = "bert.";
  t.more = {F32("bert.pooler.dense.weight", 2, 2, {0, 0, 0, 0}), F32("bert.pooler.dense.bias", 2, 0, {0, 0}),
            F32("classifier.weight", biases.size(), 2, std::vector<float>(2 * biases.size())),
            F32("classifier.bias", biases.size(), 0, biases)};
  return t;
}

Ranks RankOne(const Transparent& t, const std::string& query = "a", const std::string& document = "b") {
  const TestFolder folder("scores");
  t.WriteTo(folder);
  const auto model = Given(NewEngine()->OpenReranker(At(folder, "rerank")));
  if (model == nullptr) return {};
  const auto reply = model->Run({.query = query, .documents = {document}});
  EXPECT_TRUE(reply);
  return reply ? reply->output : Ranks{};
}

Classes ClassifyOne(const Transparent& t) {
  const TestFolder folder("scores");
  t.WriteTo(folder);
  const auto model = Given(NewEngine()->OpenClassifier(At(folder, "classify")));
  if (model == nullptr) return {};
  const auto reply = model->Run({.inputs = {{"a"}}});
  EXPECT_TRUE(reply);
  return reply ? reply->output : Classes{};
}

void ExpectNear(const std::vector<float>& got, const std::vector<double>& want, double tolerance = 1e-6) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(double{got[i]}, want[i], tolerance) << i;
}

// BR-016: BERT's pooler and RoBERTa's dense are run, with tanh: tanh(0.6) - tanh(0.2), and not 0.2.
TEST(FieldScores, AHeadIsMoreThanItsLastProduct) {
  Transparent bert = Constant(std::string(kClass) + R"(,"id2label":{"0":"x"})");
  bert.prefix = "bert.";
  bert.more = {F32("bert.pooler.dense.weight", 2, 2, {2, 0, 0, 2}),
               F32("bert.pooler.dense.bias", 2, 0, {0, 0}), F32("classifier.weight", 1, 2, {1, -1}),
               F32("classifier.bias", 1, 0, {0})};
  ExpectNear(RankOne(bert).scores, {0.33967423});
  Transparent roberta =
      Constant(R"(,"architectures":["RobertaForSequenceClassification"],"id2label":{"0":"x"})"
               R"(,"pad_token_id":1)");
  roberta.model_type = "roberta", roberta.prefix = "roberta.";
  roberta.more = {
      F32("classifier.dense.weight", 2, 2, {2, 0, 0, 2}), F32("classifier.dense.bias", 2, 0, {0, 0}),
      F32("classifier.out_proj.weight", 1, 2, {1, -1}), F32("classifier.out_proj.bias", 1, 0, {0})};
  ExpectNear(RankOne(roberta).scores, {0.33967423});
  bert.more.erase(bert.more.begin());
  const TestFolder folder("scores");
  bert.WriteTo(folder);
  const auto refused = NewEngine()->OpenReranker(At(folder, "rerank"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].code, Code::kMissingRequiredTensor);
}

// BR-017: what classifier_pooling says, and without it the class's default, which is the first row.
TEST(FieldScores, ThePoolingOfAClassifierIsTheFiles) {
  namespace fs = std::filesystem;
  const fs::path golden = fs::path(CANDOR_SOURCE_DIR) / "goldens" / "heads" / "modernbert_cls" / "package";
  const auto logits = [&](const std::string& from, const std::string& to) {
    const TestFolder folder("scores");
    for (const auto& entry : fs::directory_iterator(golden)) {
      std::ifstream in(entry.path(), std::ios::binary);
      folder.Write(entry.path().filename().string(), std::string(std::istreambuf_iterator<char>(in), {}));
    }
    std::string config = folder.Read("config.json");
    const std::size_t at = config.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) config.replace(at, from.size(), to);
    folder.Write("config.json", config);
    const auto model = Given(NewEngine()->OpenClassifier(At(folder, "classify")));
    const auto reply = model->Run({.inputs = {{"the stone city"}}});
    return reply ? reply->output.logits : std::vector<float>();
  };
  const std::string key = R"("classifier_pooling":"cls")", other = R"("classifier_dropout":0.5)";
  const std::vector<float> first = logits(key, key);
  EXPECT_EQ(logits(key, other), first);
  EXPECT_NE(logits(key, R"("classifier_pooling":"mean")"), first);
}

// BR-027: 5 as a logit in every case; the sigmoid of it where nothing is said, once, and 5 where a file says
// the identity; and several labels of modules are left as they are.
TEST(FieldScores, AScoreIsActivatedOnceByTheFilesWord) {
  const std::string one = R"(,"id2label":{"0":"x"})", path = R"("torch.nn.modules.linear.Identity"})";
  const std::string inside = R"(,"sentence_transformers":{"activation_fn":)" + path;
  const std::string old = R"(,"sbert_ce_default_activation_function":"torch.nn.modules.linear.Identity")";
  const std::string torch =
      R"(,"sentence_transformers":{"activation_fn":"torch.nn.modules.activation.Sigmoid"})";
  for (const auto& [config, want, name] : {std::tuple{one, 0.99330715, "sigmoid"},
                                           {one + inside, 5.0, "none"},
                                           {one + old, 5.0, "none"},
                                           {one + torch + old, 0.99330715, "sigmoid"}}) {
    const Ranks got = RankOne(Logits({5}, config));
    ExpectNear(got.scores, {5.0});
    ExpectNear(got.activated, {want});
    EXPECT_EQ(got.activation, name) << config;
  }
  // The package's own file is before config.json, where the reference opens it.
  Transparent saved = Logits({5}, one + torch);
  saved.files = {
      {"config_sentence_transformers.json", R"({"model_type":"CrossEncoder","activation_fn":)" + path},
      {"sentence_bert_config.json", R"({"transformer_task":"sequence-classification"})"}};
  ExpectNear(RankOne(saved).activated, {5.0});
  Transparent modules = Constant(R"(,"id2label":{"0":"x","1":"y","2":"z"})");
  modules.modules = {
      PoolingModule("cls", 2),
      {"Dense",
       R"({"in_features":2,"out_features":3,"activation_function":"torch.nn.modules.linear.Identity",)"
       R"("module_output_name":"scores"})",
       {F32("linear.weight", 3, 2, {10, 0, 0, 10, 10, 20}), F32("linear.bias", 3, 0, {2, 0, 0})}}};
  modules.files = {{"config_sentence_transformers.json", R"({"model_type":"CrossEncoder"})"}};
  const Classes got = ClassifyOne(modules);
  ExpectNear(got.scores, {5, 1, 5});
  EXPECT_EQ(got.scores, got.logits);
  EXPECT_EQ(got.activation, "none");
}

// BR-029: logits (2, 1, -1) by each problem_type, and one label.
TEST(FieldScores, SoftmaxAndSigmoidOnlyAsDeclared) {
  const std::string labels = R"(,"id2label":{"0":"x","1":"y","2":"z"})";
  const auto typed = [](const std::string& type) { return R"(,"problem_type":")" + type + '"'; };
  const std::vector<double> softmax{0.70538451, 0.25949646, 0.03511903},
      sigmoid{0.88079708, 0.73105858, 0.26894142}, raw{2, 1, -1};
  for (const auto& [config, want, name] :
       {std::tuple{labels, softmax, "softmax"},
        {labels + typed("single_label_classification"), softmax, "softmax"},
        {labels + typed("multi_label_classification"), sigmoid, "sigmoid"},
        {labels + typed("regression"), raw, "none"}}) {
    const Classes got = ClassifyOne(Logits({2, 1, -1}, config));
    ExpectNear(got.logits, raw);
    ExpectNear(got.scores, want);
    EXPECT_EQ(got.activation, name) << config;
  }
  const std::string one = R"(,"id2label":{"0":"x"})";
  ExpectNear(ClassifyOne(Logits({2}, one)).scores, {0.88079708});
  ExpectNear(ClassifyOne(Logits({2}, one + typed("regression"))).scores, {2});
}

// BR-029: "10" stands behind "9", though before "2" as text.
TEST(FieldScores, LabelsAreInTheOrderOfTheirNumbers) {
  std::vector<float> biases(11);
  std::iota(biases.begin(), biases.end(), 0.0f);
  std::string names;
  for (const int id : {0, 1, 10, 2, 3, 4, 5, 6, 7, 8, 9})
    names += (names.empty() ? "\"" : ",\"") + std::to_string(id) + R"(":"l)" + std::to_string(id) + '"';
  const Classes got =
      ClassifyOne(Logits(biases, R"(,"problem_type":"regression","id2label":{)" + names + "}"));
  EXPECT_EQ(got.scores, biases);
  ASSERT_EQ(got.labels.size(), 11u);
  EXPECT_EQ(got.labels[2], "l2");
  EXPECT_EQ(got.labels[10], "l10");
}

// The mean of [CLS] hello [SEP] world [SEP], three rows of type 0 and two of type 1: second column
// (-3 + 2) / 5. Without the pair's types it would be -1.
TEST(FieldScores, APairIsScoredWithItsTypes) {  // BR-014
  Transparent t;
  t.tokens.insert(t.tokens.end(), {"hello", "world"});
  t.tensors["embeddings.token_type_embeddings.weight"] = {1, -1, 1, -1, 1, 1, -1, -1};
  t.modules = {
      PoolingModule("mean"),
      {"Dense",
       R"({"in_features":4,"out_features":1,"activation_function":"torch.nn.modules.linear.Identity",)"
       R"("module_output_name":"scores"})",
       {F32("linear.weight", 1, 4, {0, 1, 0, 0}), F32("linear.bias", 1, 0, {0})}}};
  t.files = {{"config_sentence_transformers.json", R"({"model_type":"CrossEncoder"})"}};
  ExpectNear(RankOne(t, "hello", "world").scores, {-0.2});
}

// Words of one token each: q1 to q4 and d1 to d6.
Transparent Numbered() {
  Transparent t = Logits({0}, R"(,"id2label":{"0":"x"})");
  for (const char* kind : {"q", "d"})
    for (int i = 1; i <= 6; ++i) t.tokens.push_back(kind + std::to_string(i));
  return t;
}

// BR-033: the longer text loses the token, and the second of two as long; the score's item says that it was
// cut.
TEST(FieldScores, APairIsCutLongestFirst) {
  const TestFolder folder("scores");
  Numbered().WriteTo(folder);
  const auto tokenizer = Given(NewEngine()->OpenTokenizer(At(folder, "rerank")));
  const std::string query = "q1 q2 q3 q4", document = "d1 d2 d3 d4 d5 d6";
  const auto pair = tokenizer->Tokenize(query, document, {.max_length = 9});
  ASSERT_TRUE(pair) << Message(pair.error());
  EXPECT_EQ(pair->ids, (std::vector<std::int32_t>{0, 4, 5, 6, 2, 10, 11, 12, 2}));
  EXPECT_EQ(pair->type_ids, (std::vector<std::int32_t>{0, 0, 0, 0, 0, 1, 1, 1, 1}));
  const auto model = Given(NewEngine()->OpenReranker(At(folder, "rerank")));
  const auto reply = model->Run({.query = query, .documents = {document, "d1"}, .text = {.max_length = 9}});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->items[0].tokens, 9u);
  EXPECT_EQ(reply->items[0].total, 13u);
  EXPECT_EQ(reply->items[1].tokens, reply->items[1].total);
  const auto whole =
      model->Run({.query = query, .documents = {document}, .text = {.max_length = 9, .truncate = false}});
  ASSERT_TRUE(whole);
  ASSERT_TRUE(whole->items[0].error);
  EXPECT_EQ(whole->items[0].error->code, Code::kInputTooLarge);
}

// BR-076, BR-090: text that spells a separator changes no type of what follows, and an empty side is a side.
TEST(FieldScores, TypesFollowTheSideAndNotTheToken) {
  const TestFolder folder("scores");
  Numbered().WriteTo(folder);
  const auto tokenizer = Given(NewEngine()->OpenTokenizer(At(folder, "rerank")));
  const auto spelled = tokenizer->Tokenize("q1 [SEP] q2", "d1", {});
  ASSERT_TRUE(spelled);
  EXPECT_EQ(spelled->ids, (std::vector<std::int32_t>{0, 4, 2, 5, 2, 10, 2}));
  EXPECT_EQ(spelled->type_ids, (std::vector<std::int32_t>{0, 0, 0, 0, 0, 1, 1}));
  const auto half = tokenizer->Tokenize("q1", "", {});
  ASSERT_TRUE(half);
  EXPECT_EQ(half->ids, (std::vector<std::int32_t>{0, 4, 2, 2}));
  EXPECT_EQ(half->type_ids, (std::vector<std::int32_t>{0, 0, 0, 1}));
}

// BR-112: no document is an error of that name, and an empty query is a text like any other.
TEST(FieldScores, NoDocumentsAndAnEmptyQuery) {
  const TestFolder folder("scores");
  Logits({5}, R"(,"id2label":{"0":"x"})").WriteTo(folder);
  const auto model = Given(NewEngine()->OpenReranker(At(folder, "rerank")));
  const auto none = model->Run({.query = "a", .documents = {}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, Code::kEmptyInput);
  EXPECT_EQ(none.error().where.field, "documents");
  const auto empty = model->Run({.query = "", .documents = {"", "b"}});
  ASSERT_TRUE(empty);
  ExpectNear(empty->output.scores, {5, 5});
  const auto classifier = Given(NewEngine()->OpenClassifier(At(folder, "classify")));
  EXPECT_EQ(classifier->Run({.inputs = {}}).error().code, Code::kEmptyInput);
}

// BR-111: an encoder is no reranker, nor a classifier of three labels; no head is made up, and no cosine
// taken.
TEST(FieldScores, AModelWithoutTheHeadIsRefused) {
  const auto refusal = [](const Transparent& t) {
    const TestFolder folder("scores");
    t.WriteTo(folder);
    const auto model = NewEngine()->OpenReranker(At(folder, "rerank"));
    return model ? Error{} : model.error().at(0);
  };
  Transparent encoder = Constant(R"(,"architectures":["BertModel"])");
  EXPECT_EQ(refusal(encoder).code, Code::kUnsupportedTaskHead);
  EXPECT_EQ(refusal(encoder).found, "BertModel");
  const Error three = refusal(Logits({1, 2, 3}, R"(,"id2label":{"0":"x","1":"y","2":"z"})"));
  EXPECT_EQ(three.code, Code::kUnsupportedTaskHead);
  EXPECT_EQ(three.found, "3 labels");
}

// Where activations are as large as each other, the logits still rank.
TEST(FieldScores, RankingIsOfLogits) {
  EXPECT_EQ(Ranking({.activation = "sigmoid", .scores = {40, 60, 50}, .activated = {1, 1, 1}}),
            (std::vector<std::size_t>{1, 2, 0}));
}

}  // namespace
}  // namespace candor::goldens

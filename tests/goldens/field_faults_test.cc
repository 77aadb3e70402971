// Faults that users of other engines met, each as the smallest package that would show it, through the public
// API: expected numbers are hand arithmetic on a transparent model. BR numbers are those of the field log.
// Long because every fault has one short test on one fixture.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "candor/engine.h"
#include "transparent.h"

namespace candor::goldens {
namespace {

namespace fs = std::filesystem;
using package::TestFolder;
using Model = std::shared_ptr<const Embedder>;

std::shared_ptr<Engine> NewEngine() { return Engine::New({.threads = 1}).value(); }

ModelOptions At(const std::string& path) { return {.path = path, .allow_unqualified = true}; }

Model Open(const std::string& path) {
  auto model = NewEngine()->OpenEmbedder(At(path));
  if (!model) {
    for (const Error& e : model.error()) ADD_FAILURE() << Message(e);
    return nullptr;
  }
  return *model;
}

Model Open(const Transparent& made) {
  const TestFolder folder("field");
  made.WriteTo(folder);
  return Open(folder.path());
}

// The vector of one input; empty after a failure.
std::vector<float> Vector(const Model& model, Content input, const TextOptions& text = {},
                          std::size_t tokens = 0) {
  if (model == nullptr) return {};
  const auto reply = model->Embed({.inputs = {std::move(input)}, .text = text});
  if (!reply || reply->items[0].error) {
    ADD_FAILURE() << Message(reply ? *reply->items[0].error : reply.error());
    return {};
  }
  if (tokens != 0) {
    EXPECT_EQ(reply->items[0].tokens, tokens);
  }
  return reply->embeddings.values;
}

void ExpectNear(const std::vector<float>& got, const std::vector<double>& want, double tolerance = 1e-6) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(double{got[i]}, want[i], tolerance) << i;
}

// Three rows of mean 0 and variance 1: of "[CLS] a [SEP]".
const std::vector<float> kFirst{1, -1, 1, -1}, kMiddle{1, 1, -1, -1}, kLast{-1, 1, 1, -1};

Transparent ThreeRows(std::vector<TransparentModule> modules) {
  Transparent t;
  t.tokens = {"[CLS]", "[PAD]", "[SEP]", "[UNK]", "a"};
  t.rows = {{"[CLS]", kFirst}, {"a", kMiddle}, {"[SEP]", kLast}, {"[PAD]", {-1, -1, 1, 1}}};
  t.modules = std::move(modules);
  return t;
}

// BR-001. Mean, max and so on of the three rows; two modes stand side by side in the fixed order.
TEST(FieldFaults, ThePackagesOwnPoolingIsUsed) {
  const double third = 1.0 / 3, root = 1 / std::sqrt(3.0);
  const std::pair<const char*, std::vector<double>> kModes[] = {
      {"cls", {1, -1, 1, -1}},
      {"mean", {third, third, third, -1}},
      {"max", {1, 1, 1, -1}},
      {"mean_sqrt_len_tokens", {root, root, root, -3 * root}},
      {"weightedmean", {0, 4.0 / 6, 2.0 / 6, -1}},
      {"lasttoken", {-1, 1, 1, -1}}};
  for (const auto& [mode, want] : kModes) {
    SCOPED_TRACE(mode);
    ExpectNear(Vector(Open(ThreeRows({PoolingModule(mode)})), "a", {}, 3), want);
  }
  const Model two =
      Open(ThreeRows({{"Pooling", R"({"word_embedding_dimension":4,"pooling_mode_lasttoken":true,)"
                                  R"("pooling_mode_max_tokens":true,"pooling_mode_mean_tokens":false})"}}));
  ExpectNear(Vector(two, "a"), {1, 1, 1, -1, -1, 1, 1, -1});
}

TransparentModule Dense(std::size_t in, std::size_t out, const char* activation, bool bias,
                        std::vector<float> weight) {
  std::vector<package::TestTensor> tensors{{"linear.weight", "F32",
                                            "[" + std::to_string(out) + "," + std::to_string(in) + "]",
                                            package::F32Bytes(weight)}};
  if (bias) tensors.push_back({"linear.bias", "F32", "[3]", package::F32Bytes({0.5f, 0, -0.25f})});
  return {"Dense",
          R"({"in_features":)" + std::to_string(in) + R"(,"out_features":)" + std::to_string(out) +
              R"(,"bias":)" + (bias ? "true" : "false") + R"(,"activation_function":"torch.nn.modules.)" +
              activation + R"("})",
          std::move(tensors)};
}

// A copy of the folder as a hub cache holds it: every file a relative link to a blob.
std::string HubCopy(const TestFolder& from, const TestFolder& cache) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(from.path())) {
    if (!entry.is_regular_file()) continue;
    const fs::path name = fs::relative(entry.path(), from.path());
    const std::string blob = "blobs/" + std::to_string(count++);
    cache.Write("models--o--n/" + blob, from.Read(name.string()));
    const std::string link = "models--o--n/snapshots/abc/" + name.string();
    cache.Write(link, "");
    cache.Link(link, std::string(name.has_parent_path() ? "../../../" : "../../") + blob);
  }
  return cache.path() + "/models--o--n/snapshots/abc";
}

// BR-003, and BR-104 for the cache. y = normalise(tanh(W p + b)), p the first row (1, -1, 1, -1).
TEST(FieldFaults, ADenseModuleIsAppliedWhereverTheFolderIs) {
  const TestFolder folder("field"), cache("field");
  ThreeRows({PoolingModule("cls"),
             Dense(4, 3, "activation.Tanh", true, {0.5f, 0, 0.25f, 0, 0, 1, 0, 0.5f, 0, 0, 0.5f, 0.25f}),
             {"Normalize", ""}})
      .WriteTo(folder);
  const double y[] = {std::tanh(1.25), std::tanh(-1.5), std::tanh(0.0)};
  const double length = std::sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
  const std::string snapshot = HubCopy(folder, cache);
  for (const std::string& path :
       {folder.path(), fs::relative(folder.path()).string(), folder.path() + "/", snapshot}) {
    SCOPED_TRACE(path);
    const Model model = Open(path);
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(model->info().dimensions, 3u);
    ExpectNear(Vector(model, "a"), {y[0] / length, y[1] / length, y[2] / length});
  }
  // refs/main that names a snapshot which is not there: nothing is taken in its place.
  const auto gone = NewEngine()->Plan(At(cache.path() + "/models--o--n/snapshots/def"));
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().at(0).code, Code::kArtifactMissing);
}

// BR-003: 4 to 8 to 4, neither with a bias nor a function. The first doubles p into both halves (1, 2); the
// second takes their difference and turns the columns round.
TEST(FieldFaults, TwoDenseModulesAreBothApplied) {
  std::vector<float> wide(32), narrow(32);
  for (std::size_t i = 0; i < 4; ++i) {
    wide[i * 4 + i] = 1, wide[(i + 4) * 4 + i] = 2;
    narrow[(3 - i) * 8 + i] = -1, narrow[(3 - i) * 8 + 4 + i] = 2;
  }
  const Model model = Open(ThreeRows({PoolingModule("cls"), Dense(4, 8, "linear.Identity", false, wide),
                                      Dense(8, 4, "linear.Identity", false, narrow)}));
  ExpectNear(Vector(model, "a"), {-3, 3, -3, 3});  // 2 * 2 p - p turned round, from p = (1, -1, 1, -1)
}

// BR-006: a fixed length in tokenizer.json adds no row to the mean, here (0.5 of both words and both ends).
TEST(FieldFaults, PaddingInTheTokenizerFileChangesNothing) {
  Transparent t = ThreeRows({PoolingModule("mean")});
  t.tokens.push_back("b");
  t.rows["b"] = {1, -1, -1, 1};
  const std::vector<float> plain = Vector(Open(t), "a b", {}, 4);
  t.padding = R"({"strategy":{"Fixed":8},"direction":"Right","pad_to_multiple_of":null,"pad_id":1,)"
              R"("pad_type_id":0,"pad_token":"[PAD]"})";
  EXPECT_EQ(Vector(Open(t), "a b", {}, 4), plain);
  ExpectNear(plain, {0.5, 0, 0, -0.5});
}

// BR-008: the template's token once, none without a template, and two where the text ends with it itself.
TEST(FieldFaults, TheLastTokenIsTheTemplates) {
  Transparent t = ThreeRows({PoolingModule("lasttoken")});
  t.tokens.push_back("test");
  t.rows["test"] = kMiddle;
  t.single = R"(["A","[SEP]"])";
  const Model ends = Open(t);
  EXPECT_EQ(Vector(ends, "test", {}, 2), kLast);
  EXPECT_EQ(Vector(ends, "test [SEP]", {}, 3), kLast);
  t.single = "null";
  EXPECT_EQ(Vector(Open(t), "test", {}, 1), kMiddle);
}

// Row r of a position table whose every row is its own: (cos r, sin r, -cos r, -sin r) by the root of 2.
std::vector<double> PositionRow(int r) {
  const double c = std::sqrt(2.0) * std::cos(r), s = std::sqrt(2.0) * std::sin(r);
  return {c, s, -c, -s};
}

// Words are zeros, so that the last row is its position's.
Transparent PositionsOnly(int padding) {
  Transparent t;
  t.model_type = "roberta";
  t.tokens = padding == 1 ? std::vector<std::string>{"[CLS]", "[PAD]", "[SEP]", "[UNK]", "a", "b", "c"}
                          : std::vector<std::string>{"[CLS]", "[UNK]", "[SEP]", "[PAD]", "a", "b", "c"};
  t.config = R"(,"pad_token_id":)" + std::to_string(padding);
  t.positions = 20, t.segments = 1;
  std::vector<float>& table = t.tensors["embeddings.position_embeddings.weight"];
  for (int r = 0; r < 20; ++r)
    for (const double v : PositionRow(r)) table.push_back(static_cast<float>(v));
  t.modules = {PoolingModule("lasttoken")};
  return t;
}

// BR-011: ids [0,5,6,2] stand at [2,3,4,5], padding ids at 1.
TEST(FieldFaults, PositionsCountBehindThePaddingId) {
  const Model model = Open(PositionsOnly(1));
  const TokenIds ids{0, 5, 6, 2, 1, 1};
  const int kPlaces[] = {2, 3, 4, 5, 1, 1};
  for (std::size_t n = 1; n <= ids.size(); ++n)
    ExpectNear(Vector(model, TokenIds(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(n))),
               PositionRow(kPlaces[n - 1]));
}

// BR-013: 20 rows hold 18 tokens behind padding id 1 and 16 behind 3; the last of them stands at row 19.
TEST(FieldFaults, TheUsableLengthIsWhatIsLeftBehindThePaddingId) {
  for (const auto& [padding, usable] : {std::pair<int, std::size_t>{1, 18}, {3, 16}}) {
    const Model model = Open(PositionsOnly(padding));
    ASSERT_NE(model, nullptr);
    EXPECT_EQ(model->info().max_length, usable);
    for (std::size_t length = 15; length <= 19; ++length) {
      std::string text;
      for (std::size_t i = 2; i < length; ++i) text += "a ";
      const std::size_t kept = std::min(length, usable);
      ExpectNear(Vector(model, text, {}, kept), PositionRow(padding + static_cast<int>(kept)));
      const auto whole = model->Embed({.inputs = {text}, .text = {.truncate = false}});
      ASSERT_TRUE(whole);
      ASSERT_EQ(whole->items[0].error.has_value(), length > usable) << length;
      if (length <= usable) continue;
      EXPECT_EQ(whole->items[0].error->code, Code::kInputTooLarge);
      EXPECT_EQ(whole->items[0].error->found, std::to_string(length) + " tokens");
      EXPECT_EQ(whole->items[0].error->allowed, std::to_string(usable) + ", or truncation");
    }
  }
}

// BR-014: the pair's own types; a type without a row in the table is refused before anything is read.
TEST(FieldFaults, TokenTypesOfAPairAndTypesWithoutARow) {
  Transparent t = ThreeRows({PoolingModule("mean")});
  t.tokens.insert(t.tokens.end(), {"hello", "world"});
  const TestFolder folder("field");
  t.WriteTo(folder);
  const auto tokenizer = NewEngine()->OpenTokenizer(At(folder.path()));
  ASSERT_TRUE(tokenizer);
  const auto pair = (*tokenizer)->Tokenize("hello", "world", {});
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->ids, (std::vector<std::int32_t>{0, 5, 2, 6, 2}));
  EXPECT_EQ(pair->type_ids, (std::vector<std::int32_t>{0, 0, 0, 1, 1}));
  t.segments = 1;
  t.WriteTo(folder);
  std::string json = folder.Read("tokenizer.json");
  const std::string one = R"({"Sequence":{"id":"A","type_id":)";
  json.replace(json.find(one), one.size() + 1, one + "1");
  folder.Write("tokenizer.json", json);
  const auto refused = NewEngine()->OpenEmbedder(At(folder.path()));
  ASSERT_FALSE(refused);
  ASSERT_EQ(refused.error().size(), 1u);
  EXPECT_EQ(refused.error()[0].code, Code::kPreprocessingContractMismatch);
  EXPECT_EQ(refused.error()[0].found, "token type 1");
}

Transparent OneWord(const std::string& stored) {
  Transparent t;
  t.tokens.insert(t.tokens.end(), {"big", "quiet"});
  t.rows = {{"big", kFirst}};
  t.single = "null";
  t.stored = stored;
  t.modules = {PoolingModule("mean")};
  return t;
}

// BR-025: 100 times 700 is 70000, beyond F16. In f32 the row is the norm of (70001, -1, 1, -1).
TEST(FieldFaults, SeventyThousandIsNoInfinityInAnyStorage) {
  const double mean = 17500, deviations[] = {52501, -17501, -17499, -17501};
  double variance = 0;
  for (const double d : deviations) variance += d * d / 4;
  ASSERT_EQ(mean * 4, 70001 - 1 + 1 - 1);
  std::vector<double> want;
  for (const double d : deviations) want.push_back(d / std::sqrt(variance));
  for (const char* stored : {"F32", "F16", "BF16"}) {
    SCOPED_TRACE(stored);
    Transparent t = OneWord(stored);
    t.tensors["encoder.layer.0.intermediate.dense.weight"] = {100, 0, 0, 0};
    t.tensors["encoder.layer.0.output.dense.weight"] = {700, 0, 0, 0};
    ExpectNear(Vector(Open(t), "big"), want);
  }
}

// BR-025: nine doublings of fifteen bits each are 2^135, an infinity. It is that item's error and no number;
// the item beside it, zeros all the way, is answered.
TEST(FieldFaults, ANumberThatIsNotFiniteIsItsItemsError) {
  for (const char* stored : {"F32", "F16", "BF16"}) {
    SCOPED_TRACE(stored);
    Transparent t = OneWord(stored);
    std::vector<float> diagonal(16);
    for (std::size_t i = 0; i < 4; ++i) diagonal[i * 5] = 32768;
    for (int i = 0; i < 9; ++i) {
      TransparentModule dense = Dense(4, 4, "linear.Identity", false, diagonal);
      dense.tensors[0].dtype = stored, dense.tensors[0].bytes = StoredBytes(diagonal, stored);
      t.modules.push_back(std::move(dense));
    }
    const Model model = Open(t);
    ASSERT_NE(model, nullptr);
    const auto reply = model->Embed({.inputs = {std::string("quiet"), std::string("big")}});
    ASSERT_TRUE(reply);
    EXPECT_FALSE(reply->items[0].error);
    ASSERT_TRUE(reply->items[1].error);
    EXPECT_EQ(reply->items[1].error->code, Code::kNumericalFailure);
    EXPECT_EQ(reply->items[1].error->found, "inf in the vector");
    EXPECT_EQ(reply->embeddings.values, std::vector<float>(8));
  }
}

Transparent Numbered() {
  Transparent t;
  for (int i = 1; i <= 12; ++i) {
    t.tokens.push_back("d" + std::to_string(i));
    t.rows[t.tokens.back()] = i % 2 == 1 ? kFirst : kMiddle;
  }
  t.modules = {PoolingModule("mean")};
  return t;
}

// BR-035: of d1 to d6 five tokens keep [CLS] d1 d2 d3 [SEP], or d4 d5 d6 from the left; unsaid is the right.
TEST(FieldFaults, TheSideThatIsCutIsTheFilesOrTheRequests) {
  const TokenIds right{0, 4, 5, 6, 2}, left{0, 7, 8, 9, 2};
  const std::pair<const char*, TokenIds> kFiles[] = {
      {"{}", right}, {R"({"truncation_side":"right"})", right}, {R"({"truncation_side":"left"})", left}};
  for (const auto& [said, want] : kFiles) {
    SCOPED_TRACE(said);
    const TestFolder folder("field");
    Transparent t = Numbered();
    t.files = {{"tokenizer_config.json", said}};
    t.WriteTo(folder);
    const auto tokenizer = NewEngine()->OpenTokenizer(At(folder.path()));
    const Model model = Open(folder.path());
    ASSERT_TRUE(tokenizer && model != nullptr);
    const auto expect = [&](std::optional<bool> from_left, const TokenIds& ids) {
      const TextOptions asked{.max_length = 5, .truncate_left = from_left};
      EXPECT_EQ((*tokenizer)->Tokenize("d1 d2 d3 d4 d5 d6", {}, asked)->ids, ids);
      EXPECT_EQ(Vector(model, "d1 d2 d3 d4 d5 d6", asked, 5), Vector(model, ids));
    };
    expect({}, want);
    expect(false, right);
    expect(true, left);
  }
}

// BR-036: 8 by the recipe, 16 by the tokenizer, 32 rows; of twelve tokens eight run, both ends among them.
TEST(FieldFaults, TheRecipesLengthWins) {
  Transparent t = Numbered();
  t.files = {{"sentence_bert_config.json", R"({"max_seq_length":8,"do_lower_case":false})"},
             {"tokenizer_config.json", R"({"model_max_length":16})"}};
  const Model model = Open(t);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(model->info().max_length, 8u);
  const auto reply = model->Embed({.inputs = {std::string("d1 d2 d3 d4 d5 d6 d7 d8 d9 d10")}});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->items[0].tokens, 8u);
  EXPECT_EQ(reply->items[0].total, 12u);
  ExpectNear(reply->embeddings.values,
             {6.0 / 8, 0, 0, -6.0 / 8});  // three of each row, and two rows of zeros
}

// BR-038: a prompt by name is the text behind it; a default applies unless an empty prompt is asked for.
TEST(FieldFaults, DeclaredPromptsAreApplied) {
  Transparent t = Numbered();
  t.tokens.insert(t.tokens.end(), {"q", ":"});
  t.rows["q"] = kLast;
  const auto with = [&](const std::string& name) {
    t.files = {{"config_sentence_transformers.json",
                R"({"prompts":{"query":"Q: ","document":""},"default_prompt_name":)" + name + "}"}};
    return Open(t);
  };
  const Model plain = with("null"), asks = with(R"("query")");
  const std::vector<float> bare = Vector(plain, "d1", {}, 3), behind = Vector(plain, "Q: d1", {}, 5);
  EXPECT_NE(bare, behind);
  EXPECT_EQ(Vector(plain, "d1", {.prompt_name = "query"}, 5), behind);
  EXPECT_EQ(Vector(plain, "d1", {.prompt_name = "document"}, 3), bare);
  EXPECT_EQ(Vector(asks, "d1", {}, 5), behind);
  EXPECT_EQ(Vector(asks, "d1", {.prompt = ""}, 3), bare);
  const auto unknown = plain->Embed({.inputs = {std::string("d1")}, .text = {.prompt_name = "missing"}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Code::kUnsupportedOption);
  EXPECT_EQ(unknown.error().allowed, "query, document");
  const TestFolder folder("field");
  t.files = {{"config_sentence_transformers.json",
              R"({"prompts":{"query":"Q: "},"default_prompt_name":"missing"})"}};
  t.WriteTo(folder);
  EXPECT_FALSE(NewEngine()->Plan(At(folder.path())));
}

// BR-040: [3,4,12] of length 13, cut to two and normalised again.
TEST(FieldFaults, DimensionsAreCutBeforeTheLastNormalisation) {
  Transparent t;
  t.width = 3, t.heads = 1;
  t.tensors["encoder.layer.0.output.LayerNorm.weight"] = {0, 0, 0};
  t.tensors["encoder.layer.0.output.LayerNorm.bias"] = {3, 4, 12};
  t.modules = {PoolingModule("mean", 3), {"Normalize", ""}};
  const Model model = Open(t);
  ASSERT_NE(model, nullptr);
  const auto asked = [&](std::optional<std::size_t> dimensions) {
    return model->Embed({.inputs = {std::string("a")}, .text = {}, .dimensions = dimensions});
  };
  ExpectNear(asked(2)->embeddings.values, {0.6, 0.8});
  ExpectNear(asked(3)->embeddings.values, {3.0 / 13, 4.0 / 13, 12.0 / 13});
  EXPECT_EQ(asked(3)->embeddings.values, asked({})->embeddings.values);
  for (const std::size_t bad : {0u, 4u}) {
    const auto refused = asked(bad);
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(refused.error().code, Code::kUnsupportedOption);
    EXPECT_EQ(refused.error().allowed, "1 to 3");
  }
}

}  // namespace
}  // namespace candor::goldens

// Dense embeddings over a transparent model: hidden rows and expected numbers are written by hand.
// Long because Lay, Compute and Finish are tested on the same small tokenizer and recipes.
#include "tasks/embed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "model/slot_reader.h"
#include "model/synthetic.h"
#include "ops/reference.h"

namespace candor::tasks {
namespace {

namespace fs = std::filesystem;

// [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, a 4, b 5, c 6, q 7; lower case; [CLS] text [SEP].
constexpr const char* kTokenizer = R"({
  "version":"1.0","truncation":null,"padding":null,
  "added_tokens":[
    {"id":0,"content":"[PAD]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},
    {"id":1,"content":"[UNK]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},
    {"id":2,"content":"[CLS]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},
    {"id":3,"content":"[SEP]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true}],
  "normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
  "pre_tokenizer":{"type":"BertPreTokenizer"},
  "post_processor":{"type":"TemplateProcessing",
    "single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}}],
    "pair":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[SEP]","type_id":0}},
            {"Sequence":{"id":"B","type_id":1}},{"SpecialToken":{"id":"[SEP]","type_id":1}}],
    "special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]},"[SEP]":{"id":"[SEP]","ids":[3],"tokens":["[SEP]"]}}},
  "decoder":null,
  "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
    "vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"a":4,"b":5,"c":6,"q":7}}})";

std::shared_ptr<const text::Tokenizer> ReadTokenizer(const std::string& json) {
  const fs::path folder =
      fs::temp_directory_path() /
      ("candor_embed_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  fs::create_directories(folder);
  std::ofstream(folder / "tokenizer.json") << json;
  auto package = package::Package::Open(folder);
  EXPECT_TRUE(package);
  auto read = text::Tokenizer::Read(**package, std::make_shared<package::ReadLog>());
  EXPECT_TRUE(read) << (read ? "" : Message(read.error()[0]));
  fs::remove_all(folder);
  return read ? std::move(read).value() : nullptr;
}

std::shared_ptr<const text::Tokenizer> SmallTokenizer() { return ReadTokenizer(kTokenizer); }

constexpr InputRule kInput{.max_length = 8, .vocabulary = 8, .segments = 2};

EmbedRecipe Recipe(std::vector<Module> chain, std::size_t width) {
  EmbedRecipe r;
  r.chain = std::move(chain), r.width = width;
  return r;
}

EmbedRecipe Pooled(std::vector<Pooling> modes, bool include_prompt = true) {
  const std::size_t width = 2 * modes.size();
  return Recipe({{"1_Pooling/", PoolingStep{std::move(modes), include_prompt}}}, width);
}

EmbedTask Make(EmbedRecipe recipe, std::size_t max_length = 8) {
  EmbedTask task(std::move(recipe), SmallTokenizer(), kInput, 2, max_length);
  task.SetSpace("sha256:package");
  return task;
}

// Compute over hidden rows of one text; `rows` has two columns.
std::vector<float> Compute(const EmbedTask& task, std::vector<float> rows,
                           const std::vector<Sequence>& runs) {
  ReferenceOps ops;
  std::vector<float> memory(4096), out(task.OutputWidth());
  Workspace ws(reinterpret_cast<std::byte*>(memory.data()), memory.size() * 4, DType::kF32, Space::kHost);
  Packed packed;
  packed.runs = ops.Stage(runs);
  const Matrix hidden(reinterpret_cast<std::byte*>(rows.data()), DType::kF32, Space::kHost, rows.size() / 2,
                      2, 2);
  const Matrix to(reinterpret_cast<std::byte*>(out.data()), DType::kF32, Space::kHost, 1, out.size(),
                  out.size());
  task.Compute(packed, hidden, to, ops, ws);
  return out;
}

Result<Output> Finish(const EmbedTask& task, const EmbedRequest& request, const std::vector<float>& numbers,
                      Laid& laid) {
  auto made = task.Lay(request);
  EXPECT_TRUE(made);
  laid = std::move(made).value();
  const std::vector<Kept> kept{{numbers, {}}};
  return task.Finish(request, laid, kept);
}

void ExpectError(const Error& e, Code code, const Where& where, std::string_view found,
                 std::string_view allowed) {
  EXPECT_EQ(e.code, code);
  EXPECT_EQ(e.where, where) << ToString(e.where);
  EXPECT_EQ(e.found, found);
  EXPECT_EQ(e.allowed, allowed);
}

// ---- Compute ------------------------------------------------------------------------------------------

// TSK-06, BR-001: all six modes at once, in an order of their own.
TEST(EmbedCompute, PoolsByHand) {
  const EmbedTask task = Make(Pooled({Pooling::kLast, Pooling::kMax, Pooling::kMean, Pooling::kFirst,
                                      Pooling::kWeightedMean, Pooling::kMeanSqrtLength}));
  const std::vector<float> got = Compute(task, {1, 2, 3, -4, 5, 0}, {{.begin = 0, .end = 3}});
  const double root = std::sqrt(3.0);
  const double want[] = {5, 0, 5, 2, 3, -2.0 / 3, 1, 2, 22.0 / 6, -1, 9 / root, -2 / root};
  ASSERT_EQ(got.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(static_cast<double>(got[i]), want[i], 1e-6) << i;
}

// Excluded prompt rows are not pooled, but a weighted mean still counts them.
TEST(EmbedCompute, LeavesThePromptOut) {
  const EmbedTask task = Make(Pooled({Pooling::kMean, Pooling::kFirst, Pooling::kWeightedMean}, false));
  const std::vector<float> got =
      Compute(task, {9, 9, 9, 9, 1, 2, 3, -4}, {{.begin = 2, .end = 4, .skipped = 2}});
  const double want[] = {2, -1, 1, 2, (3 * 1 + 4 * 3) / 7.0, (3 * 2 - 4 * 4) / 7.0};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(static_cast<double>(got[i]), want[i], 1e-6) << i;
}

// BR-006: rows behind the text are no part of it: [0.5,0.5] of [1,0] and [0,1], where two padding rows of
// [10,10] would make it [5.25,5.25].
TEST(EmbedCompute, RowsOutsideTheTextDoNotCount) {
  const std::vector<float> rows{1, 0, 0, 1, 10, 10, 10, 10};
  EXPECT_EQ(Compute(Make(Pooled({Pooling::kMean})), rows, {{.begin = 0, .end = 2}}),
            (std::vector<float>{0.5f, 0.5f}));
}

// Two dense layers (one with each residual), LayerNorm and Normalize.
TEST(EmbedCompute, RunsTheChain) {
  DenseStep same{.in = 2,
                 .out = 2,
                 .bias = true,
                 .activation = Activation::kRelu,
                 .activation_name = "ReLU",
                 .residual = true};
  DenseStep wide{.in = 2,
                 .out = 3,
                 .bias = false,
                 .activation = Activation::kNone,
                 .activation_name = "Identity",
                 .residual = true};
  EmbedTask task = Make(Recipe({{"1_Pooling/", PoolingStep{{Pooling::kFirst}, true}},
                                {"2_Dense/", same},
                                {"3_Dense/", wide},
                                {"4_LayerNorm/", LayerNormStep{3}},
                                {"5_Normalize/", NormalizeStep{}}},
                               3));
  std::vector<TensorDecl> wanted;
  task.DeclareTensors(Scope(wanted));
  const std::pair<const char*, std::vector<float>> kValues[] = {
      {"2_Dense/linear.weight", {1, -1, 2, 0}},      {"2_Dense/linear.bias", {0, -3}},
      {"3_Dense/linear.weight", {1, 0, 0, 1, 1, 1}}, {"3_Dense/residual.weight", {0, 1, 1, 0, 0, 0}},
      {"4_LayerNorm/norm.weight", {1, 1, 2}},        {"4_LayerNorm/norm.bias", {0, 0, 1}}};
  const ReferenceBackend backend;
  std::vector<std::unique_ptr<const PreparedWeight>> weights;
  ASSERT_EQ(wanted.size(), std::size(kValues));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_EQ(wanted[i].folder + wanted[i].name, kValues[i].first);
    EXPECT_TRUE(wanted[i].exact);
    std::vector<std::size_t> shape{wanted[i].rows()};
    if (wanted[i].cols > 1) shape.push_back(wanted[i].cols);
    const std::vector<TensorInfo> stored{MemoryTensor(wanted[i].name, shape, kValues[i].second)};
    const Match match = MatchTensors(std::span(&wanted[i], 1), stored, {});
    ASSERT_TRUE(match.problems.empty());
    const SlotReader reader(match.bindings[0]);
    auto prepared = backend.Prepare(SourceOf(match.bindings[0], &reader), Profile::kF32);
    ASSERT_TRUE(prepared);
    *wanted[i].slot = Weight(prepared->get(), wanted[i].rows(), wanted[i].cols);
    weights.push_back(std::move(prepared).value());
  }
  // x = (3, 1): relu(3-1, 6-3) + x = (5, 4); then (5, 4, 9) + (4, 5, 0) = (9, 9, 9): a row without variance,
  // so the norm leaves its shift (0, 0, 1), which has unit length.
  EXPECT_EQ(Compute(task, {3, 1}, {{.begin = 0, .end = 1}}), (std::vector<float>{0, 0, 1}));
  // x = (1, 2): relu(-1, 2-3) + x = (1, 2); then (1, 2, 3) + (2, 1, 0) = (3, 3, 3) again.
  EXPECT_EQ(Compute(task, {1, 2}, {{.begin = 0, .end = 1}}), (std::vector<float>{0, 0, 1}));
}

TEST(EmbedCompute, NormalizeGivesUnitLengthAndLeavesZero) {
  const EmbedTask task =
      Make(Recipe({{"1_Pooling/", PoolingStep{{Pooling::kFirst}, true}}, {"", NormalizeStep{}}}, 2));
  EXPECT_EQ(Compute(task, {3, 4}, {{.begin = 0, .end = 1}}), (std::vector<float>{0.6f, 0.8f}));
  EXPECT_EQ(Compute(task, {0, 0}, {{.begin = 0, .end = 1}}), (std::vector<float>{0, 0}));
}

// ---- Lay ----------------------------------------------------------------------------------------------

TEST(EmbedLay, TextBecomesRows) {
  const EmbedTask task = Make(Pooled({Pooling::kMean}));
  const auto laid = task.Lay(EmbedRequest{.inputs = {std::string("a B"), std::string("")}});
  ASSERT_TRUE(laid);
  ASSERT_EQ(laid->works.size(), 2u);
  EXPECT_EQ(laid->works[0].tokens, (std::vector<std::int32_t>{2, 4, 5, 3}));
  EXPECT_EQ(laid->works[0].segments, (std::vector<std::int32_t>{0, 0, 0, 0}));
  EXPECT_EQ(laid->works[0].positions, (std::vector<std::int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(laid->works[0].runs[0].end, 4);
  // TSK-07: two special tokens are an answer.
  EXPECT_EQ(laid->works[1].tokens, (std::vector<std::int32_t>{2, 3}));
  EXPECT_EQ(laid->works[1].item, 1u);
}

// TSK-09: limit - 1, 0, + 1.
TEST(EmbedLay, TruncationIsCountedOrRefused) {
  const EmbedTask task = Make(Pooled({Pooling::kMean}), 5);
  EmbedRequest request{.inputs = {std::string("a b"), std::string("a b c"), std::string("a b c q")}};
  const auto cut = task.Lay(request);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->works[2].tokens, (std::vector<std::int32_t>{2, 4, 5, 6, 3}));
  EXPECT_EQ(cut->items[1].total, 5u);
  EXPECT_EQ(cut->items[2].total, 6u);
  EXPECT_EQ(cut->items[2].tokens, 5u);
  request.text.truncate_left = true;
  EXPECT_EQ(task.Lay(request)->works[2].tokens, (std::vector<std::int32_t>{2, 5, 6, 7, 3}));
  request.text.truncate = false;
  const auto whole = task.Lay(request);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->works.size(), 2u);
  ASSERT_TRUE(whole->items[2].error);
  ExpectError(*whole->items[2].error, Code::kInputTooLarge, Where::Field("text"), "6 tokens",
              "5, or truncation");
}

// LIM-03, SPEC section 14: a string of 2 MiB is the longest, before it is tokenised.
TEST(EmbedLay, AStringHasALimit) {
  const EmbedTask task = Make(Pooled({Pooling::kMean}), 5);
  constexpr std::size_t kMost = std::size_t{2} << 20;
  const auto laid = task.Lay(EmbedRequest{.inputs = {std::string(kMost, ' '), std::string(kMost + 1, ' ')}});
  ASSERT_TRUE(laid);
  EXPECT_FALSE(laid->items[0].error);
  ASSERT_TRUE(laid->items[1].error);
  ExpectError(*laid->items[1].error, Code::kInputTooLarge, Where::Field("text"), "2097153 bytes",
              "2097152 bytes");
}

TEST(EmbedLay, MaxLengthOfARequest) {
  const EmbedTask task = Make(Pooled({Pooling::kMean}), 5);
  EmbedRequest request{.inputs = {std::string("a b c")}};
  request.text.max_length = 3;
  EXPECT_EQ(task.Lay(request)->works[0].tokens, (std::vector<std::int32_t>{2, 4, 3}));
  request.text.max_length = 6;
  ExpectError(task.Lay(request).error(), Code::kUnsupportedOption, Where::Option("max-length"), "6",
              "2 to 5");
  request.text.max_length = 1;
  ExpectError(task.Lay(request).error(), Code::kUnsupportedOption, Where::Option("max-length"), "1",
              "2 to 5");
}

EmbedRecipe Prompted(bool include_prompt) {
  EmbedRecipe r = Pooled({Pooling::kMean}, include_prompt);
  r.prompts = {{"query", "q "}, {"document", ""}};
  return r;
}

// TSK-05
TEST(EmbedLay, PromptsByNameLiteralAndDefault) {
  EmbedRecipe recipe = Prompted(true);
  recipe.default_prompt = "query";
  const EmbedTask task = Make(std::move(recipe));
  EmbedRequest request{.inputs = {std::string("a")}};
  const auto tokens = [&] {
    const auto laid = task.Lay(request);
    EXPECT_TRUE(laid);
    return laid->works[0].tokens;
  };
  EXPECT_EQ(tokens(), (std::vector<std::int32_t>{2, 7, 4, 3}));
  EXPECT_EQ(task.Lay(request)->prompt, "query");
  request.text.prompt_name = "document";
  EXPECT_EQ(tokens(), (std::vector<std::int32_t>{2, 4, 3}));
  EXPECT_EQ(task.Lay(request)->prompt, "");
  request.text.prompt_name.reset();
  request.text.prompt = "b ";
  EXPECT_EQ(tokens(), (std::vector<std::int32_t>{2, 5, 4, 3}));
  EXPECT_EQ(task.Lay(request)->prompt, "literal");
  request.text.prompt_name = "query";
  ExpectError(task.Lay(request).error(), Code::kUnsupportedOption, Where::Option("prompt-name"), "query",
              "prompt or prompt-name, not both");
  request.text.prompt.reset();
  request.text.prompt_name = "passage";
  ExpectError(task.Lay(request).error(), Code::kUnsupportedOption, Where::Option("prompt-name"), "passage",
              "query, document");
}

// The prompt alone is [CLS] q [SEP]: two rows are left out. No prompt leaves nothing out.
TEST(EmbedLay, ExcludedPrompt) {
  const EmbedTask task = Make(Prompted(false));
  EmbedRequest request{.inputs = {std::string("a b")}};
  EXPECT_EQ(task.Lay(request)->works[0].runs[0].begin, 0);
  request.text.prompt_name = "query";
  const Sequence run = task.Lay(request)->works[0].runs[0];
  EXPECT_EQ(run.begin, 2);
  EXPECT_EQ(run.end, 5);
  EXPECT_EQ(run.skipped, 2);
}

// TSK-07: where no special token ends a text, a prompt as long as the limit leaves nothing to pool.
TEST(EmbedLay, NothingLeftToPool) {
  std::string json = kTokenizer;
  const std::string end = R"(,{"SpecialToken":{"id":"[SEP]","type_id":0}}])";
  json.replace(json.find(end), end.size(), "]");
  EmbedTask task(Prompted(false), ReadTokenizer(json), kInput, 2, 4);
  EmbedRequest request{.inputs = {std::string("a")}};
  request.text.prompt = "q q ";
  EXPECT_EQ(task.Lay(request)->works.at(0).runs[0].begin, 3);
  request.text.prompt = "q q q ";
  const auto laid = task.Lay(request);
  ASSERT_TRUE(laid);
  ASSERT_TRUE(laid->items[0].error);
  ExpectError(*laid->items[0].error, Code::kZeroValidTokens, Where::Field("text"),
              "4 tokens, of which the prompt's 4 are not pooled", "at least one token to pool");
}

// BR-109: types are zeros where the input brings none.
TEST(EmbedLay, FinalIdsAreUsedAsTheyAre) {
  const EmbedTask task = Make(Pooled({Pooling::kMean}), 4);
  EmbedRequest request{
      .inputs = {TokenIds{4, 5}, TokenIds{}, TokenIds{8}, TokenIds{-1}, TokenIds{4, 4, 4, 4, 4}}};
  const auto laid = task.Lay(request);
  ASSERT_TRUE(laid);
  ASSERT_EQ(laid->works.size(), 1u);
  EXPECT_EQ(laid->works[0].tokens, (std::vector<std::int32_t>{4, 5}));
  EXPECT_EQ(laid->works[0].segments, (std::vector<std::int32_t>{0, 0}));
  ExpectError(*laid->items[1].error, Code::kZeroValidTokens, Where::Field("ids"), "no token",
              "at least one token");
  ExpectError(*laid->items[2].error, Code::kInvalidInput, Where::Field("ids"), "token 8", "0 to 7");
  ExpectError(*laid->items[3].error, Code::kInvalidInput, Where::Field("ids"), "token -1", "0 to 7");
  ExpectError(*laid->items[4].error, Code::kInputTooLarge, Where::Field("ids"), "5 tokens", "4");
  request.text.prompt = "q ";
  ExpectError(*task.Lay(request)->items[0].error, Code::kUnsupportedOption, Where::Field("ids"), "a prompt",
              "ids that hold the prompt already");
}

TEST(EmbedLay, EmptyList) {
  const EmbedTask task = Make(Pooled({Pooling::kMean}));
  ExpectError(task.Lay(EmbedRequest{}).error(), Code::kEmptyInput, Where::Field("inputs"), "an empty list",
              "at least one input");
}

// ---- Finish -------------------------------------------------------------------------------------------

EmbedRecipe Three(bool normalize) {
  EmbedRecipe r = Recipe({{"1_Pooling/", PoolingStep{{Pooling::kFirst}, true}}}, 3);
  if (normalize) r.chain.push_back({"", NormalizeStep{}});
  return r;
}
const std::vector<float> kUnit{3 / 13.0f, 4 / 13.0f, 12 / 13.0f};

TEST(EmbedFinish, DimensionsAreCutAndNormalisedAgain) {
  const EmbedTask task = Make(Three(true));
  EmbedRequest request{.inputs = {std::string("a")}, .text = {}, .dimensions = 2};
  Laid laid;
  const auto cut = Finish(task, request, kUnit, laid);
  ASSERT_TRUE(cut);
  const auto& e = std::get<Embeddings>(*cut);
  ASSERT_EQ(e.values.size(), 2u);
  EXPECT_FLOAT_EQ(e.values[0], 0.6f);
  EXPECT_FLOAT_EQ(e.values[1], 0.8f);
  EXPECT_TRUE(e.normalized);
  EXPECT_EQ(e.dimensions, 2u);
  request.dimensions.reset();
  const auto whole = Finish(task, request, kUnit, laid);
  EXPECT_EQ(std::get<Embeddings>(*whole).values, kUnit);
  EXPECT_NE(std::get<Embeddings>(*whole).space, e.space);  // TSK-10
}

TEST(EmbedFinish, ARecipeThatDoesNotNormaliseStaysSo) {
  const EmbedTask task = Make(Three(false));
  Laid laid;
  const auto cut =
      Finish(task, {.inputs = {std::string("a")}, .text = {}, .dimensions = 2}, {3, 4, 12}, laid);
  EXPECT_EQ(std::get<Embeddings>(*cut).values, (std::vector<float>{3, 4}));
  EXPECT_FALSE(std::get<Embeddings>(*cut).normalized);
}

// The package's own cut is the reference's: after Normalize, and not normalised again.
TEST(EmbedFinish, TruncateDimOfThePackage) {
  EmbedRecipe recipe = Three(true);
  recipe.truncate_dim = 2;
  const EmbedTask task = Make(std::move(recipe));
  EXPECT_EQ(task.facts().dimensions, 2u);
  EXPECT_FALSE(task.facts().normalized);
  Laid laid;
  const auto cut = Finish(task, {.inputs = {std::string("a")}}, kUnit, laid);
  EXPECT_EQ(std::get<Embeddings>(*cut).values, (std::vector<float>{3 / 13.0f, 4 / 13.0f}));
  EXPECT_FALSE(std::get<Embeddings>(*cut).normalized);
}

// BR-040
TEST(EmbedFinish, OnlyDeclaredSizesWhereAnyAreDeclared) {
  EmbedRecipe recipe = Three(true);
  recipe.matryoshka = {1, 2};
  const EmbedTask task = Make(std::move(recipe));
  EmbedRequest request{.inputs = {std::string("a")}};
  for (const std::size_t good : {1u, 2u, 3u}) {
    request.dimensions = good;
    EXPECT_TRUE(task.Lay(request)) << good;
  }
  for (const std::size_t bad : {0u, 4u}) {
    request.dimensions = bad;
    ExpectError(task.Lay(request).error(), Code::kUnsupportedOption, Where::Option("dimensions"),
                std::to_string(bad), "1, 2, 3");
  }
  const EmbedTask free = Make(Three(true));
  request.dimensions = 4;
  ExpectError(free.Lay(request).error(), Code::kUnsupportedOption, Where::Option("dimensions"), "4",
              "1 to 3");
}

// BR-025
TEST(EmbedFinish, NumbersThatAreNotFiniteFailTheirItemOnly) {
  const EmbedTask task = Make(Three(true));
  const EmbedRequest request{.inputs = {std::string("a"), std::string("b")}};
  auto laid = task.Lay(request);
  ASSERT_TRUE(laid);
  const std::vector<float> bad{1, std::numeric_limits<float>::quiet_NaN(), 0};
  const std::vector<Kept> kept{{bad, {}}, {kUnit, {}}};
  const auto out = task.Finish(request, *laid, kept);
  ASSERT_TRUE(out);
  ASSERT_TRUE(laid->items[0].error);
  EXPECT_EQ(laid->items[0].error->code, Code::kNumericalFailure);
  EXPECT_EQ(laid->items[0].error->found, "nan in the vector");
  EXPECT_FALSE(laid->items[1].error);
  const auto& values = std::get<Embeddings>(*out).values;
  EXPECT_EQ(std::vector<float>(values.begin(), values.begin() + 3), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(std::vector<float>(values.begin() + 3, values.end()), kUnit);
}

// ---- spaces -------------------------------------------------------------------------------------------

// TSK-05, TSK-10: any part of the recipe makes another space; nothing else does.
TEST(EmbedSpace, ChangesWithEachPart) {
  const auto space = [](const EmbedRecipe& recipe, const char* closure = "x", std::size_t max_length = 8) {
    EmbedTask task(recipe, SmallTokenizer(), kInput, 2, max_length);
    return task.SetSpace(closure);
  };
  const EmbedRecipe base = Prompted(true);
  const std::string id = space(base);
  EXPECT_EQ(id, space(base));
  EXPECT_TRUE(id.starts_with("sha256:"));
  std::vector<EmbedRecipe> others(6, base);
  std::get<PoolingStep>(others[0].chain[0].step).modes = {Pooling::kMax};
  others[1].prompts[0].second = "q: ";
  others[2].default_prompt = "query";
  others[3].similarity = "dot";
  others[4].lowercase_first = true;
  std::get<PoolingStep>(others[5].chain[0].step).include_prompt = false;
  for (std::size_t i = 0; i < others.size(); ++i) EXPECT_NE(space(others[i]), id) << i;
  EXPECT_NE(space(base, "y"), id);
  EXPECT_NE(space(base, "x", 7), id);
}

TEST(EmbedAdapter, IsChosenByNameAndDecidesTheSpace) {
  InputRule input = kInput;
  input.adapters = {{"find.query", "find"}, {"find.passage", "find"}, {"sort", "sort"}};
  EmbedTask task(Pooled({Pooling::kMean}), SmallTokenizer(), input, 2, 8);
  task.SetSpace("sha256:package");
  EXPECT_EQ(task.facts().adapters, (std::vector<std::string>{"find.query", "find.passage", "sort"}));
  const auto space = [&](std::optional<std::string> adapter, std::int32_t index) {
    Laid laid;
    const auto output = Finish(task, {.inputs = {std::string("a")}, .adapter = adapter}, {1, 2}, laid);
    EXPECT_TRUE(output);
    EXPECT_EQ(laid.works[0].adapter, index);
    const bool told = laid.options.back().name == "adapter" && laid.options.back().value == adapter;
    EXPECT_EQ(told, adapter.has_value());
    return std::get<Embeddings>(*output).space;
  };
  const std::string none = space({}, Batch::kNoAdapter), query = space("find.query", 0),
                    passage = space("find.passage", 1), sort = space("sort", 2);
  EXPECT_EQ(query, passage);
  EXPECT_NE(query, sort);
  EXPECT_NE(query, none);
  EXPECT_NE(sort, none);
}

TEST(EmbedAdapter, UnknownOnesAreRefused) {
  InputRule input = kInput;
  const EmbedRequest request{.inputs = {std::string("a")}, .adapter = "z"};
  for (const char* allowed : {"none: the package has no adapters", "x", "x, x"}) {
    const auto laid = EmbedTask(Pooled({Pooling::kMean}), SmallTokenizer(), input, 2, 8).Lay(request);
    ASSERT_FALSE(laid);
    ExpectError(laid.error(), Code::kUnsupportedOption, Where::Option("adapter"), "z", allowed);
    input.adapters.push_back({"x", "x"});
  }
}

}  // namespace
}  // namespace candor::tasks

// The public engine: what is thrown below comes out as a value, and texts are tokenized as they are embedded.
#include "candor/engine.h"

#include <gtest/gtest.h>

#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "engine/door.h"
#include "engine/test_support.h"

namespace candor::engine {
namespace {

constexpr int kCheckLine = __LINE__ + 3;
Result<int> Checked(int value) {
  return AtTheDoor<int, Error>([&]() -> Result<int> {
    CANDOR_CHECK(value == 1, "a value of one");
    return value;
  });
}

TEST(Door, ADefectNamesItsPlace) {
  EXPECT_EQ(*Checked(1), 1);
  const Error e = Checked(2).error();
  EXPECT_EQ(e.code, Code::kInternalInvariant);
  EXPECT_EQ(e.found, "value == 1 is false at src/engine/engine_test.cc:" + std::to_string(kCheckLine));
  EXPECT_EQ(e.allowed, "a value of one");
}

TEST(Door, MemoryThatRanOutIsAValue) {
  const auto thrown = AtTheDoor<int, Problems>([]() -> Planned<int> { throw std::bad_alloc(); });
  ASSERT_EQ(thrown.error().size(), 1u);
  EXPECT_EQ(thrown.error()[0].code, Code::kInsufficientMemory);
}

// More items than a vector can ever hold: refused before anything runs.
TEST(Engine, AShapeBeyondMemoryIsRefused) {
  const auto engine = Engine::New({.threads = 1});
  ASSERT_TRUE(engine);
  const auto model = (*engine)->OpenEmbedder({.path = kPackage});
  ASSERT_TRUE(model);
  const auto receipt = (*engine)->RunShape(**model, std::numeric_limits<std::size_t>::max(), 1);
  ASSERT_FALSE(receipt);
  EXPECT_EQ(receipt.error().code, Code::kInsufficientMemory);
  const auto fits = (*engine)->RunShape(**model, 3, 5);
  ASSERT_TRUE(fits);
  EXPECT_EQ(fits->rows, 15u);
}

// PLAN-04: an option is taken, or refused with its name; none is taken twice.
TEST(WhyNot, EveryOptionIsTakenOrRefused) {
  const auto engine = Engine::New({.threads = 1});
  ASSERT_TRUE(engine);
  const auto ask = [&](std::vector<std::pair<std::string, std::string>> options) {
    return (*engine)->WhyNot({.model = {.path = kPackage}, .options = std::move(options)});
  };
  const auto all = ask({{"max-length", "8"},
                        {"max-batch-tokens", "64"},
                        {"no-normalize", "false"},
                        {"allow-unqualified", "true"},
                        {"dimensions", "4"},
                        {"prompt", "x"},
                        {"truncate", "false"},
                        {"truncate-side", "left"},
                        {"threads", "3"}});
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->possible) << all->json;
  struct Case {
    std::string name, value, allowed;
  };
  for (const Case& c :
       {Case{"no-normalize", "yes", "true, false"}, Case{"truncate", "", "true, false"},
        Case{"truncate-side", "middle", "left, right"}, Case{"threads", "0", "a whole number above 0"},
        Case{"max-length", "8x", "a whole number above 0"},
        Case{"max-batch-tokens", "-1", "a whole number above 0"},
        Case{"allow-unqualified", "True", "true, false"}}) {
    const auto answer = ask({{c.name, c.value}});
    ASSERT_TRUE(answer && answer->blockers.size() == 1) << c.name;
    const Error& e = answer->blockers[0];
    EXPECT_EQ(e.code, Code::kUnsupportedOption);
    EXPECT_EQ(e.where, Where::Option(c.name));
    EXPECT_EQ(e.found, c.value);
    EXPECT_EQ(e.allowed, c.allowed);
  }
  const auto twice = ask({{"max-length", "8"}, {"max-length", "9"}});
  ASSERT_TRUE(twice && twice->blockers.size() == 1);
  EXPECT_EQ(twice->blockers[0].found, "9, after another value");
  EXPECT_NE(twice->json.find(R"("options":{"max-length":"8"})"), std::string::npos) << twice->json;
  const auto unknown = ask({{"device", "cuda"}});
  ASSERT_TRUE(unknown && unknown->blockers.size() == 1);
  EXPECT_EQ(unknown->blockers[0].where, Where::Option("device"));
}

// Every task's own options are asked of it, and are none of another's.
TEST(WhyNot, OptionsAreThoseOfTheTask) {
  const auto engine = Engine::New({.threads = 1});
  ASSERT_TRUE(engine);
  const std::string goldens = std::string(CANDOR_SOURCE_DIR) + "/goldens/";
  const auto ask = [&](const std::string& task, const std::string& package,
                       std::vector<std::pair<std::string, std::string>> options) {
    const ModelOptions model{.path = goldens + package + "/package", .task = task, .allow_unqualified = true};
    auto answer = (*engine)->WhyNot({.model = model, .options = std::move(options)});
    EXPECT_TRUE(answer);
    return answer ? answer->blockers : Problems{};
  };
  struct Case {
    std::string task, package, option, value, found, allowed;  // no `allowed`: nothing stands in the way
  };
  const std::string dense = "bert/classic", flash = "xlm_roberta_flash/adapters",
                    late = "late_interaction/bert_fixed", sparse = "sparse/bert_splade",
                    codes = "sparse/bert_codes", rerank = "heads/bert_rerank", labels = "heads/bert_softmax",
                    tokens = "token_heads/bert_entities";
  const std::string sides = "none: a head reads its texts together, and has no sides";
  for (const Case& c : {
           Case{"embed", dense, "embedding-type", "ubinary", "", ""},
           Case{"embed", dense, "embedding-type", "int4", "int4", "float32, int8, uint8, binary, ubinary"},
           Case{"embed", dense, "ranges", "[[1],[2]", "[[1],[2]",
                "JSON: [[least of each dimension], [most of each]]"},
           Case{"embed", dense, "role", "query", "query",
                "none: the package does not tell queries from documents"},
           Case{"embed", dense, "role", "both", "both", "query, document"},
           Case{"embed", dense, "max-active-dims", "3", "3, with embed",
                "none: an option of embed-sparse alone"},
           Case{"embed", dense, "split-special-tokens", "true", "", ""},
           Case{"embed", flash, "adapter", "separation", "", ""},
           Case{"embed-sparse", sparse, "max-active-dims", "3", "", ""},
           Case{"embed-sparse", codes, "max-active-dims", "9999", "9999", "*"},
           Case{"embed-sparse", sparse, "dimensions", "3", "3, with embed-sparse",
                "none: an option of embed alone"},
           Case{"embed-tokens", late, "role", "query", "", ""},
           Case{"embed-tokens", late, "prompt-name", "document", "", ""},
           Case{"embed-tokens", late, "embedding-type", "int8", "int8, with embed-tokens",
                "none: an option of embed alone"},
           Case{"rerank", rerank, "top-n", "2", "", ""},
           Case{"rerank", rerank, "top-n", "0", "0", "a whole number above 0"},
           Case{"rerank", rerank, "role", "query", "query", sides},
           Case{"rerank", rerank, "aggregate", "max", "max, with rerank",
                "none: an option of classify-tokens alone"},
           Case{"classify", labels, "role", "document", "document", sides},
           Case{"classify", labels, "top-n", "2", "2, with classify", "none: an option of rerank alone"},
           Case{"classify-tokens", tokens, "aggregate", "average", "", ""},
           Case{"classify-tokens", tokens, "aggregate", "mean", "mean", "none, simple, first, average, max"},
           Case{"classify-tokens", tokens, "role", "query", "query",
                "none: tokens of the text alone are labelled"},
           Case{"classify-tokens", tokens, "prompt-name", "query", "query",
                "none: tokens of the text alone are labelled"},
       }) {
    SCOPED_TRACE(c.task + " " + c.option + "=" + c.value);
    const Problems blockers = ask(c.task, c.package, {{c.option, c.value}});
    if (c.allowed.empty()) {
      EXPECT_TRUE(blockers.empty()) << Message(blockers[0]);
      continue;
    }
    ASSERT_EQ(blockers.size(), 1u);
    EXPECT_EQ(blockers[0].code, Code::kUnsupportedOption);
    EXPECT_EQ(blockers[0].where, Where::Option(c.option));
    EXPECT_EQ(blockers[0].found, c.found);
    if (c.allowed != "*") {
      EXPECT_EQ(blockers[0].allowed, c.allowed);
    }
  }
  // Types that need ranges: refused without them, and with them where they are of another width.
  ASSERT_EQ(ask("embed", dense, {{"embedding-type", "int8"}}).size(), 1u);
  const Problems few = ask("embed", dense, {{"embedding-type", "int8"}, {"ranges", "[[0],[1]]"}});
  ASSERT_EQ(few.size(), 1u);
  EXPECT_EQ(few[0].where, Where::Field("ranges"));
  EXPECT_EQ(few[0].code, Code::kInvalidInput);
  EXPECT_TRUE(
      ask("embed", dense, {{"embedding-type", "int8"}, {"dimensions", "2"}, {"ranges", "[[0,0],[1,1]]"}})
          .empty());
}

// What a tokenizer says of the package's own prompts, lengths and pairs is what an embedder runs.
class TokenizeLikeEmbed : public testing::Test {
 protected:
  void SetUp() override {
    auto engine = Engine::New({.threads = 1});
    ASSERT_TRUE(engine);
    auto tokenizer = (*engine)->OpenTokenizer({.path = kPrompted});
    ASSERT_TRUE(tokenizer);
    auto model = (*engine)->OpenEmbedder({.path = kPrompted});
    ASSERT_TRUE(model);
    tokenizer_ = *tokenizer, model_ = *model;
  }
  std::size_t Embedded(const TextOptions& options) const {
    return model_->Embed({.inputs = {kText}, .text = options})->items[0].tokens;
  }
  static inline const std::string kPrompted =
      std::string(CANDOR_SOURCE_DIR) + "/goldens/bert/default_prompt/package";
  static inline const std::string kText = "a b";
  std::shared_ptr<const TextTokenizer> tokenizer_;
  std::shared_ptr<const Embedder> model_;
};

TEST_F(TokenizeLikeEmbed, ThePromptStandsInFront) {  // TSK-05
  const auto ids = [&](const std::string& text, const TextOptions& options) {
    return tokenizer_->Tokenize(text, std::nullopt, options)->ids;
  };
  const auto plain = ids(kText, {.prompt = ""}), asked = ids("query: " + kText, {.prompt = ""});
  EXPECT_NE(plain, asked);
  EXPECT_EQ(ids(kText, {}), asked);  // the package's default prompt is its "query: "
  EXPECT_EQ(ids(kText, {.prompt_name = "query"}), asked);
  EXPECT_EQ(ids(kText, {.prompt_name = "document"}), plain);  // an empty one
  EXPECT_EQ(ids(kText, {.prompt = "query: "}), asked);
  EXPECT_EQ(Embedded({}), asked.size());
  EXPECT_EQ(Embedded({.prompt_name = "document"}), plain.size());
}

TEST_F(TokenizeLikeEmbed, TheSameRefusals) {
  for (const TextOptions& options : {TextOptions{.prompt_name = "none"}, TextOptions{.max_length = 1},
                                     TextOptions{.prompt_name = "query", .prompt = "x"},
                                     TextOptions{.max_length = std::size_t{1} << 20}}) {
    const auto tokens = tokenizer_->Tokenize(kText, std::nullopt, options);
    const auto vectors = model_->Embed({.inputs = {kText}, .text = options});
    ASSERT_FALSE(tokens || vectors);
    EXPECT_EQ(Message(tokens.error()), Message(vectors.error()));
    EXPECT_EQ(tokens.error().code, Code::kUnsupportedOption);
  }
  const auto pair = tokenizer_->Tokenize(kText, kText, {});
  ASSERT_FALSE(pair);
  EXPECT_EQ(pair.error().where, Where::Option("prompt"));
  EXPECT_TRUE(tokenizer_->Tokenize(kText, kText, {.prompt = ""}));
}

}  // namespace
}  // namespace candor::engine

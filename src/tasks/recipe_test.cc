// The reader of embedding recipes.
// Long because every rule of it has one short test on one fixture.
#include "tasks/recipe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace candor::tasks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWidth = 6;
constexpr const char* kPool = "sentence_transformers.models.Pooling";

// A folder of JSON files that lives as long as the test.
class RecipeTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("candor_recipe_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    files_["config.json"] = R"({"model_type":"bert"})";
    files_["modules.json"] = Chain({kPool});
    files_["1_Pooling/config.json"] = R"({"word_embedding_dimension":6,"pooling_mode_mean_tokens":true})";
  }
  void TearDown() override { fs::remove_all(folder_); }

  // modules.json: the encoder, then `types`, each in "<i>_<Class>".
  static std::string Chain(const std::vector<std::string>& types) {
    std::string out = R"([{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"})";
    for (std::size_t i = 0; i < types.size(); ++i) {
      const std::string n = std::to_string(i + 1), name = types[i].substr(types[i].rfind('.') + 1);
      out += R"(,{"idx":)" + n + R"(,"name":")" + n + R"(","path":")" + n + "_" + name + R"(","type":")" +
             types[i] + R"("})";
    }
    return out + "]";
  }
  // The encoder, pooling and one more.
  static std::string Then(const std::string& second) {
    return Chain({std::string(kPool), "sentence_transformers.models." + second});
  }

  EmbedRecipe Read(const RecipeOptions& options = {}) {
    for (const auto& [name, text] : files_) {
      fs::create_directories((folder_ / name).parent_path());
      std::ofstream(folder_ / name) << text;
    }
    auto package = package::Package::Open(folder_);
    EXPECT_TRUE(package);
    package_ = std::move(package).value();
    return ReadRecipe(*package_, log_, options, kWidth, problems_);
  }

  // The one problem of reading the files.
  void Expect(Code code, Where where, std::string_view found, std::string_view allowed,
              const RecipeOptions& options = {}) {
    Read(options);
    ASSERT_EQ(problems_.size(), 1u);
    EXPECT_EQ(problems_[0].code, code);
    EXPECT_EQ(problems_[0].where, where);
    EXPECT_EQ(problems_[0].found, found);
    EXPECT_EQ(problems_[0].allowed, allowed);
    EXPECT_EQ(problems_[0].phase, Phase::kProcessing);
  }

  static const PoolingStep& Pool(const EmbedRecipe& r) { return std::get<PoolingStep>(r.chain.at(0).step); }
  static const DenseStep& Dense(const EmbedRecipe& r) { return std::get<DenseStep>(r.chain.at(1).step); }

  fs::path folder_;
  std::map<std::string, std::string> files_;
  std::shared_ptr<const package::Package> package_;
  std::shared_ptr<package::ReadLog> log_ = std::make_shared<package::ReadLog>();
  Problems problems_;
};

constexpr const char* kTypes =
    "Transformer, then Pooling, or StaticEmbedding first, then any of Dense, LayerNorm, Normalize, Dropout";
constexpr const char* kModes = "mean|max|cls|mean_sqrt_len_tokens|weightedmean|lasttoken";

// ---- TSK-06: pooling ----------------------------------------------------------------------------------

TEST_F(RecipeTest, LegacyBooleansConcatenateInTheFixedOrder) {
  files_["1_Pooling/config.json"] =
      R"({"word_embedding_dimension":6,"pooling_mode_lasttoken":true,"pooling_mode_mean_tokens":true,
          "pooling_mode_cls_token":true,"pooling_mode_max_tokens":false})";
  const EmbedRecipe r = Read();
  EXPECT_TRUE(problems_.empty());
  EXPECT_EQ(Pool(r).modes, (std::vector{Pooling::kFirst, Pooling::kMean, Pooling::kLast}));
  EXPECT_EQ(r.width, 18u);
  EXPECT_TRUE(Pool(r).include_prompt);
}

TEST_F(RecipeTest, ListKeepsItsOwnOrderAndBeatsBooleans) {
  files_["1_Pooling/config.json"] =
      R"({"embedding_dimension":6,"pooling_mode":["max","cls"],"pooling_mode_mean_tokens":true,"include_prompt":false})";
  const EmbedRecipe r = Read();
  EXPECT_TRUE(problems_.empty());
  EXPECT_EQ(Pool(r).modes, (std::vector{Pooling::kMax, Pooling::kFirst}));
  EXPECT_FALSE(Pool(r).include_prompt);
}

TEST_F(RecipeTest, EveryModeByName) {
  const std::pair<const char*, Pooling> kCases[] = {{"cls", Pooling::kFirst},
                                                    {"max", Pooling::kMax},
                                                    {"mean", Pooling::kMean},
                                                    {"mean_sqrt_len_tokens", Pooling::kMeanSqrtLength},
                                                    {"weightedmean", Pooling::kWeightedMean},
                                                    {"lasttoken", Pooling::kLast}};
  for (const auto& [name, mode] : kCases) {
    files_["1_Pooling/config.json"] =
        R"({"embedding_dimension":6,"pooling_mode":")" + std::string(name) + "\"}";
    EXPECT_EQ(Pool(Read()).modes, std::vector{mode}) << name;
  }
  EXPECT_TRUE(problems_.empty());
}

TEST_F(RecipeTest, NoModeSetIsTheReferencesMean) {  // BR-001
  files_["1_Pooling/config.json"] = R"({"word_embedding_dimension":6,"pooling_mode_mean_tokens":false})";
  EXPECT_EQ(Pool(Read()).modes, std::vector{Pooling::kMean});
  EXPECT_TRUE(problems_.empty());
}

TEST_F(RecipeTest, UnknownMode) {
  files_["1_Pooling/config.json"] = R"({"embedding_dimension":6,"pooling_mode":"median"})";
  Expect(Code::kUnsupportedProcessorRecipe, Where::At("1_Pooling/config.json", "/pooling_mode"), "median",
         kModes);
}

TEST_F(RecipeTest, EmptyModeList) {
  files_["1_Pooling/config.json"] = R"({"embedding_dimension":6,"pooling_mode":[]})";
  Expect(Code::kUnsupportedProcessorRecipe, Where::At("1_Pooling/config.json", "/pooling_mode"), "none",
         kModes);
}

TEST_F(RecipeTest, PoolingKeyThatTheReferenceDoesNotTake) {
  files_["1_Pooling/config.json"] = R"({"embedding_dimension":6,"pooling_mode":"mean","layers":2})";
  Read();
  ASSERT_EQ(problems_.size(), 1u);
  EXPECT_EQ(problems_[0].code, Code::kUnsupportedProcessorRecipe);
  EXPECT_EQ(problems_[0].where, Where::At("1_Pooling/config.json", "/layers"));
}

TEST_F(RecipeTest, PoolingOfAnotherWidth) {
  files_["1_Pooling/config.json"] = R"({"word_embedding_dimension":8})";
  Expect(Code::kEvidenceConflict, Where::At("1_Pooling/config.json", "/word_embedding_dimension"), "8",
         "6, the width of the module before");
}

TEST_F(RecipeTest, PoolingWithoutItsFile) {
  files_.erase("1_Pooling/config.json");
  Expect(Code::kComponentMissing, Where::At("1_Pooling/config.json"), "no such file",
         "embedding_dimension and the pooling mode");
}

// ---- other modules ------------------------------------------------------------------------------------

TEST_F(RecipeTest, DenseByDefaultIsTanhWithBias) {
  files_["modules.json"] = Then("Dense");
  files_["2_Dense/config.json"] = R"({"in_features":6,"out_features":4})";
  const EmbedRecipe r = Read();
  EXPECT_TRUE(problems_.empty());
  EXPECT_EQ(Dense(r).activation, Activation::kTanh);
  EXPECT_TRUE(Dense(r).bias);
  EXPECT_FALSE(Dense(r).residual);
  EXPECT_EQ(r.chain[1].folder, "2_Dense/");
  EXPECT_EQ(r.width, 4u);
}

TEST_F(RecipeTest, DenseActivationIsTheExactTorchClass) {
  files_["modules.json"] = Then("Dense");
  const std::pair<const char*, Activation> kCases[] = {
      {"torch.nn.modules.linear.Identity", Activation::kNone},
      {"torch.nn.modules.activation.GELU", Activation::kGeluErf},
      {"torch.nn.ReLU", Activation::kRelu},
      {"torch.nn.modules.Tanhshrink", Activation::kTanhshrink},
      {"torch.nn.modules.activation.SELU", Activation::kSelu},
      {"torch.nn.modules.activation.Hardsigmoid", Activation::kHardsigmoid},
      {"torch.nn.modules.activation.Hardswish", Activation::kHardswish},
      {"torch.nn.modules.activation.Hardshrink", Activation::kHardshrink},
      {"torch.nn.modules.activation.Softshrink", Activation::kSoftshrink},
      {"torch.nn.modules.activation.Softplus", Activation::kSoftplus},
      {"torch.nn.modules.activation.LogSigmoid", Activation::kLogSigmoid},
      {"torch.nn.modules.activation.Softsign", Activation::kSoftsign},
      // Not trusting the package's code, the reference takes its default.
      {"my_package.Swoosh", Activation::kTanh},
  };
  for (const auto& [path, activation] : kCases) {
    files_["2_Dense/config.json"] =
        R"({"in_features":6,"out_features":4,"bias":false,"activation_function":")" + std::string(path) +
        "\"}";
    const EmbedRecipe r = Read();
    EXPECT_TRUE(problems_.empty()) << path;
    EXPECT_EQ(Dense(r).activation, activation) << path;
    EXPECT_FALSE(Dense(r).bias);
  }
}

// A class with parameters, and known names in modules that do not have them: the reference cannot import
// those.
TEST_F(RecipeTest, UnknownTorchActivation) {
  files_["modules.json"] = Then("Dense");
  for (const char* path : {"torch.nn.modules.activation.PReLU", "torch.nn.modules.linear.ReLU",
                           "torch.nn.modules.activation.Identity", "torch.nn.functional.ReLU"}) {
    files_["2_Dense/config.json"] =
        R"({"in_features":6,"out_features":4,"activation_function":")" + std::string(path) + "\"}";
    problems_.clear();
    Read();
    ASSERT_EQ(problems_.size(), 1u) << path;
    EXPECT_EQ(problems_[0].code, Code::kUnsupportedProcessorRecipe);
    EXPECT_EQ(problems_[0].where, Where::At("2_Dense/config.json", "/activation_function"));
    EXPECT_EQ(problems_[0].found, path);
    EXPECT_EQ(problems_[0].allowed,
              "torch.nn: Identity, Tanh, ReLU, ReLU6, GELU, SiLU, Sigmoid, Mish, ELU, CELU, LeakyReLU, SELU, "
              "Hardtanh, Hardsigmoid, Hardswish, Hardshrink, Softshrink, Tanhshrink, Softplus, LogSigmoid, "
              "Softsign");
  }
}

TEST_F(RecipeTest, DenseOfAnotherWidth) {
  files_["modules.json"] = Then("Dense");
  files_["2_Dense/config.json"] = R"({"in_features":5,"out_features":4})";
  Expect(Code::kEvidenceConflict, Where::At("2_Dense/config.json", "/in_features"), "5",
         "6, the width of the module before");
}

TEST_F(RecipeTest, DenseOnTokens) {
  files_["modules.json"] = Then("Dense");
  files_["2_Dense/config.json"] =
      R"({"in_features":6,"out_features":4,"module_input_name":"token_embeddings"})";
  Expect(Code::kUnsupportedProcessorRecipe, Where::At("2_Dense/config.json", "/module_input_name"),
         "\"token_embeddings\"", "\"sentence_embedding\" | null");
}

TEST_F(RecipeTest, DenseDropsKeysItDoesNotKnowByRule) {
  files_["modules.json"] = Then("Dense");
  files_["2_Dense/config.json"] = R"({"in_features":6,"out_features":4,"use_residual":true,"colour":1})";
  EXPECT_TRUE(Dense(Read()).residual);
  EXPECT_TRUE(problems_.empty());
  ASSERT_EQ(log_->ignored().back().pointer, "/colour");
}

TEST_F(RecipeTest, LayerNormDropoutNormalize) {
  files_["modules.json"] = Chain(
      {kPool, "sentence_transformers.sentence_transformer.modules.layer_norm.LayerNorm",
       "sentence_transformers.models.Dropout", "sentence_transformers.base.modules.normalize.Normalize"});
  files_["2_LayerNorm/config.json"] = R"({"dimension":6})";
  files_["3_Dropout/config.json"] = R"({"dropout":0.2})";
  const EmbedRecipe r = Read();
  EXPECT_TRUE(problems_.empty());
  ASSERT_EQ(r.chain.size(), 3u);  // dropout is the identity
  EXPECT_TRUE(std::holds_alternative<LayerNormStep>(r.chain[1].step));
  EXPECT_TRUE(r.normalizes());
}

TEST_F(RecipeTest, NormalizeBeforeDenseDoesNotNormaliseTheResult) {
  files_["modules.json"] =
      Chain({kPool, "sentence_transformers.models.Normalize", "sentence_transformers.models.Dense"});
  files_["3_Dense/config.json"] = R"({"in_features":6,"out_features":4})";
  EXPECT_FALSE(Read().normalizes());
  EXPECT_TRUE(problems_.empty());
}

// ---- modules.json -------------------------------------------------------------------------------------

TEST_F(RecipeTest, ModulesThatAreNotImplementedAreNamed) {
  for (const char* name :
       {"CNN", "LSTM", "BoW", "WordEmbeddings", "WordWeights", "StaticEmbedding", "CLIPModel"}) {
    problems_.clear();
    files_["modules.json"] = Then(name);
    Expect(Code::kUnsupportedProcessorRecipe, Where::At("modules.json", "/2/type"),
           std::string(name) + " after Pooling", kTypes);
  }
}

TEST_F(RecipeTest, CustomModule) {  // BR-108
  files_["modules.json"] = Chain({kPool, "custom_pooling.MyPooling"});
  Expect(Code::kCustomCodeDenied, Where::At("modules.json", "/2/type"), "custom_pooling.MyPooling",
         "modules of sentence_transformers; code of a package is never run");
}

TEST_F(RecipeTest, SparseModule) {
  files_["modules.json"] = Chain({"sentence_transformers.sparse_encoder.models.SpladePooling"});
  Expect(Code::kUnsupportedProcessorRecipe, Where::At("modules.json", "/1/type"),
         "SpladePooling after Transformer", kTypes);
}

TEST_F(RecipeTest, PoolingMustFollowTheEncoder) {
  files_["modules.json"] = Chain({"sentence_transformers.models.Normalize"});
  Expect(Code::kUnsupportedProcessorRecipe, Where::At("modules.json", "/1/type"),
         "Normalize after Transformer", kTypes);
}

TEST_F(RecipeTest, PoolingTwice) {
  files_["modules.json"] = Then("Pooling");
  Expect(Code::kUnsupportedProcessorRecipe, Where::At("modules.json", "/2/type"), "Pooling after Pooling",
         kTypes);
}

TEST_F(RecipeTest, NoPoolingAtAll) {
  files_["modules.json"] = Chain(std::vector<std::string>{});
  Expect(Code::kUnsupportedProcessorRecipe, Where::At("modules.json"), "no Pooling module", kTypes);
}

TEST_F(RecipeTest, EmptyList) {
  files_["modules.json"] = "[]";
  Expect(Code::kInvalidPackageSchema, Where::At("modules.json"), "array", "a list of at least one module");
}

TEST_F(RecipeTest, PathThatLeavesThePackage) {
  files_["modules.json"] =
      R"([{"name":"0","path":"","type":"sentence_transformers.models.Transformer"},
          {"name":"1","path":"1_Pooling/../../x","type":"sentence_transformers.models.Pooling"}])";
  Expect(Code::kPathEscape, Where::At("modules.json", "/1/path"), "1_Pooling/../../x",
         "a folder inside the package");
}

TEST_F(RecipeTest, RepeatedName) {
  files_["modules.json"] =
      R"([{"name":"0","path":"","type":"sentence_transformers.models.Transformer"},
          {"name":"0","path":"1_Pooling","type":"sentence_transformers.models.Pooling"}])";
  Expect(Code::kInvalidPackageSchema, Where::At("modules.json", "/1/name"), "0", "a name of its own");
}

// ---- no manifest --------------------------------------------------------------------------------------

TEST_F(RecipeTest, WithoutManifestTheChoicesAreNamed) {  // BR-047, 1_Pooling being there
  files_.erase("modules.json");
  Expect(Code::kUnsupportedProcessorRecipe, Where::At("modules.json"), "no such file",
         "modules.json, or --pooling " + std::string(kModes));
}

TEST_F(RecipeTest, TheCallersChoiceIsRecorded) {
  files_.erase("modules.json");
  const EmbedRecipe r = Read({.pooling = "lasttoken"});
  EXPECT_TRUE(problems_.empty());
  EXPECT_EQ(Pool(r).modes, std::vector{Pooling::kLast});
  EXPECT_FALSE(r.normalizes());
  EXPECT_EQ(log_->evidence().front().origin, "user_selection");
}

// FAM-06, EVI-04, BR-111: a headed package embeds only by an explicit recipe.
TEST_F(RecipeTest, HeadWithoutManifest) {
  files_.erase("modules.json");
  for (const std::string head : {"BertForMaskedLM", "BertForSequenceClassification"}) {
    files_["config.json"] = R"({"model_type":"bert","architectures":[")" + head + R"("]})";
    problems_.clear();
    Expect(Code::kUnsupportedTaskHead, Where::At("config.json", "/architectures/0"),
           head + " without a module manifest", "modules.json, or --pooling " + std::string(kModes));
  }
}

TEST_F(RecipeTest, HeadWithoutManifestStandsWhereItIs) {
  files_.erase("modules.json");
  files_["config.json"] = R"({"model_type":"bert","architectures":["BertModel","BertForMaskedLM"]})";
  Expect(Code::kUnsupportedTaskHead, Where::At("config.json", "/architectures/1"),
         "BertForMaskedLM without a module manifest", "modules.json, or --pooling " + std::string(kModes));
}

// The inventory and the recipe read a folder's name alike: the settings of "./1_Pooling/" are found.
TEST_F(RecipeTest, FoldersMayBeSpelledFromTheRoot) {
  for (const std::string path : {"./1_Pooling", "1_Pooling/", "././1_Pooling//"}) {
    files_["modules.json"] =
        R"([{"idx":0,"name":"0","path":".","type":"sentence_transformers.models.Transformer"},)"
        R"({"idx":1,"name":"1","path":")" +
        path + R"(","type":")" + std::string(kPool) + R"("}])";
    files_["1_Pooling/config.json"] = R"({"word_embedding_dimension":6,"pooling_mode_cls_token":true})";
    EXPECT_EQ(Pool(Read()).modes, std::vector{Pooling::kFirst}) << path;
    EXPECT_TRUE(problems_.empty()) << path;
  }
}

TEST_F(RecipeTest, UnknownPoolingOption) {
  files_.erase("modules.json");
  Expect(Code::kUnsupportedOption, Where::Option("pooling"), "median", kModes, {.pooling = "median"});
}

TEST_F(RecipeTest, PoolingOptionBesideAManifest) {
  Expect(Code::kUnsupportedOption, Where::Option("pooling"), "mean",
         "only for a package without modules.json", {.pooling = "mean"});
}

TEST_F(RecipeTest, NoNormalizeIsAnAssertion) {
  Read({.no_normalize = true});
  EXPECT_TRUE(problems_.empty());
  files_["modules.json"] = Then("Normalize");
  Expect(Code::kUnsupportedOption, Where::Option("no-normalize"), "the package's chain normalises",
         "a package whose chain does not", {.no_normalize = true});
  // Also where the chain goes on behind it.
  files_["modules.json"] = Chain({std::string(kPool), "sentence_transformers.models.Normalize",
                                  "sentence_transformers.models.LayerNorm"});
  files_["3_LayerNorm/config.json"] = R"({"dimension":6})";
  Read({.no_normalize = true});
  EXPECT_TRUE(std::ranges::any_of(problems_,
                                  [](const Error& e) { return e.where == Where::Option("no-normalize"); }));
}

// ---- sentence_bert_config.json ------------------------------------------------------------------------

TEST_F(RecipeTest, LengthAndLowercaseUnderEveryName) {
  for (const char* name : {"bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet"}) {
    const std::string file = "sentence_" + std::string(name) + "_config.json";
    files_[file] = R"({"max_seq_length":12,"do_lower_case":true})";
    const EmbedRecipe r = Read();
    EXPECT_EQ(r.max_seq_length, 12u) << name;
    EXPECT_TRUE(r.lowercase_first) << name;
    files_.erase(file);
    fs::remove(folder_ / file);
  }
  EXPECT_TRUE(problems_.empty());
}

TEST_F(RecipeTest, AnEmptySettingsFileIsPassedOver) {
  files_["sentence_bert_config.json"] = "{}";
  files_["sentence_roberta_config.json"] = R"({"max_seq_length":9})";
  EXPECT_EQ(Read().max_seq_length, 9u);
}

TEST_F(RecipeTest, SettingsThatChangeTheEncoder) {
  const std::tuple<const char*, const char*, const char*, const char*, Code> kCases[] = {
      {R"({"transformer_task":"fill-mask"})", "/transformer_task", "\"fill-mask\"", "\"feature-extraction\"",
       Code::kUnsupportedTaskHead},
      {R"({"query_length":32})", "/query_length", "32", "null", Code::kUnsupportedProcessorRecipe},
      {R"({"model_args":{"attn_implementation":"sdpa"}})", "/model_args", R"({"attn_implementation":"sdpa"})",
       "{} | null", Code::kUnsupportedProcessorRecipe},
      {R"({"module_output_name":"sentence_embedding"})", "/module_output_name", "\"sentence_embedding\"",
       "\"token_embeddings\"", Code::kUnsupportedProcessorRecipe},
  };
  for (const auto& [text, pointer, found, allowed, code] : kCases) {
    problems_.clear();
    files_["sentence_bert_config.json"] = text;
    Expect(code, Where::At("sentence_bert_config.json", pointer), found, allowed);
  }
}

// ---- config_sentence_transformers.json ----------------------------------------------------------------

TEST_F(RecipeTest, PromptsSimilarityAndCut) {
  files_["config_sentence_transformers.json"] =
      R"({"model_type":"SentenceTransformer","prompts":{"query":"q: ","document":null},"default_prompt_name":"query",
          "similarity_fn_name":"dot","truncate_dim":4,"matryoshka_dimensions":[4,2,6]})";
  const EmbedRecipe r = Read();
  EXPECT_TRUE(problems_.empty());
  ASSERT_EQ(r.prompts.size(), 2u);
  EXPECT_EQ(r.prompts[0], (std::pair<std::string, std::string>{"query", "q: "}));
  EXPECT_EQ(r.prompts[1].second, "");
  EXPECT_EQ(r.default_prompt, "query");
  EXPECT_EQ(r.similarity, "dot");
  EXPECT_EQ(r.truncate_dim, 4u);
  EXPECT_EQ(r.matryoshka, (std::vector<std::size_t>{2, 4, 6}));
}

TEST_F(RecipeTest, PackageOfAnotherKind) {  // BR-111
  files_["config_sentence_transformers.json"] = R"({"model_type":"CrossEncoder"})";
  Expect(Code::kUnsupportedTaskHead, Where::At("config_sentence_transformers.json", "/model_type"),
         "CrossEncoder", "SentenceTransformer; this one is for rerank or classify");
}

TEST_F(RecipeTest, UnknownDefaultPrompt) {
  files_["config_sentence_transformers.json"] = R"({"prompts":{"s2p":"x"},"default_prompt_name":"s2s"})";
  Expect(Code::kUnsupportedProcessorRecipe,
         Where::At("config_sentence_transformers.json", "/default_prompt_name"), "s2s",
         "one of prompts: s2p");
}

TEST_F(RecipeTest, UnknownSimilarity) {
  files_["config_sentence_transformers.json"] = R"({"similarity_fn_name":"maxsim"})";
  Expect(Code::kUnsupportedProcessorRecipe,
         Where::At("config_sentence_transformers.json", "/similarity_fn_name"), "maxsim",
         "cosine, dot, euclidean, manhattan");
}

TEST_F(RecipeTest, MatryoshkaSizesAreChecked) {
  files_["config.json"] = R"({"model_type":"bert","matryoshka_dimensions":[2,9]})";
  Expect(Code::kInvalidPackageSchema, Where::At("config.json", "/matryoshka_dimensions"), "9",
         "a list of sizes from 1 to the width, 6");
}

TEST_F(RecipeTest, MatryoshkaSizesOfTwoFilesMustAgree) {
  files_["config.json"] = R"({"model_type":"bert","matryoshka_dimensions":[2,3]})";
  files_["config_sentence_transformers.json"] = R"({"matryoshka_dimensions":[2,4]})";
  Expect(Code::kEvidenceConflict, Where::At("config.json", "/matryoshka_dimensions"), "[2,3]",
         "the sizes of the other file");
}

}  // namespace
}  // namespace candor::tasks

#include "families/bert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "families/registry.h"
#include "families/test_support.h"
#include "model/slot_reader.h"
#include "model/synthetic.h"
#include "ops/reference.h"
#include "ops/trace.h"

namespace candor::families {
namespace {

std::string With(const std::string& members) { return R"({"model_type":"bert",)" + members + "}"; }

const BertSpec& Spec(const ReadResult& r) { return dynamic_cast<const BertModel&>(*r.model).spec(); }

// Defaults of transformers 5.24's BertConfig, read from its source.
TEST(BertConfig, Defaults) {
  const ReadResult r = Read(R"({"model_type":"bert"})");
  ASSERT_TRUE(r.problems.empty());
  const BertSpec& s = Spec(r);
  EXPECT_EQ(s.vocabulary, 30522u);
  EXPECT_EQ(s.width, 768u);
  EXPECT_EQ(s.layers, 12u);
  EXPECT_EQ(s.heads, 12u);
  EXPECT_EQ(s.inner, 3072u);
  EXPECT_EQ(s.max_positions, 512u);
  EXPECT_EQ(s.segments, 2u);
  EXPECT_EQ(s.eps, 1e-12f);
  EXPECT_EQ(s.activation, Activation::kGeluErf);
  const InputRule rule = r.model->input();
  EXPECT_FALSE(rule.padding);
  EXPECT_EQ(rule.max_length, 512u);
  EXPECT_EQ(rule.vocabulary, 30522u);
  EXPECT_EQ(rule.segments, 2u);
}

// BR-105: an absent field is its default; null and another type are refused where the reference takes
// neither.
TEST(BertConfig, EachFieldAbsentNullOrOfAnotherType) {
  const std::string fields[] = {"vocab_size",          "hidden_size",       "num_hidden_layers",
                                "num_attention_heads", "intermediate_size", "hidden_act",
                                "type_vocab_size",     "layer_norm_eps",    "max_position_embeddings"};
  const std::pair<std::string, std::string> kWrong[] = {
      {"null", "null"}, {R"(["x"])", R"(["x"])"}, {"true", "true"}, {R"({"a":1})", R"({"a":1})"}};
  for (const std::string& field : fields) {
    for (const auto& [value, found] : kWrong) {
      const ReadResult r = Read(With('"' + field + "\":" + value));
      ASSERT_EQ(r.problems.size(), 1u) << field << value;
      EXPECT_EQ(r.problems[0].code, Code::kInvalidPackageSchema) << field << value;
      EXPECT_EQ(r.problems[0].where, Where::At("config.json", "/" + field));
      EXPECT_EQ(r.problems[0].found, found) << field;
    }
  }
  for (const char* position :
       {R"("position_embedding_type":null)", R"("position_embedding_type":"absolute")"})
    EXPECT_TRUE(Read(With(position)).problems.empty()) << position;
  // What describes another model inside this one is no key of BERT's.
  const ReadResult nested = Read(With(R"("text_config":{"hidden_size":8})"));
  EXPECT_EQ(nested.unread, std::vector<std::string>{"/text_config"});
  EXPECT_EQ(Spec(nested).width, 768u);
}

// FAM-05: erf and tanh forms are two functions, whatever their many names.
TEST(BertConfig, Activations) {
  const std::pair<const char*, Activation> kCases[] = {
      {"gelu", Activation::kGeluErf},
      {"gelu_python", Activation::kGeluErf},
      {"gelu_new", Activation::kGeluTanh},
      {"gelu_pytorch_tanh", Activation::kGeluTanh},
      {"gelu_fast", Activation::kGeluTanh},
      {"gelu_10", Activation::kGelu10},
      {"quick_gelu", Activation::kQuickGelu},
      {"relu", Activation::kRelu},
      {"silu", Activation::kSilu},
      {"swish", Activation::kSilu},
      {"gelu_accurate", Activation::kGeluTanh},
      {"gelu_python_tanh", Activation::kGeluTanh},
      {"hardswish", Activation::kHardswish},
      {"laplace", Activation::kLaplace},
      {"leaky_relu", Activation::kLeakyRelu},
      {"mish", Activation::kMish},
      {"relu2", Activation::kRelu2},
      {"relu6", Activation::kRelu6},
      {"sigmoid", Activation::kSigmoid},
      {"sqrtsoftplus", Activation::kSqrtSoftplus},
      {"tanh", Activation::kTanh},
      {"linear", Activation::kNone},
  };
  for (const auto& [name, activation] : kCases) {
    const ReadResult r = Read(With("\"hidden_act\":\"" + std::string(name) + "\""));
    ASSERT_TRUE(r.problems.empty()) << name;
    EXPECT_EQ(Spec(r).activation, activation) << name;
  }
  EXPECT_EQ(ChoiceOf(Read(With(R"("hidden_act":"gelu_pytorch_tanh")")), "hidden_act"), "gelu_new");
}

TEST(BertConfig, ChoicesAreLogged) {
  const ReadResult one = Read(With(R"("type_vocab_size":1)"));
  EXPECT_EQ(ChoiceOf(one, "type_vocabulary"), "one");
  EXPECT_EQ(ChoiceOf(one, "hidden_act"), "gelu");
  EXPECT_EQ(ChoiceOf(one, "position_embedding_type"), "absolute");
  EXPECT_EQ(ChoiceOf(Read(R"({"model_type":"bert"})"), "type_vocabulary"), "several");
}

// FAM-05, EVI-09: a refusal per branch, naming field, value and what is allowed.
TEST(BertConfig, EachSemanticValueThatIsNotImplementedIsRefused) {
  const Refused kCases[] = {
      {R"("position_embedding_type":"relative_key")", "/position_embedding_type", "\"relative_key\"",
       "\"absolute\" | null"},
      {R"("is_decoder":true)", "/is_decoder", "true", "false | null"},
      {R"("add_cross_attention":true)", "/add_cross_attention", "true", "false | null"},
      {R"("is_encoder_decoder":true)", "/is_encoder_decoder", "true", "false | null"},
      {R"("pruned_heads":{"0":[1]})", "/pruned_heads", R"({"0":[1]})", "{} | null"},
      {R"("per_layer_config":{"0":{}})", "/per_layer_config", R"({"0":{}})", "{} | null"},
      {R"("quantization_config":{"bits":4})", "/quantization_config", R"({"bits":4})", "null",
       Code::kUnsupportedQuantization},
      {R"("num_attention_heads":7)", "/num_attention_heads", "7", "a divisor of hidden_size 768"},
      {R"("type_vocab_size":0)", "/type_vocab_size", "0", "a whole number from 1 to 2147483647",
       Code::kInvalidPackageSchema},
      {R"("hidden_size":"768")", "/hidden_size", "\"768\"", "a whole number from 1 to 2147483647",
       Code::kInvalidPackageSchema},
      {R"("layer_norm_eps":-1)", "/layer_norm_eps", "-1", "a number of at least 0"},
      {R"("hidden_act":null)", "/hidden_act", "null", "a value", Code::kInvalidPackageSchema},
      {R"("hidden_size":null)", "/hidden_size", "null", "a value", Code::kInvalidPackageSchema},
      {R"("num_hidden_layers":2147483647)", "/num_hidden_layers", "2147483647",
       "a whole number from 1 to 16384", Code::kInvalidPackageSchema},
  };
  for (const Refused& c : kCases) ExpectRefused(With(c.member), c);
}

TEST(BertConfig, UnknownActivationListsTheKnown) {
  const ReadResult r = Read(With(R"("hidden_act":"xielu")"));
  ASSERT_EQ(r.problems.size(), 1u);
  EXPECT_EQ(r.problems[0].code, Code::kUnsupportedConfigVariant);
  EXPECT_EQ(r.problems[0].where, Where::At("config.json", "/hidden_act"));
  EXPECT_EQ(r.problems[0].found, "xielu");
  EXPECT_EQ(r.problems[0].allowed.find("gelu, gelu_python"), 0u);
}

// ERR: all at once.
TEST(BertConfig, AllProblemsTogether) {
  EXPECT_EQ(Read(With(R"("hidden_act":"xielu","is_decoder":true,"hidden_size":0)")).problems.size(), 3u);
}

TEST(BertConfig, DescriptiveKeysAreIgnoredByRuleAndUnknownOnesStayUnread) {
  const ReadResult r = Read(
      With(R"("id2label":{"0":"a"},"torch_dtype":"float16","pad_token_id":0,"is_decoder":false,"novel":1)"));
  ASSERT_TRUE(r.problems.empty());
  EXPECT_EQ(r.unread, std::vector<std::string>{"/novel"});
  EXPECT_TRUE(std::ranges::any_of(r.log->ignored(),
                                  [](const auto& i) { return i.pointer == "/id2label" && !i.rule.empty(); }));
}

// ---- the forward pass on a synthetic package ----------------------------------------------------------

constexpr BertSpec kTiny{
    .vocabulary = 11, .width = 12, .inner = 20, .heads = 3, .layers = 2, .max_positions = 16, .segments = 2};

struct Bound {
  BertModel model{kTiny};
  std::vector<TensorDecl> wanted;
  std::vector<TensorInfo> stored;
  std::vector<std::unique_ptr<const PreparedWeight>> weights;
  Bound() {
    model.DeclareTensors(Scope(wanted));
    stored = GenerateTensors(wanted, 3, "bert.");
    const Match match = MatchTensors(wanted, stored, kBertFamily.names);
    EXPECT_TRUE(match.problems.empty());
    EXPECT_EQ(match.dialect, "prefix bert.");
    const ReferenceBackend backend;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const SlotReader reader(match.bindings[i]);
      auto prepared = backend.Prepare(SourceOf(match.bindings[i], &reader), Profile::kF32);
      EXPECT_TRUE(prepared);
      *wanted[i].slot = Weight(prepared->get(), match.bindings[i].rows, match.bindings[i].cols);
      weights.push_back(std::move(prepared).value());
    }
  }
};

// Texts as lengths; token, segment and position of a row follow from its place in its text.
struct Texts {
  std::vector<std::int32_t> tokens, segments, positions;
  std::vector<Sequence> sequences;
  void Add(std::int32_t length, std::int32_t seed) {
    const auto begin = static_cast<std::int32_t>(tokens.size());
    for (std::int32_t i = 0; i < length; ++i) {
      tokens.push_back((seed * 5 + i * 3) % 11), segments.push_back(i % 2), positions.push_back(i);
    }
    sequences.push_back({.begin = begin, .end = begin + length});
  }
  Batch batch(Ops& ops) const {
    return {ops.Stage(tokens), ops.Stage(segments), ops.Stage(positions), ops.Stage(sequences)};
  }
};

std::vector<float> Forward(const BertModel& model, const Texts& texts) {
  ReferenceOps ops;
  std::vector<float> memory(1u << 16);
  Workspace ws(reinterpret_cast<std::byte*>(memory.data()), memory.size() * 4, DType::kF32, Space::kHost);
  const Matrix hidden = model.Forward(texts.batch(ops), ops, ws);
  std::vector<float> out(hidden.rows() * hidden.cols());
  ops.Download(hidden, out);
  return out;
}

// BAT-03
TEST(BertModel, AloneEqualsPackedBitForBit) {
  const Bound b;
  const std::int32_t lengths[] = {1, 7, 16, 3};
  Texts packed;
  for (std::int32_t i = 0; i < 4; ++i) packed.Add(lengths[i], i);
  const std::vector<float> all = Forward(b.model, packed);
  std::size_t at = 0;
  for (std::int32_t i = 0; i < 4; ++i) {
    Texts one;
    one.Add(lengths[i], i);
    const std::vector<float> alone = Forward(b.model, one);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), all.begin() + static_cast<std::ptrdiff_t>(at)));
    at += alone.size();
  }
  EXPECT_EQ(at, all.size());
}

TEST(BertModel, EveryInputReachesTheRows) {
  const Bound b;
  Texts texts;
  texts.Add(5, 1);
  const std::vector<float> before = Forward(b.model, texts);
  for (auto* array : {&texts.tokens, &texts.segments, &texts.positions}) {
    std::int32_t& value = (*array)[2];
    const std::int32_t kept = value;
    value = value == 0 ? 1 : 0;
    EXPECT_NE(Forward(b.model, texts), before);
    value = kept;
  }
}

// The dry pass agrees in shape and is what a plan counts.
TEST(BertModel, DryPassHasNoProblem) {
  BertModel model(kTiny);
  std::vector<TensorDecl> wanted;
  model.DeclareTensors(Scope(wanted));
  const std::vector<TensorInfo> stored = GenerateTensors(wanted, 1);
  BindShapes(wanted, MatchTensors(wanted, stored, kBertFamily.names));
  Texts texts;
  texts.Add(9, 0);
  TraceOps trace;
  Workspace measure(nullptr, 0, DType::kF32, Space::kHost);
  const Matrix hidden = model.Forward(texts.batch(trace), trace, measure);
  EXPECT_EQ(hidden.rows(), 9u);
  EXPECT_EQ(hidden.cols(), 12u);
  EXPECT_TRUE(trace.problems().empty());
  EXPECT_EQ(trace.steps().size(), 1u + 2u * 4u);  // a look-up, then four operations a layer
}

// FAM-06: heads beside the encoder and the reference's buffers are listed, never run.
TEST(BertModel, KnownUnusedTensors) {
  BertModel model(kTiny);
  std::vector<TensorDecl> wanted;
  model.DeclareTensors(Scope(wanted));
  std::vector<TensorInfo> stored = GenerateTensors(wanted, 1, "bert.");
  const std::vector<float> one{0};
  for (const char* name : {"bert.embeddings.position_ids", "bert.pooler.dense.weight",
                           "cls.predictions.decoder.bias", "classifier.weight"})
    stored.push_back(MemoryTensor(name, {1}, one));
  const Match match = MatchTensors(wanted, stored, kBertFamily.names);
  EXPECT_TRUE(match.problems.empty());
  ASSERT_EQ(match.explained.size(), 4u);
  EXPECT_FALSE(match.explained[0].head);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_TRUE(match.explained[i].head);
}

}  // namespace
}  // namespace candor::families

// Recorded exchanges of the OpenAI embeddings dialect (wire reference 1.7; API-01, 03, 05, 07), without a
// socket.
#include "serve/wire/openai.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace candor::serve::openai {
namespace {

const WireLimits kLimits = {.body_bytes = 4096, .items = 3};

std::string Text(const Content& content) { return std::get<std::string>(content); }
TokenIds Ids(const Content& content) { return std::get<TokenIds>(content); }

TEST(OpenaiParse, ReadsEveryForm) {  // API-01
  auto one = ParseEmbeddings(R"({"input":"hello","model":"m"})", kLimits);
  ASSERT_TRUE(one);
  ASSERT_EQ(one->request.inputs.size(), 1u);
  EXPECT_EQ(Text(one->request.inputs[0]), "hello");
  EXPECT_EQ(one->model, "m");
  EXPECT_FALSE(one->base64);
  EXPECT_FALSE(one->request.dimensions.has_value());
  EXPECT_TRUE(one->request.text.truncate);

  auto many = ParseEmbeddings(R"({"input":["a","\u00e9 \ud83d\ude00"]})", kLimits);
  ASSERT_TRUE(many);
  ASSERT_EQ(many->request.inputs.size(), 2u);
  EXPECT_EQ(Text(many->request.inputs[1]), "\xc3\xa9 \xf0\x9f\x98\x80");
  EXPECT_EQ(many->model, "");

  // A flat list of ids is one input, however long; only lists of inputs are counted.
  auto ids = ParseEmbeddings(R"({"input":[101,7592,2088,102]})", kLimits);
  ASSERT_TRUE(ids);
  ASSERT_EQ(ids->request.inputs.size(), 1u);
  EXPECT_EQ(Ids(ids->request.inputs[0]), (TokenIds{101, 7592, 2088, 102}));

  auto lists = ParseEmbeddings(R"({"input":[[101,102],[0]]})", kLimits);
  ASSERT_TRUE(lists);
  ASSERT_EQ(lists->request.inputs.size(), 2u);
  EXPECT_EQ(Ids(lists->request.inputs[1]), (TokenIds{0}));
}

TEST(OpenaiParse, ReadsOptions) {
  auto call = ParseEmbeddings(
      R"({"input":"a","dimensions":64,"encoding_format":"base64","user":"u","model":null})", kLimits);
  ASSERT_TRUE(call);
  EXPECT_TRUE(call->base64);
  EXPECT_EQ(call->request.dimensions, 64u);
  auto nulls =
      ParseEmbeddings(R"({"input":"a","dimensions":null,"encoding_format":null,"user":null})", kLimits);
  ASSERT_TRUE(nulls);
  EXPECT_FALSE(nulls->base64);
  EXPECT_FALSE(nulls->request.dimensions.has_value());
}

struct Refused {
  const char* body;
  Code code;
  const char* field;
  const char* found;
  const char* allowed;
};

TEST(OpenaiParse, NamesWhatIsWrong) {  // BR-040: sizes that are none
  const char* forms = "a string, a list of strings, a list of token ids, or a list of such lists";
  const char* known = "model, input, dimensions, encoding_format, user";
  const Refused cases[] = {
      {R"([])", Code::kInvalidInput, "body", "array", "a JSON object"},
      {R"("a")", Code::kInvalidInput, "body", "string", "a JSON object"},
      {R"({})", Code::kInvalidInput, "input", "nothing", forms},
      {R"({"input":null})", Code::kInvalidInput, "input", "null", forms},
      {R"({"input":7})", Code::kInvalidInput, "input", "7", forms},
      {R"({"input":{"text":"a"}})", Code::kInvalidInput, "input", "object", forms},
      {R"({"input":[]})", Code::kEmptyInput, "input", "an empty list", "1 to 3 inputs"},
      {R"({"input":""})", Code::kEmptyInput, "input[0]", "an empty string",
       "a text of at least one character"},
      {R"({"input":["a",""]})", Code::kEmptyInput, "input[1]", "an empty string",
       "a text of at least one character"},
      {R"({"input":[[]]})", Code::kEmptyInput, "input[0]", "an empty list", "at least one token id"},
      {R"({"input":["a",["b"]]})", Code::kInvalidInput, "input[1][0]", "string", "a token id"},
      {R"({"input":["a",1]})", Code::kInvalidInput, "input[1]", "1", "a string or a list of token ids"},
      {R"({"input":["a",null]})", Code::kInvalidInput, "input[1]", "null", "a string or a list of token ids"},
      {R"({"input":[1,"a"]})", Code::kInvalidInput, "input[1]", "string", "a token id"},
      {R"({"input":[-1]})", Code::kInvalidInput, "input[0]", "-1", "a token id"},
      {R"({"input":[[2147483648]]})", Code::kInvalidInput, "input[0][0]", "2147483648", "a token id"},
      {R"({"input":[1.5]})", Code::kInvalidInput, "input[0]", "number", "a token id"},
      {R"({"input":["a","b","c","d"]})", Code::kInputTooLarge, "input", "4 inputs", "1 to 3 inputs"},
      {R"({"input":"a","model":5})", Code::kInvalidInput, "model", "5", "a string"},
      {R"({"input":"a","dimensions":0})", Code::kInvalidInput, "dimensions", "0", "an integer of at least 1"},
      {R"({"input":"a","dimensions":-2})", Code::kInvalidInput, "dimensions", "-2",
       "an integer of at least 1"},
      {R"({"input":"a","dimensions":2.5})", Code::kInvalidInput, "dimensions", "number",
       "an integer of at least 1"},
      {R"({"input":"a","dimensions":"64"})", Code::kInvalidInput, "dimensions", "string",
       "an integer of at least 1"},
      {R"({"input":"a","encoding_format":"tensor"})", Code::kUnsupportedOption, "encoding_format",
       "\"tensor\"", "float, base64"},
      {R"({"input":"a","encoding_format":1})", Code::kInvalidInput, "encoding_format", "1", "a string"},
      {R"({"input":"a","user":{}})", Code::kInvalidInput, "user", "object", "a string"},
      {R"({"input":"a","normalize":false})", Code::kUnsupportedOption, "normalize",
       "a field that this route does not have", known},
  };
  for (const Refused& want : cases) {
    const auto call = ParseEmbeddings(want.body, kLimits);
    ASSERT_FALSE(call) << want.body;
    EXPECT_EQ(call.error().code, want.code) << want.body;
    EXPECT_EQ(call.error().where, Where::Field(want.field)) << want.body;
    EXPECT_EQ(call.error().found, want.found) << want.body;
    EXPECT_EQ(call.error().allowed, want.allowed) << want.body;
    EXPECT_EQ(call.error().phase, Phase::kRequest) << want.body;
  }
}

TEST(OpenaiParse, DamagedJsonIsTheCallersInput) {
  const char* bodies[] = {"",
                          "{",
                          R"({"input":"a"} x)",
                          R"({"input":"a","input":"b"})",
                          R"({"input":"\ud83d"})",
                          R"({"input":"\ude00 x"})",
                          "{\"input\":\"\xed\xa0\xbd\"}",
                          "{\"input\":\"\xff\"}",
                          R"({"input":[1,]})"};
  for (const char* body : bodies) {
    const auto call = ParseEmbeddings(body, kLimits);
    ASSERT_FALSE(call) << body;
    EXPECT_EQ(call.error().code, Code::kInvalidInput) << body;
    EXPECT_EQ(call.error().where, Where::Field("body")) << body;
    EXPECT_EQ(call.error().phase, Phase::kRequest) << body;
    EXPECT_EQ(WriteError(call.error()).code, 400) << body;
  }
  const std::string deep = R"({"input":)" + std::string(100, '[') + std::string(100, ']') + "}";
  EXPECT_FALSE(ParseEmbeddings(deep, kLimits));
  const auto large = ParseEmbeddings(R"({"input":")" + std::string(5000, 'a') + "\"}", kLimits);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, Code::kInputTooLarge);
  EXPECT_EQ(large.error().where, Where::Field("body"));
}

TEST(OpenaiParse, MemoryThatRanOutIsNotTheCallersMistake) {  // API-05
  const Error error = BodyError({.code = Code::kInsufficientMemory,
                                 .where = Where::At("body"),
                                 .found = "no memory to read it",
                                 .allowed = "less text",
                                 .phase = Phase::kInspect});
  EXPECT_EQ(error.code, Code::kInsufficientMemory);
  EXPECT_EQ(error.where, Where::Field("body"));
  EXPECT_EQ(error.found, "no memory to read it");
  EXPECT_EQ(error.phase, Phase::kRequest);
  EXPECT_EQ(WriteError(error).code, 503);
}

TEST(OpenaiParse, KeepsNulInsideText) {
  auto call = ParseEmbeddings(R"({"input":"abc\u0000def"})", kLimits);
  ASSERT_TRUE(call);
  EXPECT_EQ(Text(call->request.inputs[0]), std::string("abc\0def", 7));
}

EmbedReply TwoRows() {
  EmbedReply reply;
  reply.embeddings.dimensions = 3;
  reply.embeddings.values = {1.0f, -2.0f, 0.5f, 0.1f, 0.0f, 0.25f};
  reply.items = {{.tokens = 4, .total = 4}, {.tokens = 8, .total = 19}};
  return reply;
}

TEST(OpenaiWrite, FloatReply) {  // usage: attended tokens after the cut, special tokens included
  EXPECT_EQ(
      WriteEmbeddings({}, TwoRows(), "mini"),
      R"({"object":"list","data":[{"object":"embedding","index":0,"embedding":[1,-2,0.5]},)"
      R"({"object":"embedding","index":1,"embedding":[0.1,0,0.25],"truncated":{"tokens":19,"kept":8}}],)"
      R"("model":"mini","usage":{"prompt_tokens":12,"total_tokens":12}})");
}

TEST(OpenaiWrite, Base64Reply) {
  EmbedReply reply = TwoRows();
  reply.items.pop_back();
  EXPECT_EQ(WriteEmbeddings({.base64 = true}, reply, "mi\"ni"),
            R"({"object":"list","data":[{"object":"embedding","index":0,"embedding":"AACAPwAAAMAAAAA/"}],)"
            R"("model":"mi\"ni","usage":{"prompt_tokens":4,"total_tokens":4}})");
}

TEST(OpenaiWrite, Models) {
  const std::vector<std::string> names = {"a", "b"};
  EXPECT_EQ(WriteModels(names),
            R"({"object":"list","data":[{"id":"a","object":"model","created":0,"owned_by":"candor"},)"
            R"({"id":"b","object":"model","created":0,"owned_by":"candor"}]})");
}

TEST(OpenaiError, CarriesFieldCodeAndTheWholeProblem) {  // API-05
  const Error error = FieldError(Code::kUnsupportedOption, "dimensions", "7", "32, 64");
  const Status status = WriteError(error);
  EXPECT_EQ(status.code, 400);
  auto json = io::ParseJson(status.body, "reply");
  ASSERT_TRUE(json);
  const io::Json* body = json->Find("error");
  ASSERT_NE(body, nullptr);
  EXPECT_EQ(body->Find("message")->as_string(), Message(error));
  EXPECT_EQ(body->Find("type")->as_string(), "invalid_request_error");
  EXPECT_EQ(body->Find("param")->as_string(), "dimensions");
  EXPECT_EQ(body->Find("code")->as_string(), "unsupported_option");
  EXPECT_EQ(body->Find("candor")->Find("found")->as_string(), "7");
}

TEST(OpenaiError, AnOptionOfTheEngineIsTheFieldOfThatName) {
  const Error error = {.code = Code::kUnsupportedOption, .where = Where::Option("dimensions"), .found = "9"};
  auto json = io::ParseJson(WriteError(error).body, "reply");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->Find("error")->Find("param")->as_string(), "dimensions");
}

// 200 bytes with the mark: 197 of the text, less where a character would be cut in two.
TEST(OpenaiError, EchoesLittleOfWhatWasSent) {
  const auto echoed = [](std::string field, std::string found) {
    const Error error = FieldError(Code::kInvalidInput, std::move(field), std::move(found), "less");
    auto json = io::ParseJson(WriteError(error).body, "reply");
    EXPECT_TRUE(json);
    const io::Json* body = json->Find("error");
    EXPECT_LT(body->Find("message")->as_string().size(), 500u);
    return std::pair(std::string(body->Find("param")->as_string()),
                     std::string(body->Find("candor")->Find("found")->as_string()));
  };
  const std::string most(200, 'a');
  EXPECT_EQ(echoed(most, most), std::pair(most, most));
  const std::string cut = std::string(197, 'a') + "...";
  EXPECT_EQ(echoed(most + "a", std::string(100'000, 'a')), std::pair(cut, cut));
  for (const std::size_t lead : {194u, 195u, 196u}) {  // four bytes of which the first one to three would fit
    const std::string text = std::string(lead, 'a') + "\xf0\x9f\x98\x80" + most;
    const std::string want = std::string(lead, 'a') + "...";
    EXPECT_EQ(echoed("input", text), std::pair(std::string("input"), want)) << lead;
  }
}

TEST(OpenaiError, StatusOfEveryCode) {  // API-05: every code has a status and a body in this dialect
  for (const CodeInfo& info : AllCodes()) {
    const Status status = WriteError({.code = info.code});
    EXPECT_EQ(status.code, info.class_name == "input" ? 400 : info.http_status) << info.name;
    auto json = io::ParseJson(status.body, "reply");
    ASSERT_TRUE(json) << info.name;
    EXPECT_EQ(json->Find("error")->Find("code")->as_string(), info.name);
    EXPECT_TRUE(json->Find("error")->Find("param")->is_null());
  }
  const auto type = [](Code code) {
    auto json = io::ParseJson(WriteError({.code = code}).body, "reply");
    return std::string(json->Find("error")->Find("type")->as_string());
  };
  EXPECT_EQ(type(Code::kOverloaded), "rate_limit_error");
  EXPECT_EQ(type(Code::kArtifactMissing), "not_found_error");
  EXPECT_EQ(type(Code::kNotReady), "server_error");
  EXPECT_EQ(type(Code::kRuntimeFailure), "server_error");
}

TEST(FailedItem, NamesTheFirstAndCountsTheOthers) {
  std::vector<ItemReport> items(4);
  EXPECT_FALSE(FailedItem(items, "input").has_value());
  items[1].error =
      Error{.code = Code::kInputTooLarge, .found = "600 tokens", .allowed = "at most 512 tokens"};
  EXPECT_EQ(FailedItem(items, "input")->where, Where::Field("input[1]"));
  EXPECT_EQ(FailedItem(items, "input")->found, "600 tokens");
  items[3].error = Error{.code = Code::kInvalidInput};
  EXPECT_EQ(FailedItem(items, "input")->code, Code::kInputTooLarge);
  EXPECT_EQ(FailedItem(items, "input")->found, "600 tokens (and 1 more inputs failed)");
}

}  // namespace
}  // namespace candor::serve::openai

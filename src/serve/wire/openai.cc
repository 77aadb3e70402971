#include "serve/wire/openai.h"

#include <cstddef>
#include <utility>
#include <variant>

#include "io/json.h"
#include "serve/wire/base64.h"

namespace candor::serve::openai {
namespace {

std::string_view TypeOf(int status) {
  if (status == 429) return "rate_limit_error";
  if (status == 404) return "not_found_error";
  return status < 500 ? "invalid_request_error" : "server_error";
}

// What a client sent comes back in its error, but not by the megabyte. Cut between characters.
constexpr std::size_t kEcho = 200;

std::string Clipped(std::string text) {
  if (text.size() <= kEcho) return text;
  constexpr std::string_view kMark = "...";
  std::size_t end = kEcho - kMark.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  text.resize(end);
  return text += kMark;
}

}  // namespace

Result<EmbeddingsCall> ParseEmbeddings(std::string_view body, const WireLimits& limits) {
  CANDOR_TRY(Fields fields, Fields::Parse(body, limits));
  EmbeddingsCall call;
  CANDOR_TRY(auto model, fields.String("model"));
  CANDOR_TRY(call.request.inputs, fields.Inputs("input"));
  for (std::size_t i = 0; i < call.request.inputs.size(); ++i) {
    const auto* text = std::get_if<std::string>(&call.request.inputs[i]);
    if (text == nullptr || !text->empty()) continue;
    return FieldError(Code::kEmptyInput, "input[" + std::to_string(i) + "]", "an empty string",
                      "a text of at least one character");
  }
  CANDOR_TRY(call.request.dimensions, fields.PositiveCount("dimensions"));
  CANDOR_TRY(const auto format, fields.String("encoding_format"));
  if (format && *format != "float" && *format != "base64") {
    return FieldError(Code::kUnsupportedOption, "encoding_format", "\"" + *format + "\"", "float, base64");
  }
  CANDOR_TRY(const auto user, fields.String("user"));  // a name for the provider's accounts: nothing to do
  static_cast<void>(user);
  CANDOR_CHECKED(fields.NoOthers());
  call.model = model.value_or("");
  call.base64 = format == "base64";
  return call;
}

std::string WriteEmbeddings(const EmbeddingsCall& call, const EmbedReply& reply, std::string_view model) {
  const Embeddings& rows = reply.embeddings;
  const std::span<const float> values(rows.values);
  std::size_t tokens = 0;
  io::JsonWriter json;
  json.BeginObject().Member("object", "list").Key("data").BeginArray();
  for (std::size_t i = 0; i < reply.items.size(); ++i) {
    const ItemReport& item = reply.items[i];
    const auto row = values.subspan(i * rows.dimensions, rows.dimensions);
    tokens += item.tokens;
    json.BeginObject().Member("object", "embedding").Key("index").Uint(i).Key("embedding");
    if (call.base64) {
      json.String(Base64(row));
    } else {
      json.Floats(row);
    }
    if (item.total > item.tokens) {
      json.Key("truncated").BeginObject().Key("tokens").Uint(item.total);
      json.Key("kept").Uint(item.tokens).EndObject();
    }
    json.EndObject();
  }
  json.EndArray().Member("model", model).Key("usage").BeginObject();
  json.Key("prompt_tokens").Uint(tokens).Key("total_tokens").Uint(tokens).EndObject().EndObject();
  return json.Take();
}

std::string WriteModels(std::span<const std::string> names) {
  io::JsonWriter json;
  json.BeginObject().Member("object", "list").Key("data").BeginArray();
  for (const std::string& name : names) {
    json.BeginObject().Member("id", name).Member("object", "model").Key("created").Uint(0);
    json.Member("owned_by", "candor").EndObject();
  }
  json.EndArray().EndObject();
  return json.Take();
}

Status WriteError(const Error& error) {
  const CodeInfo& info = Info(error.code);
  return WriteError(error, info.class_name == "input" ? 400 : info.http_status);
}

Status WriteError(const Error& whole, int status) {
  Error error = whole;
  error.found = Clipped(std::move(error.found));
  error.where.field = Clipped(std::move(error.where.field));
  const CodeInfo& info = Info(error.code);
  io::JsonWriter json;
  json.BeginObject().Key("error").BeginObject();
  json.Member("message", Message(error)).Member("type", TypeOf(status)).Key("param");
  const std::string& param = error.where.field.empty() ? error.where.option : error.where.field;
  if (param.empty()) {
    json.Null();
  } else {
    json.String(param);
  }
  json.Member("code", info.name).Key("candor").Raw(ErrorJson(error)).EndObject().EndObject();
  return {.code = status, .body = json.Take()};
}

Error ModelNotFound(const std::string& model, std::span<const std::string> names) {
  std::string allowed;
  for (const std::string& name : names) allowed += (allowed.empty() ? "" : ", ") + name;
  return FieldError(Code::kArtifactMissing, "model", "\"" + model + "\"", allowed);
}

}  // namespace candor::serve::openai

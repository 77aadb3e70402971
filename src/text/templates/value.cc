#include "text/templates/value.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/utf8.h"

namespace candor::text::jinja {
namespace {

struct Text final : Content {
  explicit Text(std::string given) : text(std::move(given)), length(CountUtf8(text)) {}
  std::string text;
  std::size_t length;
};

struct Items final : Content {
  explicit Items(std::vector<Value> given) : Content(Depth(given)), items(std::move(given)) {}
  std::vector<Value> items;
};

struct Members final : Content {
  explicit Members(std::vector<std::pair<Value, Value>> given)
      : Content(Depth(given)), members(std::move(given)) {}
  std::vector<std::pair<Value, Value>> members;
};

Error Refused(const std::string& field, std::string found, std::string allowed) {
  return {Code::kInvalidInput, Where::Field(field), std::move(found), std::move(allowed), Phase::kRequest};
}

Result<Value> Convert(const io::Json& json, const std::string& field, std::size_t left) {
  using Json = io::Json;
  if (left == 0)
    return Refused(field, "deeper nesting", "at most " + std::to_string(kValueDepth) + " levels");
  switch (json.kind()) {
    case Json::Kind::kNull:
      return Value::None();
    case Json::Kind::kBool:
      return Value::Bool(json.as_bool());
    case Json::Kind::kInt:
      return Value::Int(json.as_int());
    case Json::Kind::kString:
      return Value::String(std::string(json.as_string()));
    case Json::Kind::kReal:
      // A longer whole number reads as a real, which Python would print digit by digit.
      if (const double real = json.as_real(); std::abs(real) < 0x1p63 || real != std::trunc(real))
        return Value::Float(real);
      [[fallthrough]];
    case Json::Kind::kUint:
      return Refused(field, json.Dump(), "whole numbers of 64 bits");
    case Json::Kind::kArray: {
      std::vector<Value> items;
      items.reserve(json.items().size());
      for (const Json& item : json.items()) {
        CANDOR_TRY(Value value, Convert(item, field, left - 1));
        items.push_back(std::move(value));
      }
      return Value::List(std::move(items));
    }
    case Json::Kind::kObject: {
      std::vector<std::pair<Value, Value>> members;
      members.reserve(json.members().size());
      for (const io::JsonMember& member : json.members()) {
        CANDOR_TRY(Value value, Convert(member.value, field, left - 1));
        members.emplace_back(Value::String(std::string(member.key)), std::move(value));
      }
      return Value::Dict(std::move(members));
    }
  }
  return Value::None();
}

}  // namespace

Value Value::String(std::string text) { return Of(Kind::kString, std::make_shared<Text>(std::move(text))); }
Value Value::Undefined(std::string why) {
  return Of(Kind::kUndefined, std::make_shared<Text>(std::move(why)));
}
Value Value::List(std::vector<Value> items) {
  return Of(Kind::kList, std::make_shared<Items>(std::move(items)));
}
Value Value::Tuple(std::vector<Value> items) {
  return Of(Kind::kTuple, std::make_shared<Items>(std::move(items)));
}
Value Value::Dict(std::vector<std::pair<Value, Value>> members) {
  return Of(Kind::kDict, std::make_shared<Members>(std::move(members)));
}

Result<Value> Value::FromJson(const io::Json& json, const std::string& field) {
  return Convert(json, field, kValueDepth);
}

const std::string& Value::text() const {
  CANDOR_CHECK(kind_ == Kind::kString || kind_ == Kind::kUndefined, "a string");
  return static_cast<const Text&>(*content_).text;
}
std::size_t Value::length() const {
  CANDOR_CHECK(kind_ == Kind::kString, "a string");
  return static_cast<const Text&>(*content_).length;
}
bool Value::ascii() const { return length() == text().size(); }
const std::vector<Value>& Value::items() const {
  CANDOR_CHECK(is_sequence(), "a list or a tuple");
  return static_cast<const Items&>(*content_).items;
}
const std::vector<std::pair<Value, Value>>& Value::members() const {
  CANDOR_CHECK(kind_ == Kind::kDict, "a dictionary");
  return static_cast<const Members&>(*content_).members;
}

std::size_t Depth(const std::vector<Value>& items) {
  std::size_t depth = 0;
  for (const Value& item : items) depth = std::max(depth, item.depth());
  return depth;
}
std::size_t Depth(const std::vector<std::pair<Value, Value>>& members) {
  std::size_t depth = 0;
  for (const auto& [key, value] : members) depth = std::max({depth, key.depth(), value.depth()});
  return depth;
}

std::string_view TypeName(const Value& value) {
  switch (value.kind()) {
    case Kind::kMissing:
    case Kind::kUndefined:
      return "Undefined";
    case Kind::kNone:
      return "NoneType";
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return "int";
    case Kind::kFloat:
      return "float";
    case Kind::kString:
      return "str";
    case Kind::kList:
      return "list";
    case Kind::kTuple:
      return "tuple";
    case Kind::kDict:
      return "dict";
    case Kind::kRange:
      return "range";
    case Kind::kView:
      return "dict view";
    case Kind::kGenerator:
      return "generator";
    case Kind::kNamespace:
      return "namespace";
    case Kind::kLoop:
      return "loop";
    case Kind::kMacro:
      return "macro";
    case Kind::kMethod:
      return "method";
    case Kind::kFunction:
      return "function";
  }
  return "";
}

}  // namespace candor::text::jinja

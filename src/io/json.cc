// The value half of json.h: typed access and look-up. Reading is json_parse.cc, writing json_write.cc.
#include "io/json.h"

#include <algorithm>

#include "base/check.h"
#include "io/json_nested.h"

namespace candor::io {

bool Json::as_bool() const {
  CANDOR_CHECK(is_bool(), "a JSON bool was asked for");
  return bool_;
}

std::int64_t Json::as_int() const {
  CANDOR_CHECK(kind_ == Kind::kInt, "a JSON integer in the signed range was asked for");
  return int_;
}

std::uint64_t Json::as_uint() const {
  if (kind_ == Kind::kUint) return uint_;
  CANDOR_CHECK(kind_ == Kind::kInt && int_ >= 0, "a non-negative JSON integer was asked for");
  return static_cast<std::uint64_t>(int_);
}

double Json::as_real() const {
  CANDOR_CHECK(is_number(), "a JSON number was asked for");
  if (kind_ == Kind::kInt) return static_cast<double>(int_);
  if (kind_ == Kind::kUint) return static_cast<double>(uint_);
  return real_;
}

const std::string& Json::as_string() const {
  CANDOR_CHECK(is_string(), "a JSON string was asked for");
  return string_;
}

std::span<const Json> Json::items() const {
  CANDOR_CHECK(is_array(), "a JSON array was asked for");
  return nested_ == nullptr ? std::span<const Json>{} : nested_->items;
}

std::span<const JsonMember> Json::members() const {
  CANDOR_CHECK(is_object(), "a JSON object was asked for");
  return nested_ == nullptr ? std::span<const JsonMember>{} : nested_->members;
}

const Json* Json::Find(std::string_view key) const {
  if (!is_object() || nested_ == nullptr) return nullptr;
  const Nested& nested = *nested_;
  if (nested.sorted.empty()) {
    for (const JsonMember& member : nested.members) {
      if (member.key == key) return &member.value;
    }
    return nullptr;
  }
  const auto less = [&](std::uint32_t index, std::string_view k) { return nested.members[index].key < k; };
  const auto it = std::lower_bound(nested.sorted.begin(), nested.sorted.end(), key, less);
  if (it == nested.sorted.end() || nested.members[*it].key != key) return nullptr;
  return &nested.members[*it].value;
}

std::string Json::Dump() const {
  JsonWriter writer;
  writer.Value(*this);
  return writer.Take();
}

std::string_view Json::KindName() const {
  switch (kind_) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
    case Kind::kUint:
      return "integer";
    case Kind::kReal:
      return "number";
    case Kind::kString:
      return "string";
    case Kind::kArray:
      return "array";
    case Kind::kObject:
      break;
  }
  return "object";
}

std::string EscapePointer(std::string_view key) {
  std::string out;
  out.reserve(key.size());
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace candor::io

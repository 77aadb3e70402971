// Json: a bounded JSON document as a value, and a writer with a stable form.
//
// Reading is strict: UTF-8, one document, depth and size limits, duplicate keys refused, key order kept,
// 64-bit integers exact; a longer integer (tokenizer_config.json has 10^30 for "no limit") is the nearest
// real, and a number that no double holds is refused. A value is immutable after parsing and cheap to copy;
// any number of threads may read it.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "candor/result.h"

namespace candor::io {

class Json;
struct JsonMember;

class Json {
 public:
  enum class Kind : std::uint8_t { kNull, kBool, kInt, kUint, kReal, kString, kArray, kObject };
  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_bool() const { return kind_ == Kind::kBool; }
  bool is_integer() const { return kind_ == Kind::kInt || kind_ == Kind::kUint; }
  bool is_number() const { return is_integer() || kind_ == Kind::kReal; }
  bool is_string() const { return kind_ == Kind::kString; }
  bool is_array() const { return kind_ == Kind::kArray; }
  bool is_object() const { return kind_ == Kind::kObject; }

  // Each requires its kind. kUint only holds values above the signed range.
  bool as_bool() const;
  std::int64_t as_int() const;    // kInt
  std::uint64_t as_uint() const;  // a non-negative integer
  double as_real() const;         // any number
  const std::string& as_string() const;
  std::span<const Json> items() const;           // elements of an array
  std::span<const JsonMember> members() const;   // of an object, in file order
  const Json* Find(std::string_view key) const;  // null when absent or not an object; logarithmic or better
  std::string Dump() const;                      // compact, in key order as read
  std::string_view KindName() const;             // "object", for messages

 private:
  friend class JsonParser;
  struct Nested;  // elements or members, shared by copies
  Kind kind_ = Kind::kNull;
  union {
    bool bool_;
    std::int64_t int_ = 0;
    std::uint64_t uint_;
    double real_;
  };
  std::string string_;
  std::shared_ptr<const Nested> nested_;
};

struct JsonMember {
  std::string key;
  Json value;
};

struct JsonLimits {
  std::size_t bytes = 64u << 20;
  std::size_t depth = 128;
  std::size_t string_bytes = 64u << 20;
};

// `file` names the document in errors (where.file); the pointer of the offending value is set where it is
// known, and what was found ends with its place: "at byte N", counted from 0. Codes: invalid_package_schema;
// artifact_too_large for the size limit; insufficient_memory.
Result<Json> ParseJson(std::string_view text, const std::string& file, const JsonLimits& limits = {});

std::string EscapePointer(std::string_view key);  // one RFC 6901 segment: ~ and / escaped

// Writes JSON in the order of calls: no blanks (or two-space indentation when pretty), shortest numbers that
// read back. The caller keeps Begin and End balanced.
class JsonWriter {
 public:
  explicit JsonWriter(bool pretty = false) : pretty_(pretty) {}
  JsonWriter& BeginObject();
  JsonWriter& EndObject();
  JsonWriter& BeginArray();
  JsonWriter& EndArray();
  JsonWriter& Key(std::string_view key);
  JsonWriter& String(std::string_view text);
  JsonWriter& Bool(bool value);
  JsonWriter& Int(std::int64_t value);
  JsonWriter& Uint(std::uint64_t value);
  JsonWriter& Float(float value);  // fewest digits that read back to the same float32; not finite: null
  JsonWriter& Double(double value);
  JsonWriter& Null();
  JsonWriter& Raw(std::string_view json);  // a complete value, already JSON
  JsonWriter& Value(const Json& value);
  JsonWriter& Floats(std::span<const float> values);  // an array, fast
  // Key and value in one call.
  JsonWriter& Member(std::string_view key, std::string_view text) { return Key(key).String(text); }
  JsonWriter& Member(std::string_view key, const char* text) { return Key(key).String(text); }
  JsonWriter& Member(std::string_view key, bool value) { return Key(key).Bool(value); }
  std::string Take() { return std::move(out_); }
  const std::string& text() const { return out_; }

 private:
  void Separate();
  void NewLine();
  std::string out_;
  std::vector<bool> has_items_;
  bool after_key_ = false;
  bool pretty_;
};

}  // namespace candor::io

// Json: a bounded JSON document as a value, and a writer with a stable form.
//
// Reading is strict: UTF-8, one document, depth and size limits, duplicate keys refused, key order kept,
// 64-bit integers exact; a longer integer (tokenizer_config.json has 10^30 for "no limit") is the nearest
// real, and a number that no double holds is refused. A value is immutable after parsing; any number of
// threads may read it.
//
// A document's values and texts lie in a few blocks of memory. The root that ParseJson returns and every copy
// of a value, which costs a counter, keep all of it alive. What is only looked at (a reference from items,
// members or Find, a text, a key) is valid as long as one of those.
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "candor/result.h"

namespace candor::io {

class Json;
struct JsonMember;

class Json {
 public:
  enum class Kind : std::uint8_t { kNull, kBool, kInt, kUint, kReal, kString, kArray, kObject };
  Json() = default;
  Json(const Json& other) { Copy(other); }
  Json(Json&& other) noexcept { Take(other); }
  Json& operator=(const Json& other) {
    if (this != &other) {
      const Json old = std::move(*this);  // `other` may be inside it
      Copy(other);
    }
    return *this;
  }
  Json& operator=(Json&& other) noexcept {
    if (this != &other) {
      if (owner_) Release();
      Take(other);
    }
    return *this;
  }
  ~Json() {
    if (owner_) Release();
  }

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
  // What Rust's serde_json makes of the same number, often the double beside the nearest; not a number where
  // it refuses. A file's numbers that the reference library computes with are these.
  double as_serde_real() const;
  std::string_view as_string() const;
  std::span<const Json> items() const;           // elements of an array
  std::span<const JsonMember> members() const;   // of an object, in file order
  const Json* Find(std::string_view key) const;  // null when absent or not an object
  std::string Dump() const;                      // compact, in key order as read
  std::string_view KindName() const;             // "object", for messages

 private:
  friend class JsonParser;
  struct Document;                                            // the blocks, json_document.h
  enum class Index : std::uint8_t { kNone, kHash, kSorted };  // what follows an object's members

  void Copy(const Json& other);
  void Take(Json& other) {
    std::memcpy(static_cast<void*>(this), &other, sizeof *this);
    other.kind_ = Kind::kNull;
    other.owner_ = false;
  }
  void Release();

  // 24 bytes, because a large document's time is the memory that it touches.
  Kind kind_ = Kind::kNull;
  bool owner_ = false;  // counted in document_; values inside the blocks are not
  Index index_ = Index::kNone;
  std::uint32_t size_ = 0;  // bytes of a string or of a real's characters, elements or members
  union {
    bool bool_;
    std::int64_t int_ = 0;
    std::uint64_t uint_;
    const char* text_;  // also of a real, which is read when it is asked for: in one of two ways
    const Json* items_;
    const JsonMember* members_;
  };
  Document* document_ = nullptr;  // of a real, and of a string, an array or an object that is not empty
};

struct JsonMember {
  std::string_view key;
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

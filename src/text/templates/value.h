// Value: what a chat template computes with, Python's types as far as templates meet them.
//
// A caller builds dictionaries, lists, texts and numbers (or takes them FromJson) and hands them to
// Template::Render. The other kinds only exist while a template runs. Copies share what they hold; a value
// that a caller built is never changed, so any number of renders may share it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "candor/result.h"
#include "io/json.h"

namespace candor::text::jinja {

// Lists inside lists; deeper is refused wherever a value is made.
inline constexpr std::size_t kValueDepth = 100;

enum class Kind : std::uint8_t {
  kMissing,    // a name that nothing gave a value; no expression answers it
  kUndefined,  // jinja2's Undefined
  kNone,
  kBool,
  kInt,
  kFloat,
  kString,
  kList,
  kTuple,
  kDict,
  kRange,
  kView,       // dict.keys(), values() and items()
  kGenerator,  // items that can be taken once: map, select, items, reverse
  kNamespace,
  kLoop,
  kMacro,
  kMethod,    // "text".upper, not called yet
  kFunction,  // raise_exception, range, namespace, dict, strftime_now
};

// What every shared content derives from.
struct Content {
  explicit Content(std::size_t depth = 0) : levels(static_cast<std::uint16_t>(depth)) {}
  virtual ~Content() = default;
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;
  std::uint16_t levels;  // of the values inside
};

class Value {
 public:
  Value() = default;  // kMissing
  static Value None() { return Value(Kind::kNone); }
  static Value Bool(bool value) {
    Value out(Kind::kBool);
    out.int_ = value ? 1 : 0;
    return out;
  }
  static Value Int(std::int64_t value) {
    Value out(Kind::kInt);
    out.int_ = value;
    return out;
  }
  static Value Float(double value) {
    Value out(Kind::kFloat);
    out.float_ = value;
    return out;
  }
  static Value String(std::string text);        // valid UTF-8
  static Value Undefined(std::string why);      // the words of jinja2's exception
  static Value List(std::vector<Value> items);  // the three require Depth(items) <= kValueDepth
  static Value Tuple(std::vector<Value> items);
  static Value Dict(std::vector<std::pair<Value, Value>> members);  // no key twice
  static Value Of(Kind kind, std::shared_ptr<Content> content) {
    Value out(kind);
    out.content_ = std::move(content);
    return out;
  }
  // A document's value, as Python's json module reads it. Refused: whole numbers beyond 64 bits and nesting
  // deeper than kValueDepth. `field` names it in errors.
  static Result<Value> FromJson(const io::Json& json, const std::string& field);

  Kind kind() const { return kind_; }
  bool Is(Kind kind) const { return kind_ == kind; }
  bool is_string() const { return kind_ == Kind::kString; }
  bool is_undefined() const { return kind_ == Kind::kUndefined; }
  bool is_whole() const { return kind_ == Kind::kInt || kind_ == Kind::kBool; }  // a bool is an int
  bool is_number() const { return is_whole() || kind_ == Kind::kFloat; }
  bool is_sequence() const { return kind_ == Kind::kList || kind_ == Kind::kTuple; }

  // Each requires its kind.
  std::int64_t whole() const { return int_; }
  double real() const { return kind_ == Kind::kFloat ? float_ : static_cast<double>(int_); }  // any number
  const std::string& text() const;                              // a string; why, of kUndefined
  std::size_t length() const;                                   // code points of a string
  bool ascii() const;                                           // of a string
  const std::vector<Value>& items() const;                      // of a list or a tuple
  const std::vector<std::pair<Value, Value>>& members() const;  // of a dictionary, in order
  std::size_t depth() const { return content_ ? content_->levels + std::size_t{1} : 0; }
  const std::shared_ptr<Content>& content() const { return content_; }

 private:
  explicit Value(Kind kind) : kind_(kind) {}
  Kind kind_ = Kind::kMissing;
  union {
    std::int64_t int_ = 0;
    double float_;
  };
  std::shared_ptr<Content> content_;
};

std::size_t Depth(const std::vector<Value>& items);
std::size_t Depth(const std::vector<std::pair<Value, Value>>& members);
std::string_view TypeName(const Value& value);  // Python's: "str", "NoneType"

}  // namespace candor::text::jinja

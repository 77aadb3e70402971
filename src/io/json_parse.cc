// The reading half of json.h: one walk over simdjson's On-Demand interface that builds the tree.
//
// simdjson finds the structure, checks UTF-8 and unescapes strings; docs/decisions/0006-json-by-simdjson.md
// says what else the walk checks, and why not the DOM. A parser object lives for one document.
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/utf8.h"
#include "io/json.h"
#include "io/json_nested.h"

namespace candor::io {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kScanned = 8;  // objects up to this size are searched key by key
constexpr std::string_view kBlanks = " \t\n\r";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Whether a token in which std::from_chars sees a number is one to JSON too: no leading zeros, digits on both
// sides of a point, neither inf nor nan.
bool IsJsonNumber(std::string_view token) {
  if (token.starts_with('-')) token.remove_prefix(1);
  const auto digit = [&](std::size_t i) { return i < token.size() && IsDigit(token[i]); };
  if (!digit(0) || (token[0] == '0' && digit(1))) return false;
  const std::size_t point = token.find('.');
  return point == std::string_view::npos || digit(point + 1);
}

// simdjson says that a string holds a raw control character, not where.
std::size_t FirstControlInString(std::string_view text) {
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      inside = !inside;
    } else if (inside && text[i] == '\\') {
      ++i;
    } else if (inside && static_cast<unsigned char>(text[i]) < 0x20) {
      return i;
    }
  }
  return text.size();
}

}  // namespace

class JsonParser {
 public:
  JsonParser(std::string_view text, const std::string& file, const JsonLimits& limits)
      : text_(text), file_(file), limits_(limits) {}

  Result<Json> Parse() {
    if (text_.size() > limits_.bytes) {
      return Error{Code::kArtifactTooLarge, Where::At(file_), std::to_string(text_.size()) + " bytes",
                   "at most " + std::to_string(limits_.bytes) + " bytes", Phase::kInspect};
    }
    const simdjson::padded_string padded(text_);
    ondemand::parser parser;
    simdjson::error_code error = padded.data() == nullptr ? simdjson::MEMALLOC : simdjson::SUCCESS;
    // Room for the depth, because simdjson's own checks in debug builds index by it.
    if (!error) error = parser.allocate(std::max<std::size_t>(text_.size(), 1), limits_.depth + 2);
    if (!error) error = parser.iterate(padded).get(document_);
    if (error) return RefuseText(error);
    begin_ = padded.data();
    Json root;
    CANDOR_CHECKED(Value(document_, root, 0));
    const std::size_t next = AfterValue();
    if (next != text_.size()) return Refuse(next, Describe(next), "the end of the document");
    return root;
  }

 private:
  // What the path to the value being read is made of; a key stays where it is while its value is read.
  struct Step {
    const std::string* key;
    std::size_t index;
  };

  // Where simdjson stands: the next token or, after one of its errors, the token at fault.
  std::size_t At() {
    const char* location = nullptr;
    return document_.current_location().get(location) ? text_.size() : Offset(location);
  }
  std::size_t Offset(const char* place) const {
    return std::min(static_cast<std::size_t>(place - begin_), text_.size());
  }
  // The first byte after the last value read that is not blank.
  std::size_t AfterValue() const { return std::min(text_.find_first_not_of(kBlanks, end_), text_.size()); }
  // The last byte before `at` that is not blank.
  std::size_t Before(std::size_t at) const { return text_.substr(0, at).find_last_not_of(kBlanks); }

  std::string Pointer() const {
    std::string pointer;
    for (const Step& step : path_) {
      pointer += '/';
      pointer += step.key != nullptr ? EscapePointer(*step.key) : std::to_string(step.index);
    }
    return pointer;
  }

  std::string Describe(std::size_t at) const {
    if (at >= text_.size()) return "the end of the document";
    const auto byte = static_cast<unsigned char>(text_[at]);
    if (byte < 0x20) return "control character " + std::to_string(byte);
    return "'" + std::string(text_.substr(at, DecodeUtf8(text_, at).bytes)) + "'";
  }

  Error Refuse(std::size_t at, std::string found, std::string allowed) const {
    return {Code::kInvalidPackageSchema, Where::At(file_, Pointer()),
            std::move(found) + " at byte " + std::to_string(at), std::move(allowed), Phase::kInspect};
  }

  // What simdjson refuses before the walk, for the text as a whole.
  Error RefuseText(simdjson::error_code error) const {
    switch (error) {
      case simdjson::EMPTY:
        return Refuse(text_.size(), Describe(text_.size()), "a value");
      case simdjson::UTF8_ERROR:
        return Refuse(FirstInvalidUtf8(text_), "a byte that is not UTF-8", "UTF-8");
      case simdjson::UNCLOSED_STRING:
        return Refuse(text_.size(), Describe(text_.size()), "the end of the string");
      case simdjson::UNESCAPED_CHARS: {
        const std::size_t at = FirstControlInString(text_);
        return Refuse(at, Describe(at), "the end of the string");
      }
      case simdjson::MEMALLOC:
        return {Code::kInsufficientMemory, Where::At(file_), "no memory to read it", "less text",
                Phase::kInspect};
      default:
        return {Code::kInvalidPackageSchema, Where::At(file_), simdjson::error_message(error), "JSON",
                Phase::kInspect};
    }
  }

  // A document that does not end with its root's closing bracket is refused before anything in it is read.
  Error RefuseUnclosed(char bracket) const {
    std::size_t at = Before(text_.size());
    while (at > 0 && (static_cast<unsigned char>(text_[at]) & 0xc0) == 0x80) --at;
    return Refuse(at, Describe(at), std::string("'") + bracket + "' as the last character");
  }

  // `Source` is the document for the root, a value below it.
  template <typename Source>
  Result<void> Value(Source& source, Json& out, std::size_t depth) {
    const std::size_t at = At();
    ondemand::json_type type{};
    if (source.type().get(type)) return Refuse(at, Describe(at), "a value");
    switch (type) {
      case ondemand::json_type::object:
        CANDOR_CHECKED(Object(source, out, depth));
        break;
      case ondemand::json_type::array:
        CANDOR_CHECKED(Array(source, out, depth));
        break;
      case ondemand::json_type::string:
        out.kind_ = Json::Kind::kString;
        CANDOR_CHECKED(String(source.get_string(), at, out.string_));
        break;
      default: {
        // simdjson passes over these when it is asked for what follows, so it still stands here.
        const std::string_view token = Token(source.raw_json_token());
        end_ = at + token.size();
        return type == ondemand::json_type::number ? Number(token, out) : Word(token, out);
      }
    }
    end_ = At();
    return {};
  }

  // The document answers with a result, a value with a view; neither can fail.
  static std::string_view Token(simdjson::simdjson_result<std::string_view> raw) {
    const std::string_view token = raw.value_unsafe();
    return token.substr(0, token.find_last_not_of(kBlanks) + 1);
  }

  Result<void> Word(std::string_view token, Json& out) const {
    if (token == "null") return {};
    out.kind_ = Json::Kind::kBool;
    out.bool_ = token == "true";
    if (out.bool_ || token == "false") return {};
    const std::size_t at = Offset(token.data());
    return Refuse(at, Describe(at), "true, false or null");
  }

  Result<void> Number(std::string_view token, Json& out) const {
    const char* first = token.data();
    const char* last = first + token.size();
    const std::size_t at = Offset(first);
    const auto whole = [&](auto& value) {
      const std::from_chars_result read = std::from_chars(first, last, value);
      return read.ec == std::errc{} && read.ptr == last;
    };
    if (!IsJsonNumber(token)) return Refuse(at, "a malformed number", "a number");
    out.kind_ = Json::Kind::kInt;
    if (whole(out.int_)) return {};
    out.kind_ = Json::Kind::kUint;
    if (*first != '-' && whole(out.uint_)) return {};
    out.kind_ = Json::Kind::kReal;
    const std::from_chars_result real = std::from_chars(first, last, out.real_);
    if (real.ptr != last) return Refuse(at, "a malformed number", "a number");
    if (real.ec == std::errc{}) return {};
    return Refuse(at, "a number outside the range of doubles", "a magnitude from 4.9e-324 to 1.7e308, or 0");
  }

  // `at` is the opening quote.
  Result<void> String(simdjson::simdjson_result<std::string_view> unescaped, std::size_t at,
                      std::string& out) const {
    if (unescaped.error()) {
      return Refuse(at, "a string with a wrong escape",
                    "after \\ one of \"\\/bfnrt, or u and four hexadecimal digits, surrogates in pairs");
    }
    const std::string_view text = unescaped.value_unsafe();
    if (text.size() > limits_.string_bytes) {
      return Refuse(at, "a string longer than " + std::to_string(limits_.string_bytes) + " bytes",
                    "at most " + std::to_string(limits_.string_bytes) + " bytes");
    }
    out.assign(text);
    return {};
  }

  // Counts the level that a bracket opens.
  Result<void> Enter(std::size_t depth) {
    if (depth < limits_.depth) return {};
    return Refuse(At(), "nesting deeper than " + std::to_string(limits_.depth) + " levels",
                  "at most " + std::to_string(limits_.depth) + " levels");
  }

  template <typename Source>
  Result<void> Array(Source& source, Json& out, std::size_t depth) {
    CANDOR_CHECKED(Enter(depth));
    ondemand::array array;
    if (source.get_array().get(array)) return RefuseUnclosed(']');
    out.kind_ = Json::Kind::kArray;
    auto nested = std::make_shared<Json::Nested>();
    for (auto element : array) {
      ondemand::value value;
      if (element.get(value)) return Refuse(At(), Describe(At()), "',' or ']'");
      path_.push_back({nullptr, nested->items.size()});
      CANDOR_CHECKED(Value(value, nested->items.emplace_back(), depth + 1));
      path_.pop_back();
    }
    if (nested->items.empty()) return {};
    out.nested_ = std::move(nested);
    return {};
  }

  template <typename Source>
  Result<void> Object(Source& source, Json& out, std::size_t depth) {
    CANDOR_CHECKED(Enter(depth));
    ondemand::object object;
    if (source.get_object().get(object)) return RefuseUnclosed('}');
    out.kind_ = Json::Kind::kObject;
    auto nested = std::make_shared<Json::Nested>();
    for (auto element : object) {
      ondemand::field field;
      if (std::move(element).get(field)) return RefuseMember();
      JsonMember& member = nested->members.emplace_back();
      const std::size_t quote = Offset(field.key().raw()) - 1;
      CANDOR_CHECKED(String(field.unescaped_key(), quote, member.key));
      path_.push_back({&member.key, 0});
      CANDOR_CHECKED(Value(field.value(), member.value, depth + 1));
      path_.pop_back();
    }
    if (nested->members.empty()) return {};
    CANDOR_CHECKED(RefuseDuplicates(*nested));
    out.nested_ = std::move(nested);
    return {};
  }

  // simdjson does not say what of a member is missing. The token at fault follows a value where a comma is, a
  // key where the colon is.
  Error RefuseMember() {
    const std::size_t at = At();
    const bool after_key = text_[Before(at)] == '"';
    return Refuse(at, Describe(at),
                  at == AfterValue() ? "',' or '}'"
                  : after_key        ? "':'"
                                     : "a key in quotes");
  }

  Result<void> RefuseDuplicates(Json::Nested& nested) const {
    std::vector<std::uint32_t> sorted = SortedByKey(nested.members);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      const std::string& key = nested.members[sorted[i]].key;
      if (nested.members[sorted[i - 1]].key != key) continue;
      return Error{Code::kInvalidPackageSchema, Where::At(file_, Pointer() + "/" + EscapePointer(key)),
                   "the key twice in one object", "each key once", Phase::kInspect};
    }
    if (sorted.size() > kScanned) nested.sorted = std::move(sorted);
    return {};
  }

  std::string_view text_;
  const std::string& file_;
  const JsonLimits& limits_;
  ondemand::document document_;
  const char* begin_ = nullptr;  // of the padded copy
  std::size_t end_ = 0;          // of the last value read, with or without the blanks after it
  std::vector<Step> path_;       // to the value being read
};

Result<Json> ParseJson(std::string_view text, const std::string& file, const JsonLimits& limits) {
  return JsonParser(text, file, limits).Parse();
}

}  // namespace candor::io

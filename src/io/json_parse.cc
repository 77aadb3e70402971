// The reading half of json.h: one walk over simdjson's On-Demand interface that builds the tree.
//
// simdjson finds the structure, checks UTF-8 and unescapes strings; docs/decisions/0006-json-by-simdjson.md
// says what else the walk checks, and why not the DOM. A parser object lives for one document.
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "base/utf8.h"
#include "io/json.h"
#include "io/json_document.h"
#include "io/json_number.h"

namespace candor::io {
namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::size_t kScanned = 8;  // objects up to this size are searched key by key
constexpr std::string_view kBlanks = " \t\n\r";

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
    auto place = std::make_unique<Json::Document>();
    place_ = place.get();
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
    if (root.document_ != nullptr) {
      root.owner_ = true;
      root.document_->owners = 1;
      place.release();
    }
    return root;
  }

 private:
  // What the path to the value being read is made of: a key, or an index where the key has no address.
  struct Step {
    std::string_view key;
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
      pointer += step.key.data() != nullptr ? EscapePointer(step.key) : std::to_string(step.index);
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
        CANDOR_CHECKED(Text(source, at, out));
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
    if (real.ec == std::errc{}) {
      out.SetSerde(SerdeReal(token));
      return {};
    }
    return Refuse(at, "a number outside the range of doubles", "a magnitude from 4.9e-324 to 1.7e308, or 0");
  }

  template <typename Source>
  Result<void> Text(Source& source, std::size_t at, Json& out) {
    std::string_view text;
    CANDOR_CHECKED(String(source.get_string(), at, text));
    out.kind_ = Json::Kind::kString;
    Fill(out, out.text_, text.data(), text.size());
    return {};
  }

  // `at` is the opening quote.
  Result<void> String(simdjson::simdjson_result<std::string_view> unescaped, std::size_t at,
                      std::string_view& out) const {
    if (unescaped.error()) {
      return Refuse(at, "a string with a wrong escape",
                    "after \\ one of \"\\/bfnrt, or u and four hexadecimal digits, surrogates in pairs");
    }
    const std::string_view text = unescaped.value_unsafe();
    if (text.size() > limits_.string_bytes) {
      return Refuse(at, "a string longer than " + std::to_string(limits_.string_bytes) + " bytes",
                    "at most " + std::to_string(limits_.string_bytes) + " bytes");
    }
    out = place_->Keep(text);
    return {};
  }

  // What is empty needs no document.
  template <class T>
  void Fill(Json& out, T& member, T content, std::size_t size) const {
    if (size == 0) return;
    member = content;
    out.size_ = static_cast<std::uint32_t>(size);
    out.document_ = place_;
  }

  // The values read last, from `first` on, into the document.
  template <class T>
  static void MoveInto(T* place, std::vector<T>& stack, std::size_t first) {
    std::uninitialized_move(stack.begin() + static_cast<std::ptrdiff_t>(first), stack.end(), place);
    stack.resize(first);
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
    const std::size_t first = items_.size();
    for (auto element : array) {
      ondemand::value value;
      if (element.get(value)) return Refuse(At(), Describe(At()), "',' or ']'");
      path_.push_back({{}, items_.size() - first});
      Json item;
      CANDOR_CHECKED(Value(value, item, depth + 1));
      items_.push_back(std::move(item));
      path_.pop_back();
    }
    const std::size_t count = items_.size() - first;
    if (count == 0) return {};
    Json* place = place_->Place<Json>(count);
    MoveInto(place, items_, first);
    Fill(out, out.items_, static_cast<const Json*>(place), count);
    return {};
  }

  template <typename Source>
  Result<void> Object(Source& source, Json& out, std::size_t depth) {
    CANDOR_CHECKED(Enter(depth));
    ondemand::object object;
    if (source.get_object().get(object)) return RefuseUnclosed('}');
    out.kind_ = Json::Kind::kObject;
    const std::size_t first = members_.size();
    for (auto element : object) {
      ondemand::field field;
      if (std::move(element).get(field)) return RefuseMember();
      const std::size_t quote = Offset(field.key().raw()) - 1;
      JsonMember member;
      CANDOR_CHECKED(String(field.unescaped_key(), quote, member.key));
      path_.push_back({member.key, 0});
      CANDOR_CHECKED(Value(field.value(), member.value, depth + 1));
      path_.pop_back();
      members_.push_back(std::move(member));
    }
    return Members(out, first);
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

  // Members few enough to be scanned; the others are followed by what finds one of them.
  Result<void> Members(Json& out, std::size_t first) {
    const std::size_t count = members_.size() - first;
    if (count == 0) return {};
    const bool scanned = count <= kScanned;
    const std::size_t slots = scanned ? 0 : KeySlots(count);
    auto* bytes = place_->Place<JsonMember>(count + (slots * sizeof(KeySlot) + sizeof(JsonMember) - 1) /
                                                        sizeof(JsonMember));
    MoveInto(bytes, members_, first);
    const std::span<const JsonMember> members(bytes, count);
    Fill(out, out.members_, members.data(), count);
    if (scanned) {
      for (std::size_t i = 1; i < count; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (members[i].key == members[j].key) return RefuseTwice(members[i].key);
        }
      }
      return {};
    }
    out.index_ = Json::Index::kHash;
    KeyIndex index = HashKeys(members, {reinterpret_cast<KeySlot*>(bytes + count), slots});
    if (!index.built) {
      out.index_ = Json::Index::kSorted;
      index = SortKeys(members, {reinterpret_cast<std::uint32_t*>(bytes + count), count});
    }
    if (index.duplicate != 0) return RefuseTwice(members[index.duplicate - 1].key);
    return {};
  }

  Error RefuseTwice(std::string_view key) const {
    return {Code::kInvalidPackageSchema, Where::At(file_, Pointer() + "/" + EscapePointer(key)),
            "the key twice in one object", "each key once", Phase::kInspect};
  }

  std::string_view text_;
  const std::string& file_;
  const JsonLimits& limits_;
  ondemand::document document_;
  const char* begin_ = nullptr;  // of the padded copy
  std::size_t end_ = 0;          // of the last value read, with or without the blanks after it
  std::vector<Step> path_;       // to the value being read
  Json::Document* place_ = nullptr;
  // Of the arrays and objects that are open: their number is known when they close.
  std::vector<Json> items_;
  std::vector<JsonMember> members_;
};

Result<Json> ParseJson(std::string_view text, const std::string& file, const JsonLimits& limits) {
  return JsonParser(text, file, limits).Parse();
}

}  // namespace candor::io

// The reading half of json.h: one walk over the tokens that simdjson found, which builds the tree.
//
// simdjson's first stage checks UTF-8 and strings and says where each token begins; its unescaping serves the
// strings that need it. docs/decisions/0006-json-by-simdjson.md says what the walk checks, and why it is
// ours.
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <utility>

#include "base/utf8.h"
#include "io/json.h"
#include "io/json_document.h"
#include "io/json_number.h"

namespace candor::io {
namespace {

constexpr std::size_t kScanned = 8;  // objects up to this size are searched key by key
constexpr std::string_view kBlanks = " \t\n\r";

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

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
    if (const simdjson::error_code error = FindTokens()) {
      RefuseText(error);
    } else {
      Count();
      Json root;
      if (Value(root, 0) &&
          (At() == text_.size() || Refuse(At(), Describe(At()), "the end of the document"))) {
        if (root.document_ != nullptr) {
          root.owner_ = true;
          root.document_->owners = 1;
          place.release();
        }
        return root;
      }
    }
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) error_.where.pointer += "/" + *step;
    return std::move(error_);
  }

 private:
  // Where each token begins; behind the last one, and again, the size of the text.
  simdjson::error_code FindTokens() {
    const std::size_t capacity = std::max<std::size_t>(text_.size(), 1);
    constexpr std::size_t kDepth = 1;  // of simdjson's own tree, which is not built
    simdjson::error_code error =
        simdjson::get_active_implementation()->create_dom_parser_implementation(capacity, kDepth, simdjson_);
    if (!error) {
      error = simdjson_->stage1(reinterpret_cast<const std::uint8_t*>(text_.data()), text_.size(),
                                simdjson::stage1_mode::regular);
    }
    if (error) return error;
    next_ = simdjson_->structural_indexes.get();
    end_ = next_ + simdjson_->n_structural_indexes;
    return simdjson::SUCCESS;
  }

  // What each array and object has room for, in the order of their opening brackets: one more than its
  // commas. Up to where the walk finds a fault, both see the same brackets.
  void Count() {
    std::vector<std::size_t> open;
    for (const std::uint32_t* token = next_; token != end_; ++token) {
      const char c = text_[*token];
      if (c == ',') {
        if (!open.empty()) ++counts_[open.back()];
      } else if (c == '[' || c == '{') {
        if (open.size() == limits_.depth) return;  // the walk goes no deeper either
        open.push_back(counts_.size());
        counts_.push_back(1);
      } else if (c == ']' || c == '}') {
        if (!open.empty()) open.pop_back();
      }
    }
  }

  std::size_t At() const { return *next_; }
  // The first byte of the next token; at the end of the document one that begins none.
  char Peek() const { return next_ == end_ ? '\0' : text_[*next_]; }
  bool Take(char expected) {
    if (Peek() != expected) return false;
    ++next_;
    return true;
  }
  // The next token with what follows it up to another one, but for blanks.
  std::string_view TakeText() {
    const std::size_t begin = next_[0];
    std::size_t end = next_[1];
    while (IsBlank(text_[end - 1])) --end;
    ++next_;
    return text_.substr(begin, end - begin);
  }

  std::string Describe(std::size_t at) const {
    if (at >= text_.size()) return "the end of the document";
    const auto byte = static_cast<unsigned char>(text_[at]);
    if (byte < 0x20) return "control character " + std::to_string(byte);
    return "'" + std::string(text_.substr(at, DecodeUtf8(text_, at).bytes)) + "'";
  }

  // False, for the caller to return; who reads a value adds the way to it.
  bool Refuse(std::size_t at, std::string found, std::string allowed) {
    error_ = {Code::kInvalidPackageSchema, Where::At(file_, ""),
              std::move(found) + " at byte " + std::to_string(at), std::move(allowed), Phase::kInspect};
    return false;
  }
  bool RefuseBelow(std::string step) {
    path_.push_back(std::move(step));
    return false;
  }

  // What simdjson refuses before the walk, for the text as a whole.
  void RefuseText(simdjson::error_code error) {
    switch (error) {
      case simdjson::EMPTY:
        Refuse(text_.size(), Describe(text_.size()), "a value");
        break;
      case simdjson::UTF8_ERROR:
        Refuse(FirstInvalidUtf8(text_), "a byte that is not UTF-8", "UTF-8");
        break;
      case simdjson::UNCLOSED_STRING:
        Refuse(text_.size(), Describe(text_.size()), "the end of the string");
        break;
      case simdjson::UNESCAPED_CHARS: {
        const std::size_t at = FirstControlInString(text_);
        Refuse(at, Describe(at), "the end of the string");
        break;
      }
      case simdjson::MEMALLOC:
        error_ = {Code::kInsufficientMemory, Where::At(file_), "no memory to read it", "less text",
                  Phase::kInspect};
        break;
      default:
        error_ = {Code::kInvalidPackageSchema, Where::At(file_), simdjson::error_message(error), "JSON",
                  Phase::kInspect};
    }
  }

  // A document that does not end with its root's closing bracket is refused before anything in it is read.
  bool RefuseUnclosed(char bracket) {
    std::size_t at = text_.find_last_not_of(kBlanks);
    while (at > 0 && (static_cast<unsigned char>(text_[at]) & 0xc0) == 0x80) --at;
    return Refuse(at, Describe(at), std::string("'") + bracket + "' as the last character");
  }

  bool Value(Json& out, std::size_t depth) {
    const char first = Peek();
    switch (first) {
      case '{':
        return Enter('}', depth) && Object(out, depth);
      case '[':
        return Enter(']', depth) && Array(out, depth);
      case '"': {
        std::string_view text;
        if (!String(TakeText(), text)) return false;
        out.kind_ = Json::Kind::kString;
        Fill(out, out.text_, text.data(), text.size());
        return true;
      }
      case 't':
      case 'f':
      case 'n':
        return Word(out);
      default:
        if (first == '-' || (first >= '0' && first <= '9')) return Number(out);
        return Refuse(At(), Describe(At()), "a value");
    }
  }

  bool Word(Json& out) {
    const std::size_t at = At();
    const std::string_view token = TakeText();
    if (token == "null") return true;
    out.kind_ = Json::Kind::kBool;
    out.bool_ = token == "true";
    return out.bool_ || token == "false" || Refuse(at, Describe(at), "true, false or null");
  }

  bool Number(Json& out) {
    const std::size_t at = At();
    const std::string_view token = TakeText();
    const char* first = token.data();
    const char* last = first + token.size();
    const auto read = [&](auto& value) {
      const std::from_chars_result result = std::from_chars(first, last, value);
      return result.ec == std::errc{};
    };
    const NumberForm form = FormOf(token);
    if (form == NumberForm::kNone) return Refuse(at, "a malformed number", "a number");
    if (form == NumberForm::kWhole) {
      out.kind_ = Json::Kind::kInt;
      if (read(out.int_)) return true;
      out.kind_ = Json::Kind::kUint;
      if (*first != '-' && read(out.uint_)) return true;
    }
    // Fewer digits on either side of the point are always in range.
    constexpr std::size_t kSure = 300;
    if (double value = 0; (form == NumberForm::kScientific || token.size() > kSure) && !read(value)) {
      return Refuse(at, "a number outside the range of doubles",
                    "a magnitude from 4.9e-324 to 1.7e308, or 0");
    }
    out.kind_ = Json::Kind::kReal;
    Fill(out, out.text_, place_->Keep(token).data(), token.size());
    return true;
  }

  // From a quote to the last one before the next token.
  bool String(std::string_view quoted, std::string_view& out) {
    const auto at = static_cast<std::size_t>(quoted.data() - text_.data());
    out = quoted.substr(1, quoted.size() - 2);
    if (out.find('\\') != out.npos && !Unescape(quoted, out)) {
      return Refuse(at, "a string with a wrong escape",
                    "after \\ one of \"\\/bfnrt, or u and four hexadecimal digits, surrogates in pairs");
    }
    if (out.size() > limits_.string_bytes) {
      return Refuse(at, "a string longer than " + std::to_string(limits_.string_bytes) + " bytes",
                    "at most " + std::to_string(limits_.string_bytes) + " bytes");
    }
    out = place_->Keep(out);
    return true;
  }

  // simdjson looks some bytes beyond the string, and writes some beyond what it makes of it.
  bool Unescape(std::string_view quoted, std::string_view& out) {
    const std::size_t bytes = quoted.size() + simdjson::SIMDJSON_PADDING;
    unescaped_.resize(2 * bytes);
    std::uint8_t* from = unescaped_.data();
    std::uint8_t* to = from + bytes;
    std::memcpy(from, quoted.data(), quoted.size());
    const std::uint8_t* end = simdjson_->parse_string(from + 1, to);
    if (end == nullptr) return false;
    out = {reinterpret_cast<const char*>(to), static_cast<std::size_t>(end - to)};
    return true;
  }

  // What is empty needs no document.
  template <class T>
  void Fill(Json& out, T& member, T content, std::size_t size) const {
    if (size == 0) return;
    member = content;
    out.size_ = static_cast<std::uint32_t>(size);
    out.document_ = place_;
  }

  // Goes through the bracket that opens a level.
  bool Enter(char closing, std::size_t depth) {
    if (depth >= limits_.depth) {
      return Refuse(At(), "nesting deeper than " + std::to_string(limits_.depth) + " levels",
                    "at most " + std::to_string(limits_.depth) + " levels");
    }
    if (depth == 0 && text_[end_[-1]] != closing) return RefuseUnclosed(closing);
    ++next_;
    ++opened_;
    return true;
  }

  bool Array(Json& out, std::size_t depth) {
    const std::size_t room = counts_[opened_ - 1];
    out.kind_ = Json::Kind::kArray;
    if (Take(']')) return true;
    Json* items = place_->Place<Json>(room);
    std::size_t count = 0;
    do {
      Json* item = std::construct_at(items + count);
      if (!Value(*item, depth + 1)) return RefuseBelow(std::to_string(count));
      ++count;
    } while (Take(','));
    if (!Take(']')) return Refuse(At(), Describe(At()), "',' or ']'");
    Fill(out, out.items_, static_cast<const Json*>(items), count);
    return true;
  }

  // Members few enough are scanned; the others are followed by what finds one of them.
  bool Object(Json& out, std::size_t depth) {
    const std::size_t room = counts_[opened_ - 1];
    out.kind_ = Json::Kind::kObject;
    if (Take('}')) return true;
    const std::size_t slots = room <= kScanned ? 0 : KeySlots(room);
    auto* members = place_->Place<JsonMember>(room + (slots * sizeof(KeySlot) + sizeof(JsonMember) - 1) /
                                                         sizeof(JsonMember));
    std::size_t count = 0;
    do {
      JsonMember* member = std::construct_at(members + count);
      if (Peek() != '"') return Refuse(At(), Describe(At()), "a key in quotes");
      const std::string_view key = TakeText();
      if (!Take(':')) return Refuse(At(), Describe(At()), "':'");
      if (!String(key, member->key)) return false;
      if (!Value(member->value, depth + 1)) return RefuseBelow(EscapePointer(member->key));
      ++count;
    } while (Take(','));
    if (!Take('}')) return Refuse(At(), Describe(At()), "',' or '}'");
    Fill(out, out.members_, static_cast<const JsonMember*>(members), count);
    return Index(out, {members, count}, slots);
  }

  bool Index(Json& out, std::span<const JsonMember> members, std::size_t slots) {
    if (slots == 0) {
      for (std::size_t i = 1; i < members.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (members[i].key == members[j].key) return RefuseTwice(members[i].key);
        }
      }
      return true;
    }
    // Behind the members, which are as many as there is room for.
    void* behind = const_cast<JsonMember*>(members.data() + members.size());
    out.index_ = Json::Index::kHash;
    KeyIndex index = HashKeys(members, {static_cast<KeySlot*>(behind), slots});
    if (!index.built) {
      out.index_ = Json::Index::kSorted;
      index = SortKeys(members, {static_cast<std::uint32_t*>(behind), members.size()});
    }
    return index.duplicate == 0 || RefuseTwice(members[index.duplicate - 1].key);
  }

  bool RefuseTwice(std::string_view key) {
    error_ = {Code::kInvalidPackageSchema, Where::At(file_, ""), "the key twice in one object",
              "each key once", Phase::kInspect};
    return RefuseBelow(EscapePointer(key));
  }

  std::string_view text_;
  const std::string& file_;
  const JsonLimits& limits_;
  std::unique_ptr<simdjson::internal::dom_parser_implementation> simdjson_;
  const std::uint32_t* next_ = nullptr;  // places of the tokens that are left
  const std::uint32_t* end_ = nullptr;
  std::vector<std::uint32_t> counts_;  // of all arrays and objects
  std::size_t opened_ = 0;             // how many of them were
  std::vector<std::uint8_t> unescaped_;
  Json::Document* place_ = nullptr;
  Error error_;
  std::vector<std::string> path_;  // to what was refused, from there upwards
};

Result<Json> ParseJson(std::string_view text, const std::string& file, const JsonLimits& limits) {
  return JsonParser(text, file, limits).Parse();
}

}  // namespace candor::io

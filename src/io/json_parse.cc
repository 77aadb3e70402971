// The reading half of json.h: a recursive descent over checked UTF-8.
//
// Our own, because a refusal must name the place (pointer, line, column) and because integers past 64 bits
// occur in ordinary packages: docs/decisions/0006-own-json-reader.md. A parser object lives for one document.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/utf8.h"
#include "io/json.h"
#include "io/json_nested.h"

namespace candor::io {
namespace {

constexpr std::size_t kScanned = 8;  // objects up to this size are searched key by key

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The first eight bytes as a number that orders as the text does: most keys of a vocabulary differ there, and
// a number is compared without following a pointer.
std::uint64_t Prefix(const std::string& key) {
  std::uint64_t prefix = 0;
  std::memcpy(&prefix, key.data(), std::min<std::size_t>(key.size(), 8));
  return __builtin_bswap64(prefix);
}

std::vector<std::uint32_t> SortedByKey(const std::vector<JsonMember>& members) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  order.reserve(members.size());
  for (std::uint32_t i = 0; i < members.size(); ++i) order.emplace_back(Prefix(members[i].key), i);
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    const int by_key = members[a.second].key.compare(members[b.second].key);
    return by_key != 0 ? by_key < 0 : a.second < b.second;
  });
  std::vector<std::uint32_t> sorted;
  sorted.reserve(order.size());
  for (const auto& [prefix, index] : order) sorted.push_back(index);
  return sorted;
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
    if (const std::size_t bad = FirstInvalidUtf8(text_); bad != text_.size()) {
      at_ = bad;
      return Refuse("a byte that is not UTF-8", "UTF-8");
    }
    Json root;
    SkipBlanks();
    CANDOR_CHECKED(Value(root, 0));
    SkipBlanks();
    if (at_ != text_.size()) return Refuse(Here(), "the end of the document");
    return root;
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void SkipBlanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }

  std::string Here() const {
    if (at_ >= text_.size()) return "the end of the document";
    const CodePoint point = DecodeUtf8(text_, at_);
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte < 0x20) return "control character " + std::to_string(byte);
    return "'" + std::string(text_.substr(at_, point.bytes)) + "'";
  }

  // An error at the current byte: what stands there, then line and column, both counted from 1.
  Error Refuse(std::string found, std::string allowed) const {
    const std::string_view before = text_.substr(0, at_);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    found += " at line " + std::to_string(line) + ", column " + std::to_string(at_ - start + 1);
    return RefuseAt(pointer_, std::move(found), std::move(allowed));
  }
  Error RefuseAt(std::string pointer, std::string found, std::string allowed) const {
    return {Code::kInvalidPackageSchema, Where::At(file_, std::move(pointer)), std::move(found),
            std::move(allowed), Phase::kInspect};
  }

  Result<void> Value(Json& out, std::size_t depth) {
    switch (Peek()) {
      case '{':
        return Object(out, depth);
      case '[':
        return Array(out, depth);
      case '"':
        out.kind_ = Json::Kind::kString;
        return String(out.string_);
      case 't':
        out.kind_ = Json::Kind::kBool;
        out.bool_ = true;
        return Word("true");
      case 'f':
        out.kind_ = Json::Kind::kBool;
        out.bool_ = false;
        return Word("false");
      case 'n':
        return Word("null");
      default:
        if (Peek() == '-' || IsDigit(Peek())) return Number(out);
        return Refuse(Here(), "a value");
    }
  }

  Result<void> Word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return Refuse(Here(), "true, false or null");
    at_ += word.size();
    return {};
  }

  Result<void> Number(Json& out) {
    const std::size_t begin = at_;
    const auto digits = [&] {
      const std::size_t first = at_;
      while (IsDigit(Peek())) ++at_;
      return at_ - first;
    };
    bool whole = true;
    if (Peek() == '-') ++at_;
    if (Peek() == '0') {
      ++at_;
    } else if (digits() == 0) {
      return Refuse(Here(), "a digit");
    }
    if (Peek() == '.') {
      whole = false;
      ++at_;
      if (digits() == 0) return Refuse(Here(), "a digit");
    }
    if (Peek() == 'e' || Peek() == 'E') {
      whole = false;
      ++at_;
      if (Peek() == '+' || Peek() == '-') ++at_;
      if (digits() == 0) return Refuse(Here(), "a digit");
    }
    const char* first = text_.data() + begin;
    const char* last = text_.data() + at_;
    if (whole) {
      out.kind_ = Json::Kind::kInt;
      if (std::from_chars(first, last, out.int_).ec == std::errc{}) return {};
      out.kind_ = Json::Kind::kUint;
      if (*first != '-' && std::from_chars(first, last, out.uint_).ec == std::errc{}) return {};
    }
    out.kind_ = Json::Kind::kReal;
    if (std::from_chars(first, last, out.real_).ec == std::errc{}) return {};
    at_ = begin;
    return Refuse("a number outside the range of doubles", "a magnitude from 2.3e-308 to 1.7e308, or 0");
  }

  Result<char32_t> Hex4() {
    char32_t value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = Peek();
      const char lower = static_cast<char>(c | 0x20);
      if (IsDigit(c)) {
        value = value * 16 + static_cast<char32_t>(c - '0');
      } else if (lower >= 'a' && lower <= 'f') {
        value = value * 16 + static_cast<char32_t>(lower - 'a' + 10);
      } else {
        return Refuse(Here(), "four hexadecimal digits");
      }
    }
    return value;
  }

  Result<void> Escape(std::string& out) {
    const std::size_t begin = at_++;
    const char c = Peek();
    ++at_;
    constexpr std::string_view kFrom = "\"\\/bfnrt";
    constexpr std::string_view kTo = "\"\\/\b\f\n\r\t";
    if (const std::size_t i = kFrom.find(c); i != std::string_view::npos) {
      out += kTo[i];
      return {};
    }
    if (c != 'u') {
      at_ = std::min(begin + 1, text_.size());
      return Refuse(Here(), "an escape: one of \"\\/bfnrtu");
    }
    CANDOR_TRY(char32_t value, Hex4());
    if (value >= 0xd800 && value < 0xdc00 && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      CANDOR_TRY(const char32_t low, Hex4());
      if (low >= 0xdc00 && low < 0xe000) value = 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00);
    }
    if (!IsScalarValue(value)) {
      at_ = begin;
      return Refuse("a lone surrogate", "a pair of surrogates");
    }
    AppendUtf8(out, value);
    return {};
  }

  Result<void> String(std::string& out) {
    ++at_;
    for (;;) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x20 && text_[at_] != '"' &&
             text_[at_] != '\\') {
        ++at_;
      }
      out.append(text_, begin, at_ - begin);
      if (out.size() > limits_.string_bytes) {
        return Refuse("a string longer than " + std::to_string(limits_.string_bytes) + " bytes",
                      "at most " + std::to_string(limits_.string_bytes) + " bytes");
      }
      if (Peek() == '"') break;
      if (Peek() != '\\') return Refuse(Here(), "the end of the string");
      CANDOR_CHECKED(Escape(out));
    }
    ++at_;
    return {};
  }

  // Counts the level that a bracket opens.
  Result<void> Enter(std::size_t depth) {
    if (depth >= limits_.depth) {
      return Refuse("nesting deeper than " + std::to_string(limits_.depth) + " levels",
                    "at most " + std::to_string(limits_.depth) + " levels");
    }
    ++at_;
    SkipBlanks();
    return {};
  }

  // After an element: true at the closing bracket, false at a comma that another element follows.
  Result<bool> Closed(char bracket) {
    SkipBlanks();
    const char c = Peek();
    if (c != ',' && c != bracket) return Refuse(Here(), std::string("',' or '") + bracket + "'");
    ++at_;
    if (c == ',') SkipBlanks();
    return c == bracket;
  }

  Result<void> Array(Json& out, std::size_t depth) {
    CANDOR_CHECKED(Enter(depth));
    out.kind_ = Json::Kind::kArray;
    if (Peek() == ']') {
      ++at_;
      return {};
    }
    auto nested = std::make_shared<Json::Nested>();
    const std::size_t stem = pointer_.size();
    for (bool closed = false; !closed;) {
      pointer_ += '/';
      pointer_ += std::to_string(nested->items.size());
      CANDOR_CHECKED(Value(nested->items.emplace_back(), depth + 1));
      pointer_.resize(stem);
      CANDOR_TRY(closed, Closed(']'));
    }
    nested->items.shrink_to_fit();
    out.nested_ = std::move(nested);
    return {};
  }

  Result<void> Object(Json& out, std::size_t depth) {
    CANDOR_CHECKED(Enter(depth));
    out.kind_ = Json::Kind::kObject;
    if (Peek() == '}') {
      ++at_;
      return {};
    }
    auto nested = std::make_shared<Json::Nested>();
    const std::size_t stem = pointer_.size();
    for (bool closed = false; !closed;) {
      if (Peek() != '"') return Refuse(Here(), "a key in quotes");
      JsonMember& member = nested->members.emplace_back();
      CANDOR_CHECKED(String(member.key));
      SkipBlanks();
      pointer_ += '/';
      pointer_ += EscapePointer(member.key);
      if (Peek() != ':') return Refuse(Here(), "':'");
      ++at_;
      SkipBlanks();
      CANDOR_CHECKED(Value(member.value, depth + 1));
      pointer_.resize(stem);
      CANDOR_TRY(closed, Closed('}'));
    }
    CANDOR_CHECKED(RefuseDuplicates(*nested));
    nested->members.shrink_to_fit();
    out.nested_ = std::move(nested);
    return {};
  }

  Result<void> RefuseDuplicates(Json::Nested& nested) {
    std::vector<std::uint32_t> sorted = SortedByKey(nested.members);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      const std::string& key = nested.members[sorted[i]].key;
      if (nested.members[sorted[i - 1]].key != key) continue;
      return RefuseAt(pointer_ + "/" + EscapePointer(key), "the key twice in one object", "each key once");
    }
    if (sorted.size() > kScanned) nested.sorted = std::move(sorted);
    return {};
  }

  std::string_view text_;
  const std::string& file_;
  const JsonLimits& limits_;
  std::size_t at_ = 0;
  std::string pointer_;  // of the value being read
};

Result<Json> ParseJson(std::string_view text, const std::string& file, const JsonLimits& limits) {
  return JsonParser(text, file, limits).Parse();
}

}  // namespace candor::io

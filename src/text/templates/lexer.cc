// Long because one class follows jinja2's whole state machine: text, tags, comments, raw parts, numbers,
// strings.
#include "text/templates/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/utf8.h"

namespace candor::text::jinja {
namespace {

using Type = Token::Type;

constexpr std::string_view kOperators[] = {"**", "//", "==", "!=", ">=", "<=", "+", "-", "/",
                                           "*",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                           ">",  "<",  "=",  ".",  ":",  "|",  ",", ";"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsWord(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
int DigitOf(char c) {
  if (IsDigit(c)) return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : 99;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  Result<std::vector<Token>, Failure> Run() {
    while (at_ < source_.size()) CANDOR_CHECKED(Root());
    Add(Type::kEnd, at_, at_);
    return std::move(tokens_);
  }

 private:
  bool Ahead(std::string_view text) const { return source_.substr(at_).starts_with(text); }
  std::size_t AfterSpace(std::size_t at) const {
    return source_.size() - StripLeft(source_.substr(at)).size();
  }

  void AdvanceTo(std::size_t to) {
    line_ += std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                        source_.begin() + static_cast<std::ptrdiff_t>(to), '\n');
    at_ = to;
  }
  // A token's match ends: the next tag may be the first of its line.
  void MatchTo(std::size_t to) {
    AdvanceTo(to);
    line_starting_ = to > 0 && source_[to - 1] == '\n';
  }

  Token& Add(Type type, std::size_t begin, std::size_t end) {
    tokens_.push_back({type, line_, begin, end, std::string(source_.substr(begin, end - begin))});
    return tokens_.back();
  }
  void Data(std::size_t begin, std::size_t end) {
    if (end > begin) Add(Type::kData, begin, end);
  }

  Failure Bad(std::string what, std::string allowed, std::size_t length = 1) const {
    Failure failure = Malformed(std::move(what), std::move(allowed));
    return Place(std::move(failure), length);
  }
  Failure Place(Failure failure, std::size_t length) const {
    failure.line = line_;
    failure.begin = at_;
    failure.end = std::min(source_.size(), at_ + length);
    return failure;
  }

  // How far text before a tag stays, for the tag's sign.
  std::size_t TextEnd(std::size_t begin, std::size_t end, char sign, bool output) const {
    const std::string_view text = source_.substr(begin, end - begin);
    if (sign == '-') return begin + StripRight(text).size();
    if (sign == '+' || output) return end;
    const std::size_t newline = text.rfind('\n');
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    if ((start > 0 || line_starting_) && StripLeft(text.substr(start)).empty()) return begin + start;
    return end;
  }

  // Text up to the next tag, and that tag with all inside.
  Done Root() {
    const std::size_t begin = at_;
    std::size_t tag = begin;
    while ((tag = source_.find('{', tag)) != std::string_view::npos) {
      const char next = tag + 1 < source_.size() ? source_[tag + 1] : 0;
      if (next == '%' || next == '{' || next == '#') break;
      ++tag;
    }
    if (tag == std::string_view::npos) {
      Data(begin, source_.size());
      AdvanceTo(source_.size());
      return {};
    }
    const char kind = source_[tag + 1];
    std::size_t inside = tag + 2;
    const char sign =
        inside < source_.size() && (source_[inside] == '-' || source_[inside] == '+') ? source_[inside] : 0;
    if (sign != 0) ++inside;
    Data(begin, TextEnd(begin, tag, sign, kind == '{'));
    AdvanceTo(tag);
    if (kind == '#') return Comment(inside);
    if (kind == '%') {
      if (const auto raw = RawBegin(inside)) return Raw(*raw);
      Add(Type::kBlockOpen, tag, inside);
    } else {
      Add(Type::kOpen, tag, inside);
    }
    MatchTo(inside);
    return Code(kind == '%');
  }

  // Where the text after "{% raw %}" begins, if that is what stands here.
  std::optional<std::size_t> RawBegin(std::size_t inside) const { return WordTag(inside, "raw", false); }
  // `at` is behind "{%" and its sign. With `ends`, the tag's end may have a "+" and takes a line end.
  std::optional<std::size_t> WordTag(std::size_t at, std::string_view word, bool ends) const {
    at = AfterSpace(at);
    if (!source_.substr(at).starts_with(word)) return std::nullopt;
    at = AfterSpace(at + word.size());
    return TagEnd(at, "%}", ends, ends);
  }
  // Behind the end of a tag, if it stands here.
  std::optional<std::size_t> TagEnd(std::size_t at, std::string_view end, bool plus, bool trims) const {
    const std::string_view rest = source_.substr(at);
    if (rest.starts_with('-') && rest.substr(1).starts_with(end)) return AfterSpace(at + 1 + end.size());
    if (plus && rest.starts_with('+') && rest.substr(1).starts_with(end)) return at + 1 + end.size();
    if (!rest.starts_with(end)) return std::nullopt;
    at += end.size();
    return trims && at < source_.size() && source_[at] == '\n' ? at + 1 : at;
  }

  Done Comment(std::size_t inside) {
    for (std::size_t at = inside; at < source_.size(); ++at) {
      const auto end = TagEnd(at, "#}", true, true);
      if (!end) continue;
      MatchTo(*end);
      return {};
    }
    return Bad("a comment without an end", "#}", 40);
  }

  Done Raw(std::size_t inside) {
    const std::size_t tag = at_;
    MatchTo(inside);
    for (std::size_t at = inside; at + 1 < source_.size(); ++at) {
      if (source_[at] != '{' || source_[at + 1] != '%') continue;
      std::size_t word = at + 2;
      const char sign =
          word < source_.size() && (source_[word] == '-' || source_[word] == '+') ? source_[word] : 0;
      if (sign != 0) ++word;
      const auto end = WordTag(word, "endraw", true);
      if (!end) continue;
      Data(inside, TextEnd(inside, at, sign, false));
      MatchTo(*end);
      return {};
    }
    at_ = tag;
    return Bad("a raw part without an end", "{% endraw %}", 12);
  }

  Done Code(bool block) {
    std::string open;  // brackets that wait
    const Type close = block ? Type::kBlockClose : Type::kClose;
    while (at_ < source_.size()) {
      if (open.empty()) {
        if (const auto end = TagEnd(at_, block ? "%}" : "}}", block, block)) {
          Add(close, at_, at_ + 2);
          MatchTo(*end);
          return {};
        }
      }
      if (const std::size_t after = AfterSpace(at_); after > at_) {
        MatchTo(after);
        continue;
      }
      const char c = source_[at_];
      if (IsDigit(c)) {
        CANDOR_CHECKED(Number());
      } else if (IsWord(c)) {
        std::size_t end = at_;
        while (end < source_.size() && IsWord(source_[end])) ++end;
        if (end < source_.size() && static_cast<unsigned char>(source_[end]) >= 0x80)
          return Foreign(end - at_ + 1);
        Add(Type::kName, at_, end);
        MatchTo(end);
      } else if (c == '\'' || c == '"') {
        CANDOR_CHECKED(Quoted(c));
      } else {
        CANDOR_CHECKED(Operator(open));
      }
    }
    return {};
  }

  Failure Foreign(std::size_t length) const {
    const std::size_t end = at_ + length - 1;
    return Place(Unsupported("a name with letters beyond ASCII", "ASCII outside of strings"),
                 length - 1 + DecodeUtf8(source_, end).bytes);
  }

  Done Operator(std::string& open) {
    if (static_cast<unsigned char>(source_[at_]) >= 0x80) return Foreign(1);
    const auto* const op = std::ranges::find_if(kOperators, [&](std::string_view o) { return Ahead(o); });
    if (op == std::end(kOperators))
      return Bad("a character that starts nothing", "an operator, a name or a value");
    const char c = (*op)[0];
    if (c == '(' || c == '[' || c == '{') {
      open += c == '(' ? ')' : c == '[' ? ']' : '}';
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty()) return Bad("a bracket that closes nothing", "brackets in pairs");
      if (open.back() != c) return Bad("a bracket that closes another", std::string(1, open.back()));
      open.pop_back();
    }
    Add(Type::kOperator, at_, at_ + op->size());
    MatchTo(at_ + op->size());
    return {};
  }

  // Behind digits that single underscores may part; `at` when there is none.
  std::size_t AfterDigits(std::size_t at, int base = 10) const {
    const auto digit = [&](std::size_t i) { return i < source_.size() && DigitOf(source_[i]) < base; };
    while (digit(at)) {
      ++at;
      if (at < source_.size() && source_[at] == '_' && digit(at + 1)) ++at;
    }
    return at;
  }

  Done Number() {
    if (!(at_ > 0 && source_[at_ - 1] == '.')) {
      // Digits, then a fraction, an exponent or both make a real.
      const std::size_t digits = AfterDigits(at_);
      std::size_t end = digits;
      if (end < source_.size() && source_[end] == '.' && AfterDigits(end + 1) > end + 1)
        end = AfterDigits(end + 1);
      if (end < source_.size() && (source_[end] | 0x20) == 'e') {
        std::size_t exponent = end + 1;
        if (exponent < source_.size() && (source_[exponent] == '+' || source_[exponent] == '-')) ++exponent;
        if (AfterDigits(exponent) > exponent) end = AfterDigits(exponent);
      }
      if (end > digits) return Real(end);
    }
    return Whole();
  }

  std::string Digits(std::size_t begin, std::size_t end) const {
    std::string out(source_.substr(begin, end - begin));
    std::erase(out, '_');
    return out;
  }

  Done Real(std::size_t end) {
    const std::string digits = Digits(at_, end);
    double value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec == std::errc::result_out_of_range && !Underflows(digits))
      return Place(Unsupported("a number without a double", "numbers that are finite"), end - at_);
    Add(Type::kFloat, at_, end).real = value;
    MatchTo(end);
    return {};
  }
  static bool Underflows(const std::string& digits) {
    return digits.find("e-") != std::string::npos || digits.find("E-") != std::string::npos;
  }

  Done Whole() {
    int base = 10;
    std::size_t begin = at_, end = at_ + 1;
    if (source_[at_] == '0') {
      // Zero, or a prefix that digits follow; "012" is a zero and a twelve.
      const char prefix = at_ + 1 < source_.size() ? static_cast<char>(source_[at_ + 1] | 0x20) : '\0';
      const int named = prefix == 'b' ? 2 : prefix == 'o' ? 8 : prefix == 'x' ? 16 : 0;
      std::size_t first = at_ + 2;
      if (named != 0 && first < source_.size() && source_[first] == '_') ++first;
      if (named != 0 && AfterDigits(first, named) > first) {
        base = named;
        begin = first;
        end = AfterDigits(first, named);
      } else {
        end = AfterDigits(at_, 1);
      }
    } else {
      end = AfterDigits(at_);
    }
    const std::string digits = Digits(begin, end);
    std::int64_t value = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), value, base).ec != std::errc())
      return Place(Unsupported("a number beyond 64 bits", "whole numbers of 64 bits"), end - at_);
    Add(Type::kInt, at_, end).whole = value;
    MatchTo(end);
    return {};
  }

  Done Quoted(char quote) {
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size()) return Bad("a string without an end", std::string(1, quote), 40);
    std::string text;
    CANDOR_CHECKED(Unescape(source_.substr(at_ + 1, end - at_ - 1), end + 1 - at_, text));
    Add(Type::kString, at_, end + 1).text = std::move(text);
    MatchTo(end + 1);
    return {};
  }

  // Python's unicode-escape over the text in ASCII, where a character beyond is an escape of its own; so a
  // backslash in front of one makes that escape plain.
  Done Unescape(std::string_view raw, std::size_t length, std::string& out) const {
    for (std::size_t at = 0; at < raw.size();) {
      if (raw[at] != '\\') {
        out += raw[at++];
        continue;
      }
      if (++at >= raw.size())
        return Place(Malformed("a backslash at the end of a string", "an escape"), length);
      const char c = raw[at];
      if (static_cast<unsigned char>(c) >= 0x80) {
        const CodePoint point = DecodeUtf8(raw, at);
        out += '\\' + Escape(point.value);
        at += point.bytes;
        continue;
      }
      ++at;
      constexpr std::string_view kLetters = "\\'\"abfnrtv", kMeanings = "\\'\"\a\b\f\n\r\t\v";
      if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
        out += kMeanings[known];
      } else if (c == '\n') {
        continue;
      } else if (c >= '0' && c <= '7') {
        std::uint32_t value = static_cast<std::uint32_t>(c - '0');
        for (int more = 0; more < 2 && at < raw.size() && raw[at] >= '0' && raw[at] <= '7'; ++more)
          value = value * 8 + static_cast<std::uint32_t>(raw[at++] - '0');
        AppendUtf8(out, value);
      } else if (c == 'x' || c == 'u' || c == 'U') {
        const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < digits; ++i, ++at) {
          if (at >= raw.size() || DigitOf(raw[at]) > 15)
            return Place(Malformed("an escape that is cut short", "all its hexadecimal digits"), length);
          value = value << 4 | static_cast<std::uint32_t>(DigitOf(raw[at]));
        }
        if (value > 0x10ffff) return Place(Malformed("a code point beyond U+10FFFF", "a character"), length);
        if (!IsScalarValue(value))
          return Place(Unsupported("half a surrogate pair", "whole characters"), length);
        AppendUtf8(out, value);
      } else if (c == 'N') {
        return Place(Unsupported("a character by its name", "\\u with its number"), length);
      } else {
        out += '\\';
        out += c;
      }
    }
    return {};
  }
  static std::string Escape(char32_t c) {
    const int digits = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
    std::string out = digits == 2 ? "x" : digits == 4 ? "u" : "U";
    for (int i = digits - 1; i >= 0; --i) out += "0123456789abcdef"[c >> (4 * i) & 15];
    return out;
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
  bool line_starting_ = true;
  std::vector<Token> tokens_;
};

}  // namespace

bool IsPythonSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
         c == 0x3000;
}

std::string_view StripLeft(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = DecodeUtf8(text, 0);
    if (!IsPythonSpace(point.value)) break;
    text.remove_prefix(point.bytes);
  }
  return text;
}

std::string_view StripRight(std::string_view text) {
  while (!text.empty()) {
    std::size_t at = text.size() - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
    if (!IsPythonSpace(DecodeUtf8(text, at).value)) break;
    text.remove_suffix(text.size() - at);
  }
  return text;
}

std::string NormalizeSource(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') {
      out += '\n';
      if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
    } else {
      out += text[i];
    }
  }
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

Result<std::vector<Token>, Failure> Tokenize(std::string_view source) { return Lexer(source).Run(); }

}  // namespace candor::text::jinja

#include "text/templates/python_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "text/regex/classes.h"
#include "text/templates/lexer.h"
#include "text/unicode.h"

namespace candor::text::jinja {
namespace {

bool IsUp(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLow(char c) { return c >= 'a' && c <= 'z'; }
bool IsLetter(char c) { return IsUp(c) || IsLow(c); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char Up(char c) { return IsLow(c) ? static_cast<char>(c - 'a' + 'A') : c; }
char Low(char c) { return IsUp(c) ? static_cast<char>(c - 'A' + 'a') : c; }

template <class Predicate>
std::optional<bool> AllAscii(std::string_view text, const Predicate& is) {
  if (!IsAscii(text)) return std::nullopt;
  return !text.empty() && std::ranges::all_of(text, is);
}

// One character of the text, which is not empty.
std::string_view First(std::string_view text) { return text.substr(0, DecodeUtf8(text, 0).bytes); }
std::string_view Last(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) --at;
  return text.substr(at);
}

bool IsLineEnd(char32_t c) {
  return (c >= 0x0a && c <= 0x0d) || (c >= 0x1c && c <= 0x1e) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

// Code points that became characters after the Unicode version of the Python that the reference runs on.
bool IsYoung(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  static constexpr Range kYoung[] = {
#include "text/templates/young.inc"
  };
  const auto* const range = std::ranges::lower_bound(kYoung, c, {}, &Range::last);
  return range != std::end(kYoung) && range->first <= c;
}

}  // namespace

std::optional<std::string> Upper(std::string_view text) {
  if (!IsAscii(text)) return std::nullopt;
  std::string out(text);
  std::ranges::transform(out, out.begin(), Up);
  return out;
}

std::optional<std::string> Lower(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = DecodeUtf8(text, at);
    if (point.value < 128) {
      out += Low(text[at]);
    } else if (point.value == 0x3a3 || IsYoung(point.value)) {
      return std::nullopt;  // the final sigma looks at what is around it
    } else if (const std::u32string_view lower = LowerOf(point.value); lower.empty()) {
      out += text.substr(at, point.bytes);
    } else {
      for (const char32_t c : lower) AppendUtf8(out, c);
    }
    at += point.bytes;
  }
  return out;
}

std::optional<std::string> Capitalize(std::string_view text) {
  if (!IsAscii(text)) return std::nullopt;
  std::string out(text);
  std::ranges::transform(out, out.begin(), Low);
  if (!out.empty()) out[0] = Up(out[0]);
  return out;
}

std::optional<std::string> Title(std::string_view text) {
  if (!IsAscii(text)) return std::nullopt;
  std::string out(text);
  bool inside = false;
  for (char& c : out) {
    c = inside ? Low(c) : Up(c);
    inside = IsLetter(c);
  }
  return out;
}

std::optional<std::string> TitleFilter(std::string_view text) {
  if (!IsAscii(text)) return std::nullopt;
  std::string out(text);
  bool inside = false;
  for (char& c : out) {
    c = inside ? Low(c) : Up(c);
    inside = std::string_view("-({[<").find(c) == std::string_view::npos &&
             !IsPythonSpace(static_cast<unsigned char>(c));
  }
  return out;
}

std::optional<bool> IsLower(std::string_view text) {
  if (!IsAscii(text)) return std::nullopt;
  return std::ranges::none_of(text, IsUp) && std::ranges::any_of(text, IsLow);
}
std::optional<bool> IsUpper(std::string_view text) {
  if (!IsAscii(text)) return std::nullopt;
  return std::ranges::none_of(text, IsLow) && std::ranges::any_of(text, IsUp);
}
std::optional<bool> IsDigits(std::string_view text) { return AllAscii(text, IsDigit); }
std::optional<bool> IsLetters(std::string_view text) { return AllAscii(text, IsLetter); }
std::optional<bool> IsLettersOrDigits(std::string_view text) {
  return AllAscii(text, [](char c) { return IsLetter(c) || IsDigit(c); });
}
bool IsSpaces(std::string_view text) { return !text.empty() && StripLeft(text).empty(); }

std::string_view Strip(std::string_view text, const std::string* chars, bool left, bool right) {
  if (chars == nullptr) {
    if (left) text = StripLeft(text);
    return right ? StripRight(text) : text;
  }
  while (left && !text.empty() && chars->find(First(text)) != std::string::npos)
    text.remove_prefix(First(text).size());
  while (right && !text.empty() && chars->find(Last(text)) != std::string::npos)
    text.remove_suffix(Last(text).size());
  return text;
}

std::size_t CountOf(std::string_view text, std::string_view what) {
  if (what.empty()) return CountUtf8(text) + 1;
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string_view::npos; at += what.size()) ++count;
  return count;
}

std::size_t ReplacedSize(std::string_view text, std::string_view old, std::string_view with,
                         std::int64_t count) {
  std::size_t places = CountOf(text, old);
  if (count >= 0) places = std::min(places, static_cast<std::size_t>(count));
  return text.size() - places * old.size() + places * with.size();
}

std::string Replace(std::string_view text, std::string_view old, std::string_view with, std::int64_t count) {
  std::size_t left = count < 0 ? static_cast<std::size_t>(-1) : static_cast<std::size_t>(count);
  std::string out;
  if (old.empty()) {  // before every character and at the end
    while (left > 0) {
      out += with;
      --left;
      if (text.empty()) return out;
      out += First(text);
      text.remove_prefix(First(text).size());
    }
    return out.append(text);
  }
  while (left-- > 0) {
    const std::size_t at = text.find(old);
    if (at == std::string_view::npos) break;
    out.append(text.substr(0, at)).append(with);
    text.remove_prefix(at + old.size());
  }
  return out.append(text);
}

std::vector<std::string_view> Split(std::string_view text, std::string_view separator, std::int64_t most,
                                    bool right) {
  std::vector<std::string_view> out;
  while (most < 0 || static_cast<std::int64_t>(out.size()) < most) {
    const std::size_t at = right ? text.rfind(separator) : text.find(separator);
    if (at == std::string_view::npos) break;
    if (right) {
      out.push_back(text.substr(at + separator.size()));
      text = text.substr(0, at);
    } else {
      out.push_back(text.substr(0, at));
      text.remove_prefix(at + separator.size());
    }
  }
  out.push_back(text);
  if (right) std::ranges::reverse(out);
  return out;
}

std::vector<std::string_view> SplitSpaces(std::string_view text, std::int64_t most, bool right) {
  std::vector<std::string_view> out;
  const auto strip = [&](std::string_view t) { return right ? StripRight(t) : StripLeft(t); };
  for (text = strip(text); !text.empty(); text = strip(text)) {
    if (most >= 0 && static_cast<std::int64_t>(out.size()) == most) {
      out.push_back(text);  // with the blanks of its far end
      break;
    }
    std::size_t bytes = 0;
    while (bytes < text.size()) {
      const std::string_view rest = right ? text.substr(0, text.size() - bytes) : text.substr(bytes);
      const std::string_view c = right ? Last(rest) : First(rest);
      if (IsPythonSpace(DecodeUtf8(c, 0).value)) break;
      bytes += c.size();
    }
    out.push_back(right ? text.substr(text.size() - bytes) : text.substr(0, bytes));
    text = right ? text.substr(0, text.size() - bytes) : text.substr(bytes);
  }
  if (right) std::ranges::reverse(out);
  return out;
}

std::vector<std::string_view> SplitLines(std::string_view text, bool keep_ends) {
  std::vector<std::string_view> out;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = DecodeUtf8(text, at);
    if (!IsLineEnd(point.value)) {
      at += point.bytes;
      continue;
    }
    std::size_t next = at + point.bytes;
    if (point.value == '\r' && next < text.size() && text[next] == '\n') ++next;
    out.push_back(text.substr(begin, (keep_ends ? next : at) - begin));
    begin = at = next;
  }
  if (begin < text.size()) out.push_back(text.substr(begin));
  return out;
}

namespace {

// Digits with single underscores between them, as plain digits; nullopt when they are none.
std::optional<std::string> Digits(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsDigit(text[i])) {
      out += text[i];
    } else if (text[i] != '_' || i == 0 || i + 1 == text.size() || text[i - 1] == '_') {
      return std::nullopt;
    }
  }
  if (out.empty()) return std::nullopt;
  return out;
}

}  // namespace

ReadNumber ReadWhole(std::string_view text) {
  text = StripLeft(StripRight(text));
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto digits = Digits(text);
  if (!digits) return {};
  std::string signed_digits = negative ? "-" : "";
  signed_digits += *digits;
  std::int64_t value = 0;
  const auto read = std::from_chars(signed_digits.data(), signed_digits.data() + signed_digits.size(), value);
  if (read.ec != std::errc()) return {.overflows = true};
  return {.whole = value};
}

ReadNumber ReadReal(std::string_view text) {
  text = StripLeft(StripRight(text));
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const auto lower = Lower(text);
  if (!lower) return {};
  if (*lower == "inf" || *lower == "infinity" || *lower == "nan") return {.overflows = true};
  // whole, fraction and exponent, of which one of the first two may be empty
  const std::size_t e = lower->find('e');
  const std::string_view mantissa = std::string_view(*lower).substr(0, e);
  const std::size_t point = mantissa.find('.');
  const std::string_view whole = mantissa.substr(0, point);
  const std::string_view fraction = point == std::string_view::npos ? "" : mantissa.substr(point + 1);
  if (whole.empty() && fraction.empty()) return {};
  std::string plain = negative ? "-" : "";
  if (whole.empty()) plain += '0';
  for (const std::string_view part : {whole, fraction}) {
    if (part.data() == fraction.data() && point != std::string_view::npos) plain += '.';
    if (part.empty()) continue;
    const auto digits = Digits(part);
    if (!digits) return {};
    plain += *digits;
  }
  if (e != std::string::npos) {
    std::string_view exponent = std::string_view(*lower).substr(e + 1);
    const bool down = exponent.starts_with('-');
    if (down || exponent.starts_with('+')) exponent.remove_prefix(1);
    const auto digits = Digits(exponent);
    if (!digits) return {};
    plain += (down ? "e-" : "e") + *digits;
  }
  double value = 0;
  const auto read = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (read.ec != std::errc()) return {.overflows = true};
  return {.real = value};
}

bool IsPrintable(char32_t c) {
  if (c < 128) return c >= ' ' && c < 0x7f;
  return (ClassOf(c) & (kC | kZ)) == 0 && !IsYoung(c);
}

}  // namespace candor::text::jinja

// Escapes, properties and bracket expressions of Oniguruma's Ruby syntax.
#include "text/regex/parse_class.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace candor::text {
namespace {

struct Alias {
  std::string_view name, is;
};
constexpr Alias kAliases[] = {
    {"letter", "l"},
    {"mark", "m"},
    {"number", "n"},
    {"punctuation", "p"},
    {"symbol", "s"},
    {"separator", "z"},
    {"other", "c"},
    {"uppercaseletter", "lu"},
    {"lowercaseletter", "ll"},
    {"titlecaseletter", "lt"},
    {"modifierletter", "lm"},
    {"otherletter", "lo"},
    {"decimalnumber", "nd"},
    {"spaceseparator", "zs"},
    {"alphabetic", "alpha"},
    {"punct", "p"},
};

CodePointSet Hex() {
  CodePointSet out = CodePointSet::Range('0', '9');
  out.Add(CodePointSet::Range('A', 'F'));
  out.Add(CodePointSet::Range('a', 'f'));
  return out;
}

CodePointSet Words(bool in_bracket) { return CodePointSet(NamedRanges(in_bracket ? "word" : "wordalone")); }

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Exactly `least` to `most` hexadecimal digits.
std::optional<char32_t> ReadHex(PatternReader& reader, int least, int most) {
  char32_t value = 0;
  int digits = 0;
  while (digits < most && !reader.done() && HexDigit(reader.in[reader.at]) >= 0) {
    value = value * 16 + static_cast<char32_t>(HexDigit(reader.in[reader.at++]));
    ++digits;
  }
  if (digits < least || value > CodePointSet::kLast || (value >= 0xd800 && value < 0xe000))
    return std::nullopt;
  return value;
}

std::optional<Escaped> ReadProperty(PatternReader& reader, bool negated, bool in_bracket) {
  const std::size_t end = reader.Take("{") ? reader.in.find('}', reader.at) : std::string_view::npos;
  if (end == std::string_view::npos) return reader.Fail("\\p without a name in braces");
  const std::string_view written = reader.in.substr(reader.at, end - reader.at);
  reader.at = end + 1;
  std::string name;
  for (char c : written) {
    if (c == '^' && name.empty()) negated = !negated;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if (c != '^' && c != '_' && c != ' ' && c != '-') name += c;
  }
  if (std::count(written.begin(), written.end(), '^') > 1) name.clear();
  for (const Alias& alias : kAliases) {
    if (alias.name == name) name = alias.is;
  }
  CodePointSet set;
  if (name == "any") {
    set = CodePointSet::Range(0, CodePointSet::kLast);
  } else if (name == "word") {
    set = Words(in_bracket);
  } else if (const auto mask = CategoryMask(name)) {
    set = CodePointSet::Of(*mask);
  } else if (const auto ranges = NamedRanges(name); !ranges.empty() && name != "wordalone") {
    set = CodePointSet(ranges);
  } else {
    return reader.Fail("the property " + std::string(written));
  }
  return Escaped{negated ? set.Complement() : set, std::nullopt};
}

std::optional<CodePointSet> ReadPosix(PatternReader& reader) {
  const bool negated = reader.Take("^");
  const std::size_t end = reader.in.find(":]", reader.at);
  const std::string_view name =
      end == std::string_view::npos ? "" : reader.in.substr(reader.at, end - reader.at);
  constexpr std::string_view kNames[] = {"alnum", "alpha", "blank", "cntrl", "digit",  "graph", "lower",
                                         "print", "punct", "space", "upper", "xdigit", "word"};
  if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames)) {
    return reader.Fail("a bracket [: without a known name");
  }
  reader.at = end + 2;
  const CodePointSet set{NamedRanges(name)};
  return negated ? set.Complement() : set;
}

// What has no case, so that ignoring case adds nothing to it. Letters, marks, letter numbers and other
// symbols may.
bool Caseless(const CodePointSet& set) {
  CodePointSet cased = CodePointSet::Of(kL | kM | Mask({kNl, kNo, kSo}));
  cased.Intersect(CodePointSet::Range(128, CodePointSet::kLast));
  cased.Intersect(set);
  return cased.ranges().empty();
}

// One open bracket: the union read so far, and what the unions before each && have in common.
struct Level {
  bool negated = false, empty = true;
  std::optional<CodePointSet> both;
  CodePointSet now;

  void CloseUnion() {
    if (both) {
      both->Intersect(now);
    } else {
      both = now;
    }
    now = {};
    empty = true;
  }
};

}  // namespace

char32_t PatternReader::TakePoint() {
  const CodePoint point = DecodeUtf8(in, at);
  at += point.bytes;
  return point.value;
}

std::optional<CodePointSet> IgnoringCase(char32_t c) {
  if (c >= 128) return std::nullopt;
  CodePointSet out = CodePointSet::One(c);
  const auto small = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  if (small < 'a' || small > 'z') return out;
  out.Add(CodePointSet::One(static_cast<std::uint32_t>(small)));
  out.Add(CodePointSet::One(static_cast<std::uint32_t>(small - 32)));
  for (const Fold& fold : AsciiFolds()) {
    if (fold.letter == small) out.Add(CodePointSet::One(fold.other));
  }
  return out;
}

std::optional<Escaped> ReadEscape(PatternReader& reader, bool in_bracket) {
  if (reader.done()) return reader.Fail("a backslash at the end");
  const std::size_t begin = reader.at;
  const char32_t c = reader.TakePoint();
  const auto one = [](char32_t value) { return Escaped{CodePointSet::One(value), value}; };
  const auto set = [](CodePointSet of, bool negated) {
    return Escaped{negated ? of.Complement() : std::move(of), std::nullopt};
  };
  switch (c) {
    case 'd':
    case 'D':
      return set(CodePointSet::Of(Mask({kNd})), c == 'D');
    case 's':
    case 'S':
      return set(CodePointSet::Of(kBlank), c == 'S');
    case 'w':
    case 'W':
      return set(Words(in_bracket), c == 'W');
    case 'h':
    case 'H':
      return set(Hex(), c == 'H');
    case 'p':
    case 'P':
      return ReadProperty(reader, c == 'P', in_bracket);
    case 't':
      return one('\t');
    case 'n':
      return one('\n');
    case 'r':
      return one('\r');
    case 'f':
      return one('\f');
    case 'v':
      return one('\v');
    case 'a':
      return one('\a');
    case 'e':
      return one(0x1b);
    case 'u':
      if (const auto value = ReadHex(reader, 4, 4)) return one(*value);
      return reader.Fail("\\u without four hexadecimal digits");
    case 'x': {
      const bool braces = reader.Take("{");
      const auto value = ReadHex(reader, 1, braces ? 8 : 2);
      // Two digits are a byte of UTF-8 there.
      if (value && (braces ? reader.Take("}") : *value < 0x80)) return one(*value);
      return reader.Fail("\\x that is no code point");
    }
    default:
      break;
  }
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 128;
  if (!letter) return one(c);
  return reader.Fail("\\" + std::string(reader.in.substr(begin, reader.at - begin)));
}

std::optional<CodePointSet> ReadBracket(PatternReader& reader, bool ignore_case) {
  constexpr std::size_t kDeepest = 16;
  std::vector<Level> open;
  const auto enter = [&] {
    open.emplace_back();
    open.back().negated = reader.Take("^");
  };
  bool plain = true;  // no bracket in the bracket and no &&
  enter();
  while (!reader.done()) {
    Level& level = open.back();
    if (reader.Take("]")) {
      if (level.empty) return reader.Fail("an empty bracket, or ] as its first");
      level.CloseUnion();
      CodePointSet set = std::move(*level.both);
      if (ignore_case) {
        if (!plain || !Caseless(set))
          return reader.Fail("ignoring case in a bracket of more than ASCII letters");
        CodePointSet folded = set;
        for (char32_t c = 'a'; c <= 'z'; ++c) {
          if (set.Has(c) || set.Has(c - 32)) folded.Add(*IgnoringCase(c));
        }
        set = std::move(folded);
      }
      if (level.negated) set = set.Complement();
      open.pop_back();
      if (open.empty()) return set;
      open.back().now.Add(set);
      open.back().empty = false;
      continue;
    }
    if (reader.Take("&&")) {
      if (level.empty) return reader.Fail("&& without something before it");
      level.CloseUnion();
      plain = false;
      continue;
    }
    if (reader.Take("[:")) {
      const auto set = ReadPosix(reader);
      if (!set) return std::nullopt;
      level.now.Add(*set);
      level.empty = false;
      continue;
    }
    if (reader.Take("[")) {
      if (open.size() == kDeepest) return reader.Fail("brackets 17 deep");
      plain = false;
      enter();
      continue;
    }
    if (reader.Starts("-") && !level.empty && !reader.Starts("-]")) {
      return reader.Fail("a - in a bracket that is neither first nor last nor in a range");
    }
    Escaped first;
    if (reader.Starts("\\b")) return reader.Fail("\\b in a bracket");
    if (reader.Take("\\")) {
      auto escaped = ReadEscape(reader, true);
      if (!escaped) return std::nullopt;
      first = std::move(*escaped);
    } else {
      const char32_t c = reader.TakePoint();
      first = {CodePointSet::One(c), c};
    }
    level.empty = false;
    if (first.one && reader.Starts("-") && !reader.Starts("-]")) {
      ++reader.at;
      char32_t last = 0;
      if (reader.Starts("[") || reader.Starts("&&")) return reader.Fail("a range that ends with a bracket");
      if (reader.Take("\\")) {
        const auto escaped = ReadEscape(reader, true);
        if (!escaped) return std::nullopt;
        if (!escaped->one) return reader.Fail("a range that ends with a set");
        last = *escaped->one;
      } else {
        if (reader.done()) break;
        last = reader.TakePoint();
      }
      if (last < *first.one) return reader.Fail("a range that ends before it begins");
      first.set = CodePointSet::Range(*first.one, last);
    }
    level.now.Add(first.set);
  }
  return reader.Fail("a bracket that does not end");
}

}  // namespace candor::text

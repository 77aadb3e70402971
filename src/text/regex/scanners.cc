// One scanner per pattern in wide use, and the table that says which spellings it stands for.
//
// A scanner answers where the match at a place ends, alternative by alternative in the order of the pattern;
// what the pattern would find by going back is said beside the code. Each looks at a character a bounded
// number of times. Proven equal to the reference by tools/tokenizers/compare_regex.py.
#include "text/regex/scanners.h"

#include <climits>

#include "text/regex/scan.h"

namespace candor::text {
namespace {

using scan::Blanks;
using scan::Case;
using scan::ClassAt;
using scan::Contraction;
using scan::SkipAscii;
using scan::SkipRun;
using scan::SkipUpTo;

template <class Pattern>
class Scanner final : public Regex {
 public:
  TextLimit ForEachMatch(std::string_view text, MatchSink take) const override {
    std::size_t next = 0;
    for (std::size_t at = 0; at < text.size();) {
      const ClassMask first = ClassAt(text, at, next);
      const std::size_t end = Pattern::End(text, at, first, next);
      if (end > at) take(at, end);
      at = end > at ? end : next;
    }
    return TextLimit::kNone;
  }
};

// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
struct Gpt2 {
  static std::size_t End(std::string_view text, std::size_t at, ClassMask found, std::size_t next) {
    if (const std::size_t end = Contraction(text, at, Case::kExact); end > at) return end;
    std::size_t begin = at;
    if (text[at] == ' ') {
      begin = next;
      found = ClassAt(text, begin, next);
    }
    if ((found & kL) != 0) return SkipRun(text, next, kL);
    if ((found & kN) != 0) return SkipRun(text, next, kN);
    if ((found & ~kBlank) != 0) return SkipRun(text, next, kAnything & ~(kBlank | kL | kN));
    return Blanks(text, at, false);
  }
};

// 's|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+
struct Clip {
  static std::size_t End(std::string_view text, std::size_t at, ClassMask found, std::size_t next) {
    if (const std::size_t end = Contraction(text, at, Case::kExact); end > at) return end;
    if ((found & kL) != 0) return SkipRun(text, next, kL);
    if ((found & kN) != 0) return next;
    if ((found & kBlank) != 0) return at;
    return SkipRun(text, next, kAnything & ~(kBlank | kL | kN));
  }
};

// One optional character of `before`, then a run of `word`. When what follows the optional one is no word, it
// is the word's first itself.
std::size_t WordEnd(std::string_view text, std::size_t at, ClassMask found, std::size_t next,
                    ClassMask before, ClassMask word) {
  if ((found & before) != 0) {
    std::size_t second = next;
    if ((ClassAt(text, next, second) & word) != 0) return SkipRun(text, second, word);
  }
  return (found & word) != 0 ? SkipRun(text, next, word) : at;
}

// ` ?X+` and a tail of the ASCII characters in `tail`.
std::size_t SymbolsEnd(std::string_view text, std::size_t at, ClassMask found, std::size_t next,
                       ClassMask symbols, std::string_view tail) {
  if (text[at] == ' ') found = ClassAt(text, next, next);
  if ((found & symbols) == 0) return at;
  return SkipAscii(text, SkipRun(text, next, symbols), tail);
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?W+|\p{N}{1,D}| ?[^\sW\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
// with W = \p{L} or [\p{L}\p{M}], D the most digits.
template <ClassMask kW, int kDigits>
struct Lines {
  static std::size_t End(std::string_view text, std::size_t at, ClassMask found, std::size_t next) {
    if (const std::size_t end = Contraction(text, at, Case::kIgnored); end > at) return end;
    if (const std::size_t end = WordEnd(text, at, found, next, kAnything & ~(kNewlines | kL | kN), kW);
        end > at) {
      return end;
    }
    if ((found & kN) != 0) return SkipUpTo(text, at, kN, kDigits);
    if (const std::size_t end = SymbolsEnd(text, at, found, next, kAnything & ~(kBlank | kW | kN), "\r\n");
        end > at) {
      return end;
    }
    return Blanks(text, at, true);
  }
};

// Words with a case: [^\r\n\p{L}\p{N}]?U*L+S?|[^\r\n\p{L}\p{N}]?U+L*S?|\p{N}{1,D}| ?[^\s\p{L}\p{N}]+[\r\n/]*|
// \s*[\r\n]+|\s+(?!\S)|\s+ with U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}], L = [\p{Ll}\p{Lm}\p{Lo}\p{M}], and S a
// contraction as above, or nothing.
template <int kDigits, bool kSuffix>
struct CasedWords {
  static constexpr ClassMask kUpper = Mask({kLu, kLt, kLm, kLo}) | kM;
  static constexpr ClassMask kLower = Mask({kLl, kLm, kLo}) | kM;

  // What U* takes from a place, and where U*L+ ends: behind the lower run after it, else behind the last
  // character of it that is both, since U* gives back from its end; `begin` when there is neither.
  struct Run {
    std::size_t begin, upper, end;
  };
  static Run From(std::string_view text, std::size_t begin) {
    std::size_t at = begin, next = begin, both = begin;
    ClassMask found = ClassAt(text, at, next);
    for (; (found & kUpper) != 0; found = ClassAt(text, at, next)) {
      at = next;
      if ((found & kLower) != 0) both = at;
    }
    return {begin, at, (found & kLower) != 0 ? SkipRun(text, next, kLower) : both};
  }
  static std::size_t Word(std::string_view text, std::size_t at, ClassMask found, std::size_t next) {
    const bool skips = (found & ~(kNewlines | kL | kN)) != 0;
    const Run second = skips ? From(text, next) : Run{at, at, at};
    if (second.end > second.begin) return second.end;
    const Run first = From(text, at);
    if (first.end > first.begin) return first.end;
    return second.upper > second.begin ? second.upper : first.upper;
  }
  static std::size_t End(std::string_view text, std::size_t at, ClassMask found, std::size_t next) {
    if (const std::size_t end = Word(text, at, found, next); end > at) {
      return kSuffix ? Contraction(text, end, Case::kIgnored) : end;
    }
    if ((found & kN) != 0) return SkipUpTo(text, at, kN, kDigits);
    if (const std::size_t end = SymbolsEnd(text, at, found, next, kAnything & ~(kBlank | kL | kN), "\r\n/");
        end > at) {
      return end;
    }
    return Blanks(text, at, true);
  }
};

// The last of DeepSeek's steps: an ASCII symbol and the ASCII letters behind
// it|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|
// ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
struct DeepSeek {
  static bool IsAsciiLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
  static std::size_t End(std::string_view text, std::size_t at, ClassMask found, std::size_t next) {
    if ((found & (kP | kS)) != 0 && next == at + 1) {
      std::size_t end = next;
      while (end < text.size() && IsAsciiLetter(text[end])) ++end;
      if (end > next) return end;
    }
    if (const std::size_t end =
            WordEnd(text, at, found, next, kAnything & ~(kNewlines | kL | kP | kS), kL | kM);
        end > at) {
      return end;
    }
    if (const std::size_t end = SymbolsEnd(text, at, found, next, kP | kS, "\r\n"); end > at) return end;
    return (found & kBlank) != 0 ? Blanks(text, at, true) : at;
  }
};

// \p{N}{1,D}
template <int kDigits>
struct Digits {
  static std::size_t End(std::string_view text, std::size_t at, ClassMask, std::size_t) {
    return SkipUpTo(text, at, kN, kDigits);
  }
};

// One optional space and a run of characters for which `Set::Has(value, class)` holds.
template <class Set, bool kSpace>
struct RunOf {
  static std::size_t End(std::string_view text, std::size_t at, ClassMask, std::size_t) {
    const std::size_t begin = kSpace && text[at] == ' ' ? at + 1 : at;
    std::size_t end = begin;
    while (end < text.size()) {
      const scan::Point point = scan::PointAt(text, end);
      if (!Set::Has(point.value)) break;
      end += point.bytes;
    }
    return end > begin ? end : at;
  }
};

// [一-龥぀-ゟ゠-ヿ]
struct ChineseOrKana {
  static bool Has(char32_t c) { return (c >= 0x4e00 && c <= 0x9fa5) || (c >= 0x3040 && c <= 0x30ff); }
};
// [^(\s|[.,!?…。，、।۔،])]: Oniguruma reads a class in the class.
struct NotBloomBreak {
  static bool Has(char32_t c) {
    switch (c) {
      case '(':
      case '|':
      case ')':
      case '.':
      case ',':
      case '!':
      case '?':
      case 0x2026:
      case 0x3002:
      case 0xff0c:
      case 0x3001:
      case 0x964:
      case 0x6d4:
      case 0x60c:
        return false;
      default:
        return (ClassOf(c) & kBlank) == 0;
    }
  }
};

template <class Pattern>
RegexPtr Make() {
  return std::make_unique<Scanner<Pattern>>();
}

struct Row {
  std::string_view pattern;
  RegexPtr (*make)();
};

#define CANDOR_S "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define CANDOR_UPPER R"([\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}])"
#define CANDOR_LOWER R"([\p{Ll}\p{Lm}\p{Lo}\p{M}])"
#define CANDOR_BEFORE R"([^\r\n\p{L}\p{N}]?)"
#define CANDOR_BLANKS R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"

constexpr Row kRows[] = {
    // GPT-2, RoBERTa and what ByteLevel splits with
    {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", Make<Gpt2>},
    {R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", Make<Gpt2>},
    // CLIP
    {R"('s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)", Make<Clip>},
    // cl100k, Llama 3
    {CANDOR_S "|" CANDOR_BEFORE R"(\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)" CANDOR_BLANKS,
     Make<Lines<kL, 3>>},
    // Qwen2, Qwen3
    {CANDOR_S "|" CANDOR_BEFORE R"(\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)" CANDOR_BLANKS,
     Make<Lines<kL, 1>>},
    // MiniCPM
    {CANDOR_S "|" CANDOR_BEFORE R"(\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*)" CANDOR_BLANKS,
     Make<Lines<kL, INT_MAX>>},
    // Qwen3.5
    {CANDOR_S "|" CANDOR_BEFORE R"([\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*)" CANDOR_BLANKS,
     Make<Lines<kL | kM, 1>>},
    // o200k, Llama 4
    {CANDOR_BEFORE CANDOR_UPPER "*" CANDOR_LOWER "+" CANDOR_S "?|" CANDOR_BEFORE CANDOR_UPPER "+" CANDOR_LOWER
                                "*" CANDOR_S R"(?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*)" CANDOR_BLANKS,
     Make<CasedWords<3, true>>},
    // Tekken
    {CANDOR_BEFORE CANDOR_UPPER "*" CANDOR_LOWER "+|" CANDOR_BEFORE CANDOR_UPPER "+" CANDOR_LOWER
                                R"(*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*)" CANDOR_BLANKS,
     Make<CasedWords<1, false>>},
    // DeepSeek V3, step by step
    {R"(\p{N}{1,3})", Make<Digits<3>>},
    {"[一-龥\u3040-ゟ゠-ヿ]+", Make<RunOf<ChineseOrKana, false>>},
    {R"([!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*)" CANDOR_BLANKS,
     Make<DeepSeek>},
    {"[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| "
     "?[\\p{P}\\p{S}]+[\r\n]*"
     "|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",  // the file has the line ends themselves
     Make<DeepSeek>},
    // BLOOM
    {" ?[^(\\s|[.,!?…。，、।۔،])]+", Make<RunOf<NotBloomBreak, true>>},
};

#undef CANDOR_S
#undef CANDOR_UPPER
#undef CANDOR_LOWER
#undef CANDOR_BEFORE
#undef CANDOR_BLANKS

}  // namespace

RegexPtr FindScanner(std::string_view pattern) {
  for (const Row& row : kRows) {
    if (row.pattern == pattern) return row.make();
  }
  return nullptr;
}

std::size_t ScannerCount() { return std::size(kRows); }

const Regex& Gpt2Regex() {
  static const Scanner<Gpt2> scanner;
  return scanner;
}

}  // namespace candor::text

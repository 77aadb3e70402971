// Unicode as the tokenizers library sees it: flags, mappings and normal forms of code points.
//
// The data is generated from that library (tools/make_unicode_tables.py), so its age is the library's: a
// letter newer than its tables is unassigned here too. Pure functions over constant tables; any thread.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace candor::text {

enum CodePointFlag : std::uint16_t {
  kSpace = 1u << 0,           // White_Space
  kDropped = 1u << 1,         // removed by clean_text: NUL, U+FFFD, controls, unassigned
  kPunctuation = 1u << 2,     // the categories P*, and ASCII symbols
  kNonspacingMark = 1u << 3,  // what BertNormalizer strips after decomposition
  kCombiningMark = 1u << 4,   // what StripAccents strips
  kWord = 1u << 5,            // \w of the library's regular expressions
  kIdeograph = 1u << 6,       // what handle_chinese_chars isolates
  kCanonical = 1u << 7,       // has a canonical decomposition
  kCompatibility = 1u << 8,   // has a compatibility decomposition (the canonical one included)
  kLower = 1u << 9,           // has another lower case
  kClassed = 1u << 10,        // combining class is not 0
  kComposes = 1u << 11,       // may join the character before it
  kNumeric = 1u << 12,        // the categories N*
};

extern const std::array<std::uint16_t, 128> kAsciiFlags;
std::uint16_t FlagsBeyondAscii(char32_t c);
inline std::uint16_t FlagsOf(char32_t c) { return c < 128 ? kAsciiFlags[c] : FlagsBeyondAscii(c); }
inline bool Is(char32_t c, std::uint16_t any_of) { return (FlagsOf(c) & any_of) != 0; }

// The script by which UnicodeScripts cuts, as a number without a name; kNoScript never cuts.
inline constexpr std::uint8_t kNoScript = 0;
std::uint8_t ScriptOf(char32_t c);

std::u32string_view LowerOf(char32_t c);  // empty when it is its own lower case; context-free

// One output character of a rewriting, as the library counts: `change` 0 replaces the next input character,
// 1 is inserted, -n replaces one and removes the n that follow it.
struct Change {
  char32_t value;
  int change;
};

// Appends the full decomposition of one character.
void Decompose(char32_t c, bool compatibility, std::u32string& out);

enum class NormalForm : std::uint8_t { kNfc, kNfd, kNfkc, kNfkd };
// Whether normalising can alter a text of such characters at all (quick, may say yes for nothing).
bool MayChange(char32_t c, NormalForm form);
// The whole text in the form, with the library's own account of what replaced what.
std::vector<Change> Normalize(std::u32string_view text, NormalForm form);

}  // namespace candor::text

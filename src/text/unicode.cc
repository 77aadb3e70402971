// The only user of the generated tables, and the four normal forms over them (UAX 15).
#include "text/unicode.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

namespace candor::text {
namespace {

struct Mapping {
  char32_t code;
  std::uint16_t at, length;  // in kPool
};
struct ClassRange {
  char32_t first, last;
  std::uint8_t value;
};
struct Composition {
  char32_t first, second, result;
};

#include "text/unicode_data.inc"

constexpr char32_t kSyllables = 0xac00, kLeads = 0x1100, kVowels = 0x1161, kTrails = 0x11a7;
constexpr char32_t kVowelCount = 21, kTrailCount = 28, kLeadCount = 19;
constexpr char32_t kSyllableCount = kLeadCount * kVowelCount * kTrailCount;

std::u32string_view Find(std::span<const Mapping> rows, char32_t c) {
  const auto row = std::lower_bound(rows.begin(), rows.end(), c,
                                    [](const Mapping& m, char32_t code) { return m.code < code; });
  if (row == rows.end() || row->code != c) return {};
  return {kPool + row->at, row->length};
}

std::uint8_t ClassOf(char32_t c) {
  if (!Is(c, kClassed)) return 0;
  const auto range = std::lower_bound(std::begin(kClasses), std::end(kClasses), c,
                                      [](const ClassRange& r, char32_t code) { return r.last < code; });
  return range != std::end(kClasses) && range->first <= c ? range->value : std::uint8_t{0};
}

std::optional<char32_t> Compose(char32_t first, char32_t second) {
  if (!Is(second, kComposes)) return std::nullopt;
  if (first - kLeads < kLeadCount && second - kVowels < kVowelCount) {
    return kSyllables + ((first - kLeads) * kVowelCount + (second - kVowels)) * kTrailCount;
  }
  if (first - kSyllables < kSyllableCount && (first - kSyllables) % kTrailCount == 0 &&
      second - (kTrails + 1) < kTrailCount - 1) {
    return first + (second - kTrails);
  }
  const auto row =
      std::lower_bound(std::begin(kCompositions), std::end(kCompositions), std::pair(first, second),
                       [](const Composition& c, const std::pair<char32_t, char32_t>& key) {
                         return std::pair(c.first, c.second) < key;
                       });
  if (row == std::end(kCompositions) || row->first != first || row->second != second) return std::nullopt;
  return row->result;
}

// Calls emit(part) for each part of the full decomposition of one character.
template <class F>
void DecomposeInto(char32_t c, bool compatibility, F emit) {
  const std::uint16_t flags = FlagsOf(c);
  if ((flags & (compatibility ? kCompatibility : kCanonical)) == 0) {
    emit(c);
    return;
  }
  if (c - kSyllables < kSyllableCount) {
    const char32_t i = c - kSyllables, trail = i % kTrailCount;
    emit(kLeads + i / (kVowelCount * kTrailCount));
    emit(kVowels + i / kTrailCount % kVowelCount);
    if (trail != 0) emit(kTrails + trail);
    return;
  }
  std::u32string_view parts = compatibility ? Find(kCompatibilityRows, c) : std::u32string_view{};
  if (parts.empty()) parts = Find(kCanonicalRows, c);
  for (const char32_t part : parts) emit(part);
}

// Canonical order: each run of marks sorted by class, stably.
void Reorder(std::vector<Change>& text) {
  const auto is_starter = [](const Change& c) { return ClassOf(c.value) == 0; };
  auto at = text.begin();
  while (at != text.end()) {
    at = std::find_if_not(at, text.end(), is_starter);
    const auto end = std::find_if(at, text.end(), is_starter);
    if (end - at > 1) {
      std::stable_sort(at, end,
                       [](const Change& a, const Change& b) { return ClassOf(a.value) < ClassOf(b.value); });
    }
    at = end;
  }
}

// Joins marks and jamo with the starter before them. A joined character takes over what both replaced.
std::vector<Change> Recompose(const std::vector<Change>& text) {
  std::vector<Change> out;
  out.reserve(text.size());
  std::optional<std::size_t> starter;  // where in `out` the last one stands
  int blocking = -1;                   // class of the last mark between it and here
  for (const Change& c : text) {
    const int cls = ClassOf(c.value);
    if (starter && blocking < cls) {
      if (const auto joined = Compose(out[*starter].value, c.value)) {
        out[*starter] = {*joined, out[*starter].change + c.change - 1};
        continue;
      }
    }
    out.push_back(c);
    if (cls == 0) {
      starter = out.size() - 1;
      blocking = -1;
    } else if (starter) {
      blocking = cls;
    }
  }
  return out;
}

}  // namespace

constinit const std::array<std::uint16_t, 128> kAsciiFlags = [] {
  std::array<std::uint16_t, 128> flags{};
  for (std::size_t c = 0; c < flags.size(); ++c) flags[c] = kFlags[kBlockOf[0] * kBlock + c];
  return flags;
}();

std::uint16_t FlagsBeyondAscii(char32_t c) {
  if (c > 0x10ffff) return 0;
  return kFlags[kBlockOf[c / kBlock] * kBlock + c % kBlock];
}

std::uint8_t ScriptOf(char32_t c) {
  if (c > 0x10ffff) return kNoScript;
  return kScripts[kScriptBlockOf[c / kBlock] * kBlock + c % kBlock];
}

std::u32string_view LowerOf(char32_t c) {
  return Is(c, kLower) ? Find(kLowerRows, c) : std::u32string_view{};
}

bool MayChange(char32_t c, NormalForm form) {
  switch (form) {
    case NormalForm::kNfd:
      return Is(c, kCanonical | kClassed);
    case NormalForm::kNfkd:
      return Is(c, kCompatibility | kClassed);
    case NormalForm::kNfc:
      return Is(c, kCanonical | kClassed | kComposes);
    case NormalForm::kNfkc:
      break;
  }
  return Is(c, kCompatibility | kClassed | kComposes);
}

void Decompose(char32_t c, bool compatibility, std::u32string& out) {
  DecomposeInto(c, compatibility, [&](char32_t part) { out.push_back(part); });
}

std::vector<Change> Normalize(std::u32string_view text, NormalForm form) {
  const bool compatibility = form == NormalForm::kNfkc || form == NormalForm::kNfkd;
  std::vector<Change> out;
  out.reserve(text.size());
  for (const char32_t c : text) {
    int change = 0;  // the first part replaces the character, the others are inserted
    DecomposeInto(c, compatibility, [&](char32_t part) { out.push_back({part, std::exchange(change, 1)}); });
  }
  Reorder(out);
  return form == NormalForm::kNfc || form == NormalForm::kNfkc ? Recompose(out) : out;
}

}  // namespace candor::text

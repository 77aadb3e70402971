// Look-ups in the generated tables.
#include "text/regex/classes.h"

#include <algorithm>
#include <iterator>

namespace candor::text {
namespace {

struct NamedSet {
  std::string_view name;
  std::uint16_t first, count;
};

#include "text/regex/classes.inc"

constexpr char32_t kBlock = 128;

constexpr std::string_view kNames[] = {"lu", "ll", "lt", "lm", "lo", "mn", "mc", "me", "nd", "nl",
                                       "no", "pc", "pd", "ps", "pe", "pi", "pf", "po", "sm", "sc",
                                       "sk", "so", "zs", "zl", "zp", "cc", "cf", "co", "cn"};
struct Group {
  std::string_view name;
  ClassMask mask;
};
constexpr Group kGroups[] = {{"l", kL}, {"m", kM}, {"n", kN}, {"p", kP}, {"s", kS}, {"z", kZ}, {"c", kC}};

constexpr std::array<ClassMask, 128> MakeAscii() {
  std::array<ClassMask, 128> out{};
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = ClassMask{1} << kCategories[kBlockOf[0] * kBlock + c];
  return out;
}

}  // namespace

constexpr std::array<ClassMask, 128> kAsciiClass = MakeAscii();

Category CategoryBeyondAscii(char32_t c) {
  return static_cast<Category>(kCategories[kBlockOf[c / kBlock] * kBlock + c % kBlock]);
}

std::span<const CodePointRange> NamedRanges(std::string_view name) {
  const auto set = std::lower_bound(std::begin(kSets), std::end(kSets), name,
                                    [](const NamedSet& s, std::string_view n) { return s.name < n; });
  if (set == std::end(kSets) || set->name != name) return {};
  return std::span(kPool).subspan(set->first, set->count);
}

std::optional<ClassMask> CategoryMask(std::string_view name) {
  for (const Group& group : kGroups) {
    if (group.name == name) return group.mask;
  }
  const auto found = std::find(std::begin(kNames), std::end(kNames), name);
  if (found == std::end(kNames)) return std::nullopt;
  const auto category = static_cast<Category>(found - std::begin(kNames));
  return category == kCc ? Mask({kCc, kNewline, kBlankControl}) : Mask({category});
}

std::span<const Fold> AsciiFolds() { return kFolds; }

}  // namespace candor::text

// BertNormalizer: clean, isolate ideographs, strip accents, lower the case, in this order.
//
// One pass does all of it, character by character: what a character becomes depends on no other, but for the
// order of marks that decomposing sorts, and nearly all of those are then stripped. In a text with a mark
// that stays, by itself or in a decomposition (signs of music, some scripts' viramas), stripping is a step of
// its own.
#include <utility>

#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

bool IsMark(char32_t c) { return Is(c, kNonspacingMark); }

// No character of the Basic Multilingual Plane decomposes to a mark that stays.
bool MayLeaveMark(char32_t c) {
  const std::uint16_t flags = FlagsOf(c);
  if ((flags & kClassed) != 0) return (flags & kNonspacingMark) == 0;
  return c > 0xffff && (flags & kCanonical) != 0;
}

void AppendLower(char32_t c, std::string& out) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c));
    return;
  }
  const std::u32string_view lower = LowerOf(c);
  if (lower.empty()) AppendUtf8(out, c);
  for (const char32_t part : lower) AppendUtf8(out, part);
}

class BertNormalizer final : public Normalizer {
 public:
  explicit BertNormalizer(const BertFlags& flags) : flags_(flags) {}

  void Normalize(Normalized& text) const override {
    if (!flags_.strip_accents || !text.Any(false, MayLeaveMark)) {
      Pass(text, flags_);
      return;
    }
    Pass(text, {flags_.clean_text, flags_.handle_chinese_chars, false, false});
    ApplyForm(text, NormalForm::kNfd);
    text.Filter([](char32_t c) { return !IsMark(c); });
    Pass(text, {false, false, false, flags_.lowercase});
  }

 private:
  static void Pass(Normalized& text, const BertFlags& flags) {
    std::uint16_t affected = 0;
    if (flags.clean_text) affected |= kDropped | kSpace;
    if (flags.handle_chinese_chars) affected |= kIdeograph;
    if (flags.strip_accents) affected |= kCanonical | kNonspacingMark;
    if (flags.lowercase) affected |= kLower;
    const auto drops = [&](char32_t c) { return flags.clean_text && Is(c, kDropped); };
    if (flags.clean_text || flags.lowercase) {
      text.MapAscii([&](char c) {
        if (flags.clean_text && (c == '\t' || c == '\n' || c == '\r')) return ' ';
        return flags.lowercase && c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
      });
    }
    if (text.ascii() && !text.Any(true, drops)) return;
    Rewriter out(text);
    const std::string& bytes = text.text();
    std::string with;
    std::u32string parts;
    for (std::size_t at = 0; at < bytes.size();) {
      const CodePoint point = CodePointAt(bytes, at);
      const char32_t c = point.value;
      const std::uint16_t flagged = FlagsOf(c) & affected;
      const std::size_t begin = std::exchange(at, at + point.bytes);
      if (flagged == 0 || c == U' ') continue;
      out.Keep(begin - out.at());
      if (drops(c)) {
        out.Drop(point.bytes);
        continue;
      }
      with.clear();
      if ((flagged & kSpace) != 0) {
        with = " ";
      } else {
        parts.clear();
        if (flags.strip_accents) {
          Decompose(c, false, parts);
          std::erase_if(parts, IsMark);
        } else {
          parts.push_back(c);
        }
        // The library lets the first blank stand for the ideograph, which then follows as an insertion.
        const bool isolated = (flagged & kIdeograph) != 0;
        if (isolated) with = " ";
        for (const char32_t part : parts) flags.lowercase ? AppendLower(part, with) : AppendUtf8(with, part);
        if (isolated) with += ' ';
      }
      out.Replace(point.bytes, with);
    }
    out.Keep(bytes.size() - out.at());
    out.Finish();
  }

  BertFlags flags_;
};

}  // namespace

BertFlags ReadBertFlags(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"clean_text", "handle_chinese_chars", "strip_accents", "lowercase"}, problems);
  BertFlags flags;
  flags.clean_text = RequiredFlag(config, "clean_text", problems);
  flags.handle_chinese_chars = RequiredFlag(config, "handle_chinese_chars", problems);
  flags.lowercase = RequiredFlag(config, "lowercase", problems);
  flags.strip_accents = config.Flag("strip_accents", flags.lowercase, problems);  // null follows lowercase
  return flags;
}

NormalizerPtr MakeBert(const BertFlags& flags) { return std::make_unique<BertNormalizer>(flags); }

NormalizerPtr ReadBertNormalizer(const package::Config& config, Problems& problems) {
  return MakeBert(ReadBertFlags(config, problems));
}

}  // namespace candor::text

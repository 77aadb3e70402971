// Offsets are trimmed after truncation: what is first is the first token that stays.
#include "text/assemble.h"

#include <algorithm>

namespace candor::text {
namespace {

// The library's own arithmetic, in which a blank too many is more than one that add_prefix_space explains.
Offset Trimmed(Offset offset, Blanks blanks, const OffsetTrim& trim, bool first) {
  if (blanks.leading > 0) {
    const bool added = trim.add_prefix_space && blanks.leading == 1 && (first || offset.begin == 0);
    if (!added) offset.begin = std::min(offset.begin + blanks.leading, offset.end);
  }
  if (blanks.trailing > 0 && offset.end >= blanks.trailing) {
    offset.end = std::max(offset.end - blanks.trailing, offset.begin);
  }
  return offset;
}

template <class T>
void Append(std::vector<T>& out, const std::vector<T>& from, Kept kept) {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(kept.begin);
  out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(kept.count));
}

void AppendText(const TemplatePart& part, const Tokens& tokens, Kept kept, const EncodeOptions& options,
                Encoding& out) {
  out.total += tokens.ids.size();
  const std::size_t at = out.ids.size();
  Append(out.ids, tokens.ids, kept);
  if (options.tokens) Append(out.tokens, tokens.names, kept);
  if (!options.offsets) return;
  out.offsets.resize(at);
  Append(out.offsets, tokens.offsets, kept);
  for (const OffsetTrim& trim : part.trims) {
    for (std::size_t i = 0; i < kept.count; ++i) {
      const Blanks blanks = tokens.blanks[kept.begin + i];
      if (blanks.any())
        out.offsets[at + i] = Trimmed(out.offsets[at + i], blanks, trim, trim.at_front && i == 0);
    }
  }
}

}  // namespace

Encoding Assemble(std::span<const TemplatePart> parts, std::span<const Tokens> texts,
                  std::span<const Kept> kept, const EncodeOptions& options) {
  Encoding out;
  for (const TemplatePart& part : parts) {
    if (part.text < 0) {
      out.total += part.ids.size();
      out.ids.insert(out.ids.end(), part.ids.begin(), part.ids.end());
      if (options.tokens) out.tokens.insert(out.tokens.end(), part.tokens.begin(), part.tokens.end());
    } else {
      const auto which = static_cast<std::size_t>(part.text);
      AppendText(part, texts[which], kept[which], options, out);
    }
    out.type_ids.resize(out.ids.size(), part.type_id);
    out.special.resize(out.ids.size(), std::uint8_t{part.special});
    out.sequence.resize(out.ids.size(), static_cast<std::int8_t>(part.text));
  }
  if (options.offsets) out.offsets.resize(out.ids.size());
  return out;
}

}  // namespace candor::text

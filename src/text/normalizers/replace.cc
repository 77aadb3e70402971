// Replace: every match of a literal or of a regular expression; the content stands as it is written.
#include <algorithm>

#include "text/limits.h"
#include "text/normalizers/normalizer.h"
#include "text/regex/regex.h"

namespace candor::text {
namespace {

class Replace final : public Normalizer {
 public:
  // No match has fewer than `least` bytes.
  Replace(RegexPtr pattern, const std::string& content, std::size_t least)
      : pattern_(std::move(pattern)),
        content_(DecodeAllUtf8(content)),
        growth_(least == 0
                    ? Growth::Of(1 + content.size(), content.size())  // before every byte, behind the last
                    : Growth::Of(std::max<std::size_t>(1, (content.size() + least - 1) / least), 0)),
        inserts_(least == 0) {}

  void Normalize(Normalized& text) const override {
    Rewriter out(text);
    bool any = false;
    const TextLimit limit = pattern_->ForEachMatch(text.text(), [&](std::size_t begin, std::size_t end) {
      any = true;
      out.Keep(begin - out.at());
      out.Drop(end - begin);
      for (const char32_t c : content_) out.Put(c, 1);  // shares the origin of the last replaced character
    });
    if (limit != TextLimit::kNone) {
      text.Exceed(limit);
    } else if (any) {
      out.Keep(text.text().size() - out.at());
      out.Finish();
    }
  }
  Growth growth() const override { return growth_; }
  bool Inserts() const override { return inserts_; }

 private:
  RegexPtr pattern_;
  std::u32string content_;
  Growth growth_;
  bool inserts_;
};

}  // namespace

NormalizerPtr ReadReplace(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"pattern", "content"}, problems);
  const std::string content = RequiredText(config, "content", problems);
  RegexPtr pattern = ReadPattern(config, "pattern", problems);
  if (pattern == nullptr) return nullptr;
  const std::size_t least = pattern->ShortestMatch();
  return std::make_unique<Replace>(std::move(pattern), content, least);
}

}  // namespace candor::text

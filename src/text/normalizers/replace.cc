// Replace: every occurrence of a literal string. Patterns that are regular expressions are refused.
#include <algorithm>

#include "text/limits.h"
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

class Replace final : public Normalizer {
 public:
  Replace(std::string pattern, const std::string& content)
      : pattern_(std::move(pattern)), content_(DecodeAllUtf8(content)), content_bytes_(content.size()) {}

  void Normalize(Normalized& text) const override {
    std::size_t found = text.text().find(pattern_);
    if (found == std::string::npos) return;
    Rewriter out(text);
    std::size_t at = 0;
    for (; found != std::string::npos; found = text.text().find(pattern_, at)) {
      out.Keep(found - at);
      out.Drop(pattern_.size());
      for (const char32_t c : content_) out.Put(c, 1);  // shares the origin of the last replaced character
      at = found + pattern_.size();
    }
    out.Keep(text.text().size() - at);
    out.Finish();
  }
  std::size_t Growth() const override {
    if (pattern_.empty()) return 1;  // refused already
    const std::size_t times = (content_bytes_ + pattern_.size() - 1) / pattern_.size();
    return std::clamp<std::size_t>(times, 1, kMaxGrowth + 1);
  }

 private:
  std::string pattern_;
  std::u32string content_;
  std::size_t content_bytes_;
};

}  // namespace

NormalizerPtr ReadReplace(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"pattern", "content"}, problems);
  const std::string content = RequiredText(config, "content", problems);
  std::string pattern;
  if (const auto inside = config.Inside("pattern", problems)) {
    pattern = inside->Text("String", "", problems);
    if (inside->Keys() != std::vector<std::string>{"String"}) {
      Refuse(config, "pattern", "a regular expression", "a literal {\"String\": …}", problems);
    } else if (pattern.empty()) {
      Refuse(config, "pattern", "an empty pattern", "at least one character", problems);
    }
  } else {
    RefuseAbsent(config, "pattern", "{\"String\": …}", problems);
  }
  return std::make_unique<Replace>(std::move(pattern), content);
}

}  // namespace candor::text

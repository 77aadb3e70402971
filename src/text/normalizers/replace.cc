// Replace: every occurrence of a literal string. Patterns that are regular expressions are refused.
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

class Replace final : public Normalizer {
 public:
  Replace(std::string pattern, std::u32string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}

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

 private:
  std::string pattern_;
  std::u32string content_;
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
  return std::make_unique<Replace>(std::move(pattern), DecodeAllUtf8(content));
}

}  // namespace candor::text

// Patterns as tokenizer.json writes them: literals, scanners, and PCRE2 for the rest.
#include "text/regex/pcre2.h"
#include "text/regex/regex.h"
#include "text/regex/scanners.h"

namespace candor::text {
namespace {

constexpr std::string_view kAllowed = R"({"String": …} or {"Regex": …})";

// The library escapes a literal and looks for it as an expression; an empty one matches everywhere.
class Literal final : public Regex {
 public:
  explicit Literal(std::string text) : text_(std::move(text)) {}
  TextLimit ForEachMatch(std::string_view text, MatchSink take) const override {
    if (text_.empty()) {
      if (text.empty()) return TextLimit::kNone;
      for (std::size_t at = 0; at < text.size(); at += CodePointAt(text, at).bytes) take(at, at);
      take(text.size(), text.size());
      return TextLimit::kNone;
    }
    for (std::size_t at = text.find(text_); at != std::string_view::npos;
         at = text.find(text_, at + text_.size())) {
      take(at, at + text_.size());
    }
    return TextLimit::kNone;
  }
  std::size_t ShortestMatch() const override { return text_.size(); }

 private:
  std::string text_;
};

}  // namespace

RegexPtr ReadPattern(const package::Config& config, std::string_view key, Problems& problems) {
  const auto inside = config.Inside(key, problems);
  if (!inside) {
    if (!config.Has(key)) RefuseAbsent(config, key, std::string(kAllowed), problems);
    return nullptr;
  }
  const std::vector<std::string> keys = inside->Keys();
  if (keys == std::vector<std::string>{"String"}) {
    return std::make_unique<Literal>(RequiredText(*inside, "String", problems));
  }
  if (keys != std::vector<std::string>{"Regex"}) {
    Refuse(config, key, Quoted(config, key), std::string(kAllowed), problems);
    return nullptr;
  }
  const std::string pattern = RequiredText(*inside, "Regex", problems);
  if (!inside->Has("Regex")) return nullptr;
  if (RegexPtr scanner = FindScanner(pattern)) return scanner;
  auto translated = Translate(pattern);
  if (!translated) {
    Refuse(*inside, "Regex", translated.error().found, translated.error().allowed, problems);
    return nullptr;
  }
  RegexPtr regex = MakePcre2(std::move(*translated));
  if (regex == nullptr) Refuse(*inside, "Regex", pattern, "a pattern that PCRE2 compiles", problems);
  return regex;
}

}  // namespace candor::text

// Split: pieces at the matches of a literal or of a regular expression.
#include "text/pre_tokenizers/split.h"
#include "text/regex/regex.h"

namespace candor::text {
namespace {

class SplitPattern final : public PreTokenizer {
 public:
  SplitPattern(RegexPtr pattern, Behavior behavior, bool invert)
      : pattern_(std::move(pattern)), behavior_(behavior), invert_(invert) {}

  void Split(PreTokenized& text) const override {
    TextLimit exceeded = TextLimit::kNone;
    SplitAtMatches(text, behavior_, invert_, [&](std::string_view piece, auto emit) {
      if (exceeded == TextLimit::kNone) exceeded = pattern_->ForEachMatch(piece, emit);
    });
    if (exceeded != TextLimit::kNone) text.text.Exceed(exceeded);
  }

 private:
  RegexPtr pattern_;
  Behavior behavior_;
  bool invert_;
};

}  // namespace

PreTokenizerPtr ReadSplit(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"pattern", "behavior", "invert"}, problems);
  RegexPtr pattern = ReadPattern(config, "pattern", problems);
  const Behavior behavior = ReadBehavior(config, "behavior", problems);
  const bool invert = RequiredFlag(config, "invert", problems);
  if (pattern == nullptr) return nullptr;
  return std::make_unique<SplitPattern>(std::move(pattern), behavior, invert);
}

}  // namespace candor::text

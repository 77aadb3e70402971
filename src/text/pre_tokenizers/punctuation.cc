// Punctuation: every punctuation character is a match; the behaviour says what becomes of it.
#include "text/pre_tokenizers/split.h"

namespace candor::text {
namespace {

class Punctuation final : public PreTokenizer {
 public:
  explicit Punctuation(Behavior behavior) : behavior_(behavior) {}
  void Split(PreTokenized& text) const override {
    SplitAtCharacters(text, behavior_, [](char32_t c) { return Is(c, kPunctuation); });
  }

 private:
  Behavior behavior_;
};

}  // namespace

PreTokenizerPtr ReadPunctuation(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"behavior"}, problems);
  const bool written = config.Has("behavior");
  return std::make_unique<Punctuation>(written ? ReadBehavior(config, "behavior", problems)
                                               : Behavior::kIsolated);
}

}  // namespace candor::text

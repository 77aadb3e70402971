// WhitespaceSplit: blanks are removed. Whitespace: also cuts between word characters and the others.
#include "text/pre_tokenizers/pre_tokenizer.h"

namespace candor::text {
namespace {

class WhitespaceSplit final : public PreTokenizer {
 public:
  void Split(PreTokenized& text) const override {
    SplitByCharacter(text, [](char32_t c) { return Is(c, kSpace) ? Cut::kRemoved : Cut::kRun; });
  }
};

class Whitespace final : public PreTokenizer {
 public:
  void Split(PreTokenized& text) const override {
    SplitByCharacter(text, [](char32_t c) {
      const std::uint16_t flags = FlagsOf(c);
      if ((flags & kWord) != 0) return Cut::kRun;
      return (flags & kSpace) != 0 ? Cut::kRemoved : Cut::kOtherRun;
    });
  }
};

}  // namespace

PreTokenizerPtr ReadWhitespaceSplit(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {}, problems);
  return std::make_unique<WhitespaceSplit>();
}

PreTokenizerPtr ReadWhitespace(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {}, problems);
  return std::make_unique<Whitespace>();
}

}  // namespace candor::text

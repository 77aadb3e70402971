// BertPreTokenizer: blanks are removed, every punctuation character stands alone.
#include "text/pre_tokenizers/pre_tokenizer.h"

namespace candor::text {
namespace {

class BertPreTokenizer final : public PreTokenizer {
 public:
  void Split(PreTokenized& text) const override {
    SplitByCharacter(text, [](char32_t c) {
      const std::uint16_t flags = FlagsOf(c);
      if ((flags & kSpace) != 0) return Cut::kRemoved;
      return (flags & kPunctuation) != 0 ? Cut::kIsolated : Cut::kRun;
    });
  }
};

}  // namespace

PreTokenizerPtr ReadBertPreTokenizer(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {}, problems);
  return std::make_unique<BertPreTokenizer>();
}

}  // namespace candor::text

// CharDelimiterSplit: one character is removed wherever it stands, and cuts.
#include "text/pre_tokenizers/split.h"

namespace candor::text {
namespace {

class CharDelimiterSplit final : public PreTokenizer {
 public:
  explicit CharDelimiterSplit(char32_t delimiter) : delimiter_(delimiter) {}
  void Split(PreTokenized& text) const override {
    SplitByCharacter(text, [this](char32_t c) { return c == delimiter_ ? Cut::kRemoved : Cut::kRun; });
  }

 private:
  char32_t delimiter_;
};

}  // namespace

PreTokenizerPtr ReadCharDelimiterSplit(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"delimiter"}, problems);
  const std::string delimiter = RequiredText(config, "delimiter", problems);
  const std::u32string characters = DecodeAllUtf8(delimiter);
  if (characters.size() != 1) {
    if (config.Has("delimiter")) Refuse(config, "delimiter", delimiter, "one character", problems);
    return nullptr;
  }
  return std::make_unique<CharDelimiterSplit>(characters[0]);
}

}  // namespace candor::text

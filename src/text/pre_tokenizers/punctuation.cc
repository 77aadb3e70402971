// Punctuation, in the behaviours Isolated, Removed and Contiguous.
#include "text/pre_tokenizers/pre_tokenizer.h"

namespace candor::text {
namespace {

class Punctuation final : public PreTokenizer {
 public:
  explicit Punctuation(Cut mark) : mark_(mark) {}
  void Split(PreTokenized& text) const override {
    SplitByCharacter(text, [this](char32_t c) { return Is(c, kPunctuation) ? mark_ : Cut::kRun; });
  }

 private:
  Cut mark_;
};

}  // namespace

PreTokenizerPtr ReadPunctuation(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"behavior"}, problems);
  const std::string behavior = config.Text("behavior", "Isolated", problems);
  Cut mark = Cut::kIsolated;
  if (behavior == "Removed") {
    mark = Cut::kRemoved;
  } else if (behavior == "Contiguous") {
    mark = Cut::kOtherRun;
  } else if (behavior != "Isolated") {
    Refuse(config, "behavior", behavior, "Isolated, Removed, Contiguous", problems);
  }
  return std::make_unique<Punctuation>(mark);
}

}  // namespace candor::text

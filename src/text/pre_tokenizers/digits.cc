// Digits: runs of numeric characters, or each of them, stand alone.
#include "text/pre_tokenizers/split.h"

namespace candor::text {
namespace {

class Digits final : public PreTokenizer {
 public:
  explicit Digits(Cut digit) : digit_(digit) {}
  void Split(PreTokenized& text) const override {
    SplitByCharacter(text, [this](char32_t c) { return Is(c, kNumeric) ? digit_ : Cut::kRun; });
  }

 private:
  Cut digit_;
};

}  // namespace

PreTokenizerPtr ReadDigits(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"individual_digits"}, problems);
  const bool individual = RequiredFlag(config, "individual_digits", problems);
  return std::make_unique<Digits>(individual ? Cut::kIsolated : Cut::kOtherRun);
}

}  // namespace candor::text

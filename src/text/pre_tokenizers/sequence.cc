// Sequence: pre-tokenizers one after the other, each splitting the pieces of the one before.
#include <algorithm>

#include "text/pre_tokenizers/pre_tokenizer.h"

namespace candor::text {
namespace {

class Sequence final : public PreTokenizer {
 public:
  explicit Sequence(std::vector<PreTokenizerPtr> steps) : steps_(std::move(steps)) {}
  void Split(PreTokenized& text) const override {
    for (const PreTokenizerPtr& step : steps_) step->Split(text);
  }
  bool AsksForFront() const override {
    return std::any_of(steps_.begin(), steps_.end(), [](const auto& step) { return step->AsksForFront(); });
  }

 private:
  std::vector<PreTokenizerPtr> steps_;
};

}  // namespace

PreTokenizerPtr ReadPreTokenizerSequence(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"pretokenizers"}, problems);
  if (!config.Has("pretokenizers"))
    RefuseAbsent(config, "pretokenizers", "a list of pre-tokenizers", problems);
  std::vector<PreTokenizerPtr> steps;
  for (const package::Config& item : config.Items("pretokenizers", problems)) {
    if (PreTokenizerPtr step = ReadPreTokenizer(item, problems)) steps.push_back(std::move(step));
  }
  return std::make_unique<Sequence>(std::move(steps));
}

}  // namespace candor::text

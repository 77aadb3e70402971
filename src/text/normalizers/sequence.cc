// Sequence: normalizers one after the other.
#include <algorithm>

#include "text/limits.h"
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

class Sequence final : public Normalizer {
 public:
  explicit Sequence(std::vector<NormalizerPtr> steps) : steps_(std::move(steps)) {}
  void Normalize(Normalized& text) const override {
    for (const NormalizerPtr& step : steps_) {
      if (text.exceeded() != TextLimit::kNone) return;
      step->Normalize(text);
    }
  }
  Growth growth() const override {
    Growth all;
    for (const NormalizerPtr& step : steps_) all = all.Then(step->growth());
    return all;
  }
  bool Inserts() const override {
    return std::ranges::any_of(steps_, [](const NormalizerPtr& step) { return step->Inserts(); });
  }

 private:
  std::vector<NormalizerPtr> steps_;
};

}  // namespace

NormalizerPtr MakeSequence(std::vector<NormalizerPtr> steps) {
  return std::make_unique<Sequence>(std::move(steps));
}

NormalizerPtr ReadNormalizerSequence(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"normalizers"}, problems);
  if (!config.Has("normalizers")) RefuseAbsent(config, "normalizers", "a list of normalizers", problems);
  std::vector<NormalizerPtr> steps;
  for (const package::Config& item : config.Items("normalizers", problems)) {
    if (NormalizerPtr step = ReadNormalizer(item, problems)) steps.push_back(std::move(step));
  }
  return MakeSequence(std::move(steps));
}

}  // namespace candor::text

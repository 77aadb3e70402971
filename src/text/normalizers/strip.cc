// Strip: blanks at the ends. StripAccents: combining marks anywhere, without decomposing first.
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

class Strip final : public Normalizer {
 public:
  Strip(bool left, bool right) : left_(left), right_(right) {}

  void Normalize(Normalized& text) const override {
    const std::u32string all = text.Decode();
    std::size_t begin = 0, end = all.size();
    if (left_) {
      while (begin < end && Is(all[begin], kSpace)) ++begin;
    }
    if (right_) {
      while (end > begin && Is(all[end - 1], kSpace)) --end;
    }
    if (begin == 0 && end == all.size()) return;
    std::size_t index = 0;
    text.Filter([&](char32_t) {
      const bool keep = index >= begin && index < end;
      ++index;
      return keep;
    });
  }

 private:
  bool left_, right_;
};

class StripAccents final : public Normalizer {
 public:
  void Normalize(Normalized& text) const override {
    const auto is_mark = [](char32_t c) { return Is(c, kCombiningMark); };
    if (text.Any(false, is_mark)) text.Filter([&](char32_t c) { return !is_mark(c); });
  }
};

}  // namespace

NormalizerPtr ReadStrip(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"strip_left", "strip_right"}, problems);
  const bool left = RequiredFlag(config, "strip_left", problems);
  const bool right = RequiredFlag(config, "strip_right", problems);
  return std::make_unique<Strip>(left, right);
}

NormalizerPtr ReadStripAccents(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {}, problems);
  return std::make_unique<StripAccents>();
}

}  // namespace candor::text

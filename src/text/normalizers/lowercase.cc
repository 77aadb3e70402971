// Lowercase: every character by itself, as Rust's char::to_lowercase; no final sigma, no language.
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

class Lowercase final : public Normalizer {
 public:
  void Normalize(Normalized& text) const override { ApplyLowercase(text); }
};

}  // namespace

void ApplyLowercase(Normalized& text) {
  text.MapAscii([](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  if (!text.Any(false, [](char32_t c) { return Is(c, kLower); })) return;
  Rewriter out(text);
  for (const char32_t c : text.Decode()) {
    const std::u32string_view lower = LowerOf(c);
    if (lower.empty()) out.Put(c, 0);
    for (std::size_t i = 0; i < lower.size(); ++i) out.Put(lower[i], i == 0 ? 0 : 1);
  }
  out.Finish();
}

NormalizerPtr MakeLowercase() { return std::make_unique<Lowercase>(); }

NormalizerPtr ReadLowercase(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {}, problems);
  return MakeLowercase();
}

}  // namespace candor::text

// Nmt: SentencePiece's cleaning for translation. Controls go, other blanks and marks become a space.
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

bool IsRemoved(char32_t c) {
  return (c >= 0x1 && c <= 0x8) || c == 0xb || (c >= 0xe && c <= 0x1f) || c == 0x7f || c == 0x8f || c == 0x9f;
}

bool IsBlank(char32_t c) {
  switch (c) {
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x2581:
    case 0xfeff:
    case 0xfffd:
      return true;
    default:
      return c >= 0x200b && c <= 0x200f;
  }
}

class Nmt final : public Normalizer {
 public:
  void Normalize(Normalized& text) const override {
    if (text.Any(true, IsRemoved)) text.Filter([](char32_t c) { return !IsRemoved(c); });
    text.MapAscii([](char c) { return c == '\t' || c == '\n' || c == '\f' || c == '\r' ? ' ' : c; });
    if (!text.Any(false, IsBlank)) return;
    Rewriter out(text);
    for (const char32_t c : text.Decode()) out.Put(IsBlank(c) ? U' ' : c, 0);
    out.Finish();
  }
};

}  // namespace

NormalizerPtr ReadNmt(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {}, problems);
  return std::make_unique<Nmt>();
}

}  // namespace candor::text

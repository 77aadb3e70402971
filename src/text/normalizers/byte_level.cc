// ByteLevel: every byte becomes its visible character; the bytes of one character share its origin.
#include "text/byte_alphabet.h"
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

class ByteLevel final : public Normalizer {
 public:
  void Normalize(Normalized& text) const override {
    const std::string bytes = text.text();
    Rewriter out(text);
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      out.Put(kByteCharacters[byte], (byte & 0xc0) == 0x80 ? 1 : 0);
    }
    out.Finish();
  }
  Growth growth() const override { return Growth::Of(2, 0); }
};

}  // namespace

NormalizerPtr ReadByteLevelNormalizer(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {}, problems);
  return std::make_unique<ByteLevel>();
}

}  // namespace candor::text

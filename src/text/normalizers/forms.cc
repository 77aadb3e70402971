// NFC, NFD, NFKC, NFKD.
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

class FormNormalizer final : public Normalizer {
 public:
  explicit FormNormalizer(NormalForm form) : form_(form) {}
  void Normalize(Normalized& text) const override { ApplyForm(text, form_); }

 private:
  NormalForm form_;
};

NormalizerPtr Read(const package::Config& config, Problems& problems, NormalForm form) {
  RefuseOtherKeys(config, {}, problems);
  return std::make_unique<FormNormalizer>(form);
}

}  // namespace

void ApplyForm(Normalized& text, NormalForm form) {
  if (!text.Any(false, [form](char32_t c) { return MayChange(c, form); })) return;
  Rewriter out(text);
  for (const Change& c : Normalize(text.Decode(), form)) out.Put(c.value, c.change);
  out.Finish();
}

NormalizerPtr ReadNfc(const package::Config& config, Problems& problems) {
  return Read(config, problems, NormalForm::kNfc);
}
NormalizerPtr ReadNfd(const package::Config& config, Problems& problems) {
  return Read(config, problems, NormalForm::kNfd);
}
NormalizerPtr ReadNfkc(const package::Config& config, Problems& problems) {
  return Read(config, problems, NormalForm::kNfkc);
}
NormalizerPtr ReadNfkd(const package::Config& config, Problems& problems) {
  return Read(config, problems, NormalForm::kNfkd);
}

}  // namespace candor::text

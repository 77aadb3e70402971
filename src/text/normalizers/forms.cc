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

// Only runs of characters that may change are normalised, each with the character before it, which may take
// up what follows: every other character starts and ends a region that normalisation does not look across.
void ApplyForm(Normalized& text, NormalForm form) {
  if (!text.Any(false, [form](char32_t c) { return MayChange(c, form); })) return;
  Rewriter out(text);
  const std::string& bytes = text.text();
  std::u32string run;
  std::size_t run_begin = 0;  // of the open run, whose first character need not change
  bool changes = false;
  const auto close = [&] {
    if (changes) {
      out.Keep(run_begin - out.at());
      for (const Change& c : Normalize(run, form)) out.Put(c.value, c.change);
    }
    changes = false;
    run.clear();
  };
  for (std::size_t at = 0; at < bytes.size();) {
    const CodePoint point = CodePointAt(bytes, at);
    if (MayChange(point.value, form)) {
      changes = true;
      if (run.empty()) run_begin = at;
    } else {
      close();
      run_begin = at;
    }
    run.push_back(point.value);
    at += point.bytes;
  }
  close();
  out.Keep(bytes.size() - out.at());
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

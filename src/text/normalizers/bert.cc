// BertNormalizer: clean, isolate ideographs, strip accents, lower the case, in this order.
//
// Each step looks first whether the text needs it: most text is ASCII without controls, and then only the
// lower-casing touches it.
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

bool IsStrangeBlank(char32_t c) { return c != U' ' && Is(c, kSpace); }

class BertNormalizer final : public Normalizer {
 public:
  explicit BertNormalizer(const BertFlags& flags) : flags_(flags) {}

  void Normalize(Normalized& text) const override {
    if (flags_.clean_text) Clean(text);
    if (flags_.handle_chinese_chars) IsolateIdeographs(text);
    if (flags_.strip_accents) {
      ApplyForm(text, NormalForm::kNfd);
      const auto is_mark = [](char32_t c) { return Is(c, kNonspacingMark); };
      if (text.Any(false, is_mark)) text.Filter([&](char32_t c) { return !is_mark(c); });
    }
    if (flags_.lowercase) ApplyLowercase(text);
  }

 private:
  static void Clean(Normalized& text) {
    const auto is_dropped = [](char32_t c) { return Is(c, kDropped); };
    if (text.Any(true, is_dropped)) text.Filter([&](char32_t c) { return !is_dropped(c); });
    text.MapAscii([](char c) { return c == '\t' || c == '\n' || c == '\r' ? ' ' : c; });
    if (!text.Any(false, IsStrangeBlank)) return;
    Rewriter out(text);
    for (const char32_t c : text.Decode()) out.Put(Is(c, kSpace) ? U' ' : c, 0);
    out.Finish();
  }

  static void IsolateIdeographs(Normalized& text) {
    if (!text.Any(false, [](char32_t c) { return Is(c, kIdeograph); })) return;
    Rewriter out(text);
    for (const char32_t c : text.Decode()) {
      if (!Is(c, kIdeograph)) {
        out.Put(c, 0);
        continue;
      }
      // The library lets the first blank stand for the ideograph, which then follows as an insertion.
      out.Put(U' ', 0);
      out.Put(c, 1);
      out.Put(U' ', 1);
    }
    out.Finish();
  }

  BertFlags flags_;
};

}  // namespace

BertFlags ReadBertFlags(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"clean_text", "handle_chinese_chars", "strip_accents", "lowercase"}, problems);
  BertFlags flags;
  flags.clean_text = RequiredFlag(config, "clean_text", problems);
  flags.handle_chinese_chars = RequiredFlag(config, "handle_chinese_chars", problems);
  flags.lowercase = RequiredFlag(config, "lowercase", problems);
  flags.strip_accents = config.Flag("strip_accents", flags.lowercase, problems);  // null follows lowercase
  return flags;
}

NormalizerPtr MakeBert(const BertFlags& flags) { return std::make_unique<BertNormalizer>(flags); }

NormalizerPtr ReadBertNormalizer(const package::Config& config, Problems& problems) {
  return MakeBert(ReadBertFlags(config, problems));
}

}  // namespace candor::text

// Prepend: a string in front of every text that is not empty; it shares the origin of the first character.
#include <algorithm>

#include "text/limits.h"
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

class Prepend final : public Normalizer {
 public:
  explicit Prepend(const std::string& prefix)
      : prefix_(DecodeAllUtf8(prefix)), prefix_bytes_(prefix.size()) {}

  void Normalize(Normalized& text) const override {
    if (text.text().empty() || prefix_.empty()) return;
    const CodePoint first = CodePointAt(text.text(), 0);
    Rewriter out(text);
    // The library lets the prefix's first character stand for the text's, which follows as an insertion.
    out.Put(prefix_[0], 0);
    for (std::size_t i = 1; i < prefix_.size(); ++i) out.Put(prefix_[i], 1);
    out.Put(first.value, 1);
    out.Keep(text.text().size() - first.bytes);
    out.Finish();
  }
  Growth growth() const override { return Growth::Of(1, prefix_bytes_); }

 private:
  std::u32string prefix_;
  std::size_t prefix_bytes_;
};

}  // namespace

NormalizerPtr ReadPrepend(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"prepend"}, problems);
  const std::string prefix = RequiredText(config, "prepend", problems);
  // Of an empty prefix the library makes a first character that came from nowhere.
  if (config.Has("prepend") && prefix.empty()) {
    Refuse(config, "prepend", prefix, "at least one character", problems);
  }
  return std::make_unique<Prepend>(prefix);
}

}  // namespace candor::text

// Precompiled: SentencePiece's normalisation, by a map of byte sequences (charsmap.h), as the library applies
// it: a cluster of fewer than six bytes that starts with a key is replaced as a whole, any other goes by its
// characters.
//
// A text that the map leaves alone is only read. Its ASCII, which no cluster joins but CR with LF and a last
// character with the marks behind it, is passed over at one look-up a byte.
#include <array>
#include <optional>

#include "text/base64.h"
#include "text/graphemes.h"
#include "text/normalizers/charsmap.h"
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

// Hands replacements to a Rewriter, with the library's account of what replaced what: surplus new characters
// are inserted, surplus old ones are removed by the last new one, or by whatever was written last. Before
// anything was written a removal is lost, and everything after it comes from too far in front: that is what
// the library does.
class Replacer {
 public:
  explicit Replacer(Normalized& text) : text_(text) {}

  // Bytes [begin, end), `characters` of them, become `by`. Called from front to back.
  void Replace(std::size_t begin, std::size_t end, int characters, std::string_view by) {
    if (!out_) out_.emplace(text_);
    Keep(begin);
    done_ = end;
    if (by.empty()) {
      Remove(end - begin, characters);
      return;
    }
    int surplus = -characters;
    for (std::size_t at = 0; at < by.size(); ++surplus) {
      const CodePoint point = CodePointAt(by, at);
      at += point.bytes;
      Write(point.value, surplus < 0 ? 0 : 1);
    }
    if (surplus < 0) last_->change += surplus;
  }

  void Finish() {
    if (!out_) return;
    Keep(text_.text().size());
    Flush();
    out_->Finish();
  }

 private:
  // What was not replaced, up to `end`.
  void Keep(std::size_t end) {
    if (done_ == end) return;
    if (behind_) {
      while (done_ < end) {
        const CodePoint point = CodePointAt(text_.text(), done_);
        done_ += point.bytes;
        Write(point.value, 0);
      }
      return;
    }
    Flush();
    out_->Keep(end - done_);
    any_ = true;
  }
  void Remove(std::size_t bytes, int characters) {
    if (last_) {
      last_->change -= characters;
    } else if (any_) {
      out_->Drop(bytes);
    } else {
      behind_ = true;
    }
  }
  // The last written character waits: what follows may remove more.
  void Write(char32_t c, int change) {
    Flush();
    last_ = {c, change};
    any_ = true;
  }
  void Flush() {
    if (last_) out_->Put(last_->value, last_->change);
    last_.reset();
  }

  Normalized& text_;
  std::optional<Rewriter> out_;
  std::optional<Change> last_;
  std::size_t done_ = 0;  // bytes of the old text dealt with
  bool any_ = false;      // whether something was written
  bool behind_ = false;   // whether the Rewriter is not at done_
};

class Precompiled final : public Normalizer {
 public:
  explicit Precompiled(Charsmap map) : map_(std::move(map)) {
    for (unsigned char c = 0; c < 0x80; ++c) plain_[c] = c != '\r' && !map_.OfCharacter(c);
  }

  void Normalize(Normalized& text) const override {
    const std::string& bytes = text.text();
    Replacer out(text);
    GraphemeBreaker breaker;
    std::size_t at = 0;
    CodePoint point;  // at `at`, of which the breaker knows
    const auto look = [&] {
      point = CodePointAt(bytes, at);
      return breaker.StartsWith(point.value);
    };
    if (!bytes.empty()) look();
    while (at < bytes.size()) {
      if (const std::size_t end = PlainEnd(bytes, at); end != at) {
        at = end;
        if (at == bytes.size()) break;
        breaker = {};
        look();
      }
      const std::size_t begin = at;
      const char32_t first = point.value;
      int characters = 0;
      do {
        at += point.bytes;
        ++characters;
      } while (at < bytes.size() && !look());
      if (characters == 1) {
        if (const auto by = map_.OfCharacter(first)) out.Replace(begin, at, 1, *by);
      } else {
        ReplaceCluster(bytes, begin, at, characters, out);
      }
    }
    out.Finish();
  }
  Growth growth() const override { return Growth::Of(map_.growth(), 0); }

 private:
  // The end of the ASCII from `at` that the map leaves alone, without a last character that marks may follow.
  std::size_t PlainEnd(std::string_view bytes, std::size_t at) const {
    std::size_t end = at;
    while (end < bytes.size() && plain_[static_cast<unsigned char>(bytes[end])]) ++end;
    const bool joins = end < bytes.size() && static_cast<unsigned char>(bytes[end]) >= 0x80;
    return joins && end > at ? end - 1 : end;
  }
  void ReplaceCluster(std::string_view bytes, std::size_t begin, std::size_t end, int characters,
                      Replacer& out) const {
    if (end - begin <= Charsmap::kMaxKeyBytes) {
      if (const auto by = map_.OfText(bytes.substr(begin, end - begin))) {
        out.Replace(begin, end, characters, *by);
        return;
      }
    }
    for (std::size_t at = begin; at < end;) {
      const CodePoint point = CodePointAt(bytes, at);
      if (const auto by = map_.OfCharacter(point.value)) out.Replace(at, at + point.bytes, 1, *by);
      at += point.bytes;
    }
  }

  Charsmap map_;
  std::array<bool, 256> plain_{};
};

}  // namespace

NormalizerPtr MakePrecompiled(std::string_view charsmap, std::string& fault) {
  std::optional<Charsmap> map = Charsmap::Read(charsmap, fault);
  return map ? std::make_unique<Precompiled>(std::move(*map)) : nullptr;
}

NormalizerPtr ReadPrecompiled(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"precompiled_charsmap"}, problems);
  const std::string text = RequiredText(config, "precompiled_charsmap", problems);
  std::string fault = text.empty() ? "an empty string" : "a string that is not base64";
  NormalizerPtr normalizer;
  if (const auto charsmap = DecodeBase64(text); charsmap && !text.empty()) {
    normalizer = MakePrecompiled(*charsmap, fault);
  }
  if (normalizer == nullptr && config.Has("precompiled_charsmap")) {
    Refuse(config, "precompiled_charsmap", fault, "a SentencePiece charsmap in base64", problems);
  }
  return normalizer;
}

}  // namespace candor::text

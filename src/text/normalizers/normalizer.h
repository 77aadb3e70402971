// Normalizer: one step that rewrites a text in place, keeping track of where each byte came from.
//
// Immutable; any number of threads. One file per component beside this one; the table is in table.cc.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "text/limits.h"
#include "text/normalized.h"
#include "text/reader.h"

namespace candor::text {

// A step makes of n bytes at most times * n + more, both kMaxGrowth + 1 for anything above it.
struct Growth {
  std::size_t times = 1, more = 0;
  static Growth Of(std::size_t times, std::size_t more) {
    return {std::min(times, kMaxGrowth + 1), std::min(more, kMaxGrowth + 1)};
  }
  Growth Then(const Growth& step) const { return Of(times * step.times, more * step.times + step.more); }
  // Of one byte: every piece between added tokens is a text of its own.
  std::size_t most() const { return times + more; }
};

class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void Normalize(Normalized& text) const = 0;
  // How much longer a step that the file can repeat makes a text. What Unicode itself expands is bounded by
  // its tables and not counted.
  virtual Growth growth() const { return {}; }
  // Whether it may insert what stands for nothing in the text. A pre-tokenizer may have to know of it: then
  // the text is tracked, offsets or not.
  virtual bool Inserts() const { return false; }
};
using NormalizerPtr = std::unique_ptr<const Normalizer>;

// Every flag of BERT's normalizer, as tokenizer.json writes them.
struct BertFlags {
  bool clean_text = true, handle_chinese_chars = true, strip_accents = true, lowercase = true;
};
BertFlags ReadBertFlags(const package::Config& config, Problems& problems);
NormalizerPtr MakeBert(const BertFlags& flags);
NormalizerPtr MakeLowercase();
// Of the bytes of a SentencePiece charsmap; nothing when they are damaged, and `fault` says how.
NormalizerPtr MakePrecompiled(std::string_view charsmap, std::string& fault);
NormalizerPtr MakeSequence(std::vector<NormalizerPtr> steps);

NormalizerPtr ReadNormalizer(const package::Config& config, Problems& problems);
NormalizerPtr ReadBertNormalizer(const package::Config& config, Problems& problems);
NormalizerPtr ReadByteLevelNormalizer(const package::Config& config, Problems& problems);
NormalizerPtr ReadLowercase(const package::Config& config, Problems& problems);
NormalizerPtr ReadNfc(const package::Config& config, Problems& problems);
NormalizerPtr ReadNfd(const package::Config& config, Problems& problems);
NormalizerPtr ReadNfkc(const package::Config& config, Problems& problems);
NormalizerPtr ReadNfkd(const package::Config& config, Problems& problems);
NormalizerPtr ReadNmt(const package::Config& config, Problems& problems);
NormalizerPtr ReadPrecompiled(const package::Config& config, Problems& problems);
NormalizerPtr ReadPrepend(const package::Config& config, Problems& problems);
NormalizerPtr ReadStripAccents(const package::Config& config, Problems& problems);
NormalizerPtr ReadStrip(const package::Config& config, Problems& problems);
NormalizerPtr ReadReplace(const package::Config& config, Problems& problems);
NormalizerPtr ReadNormalizerSequence(const package::Config& config, Problems& problems);

// What several components do.
void ApplyForm(Normalized& text, NormalForm form);
void ApplyLowercase(Normalized& text);

}  // namespace candor::text

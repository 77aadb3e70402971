// The normalizers that tokenizer.json may name.
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

constexpr ComponentReader<NormalizerPtr> kTable[] = {
    {"BertNormalizer", ReadBertNormalizer, "strip_accents"},
    {"ByteLevel", ReadByteLevelNormalizer},
    {"Lowercase", ReadLowercase},
    {"NFC", ReadNfc},
    {"NFD", ReadNfd},
    {"NFKC", ReadNfkc},
    {"NFKD", ReadNfkd},
    {"Nmt", ReadNmt},
    {"Precompiled", ReadPrecompiled},
    {"Prepend", ReadPrepend},
    {"Replace", ReadReplace},
    {"Sequence", ReadNormalizerSequence},
    {"Strip", ReadStrip},
    {"StripAccents", ReadStripAccents},
};

}  // namespace

NormalizerPtr ReadNormalizer(const package::Config& config, Problems& problems) {
  return ReadByType<NormalizerPtr>(config, "normalizer", kTable, problems);
}

}  // namespace candor::text

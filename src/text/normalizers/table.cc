// The normalizers that tokenizer.json may name.
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

constexpr ComponentReader<NormalizerPtr> kTable[] = {
    {"BertNormalizer", ReadBertNormalizer},
    {"Lowercase", ReadLowercase},
    {"NFC", ReadNfc},
    {"NFD", ReadNfd},
    {"NFKC", ReadNfkc},
    {"NFKD", ReadNfkd},
    {"Replace", ReadReplace},
    {"Sequence", ReadNormalizerSequence},
    {"Strip", ReadStrip},
    {"StripAccents", ReadStripAccents},
};

}  // namespace

NormalizerPtr ReadNormalizer(const package::Config& config, Problems& problems) {
  return ReadByType<NormalizerPtr>(config, kTable, problems);
}

}  // namespace candor::text

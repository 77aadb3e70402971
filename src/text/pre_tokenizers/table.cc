// The pre-tokenizers that tokenizer.json may name.
#include "text/pre_tokenizers/pre_tokenizer.h"

namespace candor::text {
namespace {

constexpr ComponentReader<PreTokenizerPtr> kTable[] = {
    {"BertPreTokenizer", ReadBertPreTokenizer},
    {"ByteLevel", ReadByteLevel},
    {"CharDelimiterSplit", ReadCharDelimiterSplit},
    {"Digits", ReadDigits},
    {"FixedLength", ReadFixedLength},
    {"Metaspace", ReadMetaspace, "split add_prefix_space str_rep"},
    {"Punctuation", ReadPunctuation},
    {"Sequence", ReadPreTokenizerSequence},
    {"Split", ReadSplit},
    {"UnicodeScripts", ReadUnicodeScripts},
    {"Whitespace", ReadWhitespace},
    {"WhitespaceSplit", ReadWhitespaceSplit},
};

}  // namespace

PreTokenizerPtr ReadPreTokenizer(const package::Config& config, Problems& problems) {
  return ReadByType<PreTokenizerPtr>(config, "pre_tokenizer", kTable, problems);
}

}  // namespace candor::text

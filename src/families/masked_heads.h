// Heads of the classes "...ForMaskedLM", as transformers 5.24 loads them. The last product, the decoder, is
// the word table where config.json ties the two and no decoder of its own is stored; a stored one that
// differs from the table is used as it is, tied or not. The biases of a decoder that is stored twice are tied
// alike. Where only a publisher's class has the head, it is that class's, under the same rule.
#pragma once
#include <string_view>

#include "model/model.h"

namespace candor::families {

// Whether the decoder is the word table: `tie_word_embeddings`, or what a class takes without the word.
// Logged as the choice "head.decoder".
bool ReadTied(const package::Config& config, bool fallback, Problems& problems);

// What stands in for a tied decoder's weight and bias where all but the layers has BERT's names.
inline constexpr std::string_view kWordTable = "embeddings.word_embeddings";
inline constexpr std::string_view kBertDecoderBias = "cls.predictions.bias";

// BERT, and Jina's two encoders, whose publisher copied it.
HeadSpec BertMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
// RoBERTa and its successors, and MPNet.
HeadSpec RobertaMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
// RoBERTa's, with another default.
HeadSpec JinaV3MaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
HeadSpec DistilBertMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
HeadSpec ModernBertMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
// Either of the two layouts that `legacy` chooses between.
HeadSpec DebertaMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
HeadSpec EuroBertMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
HeadSpec UltraBertMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
HeadSpec GteMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
HeadSpec NewMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);

}  // namespace candor::families

// Heads of the classes "...ForMaskedLM", as transformers 5.24 loads them. The last product, the decoder, is
// the word table where config.json ties the two and no decoder of its own is stored; a stored one that
// differs from the table is used as it is, tied or not. The biases of a decoder that is stored twice are tied
// alike.
#pragma once
#include "model/model.h"

namespace candor::families {

HeadSpec BertMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
// RoBERTa and its successors, and MPNet.
HeadSpec RobertaMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
HeadSpec DistilBertMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);
HeadSpec ModernBertMaskedHead(const package::Config& config, const HeadSizes& sizes, Problems& problems);

}  // namespace candor::families

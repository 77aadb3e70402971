// The members "vocab" and "merges" of a model of tokenizer.json, out of older files. False: problems say why.
#pragma once
#include <string>
#include <vector>

#include "package/package.h"

namespace candor::text {

// vocab.txt: a token a line, whose id is the number of the line.
bool WriteVocabTxt(const package::Package& package, std::string_view file, io::JsonWriter& out,
                   Problems& problems);
// vocab.json, an object of ids, and merges.txt, two tokens a line.
bool WriteVocabAndMerges(const package::Package& package, std::string_view file, io::JsonWriter& out,
                         Problems& problems);

}  // namespace candor::text

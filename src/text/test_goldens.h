// For tests: the packages of goldens/tokenizer, goldens/formats, goldens/keys and goldens/field, each
// compared with what the reference library answered. One thread.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace candor::text {

struct ComparedGolden {
  std::string name, difference = {};      // no difference: every text was answered as the reference does
  std::vector<std::string> choices = {};  // that reading it made: "tokenizer.normalizer=NFC"
  std::size_t texts = 0;
  double seconds = 0;
};
using GoldenVisitor = std::function<void(const ComparedGolden& golden)>;

// sample.json and models.json, made by tools/tokenizers/golden.py. Answers how many texts the file says it
// has.
std::size_t CompareTokenizerGoldens(const GoldenVisitor& visit);
// expected.json and its folders, made by tools/tokenizers/make_formats_goldens.py.
void CompareFormatGoldens(const GoldenVisitor& visit);
// keys/expected.json, made by tools/tokenizers/make_keys_goldens.py. Texts are cut where
// tokenizer_config.json says.
void CompareKeyGoldens(const GoldenVisitor& visit);
// field/expected.json, made by tools/tokenizers/make_field_goldens.py: its packages, and its long texts,
// where a golden is one text and `seconds` what the processor took for it.
void CompareFieldGoldens(const GoldenVisitor& visit);
void CompareLongGoldens(const GoldenVisitor& visit);

}  // namespace candor::text

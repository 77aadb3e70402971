// The models that tokenizer.json may name, and the form of a vocabulary that they share.
#include <algorithm>
#include <iterator>
#include <string>

#include "text/models/token_model.h"

namespace candor::text {
namespace {

constexpr ComponentReader<TokenModelPtr> kTable[] = {
    {"BPE", ReadBpe,
     "dropout unk_token continuing_subword_prefix end_of_word_suffix fuse_unk byte_fallback ignore_merges"},
    {"WordPiece", ReadWordPiece},
    {"WordLevel", ReadWordLevel},
    {"Unigram", ReadUnigram, "unk_id"},
};

// Files from before 2021 have no type; the library then takes the first model, in the order of this table,
// whose required keys are all there and right. Where a wrong one makes it go on to a later model, we refuse.
std::string_view UntypedModel(const package::Config& config) {
  if (config.Raw("merges") != nullptr) return "BPE";
  if (config.Raw("max_input_chars_per_word") != nullptr) return "WordPiece";
  const io::Json* vocab = config.Raw("vocab");
  if (vocab == nullptr) return "";
  return vocab->is_object() ? "WordLevel" : vocab->is_array() ? "Unigram" : "";
}

}  // namespace

TokenModelPtr ReadTokenModel(const package::Config& config, Problems& problems) {
  if (config.Raw("type") == nullptr) {
    const auto row = std::ranges::find(kTable, UntypedModel(config), &ComponentReader<TokenModelPtr>::type);
    if (row != std::end(kTable)) {
      config.Choice("tokenizer.model", row->type, "type");
      return ReadRow(config, *row, problems);
    }
  }
  return ReadByType<TokenModelPtr>(config, "model", kTable, problems);
}

Vocabulary ReadVocabulary(const package::Config& config, std::string_view key, Problems& problems) {
  Vocabulary vocabulary;
  const io::Json* vocab = config.Raw(key);
  const Where place = config.At(key);
  if (vocab == nullptr || !vocab->is_object()) {
    problems.push_back({Code::kInvalidPackageSchema, place,
                        vocab == nullptr ? "nothing" : std::string(vocab->KindName()),
                        "an object of tokens and ids", Phase::kProcessing});
    vocabulary.Seal();
    return vocabulary;
  }
  const auto members = vocab->members();
  std::size_t bytes = 0;
  for (const io::JsonMember& member : members) bytes += member.key.size();
  vocabulary.Reserve(members.size(), bytes);
  for (const io::JsonMember& member : members) {
    const bool whole = member.value.kind() == io::Json::Kind::kInt;
    const std::int64_t id = whole ? member.value.as_int() : -1;
    if (id < 0 || id > 0x7ffffffe) {
      problems.push_back({Code::kInvalidPackageSchema,
                          Where::At(place.file, place.pointer + "/" + io::EscapePointer(member.key)),
                          member.value.Dump(), "an id from 0 to 2147483646", Phase::kProcessing});
      continue;
    }
    vocabulary.Add(member.key, static_cast<std::int32_t>(id));
  }
  vocabulary.Seal();
  return vocabulary;
}

}  // namespace candor::text

// Reading BPE: its flags, then merges as "a b" or as ["a", "b"].
#include <algorithm>
#include <string>

#include "text/models/bpe.h"

namespace candor::text {
namespace {

constexpr std::size_t kMostProblems = 16;  // then the merges are of another vocabulary altogether

// A flag that may be absent or null.
class MergeReader {
 public:
  MergeReader(const package::Config& config, const Vocabulary& vocabulary, std::size_t prefix,
              Problems& problems)
      : vocabulary_(vocabulary), prefix_(prefix), place_(config.At("merges")), problems_(problems) {}

  Merges Read(const io::Json& list);
  bool steady() const { return steady_; }

 private:
  void ReadOne(const io::Json& item, std::size_t index);
  void ReadPair(std::string_view left, std::string_view right, std::size_t index);
  void Say(Code code, std::size_t index, std::string found, std::string allowed) {
    ++said_;
    if (found.empty()) found = "an empty string";
    problems_.push_back({code, Where::At(place_.file, place_.pointer + "/" + std::to_string(index)),
                         std::move(found), std::move(allowed), Phase::kProcessing});
  }

  const Vocabulary& vocabulary_;
  const std::size_t prefix_;
  const Where place_;
  Problems& problems_;
  Merges merges_;
  bool steady_ = true;
  bool pairs_ = false;  // written as lists of two
  std::size_t said_ = 0;
};

Merges MergeReader::Read(const io::Json& list) {
  const std::span<const io::Json> items = list.items();
  merges_.Reserve(items.size());
  pairs_ = !items.empty() && items.front().is_array();
  for (std::size_t i = 0; i < items.size() && said_ < kMostProblems; ++i) ReadOne(items[i], i);
  return std::move(merges_);
}

void MergeReader::ReadOne(const io::Json& item, std::size_t index) {
  if (pairs_) {
    const bool two = item.is_array() && item.items().size() == 2 && item.items()[0].is_string() &&
                     item.items()[1].is_string();
    if (!two)
      return Say(Code::kInvalidPackageSchema, index, item.Dump(), "a list of two tokens, as the first");
    return ReadPair(item.items()[0].as_string(), item.items()[1].as_string(), index);
  }
  if (!item.is_string()) {
    return Say(Code::kInvalidPackageSchema, index, item.Dump(), "a string of two tokens and a space between");
  }
  const std::string_view line = item.as_string();
  if (line.starts_with("#version")) return;  // the first line of a merges.txt; the library skips any such
  const std::size_t space = line.find(' ');
  if (space == line.npos || line.find(' ', space + 1) != line.npos) {
    return Say(Code::kInvalidPackageSchema, index, std::string(line),
               "two tokens and one space between them");
  }
  ReadPair(line.substr(0, space), line.substr(space + 1), index);
}

void MergeReader::ReadPair(std::string_view left, std::string_view right, std::size_t index) {
  const std::uint64_t left_hash = Vocabulary::Hash(left);
  const std::int32_t left_id = vocabulary_.Find({}, left, left_hash);
  const std::int32_t right_id = vocabulary_.Find({}, right, Vocabulary::Hash(right));
  if (left_id == Vocabulary::kAbsent || right_id == Vocabulary::kAbsent) {
    const std::string_view missing = left_id == Vocabulary::kAbsent ? left : right;
    return Say(Code::kUnsupportedProcessorRecipe, index, std::string(missing), "tokens of the vocabulary");
  }
  // As many bytes are cut as the prefix has, whatever they are.
  if (right.size() < prefix_) {
    return Say(Code::kUnsupportedProcessorRecipe, index, std::string(right),
               "a second token that starts with continuing_subword_prefix");
  }
  steady_ = steady_ && right.size() > prefix_;
  right.remove_prefix(prefix_);
  const std::int32_t product = vocabulary_.Find(left, right, Vocabulary::Hash(right, left_hash));
  if (product == Vocabulary::kAbsent) {
    return Say(Code::kUnsupportedProcessorRecipe, index,
               std::string(left) + std::string(right) + ", the result", "tokens of the vocabulary");
  }
  merges_.Add(left_id, right_id, product);
}

// No two tokens of one id.
bool Distinct(const package::Config& config, const Vocabulary& vocabulary) {
  const io::Json* vocab = config.Raw("vocab");
  if (vocab == nullptr || !vocab->is_object()) return false;
  // Ids far apart are rare, and only cost the faster way.
  if (vocabulary.largest_id() / 4 > static_cast<std::int64_t>(vocabulary.size())) return false;
  std::vector<bool> seen(static_cast<std::size_t>(vocabulary.largest_id() + 1));
  for (const io::JsonMember& member : vocab->members()) {
    if (member.value.kind() != io::Json::Kind::kInt || member.value.as_int() < 0 ||
        member.value.as_int() > vocabulary.largest_id()) {
      return false;
    }
    const auto id = static_cast<std::size_t>(member.value.as_int());
    if (seen[id]) return false;
    seen[id] = true;
  }
  return true;
}

BpeOptions ReadOptions(const package::Config& config, Problems& problems) {
  BpeOptions out;
  if (config.Has("unk_token")) out.unknown = config.Text("unk_token", "", problems);
  out.fuse_unknown = config.Flag("fuse_unk", false, problems);
  out.byte_fallback = config.Flag("byte_fallback", false, problems);
  out.ignore_merges = config.Flag("ignore_merges", false, problems);
  out.prefix = config.Text("continuing_subword_prefix", "", problems);
  out.suffix = config.Text("end_of_word_suffix", "", problems);
  if (config.Real("dropout", 0, problems) != 0) {
    Refuse(config, "dropout", config.Raw("dropout")->Dump(),
           "null, 0: the same text must give the same tokens", problems);
  }
  if (out.byte_fallback && !(out.prefix.empty() && out.suffix.empty())) {
    // The library then writes a byte token also for each byte of these, and places that are not in the text.
    Refuse(config, "byte_fallback", "true, with continuing_subword_prefix or end_of_word_suffix",
           "true only without them", problems);
  }
  return out;
}

}  // namespace

TokenModelPtr ReadBpe(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config,
                  {"dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk",
                   "byte_fallback", "ignore_merges", "vocab", "merges"},
                  problems);
  BpeOptions options = ReadOptions(config, problems);
  Vocabulary vocabulary = ReadVocabulary(config, "vocab", problems);
  MergeReader reader(config, vocabulary, options.prefix.size(), problems);
  Merges merges;
  if (const io::Json* list = config.Raw("merges"); list != nullptr && list->is_array()) {
    merges = reader.Read(*list);
  } else {
    problems.push_back({Code::kInvalidPackageSchema, config.At("merges"),
                        list == nullptr ? "nothing" : std::string(list->KindName()), "a list of merges",
                        Phase::kProcessing});
  }
  merges.Seal(reader.steady() && Distinct(config, vocabulary));
  return std::make_unique<Bpe>(std::move(vocabulary), std::move(merges), std::move(options));
}

}  // namespace candor::text

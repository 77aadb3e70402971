// Reading BPE: its flags, then merges as "a b" or as ["a", "b"].
#include <algorithm>
#include <string>

#include "text/models/bpe.h"

namespace candor::text {
namespace {

constexpr std::size_t kMostProblems = 16;  // then the merges are of another vocabulary altogether

// Reads the list in blocks, since looking tokens up is waiting for memory.
class MergeReader {
 public:
  MergeReader(const package::Config& config, const Vocabulary& vocabulary, std::size_t prefix,
              Problems& problems)
      : vocabulary_(vocabulary), prefix_(prefix), place_(config.At("merges")), problems_(problems) {}

  Merges Read(std::span<const io::Json> items);
  bool steady() const { return steady_; }

 private:
  static constexpr std::size_t kBlock = 256;
  struct Pair {
    std::size_t index;
    std::string_view left, right;
  };

  void ReadOne(const io::Json& item, std::size_t index);
  void AddPair(std::string_view left, std::string_view right, std::size_t index);
  void LookUp();  // the pairs of this block
  void Say(Code code, std::size_t index, std::string found, std::string allowed) {
    if (found.empty()) found = "an empty string";
    problems_.push_back({code, Where::At(place_.file, place_.pointer + "/" + std::to_string(index)),
                         std::move(found), std::move(allowed), Phase::kProcessing});
  }

  const Vocabulary& vocabulary_;
  const std::size_t prefix_;
  const Where place_;
  Problems& problems_;
  Merges merges_;
  std::vector<Pair> pairs_;
  std::vector<Vocabulary::Query> queries_;
  std::vector<std::int32_t> ids_;
  bool lists_ = false;  // each merge is a list of two
  bool steady_ = true;
};

Merges MergeReader::Read(std::span<const io::Json> items) {
  merges_.Reserve(items.size());
  lists_ = !items.empty() && items.front().is_array();
  const std::size_t before = problems_.size();
  for (std::size_t i = 0; i < items.size() && problems_.size() - before < kMostProblems; ++i) {
    ReadOne(items[i], i);
    if (pairs_.size() == kBlock) LookUp();
  }
  LookUp();
  return std::move(merges_);
}

void MergeReader::ReadOne(const io::Json& item, std::size_t index) {
  if (lists_) {
    const auto two = item.is_array() ? item.items() : std::span<const io::Json>();
    if (two.size() != 2 || !two[0].is_string() || !two[1].is_string()) {
      return Say(Code::kInvalidPackageSchema, index, item.Dump(),
                 "a list of two tokens, since the first merge is a list");
    }
    return AddPair(two[0].as_string(), two[1].as_string(), index);
  }
  if (!item.is_string()) {
    return Say(Code::kInvalidPackageSchema, index, item.Dump(), "two tokens and one space between them");
  }
  const std::string_view line = item.as_string();
  if (line.starts_with("#version")) return;  // the first line of a merges.txt; the library skips any such
  const std::size_t space = line.find(' ');
  if (space == line.npos || line.find(' ', space + 1) != line.npos) {
    return Say(Code::kInvalidPackageSchema, index, std::string(line),
               "two tokens and one space between them");
  }
  AddPair(line.substr(0, space), line.substr(space + 1), index);
}

void MergeReader::AddPair(std::string_view left, std::string_view right, std::size_t index) {
  if (right.size() < prefix_) {
    return Say(Code::kUnsupportedProcessorRecipe, index, std::string(right),
               "a second token that starts with continuing_subword_prefix");
  }
  steady_ = steady_ && right.size() > prefix_;
  const std::uint64_t hash = Vocabulary::Hash(left);
  const std::string_view rest = right.substr(prefix_);  // without its first bytes, whatever they are
  queries_.push_back({{}, left, hash});
  queries_.push_back({{}, right, Vocabulary::Hash(right)});
  queries_.push_back({left, rest, Vocabulary::Hash(rest, hash)});
  pairs_.push_back({index, left, right});
}

void MergeReader::LookUp() {
  ids_.resize(queries_.size());
  vocabulary_.FindAll(queries_, ids_);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Pair& pair = pairs_[i];
    const std::int32_t left = ids_[3 * i], right = ids_[3 * i + 1], product = ids_[3 * i + 2];
    if (left == Vocabulary::kAbsent || right == Vocabulary::kAbsent) {
      Say(Code::kUnsupportedProcessorRecipe, pair.index,
          std::string(left == Vocabulary::kAbsent ? pair.left : pair.right), "tokens of the vocabulary");
    } else if (product == Vocabulary::kAbsent) {
      Say(Code::kUnsupportedProcessorRecipe, pair.index,
          std::string(pair.left).append(pair.right.substr(prefix_)) + ", which the two make",
          "tokens of the vocabulary");
    } else {
      merges_.Add(left, right, product);
    }
  }
  pairs_.clear();
  queries_.clear();
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
    Refuse(config, "dropout", config.Shown("dropout"), "null, 0: the same text must give the same tokens",
           problems);
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
    merges = reader.Read(list->items());
  } else {
    problems.push_back({Code::kInvalidPackageSchema, config.At("merges"),
                        list == nullptr ? "nothing" : std::string(list->KindName()), "a list of merges",
                        Phase::kProcessing});
  }
  merges.Seal(reader.steady() && Distinct(config, vocabulary));
  return std::make_unique<Bpe>(std::move(vocabulary), std::move(merges), std::move(options));
}

}  // namespace candor::text

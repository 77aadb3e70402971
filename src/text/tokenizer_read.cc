// Reading a tokenizer: tokenizer.json first, then what tokenizer_config.json says about it, then the facts.
// Every problem of both files is reported at once.
#include <algorithm>
#include <string>

#include "text/limits.h"
#include "text/parts.h"
#include "text/tokenizer_config.h"

namespace candor::text {
namespace {

constexpr std::string_view kFile = "tokenizer.json", kConfigFile = "tokenizer_config.json";
constexpr std::string_view kNamesFile = "special_tokens_map.json";

// The object at `key`, unless it is absent or null; another kind is a problem.
std::optional<package::Config> Component(const package::Config& file, std::string_view key,
                                         Problems& problems) {
  if (!file.Has(key)) return std::nullopt;
  return file.Inside(key, problems);
}

// A file that is there but gave no document: its own problem, which opening the package found.
void ReportUnreadable(const package::Package& package, std::string_view file, Problems& problems) {
  const std::size_t before = problems.size();
  for (const Error& problem : package.problems()) {
    if (problem.where.file == file) problems.push_back(problem);
  }
  if (problems.size() == before) {
    problems.push_back({Code::kInvalidPackageSchema, Where::At(std::string(file)), "not an object",
                        "a JSON object", Phase::kProcessing});
  }
}

void RefuseNoIdLeft(Where place, Problems& problems) {
  problems.push_back({Code::kUnsupportedProcessorRecipe, std::move(place),
                      "a token that comes behind id 2147483646", "ids from 0 to 2147483646",
                      Phase::kProcessing});
}

}  // namespace

// Collects the parts; one per call of Tokenizer::Read.
struct PartsReader {
  std::unique_ptr<Tokenizer::Parts> parts = std::make_unique<Tokenizer::Parts>();
  Problems problems;
  std::vector<std::string> listed;  // contents of tokenizer.json's added tokens

  void ReadFile(const package::Config& file, const TokenizerConfig& says, bool lowercase_first);
  void ReadNormalizerOf(const package::Config& file, const TokenizerConfig& says, bool lowercase_first);
  NormalizerPtr Rebuilt(const package::Config& normalizer, const TokenizerConfig& says);
  void ReadTruncation(const package::Config& file);
  void ReadAdded(const package::Config& file);
  void AddWritten(const package::Config& config, const TokenizerConfig& says);
  void AddChecked(std::span<const AddedToken> tokens, std::span<const std::int32_t> ids,
                  std::span<const Where> places);
  void ReadFacts(const TokenizerConfig& says, std::span<const NamedToken> fallback);
  static Planned<std::shared_ptr<const Tokenizer>> Finish(PartsReader reader) {
    if (!reader.problems.empty()) return std::move(reader.problems);
    return std::shared_ptr<const Tokenizer>(new Tokenizer(std::move(reader.parts)));
  }
};

void PartsReader::ReadFile(const package::Config& file, const TokenizerConfig& says, bool lowercase_first) {
  RefuseOtherKeys(file,
                  {"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer",
                   "post_processor", "decoder", "model"},
                  problems);
  if (file.Has("version") && file.Text("version", "", problems) != "1.0") {
    Refuse(file, "version", file.Raw("version")->Dump(), "1.0", problems);
  }
  if (file.Raw("padding") != nullptr) file.Ignore("padding", "rows are packed, never padded");
  // Encoding does not need it, so what is wrong with it is what Decode answers.
  if (file.Raw("decoder") != nullptr) file.Ignore("decoder", "acts on decoding only");
  if (const auto inside = Component(file, "decoder", parts->decoder_problems)) {
    parts->decoder = ReadDecoder(*inside, parts->decoder_problems);
  }
  ReadTruncation(file);
  ReadNormalizerOf(file, says, lowercase_first);
  if (const auto inside = Component(file, "pre_tokenizer", problems)) {
    parts->pre_tokenizer = ReadPreTokenizer(*inside, problems);
  }
  if (const auto inside = Component(file, "post_processor", problems)) {
    parts->post_processor = ReadPostProcessor(*inside, problems);
  }
  if (const auto inside = Component(file, "model", problems)) {
    parts->model = ReadTokenModel(*inside, problems);
  } else if (!file.Has("model")) {
    RefuseAbsent(file, "model", "a model", problems);
  }
  if (parts->model != nullptr) ReadAdded(file);
}

void PartsReader::ReadNormalizerOf(const package::Config& file, const TokenizerConfig& says,
                                   bool lowercase_first) {
  NormalizerPtr normalizer;
  const auto inside = Component(file, "normalizer", problems);
  if (inside) {
    normalizer = says.ChangesNormalizer() ? Rebuilt(*inside, says) : ReadNormalizer(*inside, problems);
  } else if (!file.Has("normalizer") && says.ChangesNormalizer() && IsBertLike(says.tokenizer_class)) {
    problems.push_back({Code::kEvidenceConflict, file.At("normalizer"), "no normalizer",
                        "BertNormalizer, which keys of tokenizer_config.json describe", Phase::kProcessing});
  }
  if (normalizer != nullptr && normalizer->Growth() > kMaxGrowth) {
    const std::string most = std::to_string(kMaxGrowth);
    Refuse(file, "normalizer", "Replace steps that can make a text more than " + most + " times longer",
           "at most " + most + " times", problems);
  }
  if (lowercase_first) {
    std::vector<NormalizerPtr> steps;
    steps.push_back(MakeLowercase());
    if (normalizer != nullptr) steps.push_back(std::move(normalizer));
    normalizer = MakeSequence(std::move(steps));
  }
  parts->normalizer = std::move(normalizer);
}

NormalizerPtr PartsReader::Rebuilt(const package::Config& normalizer, const TokenizerConfig& says) {
  // Only the BERT classes build their normalizer from these keys; a plain class passes them by.
  const std::string type = normalizer.Text("type", "", problems);
  if (!says.tokenizer_class.empty() && !IsBertLike(says.tokenizer_class)) {
    const bool plain = says.tokenizer_class == "PreTrainedTokenizerFast" ||
                       says.tokenizer_class == "TokenizersBackend" ||
                       says.tokenizer_class == "PreTrainedTokenizer";
    if (!plain) {
      problems.push_back({Code::kUnsupportedProcessorRecipe,
                          Where::At(std::string(kConfigFile), "/tokenizer_class"), says.tokenizer_class,
                          "a BERT class, PreTrainedTokenizerFast, TokenizersBackend", Phase::kProcessing});
    }
    return ReadNormalizer(normalizer, problems);
  }
  if (type != "BertNormalizer") {
    problems.push_back({Code::kEvidenceConflict, normalizer.At("type"), type,
                        "BertNormalizer, which keys of tokenizer_config.json describe", Phase::kProcessing});
    return ReadNormalizer(normalizer, problems);
  }
  BertFlags flags = ReadBertFlags(normalizer, problems);
  std::optional<bool> strip_accents;
  if (normalizer.Has("strip_accents")) strip_accents = flags.strip_accents;
  if (says.strip_accents) strip_accents = *says.strip_accents;
  if (says.lowercase) flags.lowercase = *says.lowercase;
  if (says.handle_chinese_chars) flags.handle_chinese_chars = *says.handle_chinese_chars;
  flags.strip_accents = strip_accents.value_or(flags.lowercase);
  return MakeBert(flags);
}

void PartsReader::ReadTruncation(const package::Config& file) {
  const auto inside = Component(file, "truncation", problems);
  if (!inside) return;
  RefuseOtherKeys(*inside, {"direction", "max_length", "strategy", "stride"}, problems);
  if (!inside->Has("max_length")) RefuseAbsent(*inside, "max_length", "a number of tokens", problems);
  parts->facts.file_truncation = inside->Size("max_length", 0, problems);
  const std::string direction = inside->Text("direction", "Right", problems);
  if (direction != "Left" && direction != "Right")
    Refuse(*inside, "direction", direction, "Left, Right", problems);
  parts->facts.file_truncation_left = direction == "Left";
  inside->Ignore("strategy", "the caller decides what is cut");
  inside->Ignore("stride", "overflowing parts are not returned");
}

void PartsReader::ReadAdded(const package::Config& file) {
  std::vector<AddedToken> tokens;
  std::vector<std::int32_t> ids;
  std::vector<Where> places;
  if (!file.Has("added_tokens")) return;
  for (const package::Config& item : file.Items("added_tokens", problems)) {
    for (const std::string_view key : {"single_word", "lstrip", "rstrip", "normalized", "special"}) {
      if (!item.Has(key)) RefuseAbsent(item, key, "true or false", problems);
    }
    if (!item.Has("id")) RefuseAbsent(item, "id", "a token id", problems);
    AddedToken token = ReadAddedToken(item, AddedToken{}, {"id"}, problems);
    listed.push_back(token.content);
    tokens.push_back(std::move(token));
    ids.push_back(static_cast<std::int32_t>(item.Size("id", 0, problems, 0, 0x7ffffffe)));
    places.push_back(item.At("id"));
  }
  AddChecked(tokens, ids, places);
}

void PartsReader::AddChecked(std::span<const AddedToken> tokens, std::span<const std::int32_t> ids,
                             std::span<const Where> places) {
  const std::vector<std::int32_t> given = parts->added.Add(tokens, parts->model->vocabulary());
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == AddedTokens::kNoIdLeft) RefuseNoIdLeft(places[i], problems);
    // The library warns and goes on with its own id: one of the two is not what the model was trained with.
    if (given[i] < 0 || given[i] == ids[i]) continue;
    problems.push_back({Code::kEvidenceConflict, places[i], std::to_string(ids[i]),
                        std::to_string(given[i]) + ", the id that the vocabulary leads to",
                        Phase::kProcessing});
  }
}

void PartsReader::AddWritten(const package::Config& config, const TokenizerConfig& says) {
  if (parts->model == nullptr) return;
  if (says.added_tokens_decoder) {
    std::vector<AddedToken> tokens;
    std::vector<std::int32_t> ids;
    std::vector<Where> places;
    for (const auto& [id, token] : *says.added_tokens_decoder) {
      tokens.push_back(token);
      ids.push_back(id);
      places.push_back(Where::At(config.file(), "/added_tokens_decoder/" + std::to_string(id)));
    }
    AddChecked(tokens, ids, places);
  }
  std::vector<AddedToken> named;
  for (const NamedToken& name : says.named) {
    AddedToken token = name.token;
    bool known = false;
    if (says.added_tokens_decoder) {
      known = std::any_of(says.added_tokens_decoder->begin(), says.added_tokens_decoder->end(),
                          [&](const auto& row) { return row.second.content == token.content; });
    } else {
      known = std::find(listed.begin(), listed.end(), token.content) != listed.end();
    }
    // A token that is listed keeps its listed flags; being named makes it special.
    if (const AddedToken* present = parts->added.Find(token.content); known && present != nullptr)
      token = *present;
    token.special = true;
    named.push_back(std::move(token));
  }
  // No id is written to compare with.
  const std::vector<std::int32_t> given = parts->added.Add(named, parts->model->vocabulary());
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == AddedTokens::kNoIdLeft) RefuseNoIdLeft(config.At(says.named[i].key), problems);
  }
}

void PartsReader::ReadFacts(const TokenizerConfig& says, std::span<const NamedToken> fallback) {
  TokenizerFacts& facts = parts->facts;
  facts.model_max_length = says.model_max_length;
  facts.truncation_left = says.truncation_left;
  parts->type_ids = says.type_ids;
  if (parts->model == nullptr) return;
  const Vocabulary& vocabulary = parts->model->vocabulary();
  const auto id_of = [&](std::string_view content) {
    const auto added = parts->added.IdOf(content);
    return added ? added : vocabulary.IdOf(content);
  };
  const auto named = [&](std::string_view key) -> std::optional<std::int32_t> {
    for (const std::span<const NamedToken> from : {std::span(says.named), fallback}) {
      for (const NamedToken& name : from) {
        if (name.key == key) return id_of(name.token.content);
      }
    }
    return std::nullopt;
  };
  facts.pad_id = named("pad_token");
  facts.cls_id = named("cls_token");
  facts.sep_id = named("sep_token");
  facts.mask_id = named("mask_token");
  facts.unk_id = id_of(parts->model->unknown());
  facts.vocabulary = static_cast<std::size_t>(
      std::int64_t{std::max(vocabulary.largest_id(), parts->added.largest_id())} + 1);
}

Planned<std::shared_ptr<const Tokenizer>> Tokenizer::Read(const package::Package& package,
                                                          std::shared_ptr<package::ReadLog> log,
                                                          bool lowercase_first) {
  PartsReader reader;
  Problems& problems = reader.problems;
  if (!package.Has(kFile)) {
    return Problems{{Code::kComponentMissing, Where::At(std::string(kFile)),
                     package.Has("vocab.txt") ? "vocab.txt alone" : "nothing", "tokenizer.json",
                     Phase::kProcessing}};
  }
  TokenizerConfig says;
  const auto config = package.Read(kConfigFile, log);
  if (config) {
    says = ReadTokenizerConfig(*config, problems);
  } else if (package.Has(kConfigFile)) {
    ReportUnreadable(package, kConfigFile, problems);
  }
  const auto file = package.Read(kFile, log);
  if (!file) {
    ReportUnreadable(package, kFile, problems);
    return std::move(problems);
  }
  reader.ReadFile(*file, says, lowercase_first);
  if (config) reader.AddWritten(*config, says);
  for (const std::string& content : reader.parts->added.Seal(reader.parts->normalizer.get())) {
    Refuse(*file, "added_tokens", content,
           "tokens that stay distinct, not empty and within " + std::to_string(kMaxMatchBytes) +
               " bytes when normalised",
           problems);
  }
  std::vector<NamedToken> fallback;
  if (const auto names = package.Read(kNamesFile, log)) {
    Problems ignored;  // this file has no say in ids, so its damage is none of ours
    fallback = ReadNamedTokens(*names, ignored);
  }
  reader.ReadFacts(says, fallback);
  return PartsReader::Finish(std::move(reader));
}

}  // namespace candor::text

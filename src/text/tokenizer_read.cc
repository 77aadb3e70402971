// Reading a tokenizer: tokenizer.json, or what formats/ makes of older files, then what the written keys of
// tokenizer_config.json, special_tokens_map.json and added_tokens.json change, then the facts.
// Every problem of all files is reported at once. Long because every section of a file is read by one class,
// which collects the parts and the problems.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "text/class_rules.h"
#include "text/formats/formats.h"
#include "text/limits.h"
#include "text/parts.h"
#include "text/tokenizer_config.h"

namespace candor::text {
namespace {

constexpr std::string_view kFile = "tokenizer.json", kConfigFile = "tokenizer_config.json";
constexpr std::string_view kNamesFile = "special_tokens_map.json", kAddedFile = "added_tokens.json";

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
  std::vector<std::string> listed;            // contents of tokenizer.json's added tokens
  std::set<std::int32_t> listed_ids;          // and their ids
  std::map<std::string, Where> added_places;  // of every added token, by content
  bool cuts = false;                          // the truncation section is in force
  std::string tokenizer_file;                 // tokenizer.json, or what stands for it

  void ReadFile(const package::Config& file, const TokenizerConfig& says, bool lowercase_first);
  void ReadNormalizerOf(const package::Config& file, const TokenizerConfig& says, bool lowercase_first);
  NormalizerPtr Rebuilt(const package::Config& normalizer, const TokenizerConfig& says);
  void ReadTruncation(const package::Config& file);
  void ReadCut(const package::Config& truncation);
  void ReadAdded(const package::Config& file);
  void AddWritten(const TokenizerConfig& says);
  void ReadConverted(const Converted& converted, const TokenizerConfig& says, bool lowercase_first);
  std::optional<std::int32_t> IdOf(std::string_view content) const;
  void AddChecked(std::span<const AddedToken> tokens, std::span<const std::int32_t> ids,
                  std::span<const Where> places);
  void SealAdded(const package::Config& file);
  void ReadFacts(const TokenizerConfig& says, std::span<const NamedToken> fallback);
  static Planned<std::shared_ptr<const Tokenizer>> Finish(PartsReader reader,
                                                          std::span<const std::string> markers = {}) {
    if (!reader.problems.empty()) return std::move(reader.problems);
    const std::shared_ptr<Tokenizer> tokenizer(new Tokenizer(std::move(reader.parts)));
    tokenizer->Register(markers, reader.tokenizer_file, reader.problems);
    if (!reader.problems.empty()) return std::move(reader.problems);
    return std::shared_ptr<const Tokenizer>(tokenizer);
  }
};

void PartsReader::ReadFile(const package::Config& file, const TokenizerConfig& says, bool lowercase_first) {
  const std::size_t before = problems.size();
  RefuseOtherKeys(file,
                  {"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer",
                   "post_processor", "decoder", "model"},
                  problems);
  if (file.Has("version") && file.Text("version", "", problems) != "1.0") {
    Refuse(file, "version", file.Shown("version"), "1.0", problems);
  }
  if (file.Raw("padding") != nullptr) file.Ignore("padding", "rows are packed, never padded");
  // Encoding does not need it, so what is wrong with it is what Decode answers.
  if (file.Raw("decoder") != nullptr) file.Ignore("decoder", "acts on decoding only");
  if (const auto inside = Component(file, "decoder", parts->decoder_problems)) {
    parts->decoder = ReadDecoder(*inside, parts->decoder_problems);
  }
  ReadTruncation(file);
  ReadNormalizerOf(file, says, lowercase_first);
  if (const auto written = Component(file, "pre_tokenizer", problems)) {
    const auto changed = WithPrefixSpace(file, says, problems);
    const package::Config* inside = changed ? &*changed : &*written;
    parts->pre_tokenizer = ReadPreTokenizer(*inside, problems);
  }
  if (const auto written = Component(file, "post_processor", problems)) {
    const auto changed = WithOffsets(file, says);
    const package::Config* inside = changed ? &*changed : &*written;
    parts->post_processor = ReadPostProcessor(*inside, problems);
  }
  if (const auto inside = Component(file, "model", problems)) {
    parts->model = ReadTokenModel(*inside, problems);
  } else if (!file.Has("model")) {
    RefuseAbsent(file, "model", "a model", problems);
  }
  if (parts->model != nullptr) ReadAdded(file);
  RefuseNulls(file, "truncation padding normalizer pre_tokenizer post_processor decoder", before, problems);
}

void PartsReader::ReadNormalizerOf(const package::Config& file, const TokenizerConfig& says,
                                   bool lowercase_first) {
  NormalizerPtr normalizer;
  const ClassRules* rules = RulesOf(says.tokenizer_class);
  const auto inside = Component(file, "normalizer", problems);
  if (inside) {
    normalizer = says.ChangesNormalizer() ? Rebuilt(*inside, says) : ReadNormalizer(*inside, problems);
  } else if (!file.Has("normalizer") && says.ChangesNormalizer() && rules != nullptr && rules->bert_keys &&
             !says.tokenizer_class.empty()) {
    problems.push_back({Code::kEvidenceConflict, file.At("normalizer"), "no normalizer",
                        "BertNormalizer, which keys of tokenizer_config.json describe", Phase::kProcessing});
  }
  if (normalizer != nullptr && normalizer->growth().most() > kMaxGrowth) {
    const std::string most = std::to_string(kMaxGrowth);
    Refuse(file, "normalizer", "steps that can make a text more than " + most + " times longer",
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
  // Only the BERT classes build their normalizer from these keys; a plain class passes them by. A package
  // that names no class is taken at its word.
  const std::string type = normalizer.Text("type", "", problems);
  const ClassRules* rules = RulesOf(says.tokenizer_class);
  if (!says.tokenizer_class.empty() && (rules == nullptr || !rules->bert_keys)) {
    if (rules == nullptr || !rules->plain) {
      problems.push_back({Code::kUnsupportedProcessorRecipe, says.class_place, says.tokenizer_class,
                          "a BERT class, PreTrainedTokenizerFast, TokenizersBackend", Phase::kProcessing});
    }
    return ReadNormalizer(normalizer, problems);
  }
  if (type != "BertNormalizer") {
    problems.push_back({Code::kEvidenceConflict, normalizer.At("type"), type,
                        "BertNormalizer, which keys of tokenizer_config.json describe", Phase::kProcessing});
    return ReadNormalizer(normalizer, problems);
  }
  normalizer.Choice("tokenizer.normalizer", type, "type");
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
  const std::size_t before = problems.size();
  RefuseOtherKeys(*inside, {"direction", "max_length", "strategy", "stride"}, problems);
  if (!inside->Has("max_length")) RefuseAbsent(*inside, "max_length", "a number of tokens", problems);
  parts->facts.file_truncation = inside->Size("max_length", 0, problems);
  const std::string direction = inside->Text("direction", "Right", problems);
  if (direction != "Left" && direction != "Right")
    Refuse(*inside, "direction", direction, "Left, Right", problems);
  parts->facts.file_truncation_left = direction == "Left";
  if (cuts) {
    ReadCut(*inside);
  } else {
    inside->Ignore("strategy", "the caller decides what is cut");
    inside->Ignore("stride", "overflowing parts are not returned");
  }
  RefuseNulls(*inside, {}, before, problems);
}

// What the library cuts a single text by.
void PartsReader::ReadCut(const package::Config& truncation) {
  const std::string strategy = truncation.Text("strategy", "LongestFirst", problems);
  if (strategy != "LongestFirst" && strategy != "OnlyFirst")
    Refuse(truncation, "strategy", strategy, "LongestFirst, OnlyFirst: there is one text", problems);
  const std::size_t stride = truncation.Size("stride", 0, problems), most = *parts->facts.file_truncation;
  // A text that is cut ends the library then.
  if (stride != 0 && stride >= most)
    Refuse(truncation, "stride", std::to_string(stride), "below max_length, " + std::to_string(most),
           problems);
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
    added_places.insert_or_assign(token.content, item.At("content"));
    tokens.push_back(std::move(token));
    ids.push_back(static_cast<std::int32_t>(item.Size("id", 0, problems, 0, 0x7ffffffe)));
    listed_ids.insert(ids.back());
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
    if (given[i] < 0 || given[i] == ids[i] || ids[i] == Converted::kAnyId) continue;
    problems.push_back({Code::kEvidenceConflict, places[i], std::to_string(ids[i]),
                        std::to_string(given[i]) + ", the id that the vocabulary leads to",
                        Phase::kProcessing});
  }
}

void PartsReader::AddWritten(const TokenizerConfig& says) {
  if (parts->model == nullptr) return;
  const bool decoder = says.added_tokens_decoder.has_value();
  const auto& rows = decoder ? says.added_tokens_decoder : says.added_tokens_file;
  std::set<std::string> encoder(listed.begin(), listed.end()), names;
  for (const NamedToken& name : says.named) {
    if (name.key != kExtra && name.key != kAdditional) names.insert(name.token.content);
  }
  if (rows) {
    std::vector<AddedToken> tokens;
    std::vector<std::int32_t> ids;
    std::vector<Where> places;
    for (const auto& [id, token] : *rows) {
      // Where both give a token for an id, tokenizer.json goes before added_tokens.json.
      if (!decoder && listed_ids.contains(id)) continue;
      encoder.insert(token.content);
      tokens.push_back(token);
      ids.push_back(id);
      tokens.back().special = token.special || names.contains(token.content);
      places.push_back(decoder ? says.At(kConfigFile, "/added_tokens_decoder/" + std::to_string(id))
                               : says.At(kAddedFile, "/" + io::EscapePointer(token.content)));
      added_places.insert_or_assign(token.content, places.back());
    }
    AddChecked(tokens, ids, places);
  }
  std::vector<AddedToken> named;
  std::vector<Where> places;
  for (const NamedToken& name : says.named) {
    AddedToken token = name.token;
    if (encoder.contains(token.content)) {
      // What is listed stays as it is listed, but special; tokenizer.json's list is read again only where
      // there is no added_tokens_decoder.
      const AddedToken* present = parts->added.Find(token.content);
      if (decoder || !names.contains(token.content) || present == nullptr) continue;
      token = *present;
      token.special = true;
    }
    named.push_back(std::move(token));
    places.push_back(name.place);
    added_places.try_emplace(name.token.content, name.place);
  }
  // No id is written to compare with.
  const std::vector<std::int32_t> given = parts->added.Add(named, parts->model->vocabulary());
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == AddedTokens::kNoIdLeft) RefuseNoIdLeft(places[i], problems);
  }
}

std::optional<std::int32_t> PartsReader::IdOf(std::string_view content) const {
  const auto added = parts->added.IdOf(content);
  return added ? added : parts->model->vocabulary().IdOf(content);
}

// The class's own tokens are added first, then its post-processor names them by their ids.
void PartsReader::ReadConverted(const Converted& converted, const TokenizerConfig& says,
                                bool lowercase_first) {
  TokenizerConfig silent;  // what is written has been built in
  silent.tokenizer_class = says.tokenizer_class;
  ReadFile(*converted.body, silent, lowercase_first);
  parts->type_ids = converted.recipe->type_ids;
  if (parts->model == nullptr) return;
  AddChecked(converted.tokens, converted.ids, converted.places);
  for (std::size_t i = 0; i < converted.tokens.size(); ++i) {
    added_places.try_emplace(converted.tokens[i].content, converted.places[i]);
  }
  std::map<std::string, std::int32_t, std::less<>> ids;
  for (const auto& [name, content] : converted.names) {
    if (const auto id = IdOf(content)) ids.emplace(name, *id);
  }
  const auto post = PostProcessorOf(converted, ids, problems);
  if (post) parts->post_processor = ReadPostProcessor(*post, problems);
}

void PartsReader::ReadFacts(const TokenizerConfig& says, std::span<const NamedToken> fallback) {
  TokenizerFacts& facts = parts->facts;
  facts.model_max_length = says.model_max_length;
  facts.truncation_left = says.truncation_left;
  parts->type_ids = says.type_ids.value_or(parts->type_ids);
  parts->parse_special = !says.split_special_tokens;
  if (parts->model == nullptr) return;
  const Vocabulary& vocabulary = parts->model->vocabulary();
  const auto named = [&](std::string_view key) -> std::optional<std::int32_t> {
    for (const std::span<const NamedToken> from : {std::span(says.named), fallback}) {
      for (const NamedToken& name : from) {
        if (name.key == key) return IdOf(name.token.content);
      }
    }
    return std::nullopt;
  };
  facts.pad_id = named("pad_token");
  facts.cls_id = named("cls_token");
  facts.sep_id = named("sep_token");
  facts.mask_id = named("mask_token");
  facts.eos_id = named("eos_token");
  facts.unk_id = IdOf(parts->model->unknown());
  const ClassRules* rules = RulesOf(says.tokenizer_class);
  const bool by_default = (rules == nullptr || !rules->plain) && !says.unnamed.contains("unk_token");
  facts.unk_token_id = named("unk_token");
  if (!facts.unk_token_id && by_default) facts.unk_token_id = facts.unk_id;
  facts.marks_continuation = parts->model->marks_continuation();
  facts.vocabulary = static_cast<std::size_t>(
      std::int64_t{std::max(vocabulary.largest_id(), parts->added.largest_id())} + 1);
}

// Added tokens that cannot be looked for are problems at the places that name them.
void PartsReader::SealAdded(const package::Config& file) {
  for (const std::string& content : parts->added.Seal(parts->normalizer.get())) {
    const auto place = added_places.find(content);
    problems.push_back({Code::kUnsupportedProcessorRecipe,
                        place == added_places.end() ? file.At("added_tokens") : place->second, content,
                        "tokens that stay distinct, not empty and within " + std::to_string(kMaxMatchBytes) +
                            " bytes when normalised",
                        Phase::kProcessing});
  }
}

Planned<std::shared_ptr<const Tokenizer>> Tokenizer::ReadFile(const package::Package& package,
                                                              std::string_view file, bool cuts,
                                                              std::shared_ptr<package::ReadLog> log) {
  PartsReader reader;
  reader.cuts = cuts, reader.parts->add_special = false;
  const std::optional<package::Config> config = package.Read(file, std::move(log));
  if (!config) {
    if (package.Has(file)) {
      ReportUnreadable(package, file, reader.problems);
    } else {
      reader.problems.push_back({Code::kComponentMissing, Where::At(std::string(file)), "no such file",
                                 "the tokenizer of a static table", Phase::kProcessing});
    }
    return std::move(reader.problems);
  }
  const TokenizerConfig silent;
  reader.ReadFile(*config, silent, false);
  reader.SealAdded(*config);
  reader.ReadFacts(silent, {});
  TokenizerFacts& facts = reader.parts->facts;
  if (cuts)
    facts.model_max_length = facts.file_truncation, facts.truncation_left = facts.file_truncation_left;
  return PartsReader::Finish(std::move(reader));
}

Planned<std::shared_ptr<const Tokenizer>> Tokenizer::Read(const package::Package& package,
                                                          std::shared_ptr<package::ReadLog> log,
                                                          bool lowercase_first, const std::string& folder,
                                                          std::span<const std::string> markers) {
  PartsReader reader;
  Problems& problems = reader.problems;
  const auto in = [&](std::string_view name) { return folder + std::string(name); };
  reader.tokenizer_file = in(kFile);
  TokenizerConfig says;
  if (const auto config = package.Read(in(kConfigFile), log)) {
    says = ReadTokenizerConfig(*config, problems);
  } else if (package.Has(in(kConfigFile))) {
    ReportUnreadable(package, in(kConfigFile), problems);
  }
  if (const auto model = package.Read(in("config.json"), log); model && model->Has("tokenizer_class")) {
    const std::string named = model->Text("tokenizer_class", "", problems);
    if (says.tokenizer_class.empty()) {
      says.tokenizer_class = named;
      says.class_place = model->At("tokenizer_class");
    }
  }
  says.folder = folder;
  std::vector<NamedToken> fallback;
  for (const std::string& name : {in(kNamesFile), in(kAddedFile)}) {
    if (package.Has(name) && !package.Document(name) && !says.added_tokens_decoder) {
      ReportUnreadable(package, name, problems);
    }
  }
  const auto names = package.Read(in(kNamesFile), log);
  if (names && says.added_tokens_decoder) {
    Problems ignored;  // this file has no say in ids then, so its damage is none of ours
    fallback = ReadNamedTokens(*names, ignored);
  }
  ApplyOldFiles(names, package.Read(in(kAddedFile), log), says, problems);
  std::optional<package::Config> file = package.Read(in(kFile), log);
  if (file) {
    reader.ReadFile(*file, says, lowercase_first);
    reader.AddWritten(says);
    if (reader.parts->model != nullptr)
      CheckEnds(says, reader.parts->post_processor.single[1], reader.parts->added, problems);
  } else if (package.Has(in(kFile))) {
    ReportUnreadable(package, in(kFile), problems);
    return std::move(problems);
  } else if (folder != package.encoder()) {
    problems.push_back({Code::kComponentMissing, Where::At(in(kFile)), "no such file",
                        "the module's tokenizer", Phase::kProcessing});
    return std::move(problems);
  } else {
    const auto converted = Convert(package, says, log, problems);
    if (!converted) return std::move(problems);
    reader.ReadConverted(*converted, says, lowercase_first);
    for (const auto& [key, content] : converted->names) fallback.push_back({key, AddedToken{content}, {}});
    file = converted->body;
  }
  reader.SealAdded(*file);
  reader.ReadFacts(says, fallback);
  return PartsReader::Finish(std::move(reader), markers);
}

}  // namespace candor::text

// What a recipe makes of a package: the parts filled in, the vocabulary written, the tokens in the order in
// which the reference's class adds them, and the post-processor last, since it names them by their ids.
#include <algorithm>
#include <set>

#include "text/formats/formats.h"
#include "text/formats/pieces.h"
#include "text/formats/vocabulary_files.h"

namespace candor::text {
namespace {

using Scores = std::vector<std::pair<std::string, double>>;

std::string Quoted(std::string_view text) {
  io::JsonWriter out;
  return out.String(text).Take();
}

bool IsNameByte(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

class Converter {
 public:
  Converter(const package::Package& package, const TokenizerConfig& says, const Recipe& recipe,
            std::shared_ptr<package::ReadLog> log, Problems& problems)
      : package_(package), says_(says), recipe_(recipe), problems_(problems) {
    out_.recipe = &recipe;
    out_.log = std::move(log);
    out_.config_file = says.folder + "tokenizer_config.json";
  }

  std::optional<Converted> Run() {
    const std::size_t before = problems_.size();
    file_ = says_.folder + std::string(recipe_.file);
    const bool pieces =
        recipe_.source == VocabularySource::kUnigram || recipe_.source == VocabularySource::kPieceMerges;
    // The reference takes a file of this name for any class, and other formats before that. It looks for them
    // in the root, whatever folder the encoder has, and then opens the one in that folder.
    for (const std::string_view other : {"tokenizer.model", "tekken.json", "tiktoken.model"}) {
      if (!package_.Has(other) || other == recipe_.file) continue;
      if (pieces && other == "tokenizer.model") {
        file_ = says_.folder + std::string(other);
        continue;
      }
      Refuse(std::string(other), {}, "a file that would take the place of " + std::string(recipe_.file),
             "only one of them");
    }
    if (!package_.Has(file_)) {
      problems_.push_back(
          {Code::kComponentMissing, Where::At(file_), "nothing",
           "the vocabulary of " + std::string(recipe_.tokenizer_class) + ", or tokenizer.json",
           Phase::kProcessing});
      return std::nullopt;
    }
    Options();
    Names();
    if (pieces && !Pieces()) return std::nullopt;
    if (problems_.size() != before) return std::nullopt;
    Spaces();
    if (!Body()) return std::nullopt;
    Tokens();
    if (problems_.size() != before) return std::nullopt;
    return std::move(out_);
  }

 private:
  void Refuse(std::string file, std::string pointer, std::string found, std::string allowed) {
    problems_.push_back({Code::kUnsupportedProcessorRecipe, Where::At(std::move(file), std::move(pointer)),
                         std::move(found), std::move(allowed), Phase::kProcessing});
  }

  const std::string& Value(std::string_view name) const {
    static const std::string kNull = "null";
    const auto it = out_.values.find(name);
    return it == out_.values.end() ? kNull : it->second;
  }
  bool On(std::string_view name) const { return Value(name) == "true"; }

  void Options() {
    const auto config = package_.Read(out_.config_file, out_.log);
    for (const RecipeOption& option : recipe_.options) {
      std::string value(option.fallback);
      if (config && config->Has(option.key)) {
        const bool number =
            option.fallback != "true" && option.fallback != "false" && option.fallback != "null";
        value = number ? std::to_string(config->Size(option.key, 0, problems_, 0, 10'000))
                       : (config->Flag(option.key, false, problems_) ? "true" : "false");
      } else {
        out_.log->Add({std::string(option.key),
                       value,
                       "registry_mapping",
                       {},
                       {},
                       "default: transformers " + std::string(recipe_.tokenizer_class)});
      }
      out_.values.insert_or_assign(std::string(option.key), std::move(value));
    }
  }

  void Names() {
    for (std::size_t i = 0; i < std::size(kNamedTokens); ++i) {
      const std::string key(kNamedTokens[i]);
      std::string content(recipe_.names[i]);
      if (says_.unnamed.contains(key)) content.clear();
      for (const NamedToken& token : says_.named) {
        if (token.key == key) content = token.token.content;
      }
      if (content.empty()) continue;
      out_.values.insert_or_assign(key.substr(0, key.size() - 6), Quoted(content));  // "cls"
      out_.names.insert_or_assign(key, std::move(content));
    }
  }

  const std::string* Named(std::string_view name) const {
    const auto it = out_.names.find(std::string(name) + "_token");
    return it == out_.names.end() ? nullptr : &it->second;
  }

  // Names of tokens, or tokens themselves.
  Scores Frame(std::string_view list) const {
    Scores out;
    while (!list.empty()) {
      const std::size_t end = list.find(' ');
      const std::string word(list.substr(0, end));
      list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
      if (word == "extra_ids") {
        for (int i = std::stoi(Value("extra_ids")); i-- > 0;) out.emplace_back(ExtraId(i), 0.0);
        continue;
      }
      const std::string* token = Named(word);
      out.emplace_back(token != nullptr ? *token : word, word == "<unk>NOTUSED" ? -100.0 : 0.0);
    }
    return out;
  }
  static std::string ExtraId(int i) { return "<extra_id_" + std::to_string(i) + ">"; }

  bool Pieces() {
    const auto bytes = package_.Contents(file_);
    if (!bytes) {
      problems_.push_back(bytes.error());
      return false;
    }
    auto model = ReadSentencePiece(*bytes, file_);
    if (!model) {
      problems_.push_back(model.error());
      return false;
    }
    model_ = std::move(*model);
    const bool unigram = recipe_.source == VocabularySource::kUnigram;
    if (model_.unigram != unigram) {
      Refuse(file_, "/trainer_spec/model_type", model_.unigram ? "1 (unigram)" : "2 (bpe)",
             unigram ? "1 (unigram), which the tokenizer's class reads"
                     : "2 (bpe), which the tokenizer's class reads");
      return false;
    }
    if (unigram) {
      if (model_.pieces.size() <= recipe_.pieces.skipped) {
        Refuse(file_, "/pieces", std::to_string(model_.pieces.size()) + " pieces",
               "more than " + std::to_string(recipe_.pieces.skipped));
        return false;
      }
      scored_ =
          Scored(model_, Frame(recipe_.pieces.before), recipe_.pieces.skipped, Frame(recipe_.pieces.after));
      const std::string* unknown = Named("unk");
      const std::size_t first = unknown == nullptr ? 0 : scored_.FirstOf(*unknown);
      const bool there = unknown != nullptr && scored_.pieces[first] == std::pair(*unknown, 0.0);
      out_.values["unk_first"] = std::to_string(first);
      out_.values["unk_scored"] = std::to_string(there ? first : model_.unknown);
    }
    if (!model_.charsmap.empty()) {
      out_.values["charsmap"] =
          R"({"type":"Precompiled","precompiled_charsmap":")" + Base64Of(model_.charsmap) + "\"}";
    }
    return true;
  }

  // Steps that stand in a list only where an option asks for them.
  void Spaces() {
    auto& v = out_.values;
    const bool with = !v.contains("add_prefix_space") || On("add_prefix_space");
    const bool legacy = !v.contains("legacy") || On("legacy");
    v["scheme"] = Quoted(!with ? recipe_.without_prefix : legacy ? "always" : "first");
    v["then_charsmap"] = v.contains("charsmap") ? "," + v["charsmap"] : "";
    v["then_unaccent"] = On("keep_accents") ? "" : R"(,{"type":"NFKD"},{"type":"StripAccents"})";
    v["then_lower"] = On("do_lower_case") ? R"(,{"type":"Lowercase"})" : "";
    v["lower_first"] = On("do_lower_case") ? R"({"type":"Lowercase"},)" : "";
    v["punctuation_first"] = On("split_by_punct") ? R"({"type":"Punctuation","behavior":"Isolated"},)" : "";
    const bool llama = recipe_.tokenizer_class == "LlamaTokenizer";
    v["then_strip"] = llama && with ? R"(,{"type":"Strip","content":" ","start":1,"stop":0})" : "";
    v["unk_or_null"] = recipe_.unknown_in_model ? Value("unk") : "null";
  }

  std::string Fill(std::string_view text) const {
    std::string out;
    while (!text.empty()) {
      const std::size_t at = text.find('$');
      out += text.substr(0, at);
      if (at == std::string_view::npos) break;
      std::size_t end = at + 1;
      while (end < text.size() && IsNameByte(text[end])) ++end;
      out += Value(text.substr(at + 1, end - at - 1));
      text.remove_prefix(end);
    }
    return out;
  }

  bool Body() {
    io::JsonWriter vocabulary;
    vocabulary.BeginObject();
    switch (recipe_.source) {
      case VocabularySource::kVocabTxt:
        if (!WriteVocabTxt(package_, file_, vocabulary, problems_)) return false;
        break;
      case VocabularySource::kVocabAndMerges:
        if (!WriteVocabAndMerges(package_, file_, vocabulary, problems_)) return false;
        break;
      case VocabularySource::kUnigram:
        scored_.Write(vocabulary);
        break;
      case VocabularySource::kPieceMerges:
        WriteMerges(model_, vocabulary);
        break;
    }
    const std::string members = vocabulary.EndObject().Take();
    const std::string text = R"({"version":"1.0","truncation":null,"padding":null,"normalizer":)" +
                             Fill(recipe_.normalizer) + R"(,"pre_tokenizer":)" + Fill(recipe_.pre_tokenizer) +
                             R"(,"decoder":)" + Fill(recipe_.decoder) + R"(,"model":{)" +
                             Fill(recipe_.model) + "," + members.substr(1) + "}";
    // The file is within its limit; its JSON, with every way of cutting a piece, is some times longer.
    const std::size_t limit = 64 * package_.limits().json_bytes;
    auto json = io::ParseJson(text, file_, {.bytes = limit, .string_bytes = limit});
    if (!json) {
      problems_.push_back(json.error());
      return false;
    }
    const auto document = std::make_shared<const io::Json>(std::move(*json));
    out_.body.emplace(document, document.get(), file_, std::string(), out_.log);
    return true;
  }

  void Add(AddedToken token, std::int32_t id, Where place) {
    token.special = token.special || names_.contains(token.content);
    out_.tokens.push_back(std::move(token));
    out_.ids.push_back(id);
    out_.places.push_back(std::move(place));
  }
  static AddedToken Plain(std::string content, bool special = true) {
    AddedToken token;
    token.content = std::move(content);
    token.special = special;
    token.normalized = false;
    return token;
  }
  static bool IsList(const NamedToken& token) { return token.key == kExtra || token.key == kAdditional; }

  void Tokens() {
    for (const auto& [key, content] : out_.names) names_.insert(content);
    for (const NamedToken& token : says_.named) {
      if (!IsList(token)) names_.insert(token.token.content);
    }
    std::set<std::string> listed;
    const bool decoder = says_.added_tokens_decoder.has_value();
    if (const auto& rows = decoder ? says_.added_tokens_decoder : says_.added_tokens_file) {
      for (const auto& [id, token] : *rows) {
        listed.insert(token.content);
        Add(token, id,
            decoder ? says_.At("tokenizer_config.json", "/added_tokens_decoder/" + std::to_string(id))
                    : says_.At("added_tokens.json", "/" + io::EscapePointer(token.content)));
      }
    }
    const auto add = [&](const AddedToken& token, const Where& place) {
      if (!listed.contains(token.content)) Add(token, Converted::kAnyId, place);
    };
    for (const std::string_view key : kNamedTokens) NameOf(key, add);
    for (const NamedToken& token : says_.named) {
      const bool standard =
          std::ranges::find(kNamedTokens, std::string_view(token.key)) != std::end(kNamedTokens);
      if (!standard && !IsList(token)) add(token.token, token.place);
    }
    for (const AddedToken& token : Further()) add(token, Where::At(file_));
    if (!recipe_.renews_names) return;
    for (const std::string_view key : kNamedTokens) {
      if (const auto it = out_.names.find(key); it != out_.names.end()) {
        Add(Plain(it->second), Converted::kAnyId, Where::At(file_));
      }
    }
    for (const NamedToken& token : says_.named)
      Add(Plain(token.token.content), Converted::kAnyId, token.place);
  }

  template <class Take>
  void NameOf(std::string_view key, const Take& add) {
    const auto name = out_.names.find(key);
    if (name == out_.names.end()) return;
    AddedToken token = Plain(name->second);
    Where place = Where::At(file_);
    bool bare = true;
    for (const NamedToken& written : says_.named) {
      if (written.key != key) continue;
      token = written.token;
      place = written.place;
      bare = written.bare;
    }
    if (bare && recipe_.mask_takes_space_before && key == "mask_token") token.lstrip = true;
    add(token, place);
  }

  // Lists of further tokens: the written one, else the model's control and user-defined pieces.
  std::vector<AddedToken> Further() {
    const bool pieces = !model_.pieces.empty();
    std::vector<AddedToken> out;
    for (const NamedToken& token : says_.named) {
      // The class puts its pieces in the place of this key of special_tokens_map.json.
      const bool replaced =
          pieces && token.key == kAdditional && token.place.file.ends_with("special_tokens_map.json");
      if (IsList(token) && !replaced) out.push_back(token.token);
    }
    if (!pieces) return out;
    std::vector<AddedToken> own;
    std::size_t extra = 0;
    for (const SentencePieceModel::Piece& piece : model_.pieces) {
      const bool control = piece.kind == SentencePieceModel::Kind::kControl;
      if (!control && piece.kind != SentencePieceModel::Kind::kUserDefined) continue;
      own.push_back(Plain(piece.text, control));
      extra += piece.text.find("<extra_id_") != std::string::npos ? 1 : 0;
    }
    if (out_.values.contains("extra_ids")) {
      const int count = std::stoi(Value("extra_ids"));
      if (extra == 0) {
        for (int i = 0; i < count; ++i) own.push_back(Plain(ExtraId(i)));
      } else if (count > 0 && extra != static_cast<std::size_t>(count)) {
        Refuse(file_, "/pieces", std::to_string(extra) + " pieces named extra_id",
               std::to_string(count) + ", as extra_ids says");
      }
    }
    return says_.extra_written ? out : own;
  }

  const package::Package& package_;
  const TokenizerConfig& says_;
  const Recipe& recipe_;
  Problems& problems_;
  std::string file_;
  Converted out_;
  SentencePieceModel model_;
  ScoredPieces scored_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace

std::optional<Converted> Convert(const package::Package& package, const TokenizerConfig& says,
                                 const std::shared_ptr<package::ReadLog>& log, Problems& problems) {
  const Recipe* recipe = RecipeOf(package, says, log, problems);
  if (recipe == nullptr) return std::nullopt;
  return Converter(package, says, *recipe, log, problems).Run();
}

}  // namespace candor::text

// Encoding: added tokens, normalizer, pre-tokenizer, model, truncation, template, in the library's order.
#include "text/tokenizer.h"

#include <algorithm>
#include <span>

#include "text/assemble.h"
#include "text/limits.h"
#include "text/parts.h"
#include "text/truncation.h"

namespace candor::text {
namespace {

// Places in code points for places in bytes, in any order, each from the nearest of marks 64 bytes apart:
// pieces of a text may overlap and step back, and a hostile text makes them do so from every byte.
class CodePointIndex {
 public:
  explicit CodePointIndex(std::string_view text) : text_(text), ascii_(IsAscii(text)) {
    if (ascii_) return;
    marks_.reserve(text.size() / kStep + 1);
    std::int32_t count = 0;
    for (std::size_t at = 0; at <= text.size(); at += kStep) {
      marks_.push_back(count);
      count += Starts(at, std::min(at + kStep, text.size()));
    }
  }
  std::int32_t At(std::size_t byte) const {
    if (ascii_) return static_cast<std::int32_t>(byte);
    return marks_[byte / kStep] + Starts(byte / kStep * kStep, byte);
  }

 private:
  static constexpr std::size_t kStep = 64;
  std::int32_t Starts(std::size_t begin, std::size_t end) const {
    std::int32_t count = 0;
    for (std::size_t i = begin; i < end; ++i) count += (static_cast<unsigned char>(text_[i]) & 0xc0) != 0x80;
    return count;
  }
  std::string_view text_;
  bool ascii_;
  std::vector<std::int32_t> marks_;
};

Error TooLarge(std::string found) {
  return {.code = Code::kInputTooLarge,
          .found = std::move(found),
          .allowed = "at most " + std::to_string(kMaxTextBytes)};
}

Error Exceeded(TextLimit limit) {
  if (limit == TextLimit::kBytes) {
    return TooLarge("more than " + std::to_string(kMaxTextBytes) + " bytes when normalised");
  }
  if (limit == TextLimit::kUnspelt) {
    return {.code = Code::kInvalidInput,
            .found = "a character or word that the vocabulary does not spell",
            .allowed = "what it spells, since the unknown token is none of its tokens"};
  }
  return {.code = Code::kInputTooLarge,
          .found = "a text that a regular expression of the tokenizer takes too long on",
          .allowed = "at most " + std::to_string(kMaxRegexSteps) + " steps at one place"};
}

Error Invalid(std::string_view text, std::size_t at) {
  constexpr char kHex[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(text[at]);
  return {.code = Code::kInvalidInput,
          .found =
              std::string("byte 0x") + kHex[byte >> 4] + kHex[byte & 15] + " at offset " + std::to_string(at),
          .allowed = "UTF-8"};
}

class TextEncoder {
 public:
  // `blanks` may be null: then those of the tokens are not counted.
  TextEncoder(const AddedTokens& added, const Normalizer* normalizer, const PreTokenizer* pre_tokenizer,
              const TokenModel& model, const TokenBlanks* blanks, const EncodeOptions& options)
      : added_(added),
        normalizer_(normalizer),
        pre_tokenizer_(pre_tokenizer),
        model_(model),
        blanks_(options.offsets ? blanks : nullptr),
        parse_special_(options.parse_special),
        tracked_(options.offsets),
        named_(options.tokens),
        named_by_text_(model.id_named_by_text()) {}

  Result<Tokens> Run(std::string_view text) {
    out_.ids.reserve(text.size() / 4 + 8);
    if (tracked_) out_.offsets.reserve(text.size() / 4 + 8);
    const CodePointIndex index(tracked_ ? text : std::string_view{});
    for (const Piece& piece : added_.Split(text, AddedTokens::Stage::kInput, parse_special_)) {
      const std::int32_t first = tracked_ ? index.At(piece.begin) : 0;
      const std::string_view part = text.substr(piece.begin, piece.end - piece.begin);
      if (piece.id >= 0) {
        out_.ids.push_back(piece.id);
        if (tracked_) out_.offsets.push_back({first, index.At(piece.end)});
        Name(part);
      } else if (const TextLimit limit = RunPart(part, first, piece.begin == 0); limit != TextLimit::kNone) {
        return Exceeded(limit);
      }
    }
    return std::move(out_);
  }

 private:
  void Emit(std::int32_t id, Normalized& text, std::size_t begin, std::size_t end) {
    out_.ids.push_back(id);
    if (tracked_) out_.offsets.push_back(text.Origin(begin, end));
  }
  // The last token is called by the text it stands for.
  void Name(std::string_view text) {
    if (blanks_ != nullptr) out_.blanks.push_back(CountBlanks(text));
    if (named_) out_.names.emplace_back(text);
  }
  void NameWord(std::string_view word) {
    if (blanks_ == nullptr && !named_) return;
    for (const PieceToken& token : word_) {
      if (token.id == named_by_text_) {
        Name(word.substr(token.begin, token.end - token.begin));
        continue;
      }
      if (blanks_ != nullptr) out_.blanks.push_back(blanks_->Of(token.id));
      if (named_) out_.names.emplace_back(model_.vocabulary().TokenOf(token.id));
    }
  }

  // What is exceeded by this part, or by it and those before.
  TextLimit RunPart(std::string_view part, std::int32_t first, bool at_front) {
    const bool asks = pre_tokenizer_ != nullptr && ((at_front && pre_tokenizer_->AsksForFront()) ||
                                                    (normalizer_ != nullptr && normalizer_->Inserts()));
    const bool tracked = tracked_ || asks;
    Normalized text(part, first, kMaxTextBytes - built_, tracked);
    if (normalizer_ != nullptr) normalizer_->Normalize(text);
    if (text.exceeded() != TextLimit::kNone) return text.exceeded();
    built_ += text.text().size();
    std::vector<Piece> pieces = added_.Split(text.text(), AddedTokens::Stage::kNormalized, parse_special_);
    PreTokenized split = {std::move(text), std::move(pieces)};
    if (pre_tokenizer_ != nullptr) pre_tokenizer_->Split(split);
    if (split.text.exceeded() != TextLimit::kNone) return split.text.exceeded();
    const std::string_view bytes = split.text.text();
    for (const Piece& piece : split.pieces) {
      const std::string_view word = bytes.substr(piece.begin, piece.end - piece.begin);
      if (piece.id >= 0) {
        Emit(piece.id, split.text, piece.begin, piece.end);
        Name(word);
        continue;
      }
      word_.clear();
      if (!model_.Tokenize(word, word_)) return TextLimit::kUnspelt;
      for (const PieceToken& token : word_) {
        Emit(token.id, split.text, piece.begin + token.begin, piece.begin + token.end);
      }
      NameWord(word);
    }
    return TextLimit::kNone;
  }

  const AddedTokens& added_;
  const Normalizer* normalizer_;
  const PreTokenizer* pre_tokenizer_;
  const TokenModel& model_;
  const TokenBlanks* blanks_;
  bool parse_special_, tracked_, named_;
  std::int32_t named_by_text_;
  Tokens out_;
  std::vector<PieceToken> word_;
  std::size_t built_ = 0;  // bytes of normalised parts
};

}  // namespace

Tokenizer::Tokenizer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {
  if (parts_->post_processor.Trims()) parts_->blanks.emplace(parts_->model->vocabulary());
}
Tokenizer::~Tokenizer() = default;

Result<Encoding> Tokenizer::Encode(std::string_view text, const EncodeOptions& options) const {
  return EncodeTexts(std::span(&text, 1), options);
}

Result<Encoding> Tokenizer::EncodePair(std::string_view first, std::string_view second,
                                       const EncodeOptions& options) const {
  const std::string_view texts[] = {first, second};
  return EncodeTexts(texts, options);
}

Result<Encoding> Tokenizer::EncodeTexts(std::span<const std::string_view> texts,
                                        const EncodeOptions& options) const {
  const bool pair = texts.size() == 2;
  const Template& post = parts_->post_processor;
  const bool add_special = options.add_special && parts_->add_special;
  const PartList& parts = (pair ? post.pair : post.single)[add_special];
  const std::size_t specials = add_special ? post.added[pair] : 0;
  if (options.max_length != 0 && options.max_length < specials) {
    return Error{.code = Code::kUnsupportedOption,
                 .where = Where::Option("max-length"),
                 .found = std::to_string(options.max_length),
                 .allowed = "at least the " + std::to_string(specials) + " special tokens"};
  }
  EncodeOptions asked = options;
  asked.parse_special = options.parse_special && parts_->parse_special;
  std::vector<Tokens> tokens;
  for (const std::string_view text : texts) {
    if (text.size() > kMaxTextBytes) return TooLarge(std::to_string(text.size()) + " bytes");
    if (const std::size_t at = FirstInvalidUtf8(text); at != text.size()) return Invalid(text, at);
    TextEncoder encoder(parts_->added, parts_->normalizer.get(), parts_->pre_tokenizer.get(), *parts_->model,
                        parts_->blanks ? &*parts_->blanks : nullptr, asked);
    CANDOR_TRY(Tokens encoded, encoder.Run(text));
    tokens.push_back(std::move(encoded));
  }
  std::vector<Kept> kept;
  for (const Tokens& t : tokens) kept.push_back({0, t.ids.size()});
  if (options.max_length != 0) {
    const auto second = pair ? std::optional(tokens[1].ids.size()) : std::nullopt;
    CANDOR_TRY(const auto counted,
               Truncate(tokens[0].ids.size(), second, options.max_length - specials, options.truncation));
    const std::size_t counts[] = {counted.first, counted.second};
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const std::size_t all = tokens[i].ids.size();
      kept[i] = {options.truncate_left ? all - counts[i] : 0, counts[i]};
    }
  }
  Encoding out = Assemble(parts, tokens, kept, options);
  if (!parts_->type_ids) out.type_ids.assign(out.ids.size(), 0);
  return out;
}

Result<std::string> Tokenizer::Decode(std::span<const std::int32_t> ids, bool skip_special) const {
  if (!parts_->decoder_problems.empty()) return parts_->decoder_problems.front();
  std::vector<std::string> tokens;
  std::size_t bytes = 0;
  for (const std::int32_t id : ids) {
    std::string_view token = parts_->added.Spelling(id);
    if (token.data() == nullptr) token = parts_->model->vocabulary().TokenOf(id);
    if (token.data() == nullptr) continue;
    if (skip_special && parts_->added.IsSpecial(token)) continue;
    if ((bytes += token.size() + 1) > kMaxTextBytes) return Exceeded(TextLimit::kBytes);
    tokens.emplace_back(token);
  }
  if (parts_->decoder != nullptr) {
    CANDOR_CHECKED(parts_->decoder->Apply(tokens));
    return Joined(tokens, "");
  }
  return Joined(tokens, " ");
}

std::string_view Tokenizer::TokenOf(std::int32_t id) const {
  const std::string_view added = parts_->added.TokenOf(id);
  return added.empty() ? parts_->model->vocabulary().TokenOf(id) : added;
}

std::optional<std::int32_t> Tokenizer::IdOf(std::string_view token) const {
  const auto added = parts_->added.IdOf(token);
  return added ? added : parts_->model->vocabulary().IdOf(token);
}

const TokenizerFacts& Tokenizer::facts() const { return parts_->facts; }

std::vector<std::size_t> Tokenizer::TokenLengths() const {
  std::vector<std::size_t> out;
  const Vocabulary& vocabulary = parts_->model->vocabulary();
  const auto add = [&](std::string_view token) {
    out.push_back(static_cast<std::size_t>(
        std::ranges::count_if(token, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; })));
  };
  // Of a token that is there twice the last one is meant.
  vocabulary.Each([&](std::string_view token, std::int32_t id) {
    if (vocabulary.IdOf(token) == id) add(token);
  });
  parts_->added.Each([&](std::string_view token) {
    if (!vocabulary.IdOf(token)) add(token);
  });
  return out;
}

}  // namespace candor::text

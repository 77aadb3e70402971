// Unigram: of all ways to spell a piece with tokens, the one whose scores have the greatest sum. A character
// that is no token costs ten less than the least score; neighbours that are unknown are one token, or the
// tokens of their bytes.
//
// Sums are made in the library's order and only a greater one replaces an earlier one, so that ties end
// alike.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "text/limits.h"
#include "text/models/piece_trie.h"
#include "text/models/token_model.h"

namespace candor::text {
namespace {

constexpr double kUnknownPenalty = 10.0;

std::size_t CharacterBytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

struct UnigramSettings {
  std::vector<double> scores;  // by id
  std::int32_t unknown = -1;   // none
  bool byte_fallback = false;
};

class Unigram final : public TokenModel {
 public:
  Unigram(Vocabulary vocabulary, UnigramSettings settings)
      : vocabulary_(std::move(vocabulary)), settings_(std::move(settings)), trie_(vocabulary_) {
    double least = std::numeric_limits<double>::infinity();
    for (const double score : settings_.scores) least = std::min(least, score);
    unknown_score_ = least - kUnknownPenalty;
    constexpr char kHex[] = "0123456789ABCDEF";
    for (std::size_t i = 0; i < bytes_.size(); ++i) {
      const char name[] = {'<', '0', 'x', kHex[i >> 4], kHex[i & 15], '>'};
      bytes_[i] = vocabulary_.IdOf({name, sizeof name}).value_or(Vocabulary::kAbsent);
    }
  }

  bool Tokenize(std::string_view piece, std::vector<PieceToken>& out) const override {
    std::array<Step, 128> few;
    return Spell(piece, few, out);
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string_view unknown() const override { return vocabulary_.TokenOf(settings_.unknown); }
  std::int32_t id_named_by_text() const override { return settings_.unknown; }

 private:
  // The best way to spell the piece up to a place: its last token.
  struct Step {
    double score;
    std::uint32_t begin;
    std::int32_t id;  // kNone until the place is reached
  };
  static constexpr std::int32_t kNone = -2;
  static constexpr std::size_t kWindow = 4096;  // bytes

  static void Offer(Step& step, double score, std::size_t begin, std::int32_t id) {
    if (step.id != kNone && !(score > step.score)) return;
    step = {score, static_cast<std::uint32_t>(begin), id};
  }

  // A place that no token reaches over settles all before it: the steps are used again from there, so that a
  // long piece stays in a core's caches. `few` are those of a short one.
  bool Spell(std::string_view piece, std::span<Step> few, std::vector<PieceToken>& out) const {
    std::vector<Step> many;
    Step* steps = few.data();
    std::size_t room = few.size(), base = 0, reach = 0;  // the place of steps[0]; the last that is reached
    steps[0] = {0, 0, kNone};
    const std::size_t longest = std::max<std::size_t>(vocabulary_.longest(), 4);
    for (std::size_t begin = 0; begin < piece.size();) {
      if (begin == reach && begin - base >= kWindow && steps[begin - base].id != settings_.unknown) {
        Collect(piece, base, begin, steps, out);
        steps[0] = steps[begin - base];
        base = begin;
      }
      if (std::min(begin + longest, piece.size()) - base >= room) {
        if (many.empty()) many.assign(steps, steps + (reach - base) + 1);
        room = std::min(std::max(2 * room, kWindow + longest), piece.size() - base) + 1;
        many.resize(room);
        steps = many.data();
      }
      const double score = steps[begin - base].score;
      const std::size_t character = CharacterBytes(piece[begin]);
      const auto offer = [&](std::size_t end, double total, std::int32_t id) {
        while (reach < end) steps[++reach - base].id = kNone;
        Offer(steps[end - base], total, begin, id);
      };
      bool single = false;
      trie_.Prefixes(vocabulary_, piece.substr(begin), [&](std::size_t length, std::int32_t id) {
        offer(begin + length, settings_.scores[static_cast<std::size_t>(id)] + score, id);
        single = single || length == character;
      });
      if (!single) {
        offer(begin + character, unknown_score_ + score, settings_.unknown);
        if (steps[begin + character - base].id == -1) return false;
      }
      begin += character;
    }
    Collect(piece, base, piece.size(), steps, out);
    return true;
  }

  // The tokens between two places, from the last to the first; `steps` are those from `first` on.
  void Collect(std::string_view piece, std::size_t first, std::size_t last, const Step* steps,
               std::vector<PieceToken>& out) const {
    const std::size_t before = out.size();
    for (std::size_t end = last; end > first;) {
      std::size_t begin = steps[end - first].begin;
      const std::int32_t id = steps[end - first].id;
      if (id == settings_.unknown) {
        while (begin > first && steps[begin - first].id == id) begin = steps[begin - first].begin;
        Unknown(piece, begin, end, out);
      } else {
        out.push_back({id, begin, end});
      }
      end = begin;
    }
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(before), out.end());
  }

  // Unknown neighbours together may be a token, where scores are positive.
  void Unknown(std::string_view piece, std::size_t begin, std::size_t end,
               std::vector<PieceToken>& out) const {
    const std::string_view text = piece.substr(begin, end - begin);
    const auto missing = [&](char c) { return bytes_[static_cast<unsigned char>(c)] == Vocabulary::kAbsent; };
    if (const auto id = vocabulary_.IdOf(text)) {
      out.push_back({*id, begin, end});
    } else if (settings_.byte_fallback && std::none_of(text.begin(), text.end(), missing)) {
      for (std::size_t i = text.size(); i-- > 0;) {
        out.push_back({bytes_[static_cast<unsigned char>(text[i])], begin, end});
      }
    } else {
      out.push_back({settings_.unknown, begin, end});
    }
  }

  Vocabulary vocabulary_;
  UnigramSettings settings_;
  PieceTrie trie_;
  double unknown_score_ = 0;
  std::array<std::int32_t, 256> bytes_{};  // the tokens <0x00> to <0xFF>
};

// A list of tokens and scores; a token's place is its id.
class PieceReader {
 public:
  PieceReader(const package::Config& config, Problems& problems) : config_(config), problems_(problems) {}

  void Read(Vocabulary& vocabulary, std::vector<double>& scores) {
    const io::Json* list = config_.Raw("vocab");
    if (list == nullptr || !list->is_array()) {
      return Refuse("", list == nullptr ? "nothing" : std::string(list->KindName()), "a list of pieces");
    }
    std::size_t bytes = 0;
    for (const io::Json& entry : list->items()) {
      if (!Check(entry, bytes, scores)) return;
    }
    vocabulary.Reserve(scores.size(), bytes);
    std::int32_t id = 0;
    for (const io::Json& entry : list->items()) vocabulary.Add(entry.items()[0].as_string(), id++);
  }

 private:
  void Refuse(const std::string& below, std::string found, std::string allowed) {
    Where place = config_.At("vocab");
    place.pointer += below;
    problems_.push_back({Code::kInvalidPackageSchema, std::move(place), std::move(found), std::move(allowed),
                         Phase::kProcessing});
  }

  // The first that is wrong is reported, since the others are likely wrong in the same way.
  bool Check(const io::Json& entry, std::size_t& bytes, std::vector<double>& scores) {
    const auto below = [&] { return "/" + std::to_string(scores.size()); };
    if (!entry.is_array() || entry.items().size() != 2 || !entry.items()[0].is_string() ||
        !entry.items()[1].is_number()) {
      Refuse(below(), entry.Dump().substr(0, 80), "a list of a piece and its score");
      return false;
    }
    const std::string_view piece = entry.items()[0].as_string();
    if (piece.size() > kMaxMatchBytes) {
      Refuse(below() + "/0", std::to_string(piece.size()) + " bytes",
             "at most " + std::to_string(kMaxMatchBytes) + " bytes");
      return false;
    }
    const double score = entry.items()[1].as_serde_real();
    if (std::isnan(score)) {
      Refuse(below() + "/1", entry.items()[1].Dump(), "a number in the range of doubles");
      return false;
    }
    bytes += piece.size();
    scores.push_back(score);
    return true;
  }

  const package::Config& config_;
  Problems& problems_;
};

// Absent or null where there is no unknown token: a text that needs one is refused then.
std::int32_t ReadUnknown(const package::Config& config, std::size_t tokens, Problems& problems) {
  const io::Json* id = config.Raw("unk_id");
  if (id == nullptr || id->is_null()) return -1;
  if (id->kind() == io::Json::Kind::kInt && id->as_int() >= 0 && id->as_uint() < tokens) {
    return static_cast<std::int32_t>(id->as_int());
  }
  Refuse(config, "unk_id", id->Dump().substr(0, 80),
         "null or an index of the " + std::to_string(tokens) + " pieces", problems);
  return -1;
}

}  // namespace

TokenModelPtr ReadUnigram(const package::Config& config, Problems& problems) {
  RefuseOtherKeys(config, {"unk_id", "byte_fallback", "vocab"}, problems);
  Vocabulary vocabulary;
  UnigramSettings settings;
  const std::size_t before = problems.size();
  PieceReader(config, problems).Read(vocabulary, settings.scores);
  vocabulary.Seal();
  // Of a list that is damaged the length is unknown.
  if (problems.size() == before) settings.unknown = ReadUnknown(config, settings.scores.size(), problems);
  settings.byte_fallback = config.Flag("byte_fallback", false, problems);
  if (problems.size() != before) settings.scores.resize(vocabulary.size());
  return std::make_unique<Unigram>(std::move(vocabulary), std::move(settings));
}

}  // namespace candor::text

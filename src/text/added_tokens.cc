// Matching and the flags of added tokens, step for step as the library takes them.
#include "text/added_tokens.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "text/limits.h"

namespace candor::text {
namespace {

// Bytes of the character that ends at `end`.
std::size_t CharacterBefore(std::string_view text, std::size_t end) {
  std::size_t begin = end - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) --begin;
  return begin;
}

std::size_t BlanksFrom(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const CodePoint point = DecodeUtf8(text, at);
    if (!Is(point.value, kSpace)) break;
    at += point.bytes;
  }
  return at;
}

std::size_t BlanksBefore(std::string_view text, std::size_t end, std::size_t floor) {
  while (end > floor) {
    const std::size_t begin = CharacterBefore(text, end);
    if (!Is(DecodeUtf8(text, begin).value, kSpace)) break;
    end = begin;
  }
  return end;
}

}  // namespace

std::vector<std::int32_t> AddedTokens::Add(std::span<const AddedToken> tokens, const Vocabulary& model) {
  std::vector<std::int32_t> ids;
  constexpr std::int64_t kLargestId = 0x7ffffffe;
  std::int64_t next = std::max(static_cast<std::int64_t>(model.size()), std::int64_t{largest_id()} + 1);
  for (const AddedToken& token : tokens) {
    if (token.content.empty()) {
      ids.push_back(kIgnored);
      continue;
    }
    AddedToken kept = token;
    std::int32_t id = 0;
    if (const auto known = ids_.find(token.content); known != ids_.end()) {
      id = known->second;
      // Once special, always special: the library never takes a token out of that set.
      kept.special = kept.special || by_id_.at(id).special;
    } else if (const auto of_model = model.IdOf(token.content)) {
      id = *of_model;
    } else if (next <= kLargestId) {
      id = static_cast<std::int32_t>(next++);
    } else {
      ids.push_back(kNoIdLeft);
      continue;
    }
    ids_[token.content] = id;
    if (kept.normalized) once_normalized_.insert(id);
    by_id_[id] = std::move(kept);
    ids.push_back(id);
  }
  return ids;
}

std::vector<std::string> AddedTokens::Seal(const Normalizer* normalizer) {
  std::vector<std::string> unusable;
  input_ = {}, normalized_ = {};
  for (const auto& [id, token] : by_id_) {
    if (token.content.size() > kMaxMatchBytes) continue;  // refused where it was read
    std::string form = token.content;
    if (once_normalized_.contains(id) && normalizer != nullptr) {
      // Later steps may shorten what earlier ones made longer.
      Normalized normalized(token.content, 0, kMaxMatchBytes * kMaxGrowth);
      normalizer->Normalize(normalized);
      form = normalized.exceeded() != TextLimit::kNone ? std::string() : normalized.text();
    }
    if (form != token.content) normal_forms_[id] = form;
    std::string text = token.normalized ? std::move(form) : token.content;
    if (text.empty() || text.size() > kMaxMatchBytes) {
      unusable.push_back(token.content);
      text.clear();
    }
    (token.normalized ? normalized_ : input_).sorted.push_back({std::move(text), id, &token});
  }
  for (Patterns* patterns : {&input_, &normalized_}) {
    std::vector<Pattern>& sorted = patterns->sorted;
    std::sort(sorted.begin(), sorted.end(), [](const Pattern& a, const Pattern& b) {
      return std::tie(a.text, a.id) < std::tie(b.text, b.id);
    });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i].text == sorted[i - 1].text) unusable.push_back(sorted[i].token->content);
    }
    for (const Pattern& p : sorted) {
      if (!p.text.empty()) ++patterns->from[static_cast<unsigned char>(p.text[0]) + 1u];
    }
    // Unusable ones are empty and come first.
    const std::uint32_t empty = static_cast<std::uint32_t>(sorted.size()) -
                                std::accumulate(patterns->from.begin(), patterns->from.end(), 0u);
    patterns->from[0] = empty;
    std::partial_sum(patterns->from.begin(), patterns->from.end(), patterns->from.begin());
  }
  return unusable;
}

const AddedTokens::Pattern* AddedTokens::Match(const Patterns& patterns, std::string_view text) {
  const Pattern* found = nullptr;
  const auto first = static_cast<unsigned char>(text[0]);
  const Pattern* begin = patterns.sorted.data() + patterns.from[first];
  const Pattern* end = patterns.sorted.data() + patterns.from[first + 1u];
  // Narrows the sorted range byte by byte; a pattern that ends here comes first in it.
  for (std::size_t depth = 1; begin != end; ++depth) {
    if (begin->text.size() == depth) found = begin++;
    if (depth == text.size() || begin == end) break;
    const auto byte = static_cast<unsigned char>(text[depth]);
    const auto at = [depth](const Pattern& p) { return static_cast<unsigned char>(p.text[depth]); };
    if (at(*begin) == byte && at(*(end - 1)) == byte) continue;  // as all between them
    begin = std::partition_point(begin, end, [&](const Pattern& p) { return at(p) < byte; });
    end = std::partition_point(begin, end, [&](const Pattern& p) { return at(p) == byte; });
  }
  return found;
}

bool AddedTokens::StandsAlone(std::string_view text, std::size_t begin, std::size_t end) const {
  const bool word_before = begin > 0 && Is(DecodeUtf8(text, CharacterBefore(text, begin)).value, kWord);
  const bool word_after = end < text.size() && Is(DecodeUtf8(text, end).value, kWord);
  return !word_before && !word_after;
}

std::vector<Piece> AddedTokens::Split(std::string_view text, Stage stage, bool parse_special) const {
  const Patterns& patterns = stage == Stage::kInput ? input_ : normalized_;
  std::vector<Piece> pieces;
  if (text.empty()) return pieces;
  std::size_t done = 0;  // where the last token ended, blanks it took included
  Piece blanks;          // the last run of them that was measured
  for (std::size_t at = 0; !patterns.sorted.empty() && at < text.size();) {
    if (!patterns.Starts(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    const Pattern* match = Match(patterns, text.substr(at));
    if (match == nullptr) {
      ++at;
      continue;
    }
    // The search goes on behind the match even when the match is then discarded.
    std::size_t begin = at, end = at + match->text.size();
    at = end;
    const AddedToken& token = *match->token;
    if (!parse_special && token.special) continue;
    if (token.single_word && !StandsAlone(text, begin, end)) continue;
    if (token.lstrip) begin = std::max(BlanksBefore(text, begin, done), done);
    if (token.rstrip) {
      // A blank token may match again inside the blanks that it took before.
      if (end < blanks.begin || end > blanks.end) blanks = {end, BlanksFrom(text, end)};
      end = blanks.end;
    }
    if (done < begin) pieces.push_back({done, begin});
    if (begin < end) pieces.push_back({begin, end, match->id});  // all of it may be taken already
    done = end;
  }
  if (done < text.size()) pieces.push_back({done, text.size()});
  return pieces;
}

const AddedToken* AddedTokens::Find(std::string_view content) const {
  const auto known = ids_.find(content);
  return known == ids_.end() ? nullptr : &by_id_.at(known->second);
}

std::string_view AddedTokens::Spelling(std::int32_t id) const {
  const auto form = normal_forms_.find(id);
  return form == normal_forms_.end() ? TokenOf(id) : std::string_view(form->second);
}

bool AddedTokens::IsSpecial(std::string_view content) const {
  const AddedToken* token = Find(content);
  return token != nullptr && token->special;
}

std::optional<std::int32_t> AddedTokens::IdOf(std::string_view content) const {
  const auto known = ids_.find(content);
  if (known == ids_.end()) return std::nullopt;
  return known->second;
}

std::string_view AddedTokens::TokenOf(std::int32_t id) const {
  const auto token = by_id_.find(id);
  return token == by_id_.end() ? std::string_view{} : std::string_view(token->second.content);
}

}  // namespace candor::text

#include "tasks/multi_vector.h"

#include <algorithm>
#include <utility>

#include "tasks/describe.h"

namespace candor::tasks {
namespace {

Error Bad(Code code, Where where, std::string found, std::string allowed) {
  return {code, std::move(where), std::move(found), std::move(allowed), Phase::kRequest};
}

std::string Count(std::size_t n) { return std::to_string(n); }

std::string Text(const QueryExpansion& e, std::string_view token) {
  return (e.fixed ? "to " : "to at least ") + Count(e.length) + " tokens with " + std::string(token) +
         (e.attend ? ", seen by all" : ", seen by none");
}

}  // namespace

MultiVectorTask::MultiVectorTask(MultiVectorRecipe recipe, MultiVectorIds ids,
                                 std::shared_ptr<const text::Tokenizer> tokenizer, const InputRule& input,
                                 std::size_t width)
    : recipe_(std::move(recipe)),
      ids_(std::move(ids)),
      tokenizer_(std::move(tokenizer)),
      input_(input),
      chain_(recipe_.base.chain, width) {
  const EmbedRecipe& base = recipe_.base;
  facts_.dimensions = base.width;
  facts_.max_length = std::max({ids_.plain_length, ids_.query_length, ids_.document_length});
  facts_.normalized = base.normalizes();
  facts_.similarity = base.similarity, facts_.pooling = "none";
  for (const auto& [name, text] : base.prompts) facts_.prompts.push_back(name);
  facts_.chain = ChainText(base, ids_.plain_length);
  facts_.chain.emplace_back(
      "MultiVectorMask",
      Count(ids_.skipped.size()) + " tokens skipped" + (recipe_.query.skips ? ", of queries" : "") +
          (recipe_.document.skips ? ", of documents" : "") +
          (ids_.kept.empty() ? "" : ", " + Count(ids_.kept.size()) + " kept of documents") +
          (recipe_.first == 0 ? "" : ", from row " + Count(recipe_.first) + " on"));
  facts_.chain.emplace_back(
      "Query", Count(ids_.query_length) + " tokens" +
                   (recipe_.query.expansion
                        ? ", expanded " +
                              Text(*recipe_.query.expansion, Count(static_cast<std::size_t>(ids_.expansion)))
                        : ""));
  facts_.chain.emplace_back("Document", Count(ids_.document_length) + " tokens");
}

std::string MultiVectorTask::SetSpace(std::string_view closure) {
  space_ = TokensSpaceId(recipe_.base, facts_, tokenizer_ != nullptr && tokenizer_->facts().truncation_left,
                         closure);
  return space_;
}

// ---- before the encoder -------------------------------------------------------------------------------

std::size_t MultiVectorTask::LengthOf(std::optional<TextRole> role) const {
  return !role ? ids_.plain_length : *role == TextRole::kQuery ? ids_.query_length : ids_.document_length;
}

// The names of the roles' own prompts choose the role; without one the package's words stay out of a text.
Result<MultiVectorTask::Side> MultiVectorTask::SideOf(TextOptions options) const {
  for (const TextRole role : {TextRole::kQuery, TextRole::kDocument}) {
    if (!options.role && options.prompt_name && *options.prompt_name == Name(role))
      options.role = role, options.prompt_name.reset();
  }
  // A role that the package does not know is refused, whatever prompt is asked for beside it.
  if (options.role) CANDOR_CHECKED(ChoosePrompt(recipe_.base, {.role = options.role}));
  Side side{options.role, {}, &recipe_.Of(options.role)};
  const std::size_t limit = LengthOf(side.role);
  const auto& expansion = side.rule->expansion;
  if (options.max_length && expansion && *options.max_length < expansion->length) {
    return Bad(Code::kUnsupportedOption, Where::Option("max-length"), Count(*options.max_length),
               "at least " + Count(expansion->length) + ", which every query is expanded to");
  }
  CANDOR_TRY(side.layout, LayOut(recipe_.base, options, *tokenizer_, limit));
  side.layout.encode.offsets = false;
  return side;
}

Result<Work> MultiVectorTask::LayTokens(std::vector<std::int32_t> tokens, std::vector<std::int32_t> types,
                                        std::size_t expansion, const Side& side) const {
  const bool query = side.role == TextRole::kQuery;
  CANDOR_TRY(Work work, LayRows(input_, std::move(tokens), std::move(types)));
  if (expansion != 0 && !side.rule->expansion->attend)
    work.sequences.front().unseen = static_cast<std::int32_t>(expansion);
  for (std::size_t i = recipe_.first; i < work.tokens.size(); ++i) {
    const std::int32_t id = work.tokens[i];
    if (side.rule->skips && std::ranges::binary_search(ids_.skipped, id)) continue;
    if (!query && !ids_.kept.empty() && !std::ranges::binary_search(ids_.kept, id)) continue;
    work.scored.push_back(static_cast<std::int32_t>(i));
  }
  return work;
}

Result<Work> MultiVectorTask::LayText(const std::string& text, const Side& side, ItemReport& report) const {
  CANDOR_CHECKED(CheckBytes(text.size()));
  CANDOR_TRY(text::Encoding e, EncodeText(*tokenizer_, side.layout, text, report.total));
  if (e.ids.empty() && !(side.rule->expansion && side.rule->expansion->attend))
    return Bad(Code::kZeroValidTokens, Where::Field("text"), "no token", "at least one token");
  std::size_t expansion = 0;
  if (side.rule->expansion && e.ids.size() < side.rule->expansion->length) {
    expansion = side.rule->expansion->length - e.ids.size();
    e.ids.resize(side.rule->expansion->length, ids_.expansion);
    e.type_ids.resize(e.ids.size(), 0);
  }
  return LayTokens(std::move(e.ids), std::move(e.type_ids), expansion, side);
}

// Final ids: nothing is added and nothing cut. Ids that begin as a query does are one; what ends a query and
// is its expansion's token is its expansion.
Result<Work> MultiVectorTask::LayIds(const TokenIds& ids, const TextOptions& options, Side side,
                                     ItemReport& report) const {
  report.total = ids.size();
  const bool named = options.prompt_name && (!side.role || *options.prompt_name != Name(*side.role));
  if (options.prompt || named)
    return Bad(Code::kUnsupportedOption, Where::Field("ids"), "a prompt", "ids that hold the prompt already");
  if (ids.empty()) return Bad(Code::kZeroValidTokens, Where::Field("ids"), "no token", "at least one token");
  const std::size_t limit = std::max(side.layout.limit, LengthOf(side.role));
  if (ids.size() > limit)
    return Bad(Code::kInputTooLarge, Where::Field("ids"), Count(ids.size()) + " tokens", Count(limit));
  for (const std::int32_t id : ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= input_.vocabulary) {
      return Bad(Code::kInvalidInput, Where::Field("ids"), "token " + std::to_string(id),
                 "0 to " + Count(input_.vocabulary - 1));
    }
  }
  const auto head = std::span(ids).first(std::min<std::size_t>(ids.size(), 2));
  if (!side.role && ids_.query_marker && std::ranges::find(head, *ids_.query_marker) != head.end())
    side.role = TextRole::kQuery, side.rule = &recipe_.query;
  std::size_t expansion = 0;
  if (side.rule->expansion) {
    while (expansion < ids.size() && ids[ids.size() - 1 - expansion] == ids_.expansion) ++expansion;
    if (expansion == ids.size() && !side.rule->expansion->attend)
      return Bad(Code::kZeroValidTokens, Where::Field("ids"), "expansion alone, which no token sees",
                 "at least one other token");
  }
  return LayTokens(ids, std::vector<std::int32_t>(ids.size(), 0), expansion, side);
}

std::vector<EffectiveOption> MultiVectorTask::OptionsOf(const TextOptions& options, const Side& side) const {
  TextOptions asked = options;
  asked.role = side.role;
  std::vector<EffectiveOption> out = Effective(asked, side.layout);
  if (side.rule->expansion)
    out.push_back({"expansion", Text(*side.rule->expansion, tokenizer_->TokenOf(ids_.expansion)), "package"});
  out.push_back({"skip-list", Count(side.rule->skips ? ids_.skipped.size() : 0) + " tokens", "package"});
  if (side.role != TextRole::kQuery && !ids_.kept.empty())
    out.push_back({"keep-only", Count(ids_.kept.size()) + " tokens", "package"});
  return out;
}

Result<Laid> MultiVectorTask::Lay(const Request& request) const {
  const auto& r = std::get<MultiVectorRequest>(request);
  if (r.inputs.empty())
    return Bad(Code::kEmptyInput, Where::Field("inputs"), "an empty list", "at least one input");
  CANDOR_TRY(const Side side, SideOf(r.text));
  Laid laid;
  laid.items.resize(r.inputs.size());
  laid.prompt = side.layout.prompt.text.empty() ? "" : side.layout.prompt.name;
  laid.options = OptionsOf(r.text, side);
  for (std::size_t i = 0; i < r.inputs.size(); ++i) {
    ItemReport& report = laid.items[i];
    const auto* text = std::get_if<std::string>(&r.inputs[i]);
    Result<Work> work = text != nullptr ? LayText(*text, side, report)
                                        : LayIds(std::get<TokenIds>(r.inputs[i]), r.text, side, report);
    if (!work) {
      report.error = work.error();
      continue;
    }
    report.tokens = work->tokens.size();
    report.total = std::max(report.total, report.tokens);
    work->item = i;
    laid.works.push_back(std::move(work).value());
  }
  return laid;
}

// ---- after the encoder --------------------------------------------------------------------------------

Kept MultiVectorTask::Keep(const Work& work, View<const float> numbers) const {
  Kept kept;
  kept.values.reserve(work.scored.size() * numbers.cols);
  for (const std::int32_t row : work.scored) {
    const std::span<const float> values = numbers.Row(static_cast<std::size_t>(row));
    kept.values.insert(kept.values.end(), values.begin(), values.end());
  }
  return kept;
}

Result<Output> MultiVectorTask::Finish(const Request&, Laid& laid, std::span<const Kept> kept) const {
  MultiVectors out;
  out.dimensions = facts_.dimensions, out.normalized = facts_.normalized;
  out.similarity = facts_.similarity, out.space = space_;
  out.texts.resize(laid.items.size());
  for (std::size_t i = 0; i < laid.works.size(); ++i) {
    const Work& work = laid.works[i];
    if (const auto finite = CheckFinite(kept[i].values, "the vectors"); !finite) {
      laid.items[work.item].error = finite.error();
      continue;
    }
    TokenVectors& text = out.texts[work.item];
    text.values = kept[i].values;
    for (const std::int32_t row : work.scored)
      text.token_ids.push_back(work.tokens[static_cast<std::size_t>(row)]);
  }
  return Output(std::move(out));
}

}  // namespace candor::tasks

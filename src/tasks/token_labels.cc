#include "tasks/token_labels.h"

#include <utility>

#include "base/sha256.h"
#include "base/utf8.h"
#include "tasks/head_class.h"
#include "tasks/labels.h"
#include "tasks/lay.h"
#include "tasks/modules.h"

namespace candor::tasks {
namespace {

constexpr ScoreActivation kActivation = ScoreActivation::kSoftmax;

Error Bad(Code code, Where where, std::string found, std::string allowed) {
  return {code, std::move(where), std::move(found), std::move(allowed), Phase::kRequest};
}

// The pipeline reads the text alone: no file of a package gives a token classifier a prompt.
Result<void> CheckNoPrompt(const TextOptions& options) {
  const char* const allowed = "none: tokens of the text alone are labelled";
  if (options.prompt_name)
    return Bad(Code::kUnsupportedOption, Where::Option("prompt-name"), *options.prompt_name, allowed);
  if (options.prompt)
    return Bad(Code::kUnsupportedOption, Where::Option("prompt"), "a literal prompt", allowed);
  if (options.role) {
    return Bad(Code::kUnsupportedOption, Where::Option("role"), std::string(Name(*options.role)), allowed);
  }
  return {};
}

}  // namespace

TokenLabelTask::TokenLabelTask(TokenLabelParts parts)
    : parts_(std::move(parts)), head_(parts_.head, parts_.width) {
  const text::TokenizerFacts& text = parts_.tokenizer->facts();
  words_ = {.prefixed = text.marks_continuation, .unknown = text.unk_token_id};
  facts_.dimensions = head_.out();
  facts_.max_length = parts_.max_length;
  facts_.pooling = "none";
  facts_.chain = {{"Transformer", std::to_string(parts_.max_length) + " tokens"}};
  for (const HeadStep& s : parts_.head.steps)
    facts_.chain.emplace_back("Dense", s.dense + ", " + std::to_string(s.out));
  facts_.chain.emplace_back("Activation", std::string(Name(kActivation)));
}

std::string TokenLabelTask::SetSpace(std::string_view package_digest) {
  std::string text = std::string(contract()) + "\n" + std::string(package_digest) + "\n";
  for (const auto& [type, does] : facts_.chain) text += type + " " + does + "\n";
  for (const std::string& label : parts_.labels) text += std::to_string(label.size()) + " " + label + "\n";
  return "sha256:" + Sha256Hex(text);
}

Result<Work> TokenLabelTask::LayText(const std::string& text, const TextLayout& layout,
                                     ItemReport& report) const {
  CANDOR_CHECKED(CheckBytes(text.size()));
  CANDOR_TRY(text::Encoding e, EncodeText(*parts_.tokenizer, layout, text, report.total));
  if (e.ids.empty())
    return Bad(Code::kZeroValidTokens, Where::Field("text"), "no token", "at least one token");
  CANDOR_TRY(Work work, LayRows(parts_.input, std::move(e.ids), std::move(e.type_ids)));
  work.offsets = std::move(e.offsets), work.special = std::move(e.special);
  return work;
}

Result<Laid> TokenLabelTask::Lay(const Request& request) const {
  const auto& r = std::get<TokenClassifyRequest>(request);
  CANDOR_CHECKED(CheckNoPrompt(r.text));
  CANDOR_TRY(const TextLayout layout, LayOut(parts_.recipe, r.text, *parts_.tokenizer, facts_.max_length));
  const auto one = [&](std::size_t i, ItemReport& report) -> Result<Work> {
    if (const auto* text = std::get_if<std::string>(&r.inputs[i])) return LayText(*text, layout, report);
    // Whether a token begins a word is told by its text.
    if (r.aggregation != Aggregation::kNone) {
      return Bad(Code::kUnsupportedOption, Where::Option("aggregate"), std::string(Name(r.aggregation)),
                 "none, for ids: a span is of a text");
    }
    return LayIds(std::get<TokenIds>(r.inputs[i]), parts_.input, layout.limit, report);
  };
  CANDOR_TRY(Laid laid, LayEach(r.inputs.size(), r.text, layout, one));
  const bool asked = r.aggregation != Aggregation::kNone;
  laid.options.push_back(
      {"aggregate", std::string(Name(r.aggregation)), asked ? "request" : "application_default"});
  return laid;
}

std::vector<LabelledTokens::Span> TokenLabelTask::Spans(Aggregation how, std::string_view text,
                                                        const Work& work,
                                                        const LabelledTokens& tokens) const {
  const std::u32string characters = DecodeAllUtf8(text);
  const std::size_t labels = parts_.labels.size();
  std::vector<ScoredToken> scored;
  scored.reserve(work.tokens.size());
  for (std::size_t i = 0; i < work.tokens.size(); ++i) {
    if (work.special[i] != 0) continue;
    const std::int32_t id = work.tokens[i];
    scored.push_back(
        {.scores = std::span(tokens.scores).subspan(i * labels, labels),
         .at = work.offsets[i],
         .continues = ContinuesWord(words_, id, parts_.tokenizer->TokenOf(id), work.offsets[i], characters)});
  }
  return Aggregate(how, scored, parts_.labels);
}

Result<Output> TokenLabelTask::Finish(const Request& request, Laid& laid, std::span<const Kept> kept) const {
  const auto& r = std::get<TokenClassifyRequest>(request);
  const std::size_t labels = parts_.labels.size();
  TokenClasses out{parts_.labels, std::string(Name(kActivation)), {}};
  out.texts.resize(laid.items.size());
  for (std::size_t i = 0; i < laid.works.size(); ++i) {
    const Work& work = laid.works[i];
    if (const auto finite = CheckFinite(kept[i].values, "the logits"); !finite) {
      laid.items[work.item].error = finite.error();
      continue;
    }
    LabelledTokens& tokens = out.texts[work.item];
    tokens.token_ids = work.tokens;
    for (const text::Offset& at : work.offsets) tokens.offsets.emplace_back(at.begin, at.end);
    tokens.logits = kept[i].values;
    tokens.scores.resize(tokens.logits.size());
    for (std::size_t row = 0; row < tokens.logits.size(); row += labels)
      Activate(kActivation, tokens.logits.data() + row, labels, tokens.scores.data() + row);
    if (r.aggregation != Aggregation::kNone)
      tokens.spans = Spans(r.aggregation, std::get<std::string>(r.inputs[work.item]), work, tokens);
  }
  return Output(std::move(out));
}

// The files of sentence-transformers say nothing of such a class, and its pipeline does not read them.
std::unique_ptr<Task> MakeTokenLabelTask(const package::Package& package,
                                         std::shared_ptr<package::ReadLog> log, const TaskOptions& options,
                                         const Model* model, Problems& problems) {
  if (!CheckRootEncoder(package, problems)) return nullptr;
  const std::optional<package::Config> config = package.Read("config.json", log);
  if (!config || options.family == nullptr || !NamesHead(*config, *options.family, kForTokens, problems))
    return nullptr;
  std::vector<std::string> labels = ReadLabelNames(*config, problems);
  std::optional<TextParts> texts = ReadTextParts(package, log, options, model, {}, problems);
  if (!texts || labels.empty()) return nullptr;
  TokenLabelParts parts;
  static_cast<TextParts&>(parts) = *std::move(texts);
  parts.head = options.family->token_head(*config, {parts.width, labels.size()}, problems);
  parts.labels = std::move(labels);
  return std::make_unique<TokenLabelTask>(std::move(parts));
}

}  // namespace candor::tasks

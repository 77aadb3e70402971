#include "tasks/score.h"

#include <algorithm>
#include <cmath>

#include "base/sha256.h"

namespace candor::tasks {
namespace {

constexpr std::size_t kMostTextBytes = std::size_t{2} << 20;  // SPEC section 14: one string

Error Bad(Code code, Where where, std::string found, std::string allowed) {
  return {code, std::move(where), std::move(found), std::move(allowed), Phase::kRequest};
}

}  // namespace

ScoreTask::ScoreTask(ScoreParts parts) : parts_(std::move(parts)), head_(parts_.head, parts_.width) {
  facts_.dimensions = head_.out();
  facts_.max_length = parts_.max_length;
  facts_.pooling = PoolingName(parts_.head.pooling);
  facts_.chain = {{"Transformer", std::to_string(parts_.max_length) + " tokens"},
                  {"Pooling", facts_.pooling}};
  for (const HeadStep& s : parts_.head.steps)
    facts_.chain.emplace_back("Dense", s.dense + ", " + std::to_string(s.out));
  facts_.chain.emplace_back("Activation", std::string(Name(parts_.activation)));
}

std::string ScoreTask::SetSpace(std::string_view package_digest) {
  std::string text = std::string(contract()) + "\n" + std::string(package_digest) + "\n";
  for (const auto& [type, does] : facts_.chain) text += type + " " + does + "\n";
  return "sha256:" + Sha256Hex(text + Meaning());
}

Result<Work> ScoreTask::LayOne(const TextPair& input, const TextLayout& layout, ItemReport& report) const {
  const std::size_t bytes = input.text.size() + (input.pair ? input.pair->size() : 0);
  if (bytes > kMostTextBytes) {
    return Bad(Code::kInputTooLarge, Where::Field("text"), std::to_string(bytes) + " bytes",
               std::to_string(kMostTextBytes) + " bytes");
  }
  // The prompt stands in front of the first text alone, as in the reference.
  const std::string text = layout.prompt.text + input.text;
  CANDOR_TRY(text::Encoding e, input.pair ? parts_.tokenizer->EncodePair(text, *input.pair, layout.encode)
                                          : parts_.tokenizer->Encode(text, layout.encode));
  report.total = e.total;
  CANDOR_CHECKED(CheckFits(e, layout));
  if (e.ids.empty())
    return Bad(Code::kZeroValidTokens, Where::Field("text"), "no token", "at least one token");
  Work work;
  work.tokens = std::move(e.ids);
  if (parts_.input.segments != 0) work.segments = std::move(e.type_ids);
  for (const std::int32_t type : work.segments) {
    if (type >= 0 && static_cast<std::size_t>(type) < parts_.input.segments) continue;
    return Bad(Code::kPreprocessingContractMismatch, Where::Field("text"),
               "token type " + std::to_string(type), std::to_string(parts_.input.segments) + " token types");
  }
  const std::size_t n = work.tokens.size();
  report.tokens = n;
  work.sequences = work.runs = {{.begin = 0, .end = static_cast<std::int32_t>(n)}};
  work.positions.resize(n);
  FillPositions(parts_.input, work.tokens, work.positions);
  return work;
}

Result<Laid> ScoreTask::LayAll(const std::vector<TextPair>& inputs, const TextOptions& options) const {
  if (inputs.empty())
    return Bad(Code::kEmptyInput, Where::Field("inputs"), "an empty list", "at least one input");
  CANDOR_TRY(TextLayout layout, LayOut(EmbedRecipe{}, options, *parts_.tokenizer, facts_.max_length));
  layout.encode.offsets = false;
  Laid laid;
  laid.items.resize(inputs.size());
  laid.prompt = layout.prompt.name;
  laid.options = Effective(options, layout);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Result<Work> work = LayOne(inputs[i], layout, laid.items[i]);
    if (!work) {
      laid.items[i].error = work.error();
      continue;
    }
    work->item = i;
    laid.works.push_back(std::move(work).value());
  }
  return laid;
}

std::vector<float> ScoreTask::Logits(Laid& laid, std::span<const View<const float>> numbers) const {
  const std::size_t width = OutputWidth();
  std::vector<float> out(laid.items.size() * width, 0.0f);
  for (std::size_t i = 0; i < laid.works.size(); ++i) {
    const std::size_t item = laid.works[i].item;
    const std::span<const float> row = numbers[i].Row(0);
    const auto bad = std::ranges::find_if_not(row, [](float v) { return std::isfinite(v); });
    if (bad == row.end()) {
      std::ranges::copy(row, out.begin() + static_cast<std::ptrdiff_t>(item * width));
      continue;
    }
    laid.items[item].error = Error{
        Code::kNumericalFailure, {}, std::to_string(*bad) + " in the logits", "finite numbers", Phase::kRun};
  }
  return out;
}

// ---- the contracts ------------------------------------------------------------------------------------

std::string ClassifyTask::Meaning() const {
  std::string out;
  for (const std::string& label : labels_) out += std::to_string(label.size()) + " " + label + "\n";
  return out;
}

Result<Laid> ClassifyTask::Lay(const Request& request) const {
  const auto& r = std::get<ClassifyRequest>(request);
  return LayAll(r.inputs, r.text);
}

Result<Output> ClassifyTask::Finish(const Request&, Laid& laid,
                                    std::span<const View<const float>> numbers) const {
  Classes out{labels_, std::string(Name(activation())), Logits(laid, numbers), {}};
  out.scores.resize(out.logits.size());
  for (std::size_t i = 0; i < laid.items.size(); ++i) {
    const std::size_t row = i * labels_.size();
    if (!laid.items[i].error)
      Activate(activation(), out.logits.data() + row, labels_.size(), out.scores.data() + row);
  }
  return Output(std::move(out));
}

Result<Laid> RerankTask::Lay(const Request& request) const {
  const auto& r = std::get<RerankRequest>(request);
  std::vector<TextPair> pairs;
  pairs.reserve(r.documents.size());
  for (const std::string& document : r.documents) pairs.push_back({r.query, document});
  return LayAll(pairs, r.text);
}

Result<Output> RerankTask::Finish(const Request&, Laid& laid,
                                  std::span<const View<const float>> numbers) const {
  Ranks out{std::string(Name(activation())), Logits(laid, numbers), {}};
  out.activated.resize(out.scores.size());
  for (std::size_t i = 0; i < laid.items.size(); ++i)
    if (!laid.items[i].error) Activate(activation(), &out.scores[i], 1, &out.activated[i]);
  return Output(std::move(out));
}

}  // namespace candor::tasks

#include "tasks/score.h"

#include <algorithm>

#include "base/sha256.h"
#include "tasks/describe.h"
#include "tasks/lay.h"

namespace candor::tasks {
namespace {

Error Bad(Code code, Where where, std::string found, std::string allowed) {
  return {code, std::move(where), std::move(found), std::move(allowed), Phase::kRequest};
}

std::variant<Head, ModuleChain> ReadoutOf(const ScoreParts& parts) {
  if (parts.head) return Head(*parts.head, parts.width);
  return ModuleChain(parts.recipe.chain, parts.width);
}

}  // namespace

ScoreTask::ScoreTask(ScoreParts parts) : parts_(std::move(parts)), readout_(ReadoutOf(parts_)) {
  facts_.dimensions = parts_.tokens ? 1 : OutputWidth();
  facts_.max_length = parts_.max_length;
  for (const auto& [name, text] : parts_.recipe.prompts) facts_.prompts.push_back(name);
  if (parts_.head) {
    facts_.pooling = PoolingName(parts_.head->pooling.value_or(Pooling::kFirst));
    facts_.last_rows = parts_.head->pooling == Pooling::kLast;
    facts_.chain = {{"Transformer", std::to_string(parts_.max_length) + " tokens"}};
    for (std::size_t i = 0; i <= parts_.head->steps.size(); ++i) {
      if (i == parts_.head->early) facts_.chain.emplace_back("Pooling", facts_.pooling);
      if (i == parts_.head->steps.size()) break;
      const HeadStep& s = parts_.head->steps[i];
      facts_.chain.emplace_back("Dense", s.dense + ", " + std::to_string(s.out));
    }
  } else {
    facts_.pooling = PoolingText(parts_.recipe);
    facts_.last_rows = std::get<ModuleChain>(readout_).ReadsLastRows();
    facts_.chain = ChainText(parts_.recipe, parts_.max_length);
  }
  if (parts_.chat) facts_.chain.insert(facts_.chain.begin(), {"ChatTemplate", parts_.chat->Description()});
  if (parts_.tokens) facts_.chain.emplace_back("LogitScore", Description(*parts_.tokens));
  facts_.chain.emplace_back("Activation", std::string(Name(parts_.activation)));
}

std::size_t ScoreTask::OutputWidth() const {
  return std::visit([](const auto& readout) { return readout.out(); }, readout_);
}

void ScoreTask::DeclareTensors(const Scope& root) {
  std::visit([&](auto& readout) { readout.DeclareTensors(root); }, readout_);
}

void ScoreTask::Compute(const Packed& packed, Matrix hidden, Matrix out, Ops& ops, Workspace& ws) const {
  std::visit([&](const auto& readout) { readout.Apply(hidden, packed.runs, out, ops, ws); }, readout_);
}

std::string ScoreTask::SetSpace(std::string_view package_digest) {
  std::string text = std::string(contract()) + "\n" + std::string(package_digest) + "\n";
  for (const auto& [type, does] : facts_.chain) text += type + " " + does + "\n";
  for (const auto& [name, prompt] : parts_.recipe.prompts) text += "prompt " + name + "\n" + prompt + "\n";
  text += "default prompt " + parts_.recipe.default_prompt.value_or("") + "\n";
  return "sha256:" + Sha256Hex(text + Meaning());
}

Result<text::Encoding> ScoreTask::EncodeInput(const TextPair& input, const TextLayout& layout,
                                              std::size_t& total) const {
  if (parts_.chat) return parts_.chat->Encode(*parts_.tokenizer, layout, input, total);
  // The prompt stands in front of the first text alone, as in the reference.
  const std::string text = layout.prompt.text + input.text;
  CANDOR_TRY(text::Encoding e, input.pair ? parts_.tokenizer->EncodePair(text, *input.pair, layout.encode)
                                          : parts_.tokenizer->Encode(text, layout.encode));
  total = e.total;
  return e;
}

Result<Work> ScoreTask::LayPair(const TextPair& input, const TextLayout& layout, ItemReport& report) const {
  CANDOR_CHECKED(CheckBytes(input.text.size() + (input.pair ? input.pair->size() : 0)));
  CANDOR_TRY(text::Encoding e, EncodeInput(input, layout, report.total));
  CANDOR_CHECKED(CheckFits(e, layout));
  if (e.ids.empty())
    return Bad(Code::kZeroValidTokens, Where::Field("text"), "no token", "at least one token");
  return LayRows(parts_.input, std::move(e.ids), std::move(e.type_ids));
}

Result<Laid> ScoreTask::LayAll(const std::vector<TextPair>& inputs, const TextOptions& options,
                               const std::string& field) const {
  if (inputs.empty())
    return Bad(Code::kEmptyInput, Where::Field(field), "an empty list", "at least one input");
  // A prompt may be named as a side is, and is then asked for by its name.
  if (options.role)
    return Bad(Code::kUnsupportedOption, Where::Option("role"), std::string(Name(*options.role)),
               "none: a head reads its texts together, and has no sides");
  CANDOR_TRY(TextLayout layout, LayOut(parts_.recipe, options, *parts_.tokenizer, facts_.max_length));
  layout.encode.offsets = false;
  return LayEach(inputs.size(), options, layout,
                 [&](std::size_t i, ItemReport& report) { return LayPair(inputs[i], layout, report); });
}

std::vector<float> ScoreTask::Logits(Laid& laid, std::span<const Kept> kept) const {
  const std::size_t width = facts_.dimensions;
  std::vector<float> out(laid.items.size() * width, 0.0f);
  for (std::size_t i = 0; i < laid.works.size(); ++i) {
    const std::size_t item = laid.works[i].item;
    std::span<const float> row = kept[i].values;
    const float less = row.size() > 1 ? row[0] - row[1] : 0.0f;
    if (parts_.tokens && parts_.tokens->no) row = std::span(&less, 1);
    if (const auto finite = CheckFinite(row, "the logits"); !finite)
      laid.items[item].error = finite.error();
    else
      std::ranges::copy(row, out.begin() + static_cast<std::ptrdiff_t>(item * width));
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
  return LayAll(r.inputs, r.text, "inputs");
}

Result<Output> ClassifyTask::Finish(const Request&, Laid& laid, std::span<const Kept> kept) const {
  Classes out{labels_, std::string(Name(activation())), Logits(laid, kept), {}};
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
  return LayAll(pairs, r.text, "documents");
}

Result<Output> RerankTask::Finish(const Request&, Laid& laid, std::span<const Kept> kept) const {
  Ranks out{std::string(Name(activation())), Logits(laid, kept), {}};
  out.activated.resize(out.scores.size());
  for (std::size_t i = 0; i < laid.items.size(); ++i)
    if (!laid.items[i].error) Activate(activation(), &out.scores[i], 1, &out.activated[i]);
  return Output(std::move(out));
}

}  // namespace candor::tasks

#include "tasks/sparse.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/sha256.h"
#include "tasks/lay.h"
#include "tensor/batch.h"

namespace candor::tasks {
namespace {

Error Bad(Code code, Where where, std::string found, std::string allowed) {
  return {code, std::move(where), std::move(found), std::move(allowed), Phase::kRequest};
}

}  // namespace

SparseTask::SparseTask(SparseRecipe recipe, TextParts parts, std::unique_ptr<SparseNumbers> numbers,
                       std::shared_ptr<const text::Tokenizer> words, std::vector<float> weights)
    : recipe_(std::move(recipe)),
      parts_(std::move(parts)),
      numbers_(std::move(numbers)),
      words_(std::move(words)),
      weights_(std::move(weights)) {
  facts_.dimensions = numbers_->dimensions();
  facts_.max_length = parts_.max_length;
  facts_.similarity = parts_.recipe.similarity;
  facts_.pooling = numbers_->pooling();
  for (const auto& [name, text] : parts_.recipe.prompts) facts_.prompts.push_back(name);
  facts_.chain = {{"Transformer", std::to_string(parts_.max_length) + " tokens" +
                                      (parts_.recipe.lowercase_first ? ", lowercase first" : "")}};
  for (auto& step : numbers_->Describe()) facts_.chain.push_back(std::move(step));
  if (!recipe_.table) return;
  std::string sides;
  for (const auto& [side, way] :
       {std::pair{"no role", recipe_.ways[0]}, std::pair{"queries", recipe_.ways[1]},
        std::pair{"documents", recipe_.ways[2]}})
    if (way == SparseWay::kTable) sides += (sides.empty() ? "" : ", ") + std::string(side);
  facts_.chain.emplace_back("SparseStaticEmbedding",
                            "instead, for texts of " + sides + ": the weights of their words");
}

void SparseTask::DeclareTensors(const Scope& root) {
  numbers_->DeclareTensors(root);
  if (recipe_.table && weights_.empty())
    root.In(*recipe_.table).Values("weight", weights_, numbers_->dimensions());
}

std::string SparseTask::SetSpace(std::string_view package_digest) {
  std::string text = std::string(contract()) + "\n" + std::string(package_digest) + "\n";
  for (const auto& [type, does] : facts_.chain) text += type + " " + does + "\n";
  for (const auto& [name, prompt] : parts_.recipe.prompts)
    text += "prompt " + std::to_string(name.size()) + " " + name + " " + std::to_string(prompt.size()) + " " +
            prompt + "\n";
  text += "default prompt " + parts_.recipe.default_prompt.value_or("") + "\n";
  text += std::string("truncation ") + (parts_.tokenizer->facts().truncation_left ? "left" : "right") + "\n";
  space_ = "sha256:" + Sha256Hex(text + "similarity " + facts_.similarity);
  return space_;
}

// ---- before the encoder -------------------------------------------------------------------------------

Result<SparseTask::Layout> SparseTask::Prepare(const TextOptions& options) const {
  const SparseWay way = recipe_.ways[!options.role ? 0 : *options.role == TextRole::kQuery ? 1 : 2];
  if (way == SparseWay::kNone) {
    return Bad(Code::kUnsupportedOption, Where::Option("role"),
               options.role ? std::string(Name(*options.role)) : "absent",
               "a role that the package has a way for");
  }
  const bool looks_up = way == SparseWay::kTable;
  const text::Tokenizer& tokenizer = looks_up ? *words_ : *parts_.tokenizer;
  const std::size_t limit = looks_up ? words_->facts().model_max_length.value_or(0) : facts_.max_length;
  CANDOR_TRY(TextLayout text, LayOut(parts_.recipe, options, tokenizer, limit));
  Layout layout{std::move(text), &tokenizer, looks_up};
  layout.encode.offsets = false, layout.encode.add_special = !looks_up;
  return layout;
}

Result<Work> SparseTask::LayText(const std::string& text, const Layout& layout, ItemReport& report) const {
  CANDOR_CHECKED(CheckBytes(text.size()));
  CANDOR_TRY(text::Encoding e, EncodeText(*layout.tokenizer, layout, text, report.total));
  if (layout.looks_up) {  // of no words the vector is empty
    Work work;
    work.tokens = std::move(e.ids);
    return work;
  }
  if (e.ids.empty())
    return Bad(Code::kZeroValidTokens, Where::Field("text"), "no token", "at least one token");
  return LayRows(parts_.input, std::move(e.ids), std::move(e.type_ids));
}

Result<Laid> SparseTask::Lay(const Request& request) const {
  const auto& r = std::get<SparseRequest>(request);
  if (r.max_active == 0)
    return Bad(Code::kUnsupportedOption, Where::Option("max-active-dims"), "0", "at least 1");
  if (recipe_.codes && r.max_active.value_or(0) > facts_.dimensions) {
    return Bad(Code::kUnsupportedOption, Where::Option("max-active-dims"), std::to_string(*r.max_active),
               "at most " + std::to_string(facts_.dimensions));
  }
  CANDOR_TRY(const Layout layout, Prepare(r.text));
  const auto one = [&](std::size_t i, ItemReport& report) -> Result<Work> {
    const auto* ids = std::get_if<TokenIds>(&r.inputs[i]);
    if (ids == nullptr) return LayText(std::get<std::string>(r.inputs[i]), layout, report);
    report.total = ids->size();
    if (r.text.prompt || r.text.prompt_name)
      return Bad(Code::kUnsupportedOption, Where::Field("ids"), "a prompt",
                 "ids that hold the prompt already");
    return LayIds(*ids, parts_.input, layout.limit == 0 ? kLongestSequence : layout.limit, report);
  };
  CANDOR_TRY(Laid laid, LayEach(r.inputs.size(), r.text, layout, one));
  if (r.max_active)
    laid.options.push_back({"max-active-dims", std::to_string(*r.max_active), "request"});
  else if (recipe_.max_active)
    laid.options.push_back({"max-active-dims", std::to_string(*recipe_.max_active), "package"});
  if (layout.looks_up) {
    for (Work& work : laid.works) laid.lookups.emplace_back(work.item, std::move(work.tokens));
    laid.works.clear();
  }
  return laid;
}

// ---- after the encoder --------------------------------------------------------------------------------

void KeepLargest(SparseVector& vector, std::size_t most) {
  if (vector.values.size() <= most) return;
  std::vector<std::size_t> order(vector.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(most),
                           [&](std::size_t a, std::size_t b) {
                             const float x = std::abs(vector.values[a]), y = std::abs(vector.values[b]);
                             return x != y ? x > y : a < b;
                           });
  order.resize(most);
  std::ranges::sort(order);
  SparseVector kept;
  for (const std::size_t i : order)
    kept.indices.push_back(vector.indices[i]), kept.values.push_back(vector.values[i]);
  vector = std::move(kept);
}

// Each word counts once, however often it stands there.
SparseVector SparseTask::LookUp(std::vector<std::int32_t> ids) const {
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  SparseVector vector;
  for (const std::int32_t id : ids) {
    const float weight = weights_[static_cast<std::size_t>(id)];
    if (weight != 0) vector.indices.push_back(id), vector.values.push_back(weight);
  }
  return vector;
}

Result<Output> SparseTask::Finish(const Request& request, Laid& laid, std::span<const Kept> kept) const {
  const auto& r = std::get<SparseRequest>(request);
  const std::optional<std::size_t>& most = r.max_active ? r.max_active : recipe_.max_active;
  SparseEmbeddings out{facts_.dimensions, facts_.similarity, space_, {}};
  out.vectors.resize(laid.items.size());
  for (std::size_t i = 0; i < laid.works.size(); ++i) {
    const std::size_t item = laid.works[i].item;
    if (const auto finite = CheckFinite(kept[i].values, "the vector"); !finite) {
      laid.items[item].error = finite.error();
      continue;
    }
    SparseVector& vector = out.vectors[item];
    vector.indices = kept[i].indices, vector.values = kept[i].values;
    if (most) KeepLargest(vector, *most);
  }
  for (const auto& [item, ids] : laid.lookups) {
    out.vectors[item] = LookUp(ids);
    if (most) KeepLargest(out.vectors[item], *most);
  }
  return Output(std::move(out));
}

}  // namespace candor::tasks

#include "tasks/embed.h"

#include <algorithm>
#include <cmath>

#include "tasks/describe.h"
#include "tasks/lay.h"
#include "tasks/quantize.h"

namespace candor::tasks {
namespace {

Error Bad(Code code, Where where, std::string found, std::string allowed) {
  return {code, std::move(where), std::move(found), std::move(allowed), Phase::kRequest};
}

// Whether the reference counts the token as special: it then leaves it out of a prompt's length.
bool IsSpecial(const text::TokenizerFacts& f, std::int32_t id) {
  return f.sep_id == id || f.cls_id == id || f.pad_id == id || f.mask_id == id || f.unk_id == id;
}

}  // namespace

EmbedTask::EmbedTask(EmbedRecipe recipe, std::shared_ptr<const text::Tokenizer> tokenizer,
                     const InputRule& input, std::size_t width, std::size_t max_length)
    : recipe_(std::move(recipe)),
      tokenizer_(std::move(tokenizer)),
      input_(input),
      chain_(recipe_.chain, width) {
  if (const auto& layers = recipe_.layers) mix_.emplace(layers->first, layers->count);
  facts_.dimensions = std::min(recipe_.width, recipe_.truncate_dim.value_or(recipe_.width));
  facts_.max_length = max_length, facts_.cuts = recipe_.cuts();
  // The package's own cut comes after its Normalize and is not normalised again, as in the reference.
  facts_.normalized = recipe_.normalizes() && facts_.dimensions == recipe_.width;
  facts_.similarity = recipe_.similarity;
  facts_.pooling = PoolingText(recipe_), facts_.last_rows = chain_.ReadsLastRows();
  for (const auto& [name, text] : recipe_.prompts) facts_.prompts.push_back(name);
  for (const Adapter& adapter : input_.adapters) facts_.adapters.push_back(adapter.name);
  facts_.matryoshka = recipe_.matryoshka;
  facts_.chain = ChainText(recipe_, max_length);
}

std::string EmbedTask::SetSpace(std::string_view closure) {
  space_ = SpaceId(recipe_, facts_, tokenizer_ != nullptr && tokenizer_->facts().truncation_left, closure);
  return space_;
}

void EmbedTask::DeclareTensors(const Scope& root) {
  if (mix_) {
    const Scope scope = root.In(recipe_.layers->folder);
    mix_->DeclareTensors(
        recipe_.layers->used ? scope : scope.Unused("without output_hidden_states no layers to weigh"));
  }
  chain_.DeclareTensors(root);
}

// ---- before the encoder -------------------------------------------------------------------------------

// As the reference measures it: the prompt alone, without the special token that ends it.
Result<std::size_t> EmbedTask::PromptLength(const Layout& layout) const {
  CANDOR_TRY(const text::Encoding alone, tokenizer_->Encode(layout.prompt.text, layout.encode));
  std::size_t length = alone.ids.size();
  if (length != 0 && (alone.special.back() != 0 || IsSpecial(tokenizer_->facts(), alone.ids.back())))
    --length;
  return length;
}

Result<EmbedTask::Layout> EmbedTask::Prepare(const TextOptions& options, std::size_t route) const {
  CANDOR_TRY(TextLayout text, LayOut(recipe_, options, *tokenizer_, facts_.max_length));
  Layout layout{std::move(text)};
  layout.encode.offsets = false;
  if (!recipe_.pooling(route).include_prompt && !layout.prompt.text.empty()) {
    CANDOR_TRY(layout.excluded, PromptLength(layout));
  }
  return layout;
}

Result<Work> EmbedTask::LayText(const std::string& text, const Layout& layout, ItemReport& report) const {
  CANDOR_CHECKED(CheckBytes(text.size()));
  CANDOR_TRY(text::Encoding e, EncodeText(*tokenizer_, layout, text, report.total));
  // A table's mean of no rows is zero, as in its references.
  if (e.ids.size() <= layout.excluded && !recipe_.table) {
    return Bad(Code::kZeroValidTokens, Where::Field("text"),
               std::to_string(e.ids.size()) + " tokens, of which the prompt's " +
                   std::to_string(layout.excluded) + " are not pooled",
               "at least one token to pool");
  }
  CANDOR_TRY(Work work, LayRows(input_, std::move(e.ids), std::move(e.type_ids)));
  const auto skipped = static_cast<std::int32_t>(layout.excluded);
  work.runs.front().begin = work.runs.front().skipped = skipped;
  return work;
}

Result<Laid> EmbedTask::Lay(const Request& request) const {
  const auto& r = std::get<EmbedRequest>(request);
  CANDOR_TRY(const std::size_t dimensions, Dimensions(r));
  CANDOR_CHECKED(CheckRanges(r.type, r.ranges, dimensions));
  CANDOR_TRY(const std::int32_t adapter, AdapterOf(r));
  CANDOR_TRY(const std::size_t route, RouteOf(r.text));
  CANDOR_TRY(const Layout layout, Prepare(r.text, route));
  const auto one = [&](std::size_t i, ItemReport& report) -> Result<Work> {
    const auto* ids = std::get_if<TokenIds>(&r.inputs[i]);
    if (ids == nullptr) return LayText(std::get<std::string>(r.inputs[i]), layout, report);
    report.total = ids->size();
    if (r.text.prompt || r.text.prompt_name)
      return Bad(Code::kUnsupportedOption, Where::Field("ids"), "a prompt",
                 "ids that hold the prompt already");
    return LayIds(*ids, input_, layout.limit, report);
  };
  CANDOR_TRY(Laid laid, LayEach(r.inputs.size(), r.text, layout, one));
  for (Work& work : laid.works) work.adapter = adapter, work.route = route;
  laid.options.push_back({"dimensions", std::to_string(dimensions), r.dimensions ? "request" : "package"});
  if (r.adapter) laid.options.push_back({"adapter", *r.adapter, "request"});
  if (recipe_.routes)
    laid.options.push_back({"route", recipe_.routes->names[route], r.text.role ? "request" : "package"});
  if (r.type != VectorType::kFloat32)
    laid.options.push_back({"embedding-type", std::string(Name(r.type)), "request"});
  return laid;
}

// ---- after the encoder --------------------------------------------------------------------------------

Result<std::size_t> EmbedTask::Dimensions(const EmbedRequest& request) const {
  if (!request.dimensions) return facts_.dimensions;
  const std::size_t d = *request.dimensions;
  const std::vector<std::size_t>& declared = facts_.matryoshka;
  if (d == recipe_.width || std::ranges::find(declared, d) != declared.end()) return d;
  if (declared.empty() && d >= 1 && d < recipe_.width) return d;
  std::string allowed;
  for (const std::size_t size : declared) allowed += std::to_string(size) + ", ";
  allowed =
      declared.empty() ? "1 to " + std::to_string(recipe_.width) : allowed + std::to_string(recipe_.width);
  return Bad(Code::kUnsupportedOption, Where::Option("dimensions"), std::to_string(d), std::move(allowed));
}

Result<std::size_t> EmbedTask::RouteOf(const TextOptions& options) const {
  if (!recipe_.routes) return std::size_t{0};
  if (const auto route = recipe_.routes->Of(options.role)) return *route;
  return Bad(Code::kUnsupportedOption, Where::Option("role"),
             options.role ? std::string(Name(*options.role)) : "none",
             "a role that the Router has a route for");
}

Result<std::int32_t> EmbedTask::AdapterOf(const EmbedRequest& request) const {
  if (!request.adapter) return Batch::kNoAdapter;
  const auto at = std::ranges::find(input_.adapters, *request.adapter, &Adapter::name);
  if (at != input_.adapters.end()) return static_cast<std::int32_t>(at - input_.adapters.begin());
  std::string allowed;
  for (const Adapter& a : input_.adapters) allowed += (allowed.empty() ? "" : ", ") + a.name;
  return Bad(Code::kUnsupportedOption, Where::Option("adapter"), *request.adapter,
             allowed.empty() ? "none: the package has no adapters" : std::move(allowed));
}

namespace {

// Bytes are of another space: they are compared with bytes of the same type and ranges alone.
void ToBytes(const EmbedRequest& request, Embeddings& e) {
  const std::size_t rows = e.values.size() / e.dimensions, bytes = RowBytes(request.type, e.dimensions);
  e.type = request.type;
  e.bytes.resize(rows * bytes);
  for (std::size_t i = 0; i < rows; ++i) {
    Quantize(request.type, std::span(e.values).subspan(i * e.dimensions, e.dimensions), request.ranges,
             std::span(e.bytes).subspan(i * bytes, bytes));
  }
  e.values.clear();
  e.space = BytesSpaceId(e.space, Name(request.type), request.ranges);
}

}  // namespace

Result<Output> EmbedTask::Finish(const Request& request, Laid& laid, std::span<const Kept> kept) const {
  const auto& r = std::get<EmbedRequest>(request);
  Embeddings e;
  CANDOR_TRY(e.dimensions, Dimensions(r));
  CANDOR_TRY(const std::size_t route, RouteOf(r.text));
  const bool asked_cut = r.dimensions && e.dimensions != recipe_.width;
  const bool again = asked_cut && recipe_.normalizes(route);
  e.normalized = again || (recipe_.normalizes(route) && e.dimensions == recipe_.width);
  e.similarity = recipe_.similarity;
  e.space =
      e.dimensions == facts_.dimensions && !again ? space_ : CutSpaceId(space_, e.dimensions, e.normalized);
  CANDOR_TRY(const std::int32_t adapter, AdapterOf(r));
  if (adapter != Batch::kNoAdapter)
    e.space = AdapterSpaceId(e.space, input_.adapters[static_cast<std::size_t>(adapter)].space);
  e.values.assign(laid.items.size() * e.dimensions, 0.0f);
  for (std::size_t i = 0; i < laid.works.size(); ++i) {
    const std::size_t item = laid.works[i].item;
    const std::span<const float> row = kept[i].values;
    if (const auto finite = CheckFinite(row, "the vector"); !finite) {
      laid.items[item].error = finite.error();
      continue;
    }
    float* const to = e.values.data() + item * e.dimensions;
    std::copy_n(row.begin(), e.dimensions, to);
    if (!again) continue;
    double squares = 0;
    for (std::size_t c = 0; c < e.dimensions; ++c) squares += static_cast<double>(to[c]) * to[c];
    const double norm = std::max(std::sqrt(squares), 1e-12);  // the reference's clamp
    for (std::size_t c = 0; c < e.dimensions; ++c) to[c] = static_cast<float>(to[c] / norm);
  }
  if (r.type != VectorType::kFloat32) ToBytes(r, e);
  return Output(std::move(e));
}

}  // namespace candor::tasks

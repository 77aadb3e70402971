#include "tasks/describe.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/sha256.h"

namespace candor::tasks {
namespace {

// Fields with their lengths, so that no text can look like another field.
class Fields {
 public:
  void Add(std::string_view name, std::string_view value) {
    text_ += std::string(name) + " " + std::to_string(value.size()) + " " + std::string(value) + "\n";
  }
  std::string Id() const { return "sha256:" + Sha256Hex(text_); }

 private:
  std::string text_;
};

std::string ModesText(const PoolingStep& pooling) {
  std::string out;
  for (const Pooling mode : pooling.modes) out += (out.empty() ? "" : "+") + std::string(PoolingName(mode));
  return out;
}

std::pair<std::string, std::string> Describe(const Module& m) {
  if (const auto* p = std::get_if<PoolingStep>(&m.step))
    return {"Pooling", ModesText(*p) + (p->include_prompt ? "" : ", without the prompt's tokens")};
  if (const auto* d = std::get_if<DenseStep>(&m.step)) {
    return {"Dense", std::to_string(d->in) + " to " + std::to_string(d->out) + ", " + d->activation_name +
                         (d->bias ? ", bias" : "") +
                         (!d->residual      ? ""
                          : d->in == d->out ? ", plus its input"
                                            : ", plus its projected input")};
  }
  if (const auto* n = std::get_if<LayerNormStep>(&m.step)) return {"LayerNorm", std::to_string(n->width)};
  return {"Normalize", "x / max(|x|, 1e-12), as the reference: a zero vector stays one"};
}

}  // namespace

std::string PoolingText(const EmbedRecipe& recipe) {
  std::vector<std::string> ways;
  for (const Module& m : recipe.chain) {
    const auto* pooling = std::get_if<PoolingStep>(&m.step);
    if (pooling == nullptr) continue;
    std::string way = ModesText(*pooling);
    if (std::ranges::find(ways, way) == ways.end()) ways.push_back(std::move(way));
  }
  std::string out;
  for (const std::string& way : ways) out += (out.empty() ? "" : " or ") + way;
  return out;
}

std::vector<std::pair<std::string, std::string>> ChainText(const EmbedRecipe& recipe,
                                                           std::size_t max_length) {
  std::vector<std::pair<std::string, std::string>> out;
  const std::string tokens = std::to_string(max_length) + " tokens";
  if (const auto& table = recipe.table) {
    out.emplace_back(table->model2vec ? "model2vec" : "StaticEmbedding",
                     (recipe.cuts() ? tokens : "any number of tokens") + ", none special" +
                         (table->left_out ? ", without unknown ones" : "") + "; the mean of their rows");
  } else {
    out.emplace_back("Transformer", tokens + (recipe.lowercase_first ? ", lowercase first" : ""));
  }
  if (const auto& layers = recipe.layers) {
    out.emplace_back("WeightedLayerPooling", layers->used
                                                 ? "layers " + std::to_string(layers->first) + " to " +
                                                       std::to_string(layers->first + layers->count - 1)
                                                 : "changes nothing, the model gives no layers");
  }
  // The mean of a table is told already.
  for (std::size_t i = recipe.table ? 1 : 0; i < recipe.chain.size(); ++i) {
    out.push_back(Describe(recipe.chain[i]));
    if (const auto& route = recipe.chain[i].route)
      out.back().second += ", of " + recipe.routes->names[*route];
  }
  return out;
}

namespace {

std::string IdOf(std::string_view contract, const EmbedRecipe& recipe, const TaskFacts& facts,
                 bool truncate_left, std::string_view closure) {
  Fields f;
  f.Add("recipe", contract);
  f.Add("closure", closure);
  for (const auto& [type, text] : facts.chain) f.Add(type, text);
  for (const auto& [name, text] : recipe.prompts) f.Add("prompt " + name, text);
  f.Add("default prompt", recipe.default_prompt.value_or(""));
  f.Add("truncation", truncate_left ? "left" : "right");
  f.Add("dimensions", std::to_string(facts.dimensions));
  f.Add("normalized", facts.normalized ? "true" : "false");
  f.Add("similarity", facts.similarity);
  return f.Id();
}

}  // namespace

std::string SpaceId(const EmbedRecipe& recipe, const TaskFacts& facts, bool truncate_left,
                    std::string_view closure) {
  return IdOf(recipe.table ? "candor.embedding.dense/v1, static table"
                           : "candor.embedding.dense/v1, special tokens by the template, no padding, "
                             "every token pooled",
              recipe, facts, truncate_left, closure);
}

std::string TokensSpaceId(const EmbedRecipe& recipe, const TaskFacts& facts, bool truncate_left,
                          std::string_view closure) {
  return IdOf("candor.embedding.multi_vector/v1, special tokens by the template, no padding", recipe, facts,
              truncate_left, closure);
}

std::string CutSpaceId(std::string_view space, std::size_t dimensions, bool normalized) {
  Fields f;
  f.Add("of", space);
  f.Add("dimensions", std::to_string(dimensions));
  f.Add("normalized", normalized ? "true" : "false");
  return f.Id();
}

std::string BytesSpaceId(std::string_view space, std::string_view type, std::span<const float> ranges) {
  Fields f;
  f.Add("of", space);
  f.Add("type", type);
  std::string text;
  for (const float value : ranges) text += std::to_string(std::bit_cast<std::uint32_t>(value)) + " ";
  f.Add("ranges", text);
  return f.Id();
}

std::string AdapterSpaceId(std::string_view space, std::string_view adapters) {
  Fields f;
  f.Add("of", space);
  f.Add("adapters", adapters);
  return f.Id();
}

}  // namespace candor::tasks

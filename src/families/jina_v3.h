// Jina Embeddings v3: a post-norm encoder with rotary positions and a plain MLP, and adapters for tasks that
// a request selects by name. References: transformers 5.24, models/jina_embeddings_v3/
// modeling_jina_embeddings_v3.py (JinaEmbeddingsV3Model, without adapters); the publisher's
// jinaai/xlm-roberta-flash-implementation, modeling_xlm_roberta.py (XLMRobertaModel) and modeling_lora.py
// (XLMRobertaLoRA), which adds each adapter's product to the weights of both tables and of all four products.
// The publisher's class may have learned positions instead, counted as RoBERTa's (jina-reranker-v2).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "families/low_rank.h"
#include "families/post_norm.h"
#include "model/model.h"

namespace candor::families {

struct JinaV3Spec {
  std::size_t vocabulary = 0, width = 0, inner = 0, heads = 1, layers = 0, max_length = 0;
  std::size_t segments = 1;
  float eps = 1e-5f;
  Activation activation = Activation::kGeluErf;
  std::optional<Rope> rope = {};             // empty: learned absolute positions
  std::optional<std::int32_t> padding = {};  // which count behind this id
  std::vector<Adapter> adapters;
  LowRankSizes low_rank;
  bool gives_layers = false;  // as GteSpec's
};

class JinaV3Model final : public Model {
 public:
  explicit JinaV3Model(JinaV3Spec spec) : spec_(std::move(spec)) {}
  void DeclareTensors(const Scope& root) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;
  InputRule input() const override {
    const std::size_t unused = spec_.padding ? static_cast<std::size_t>(*spec_.padding) + 1 : 0;
    return {.max_length = spec_.max_length - unused,
            .elastic = spec_.rope.has_value(),
            .vocabulary = spec_.vocabulary,
            .segments = spec_.segments,
            .padding = spec_.padding,
            .may_hide = true,
            .adapters = spec_.adapters};
  }
  std::size_t given_layers() const override { return spec_.gives_layers ? spec_.layers + 1 : 0; }
  std::size_t width() const override { return spec_.width; }
  const JinaV3Spec& spec() const { return spec_; }

 private:
  // Beside a PostNormLayer's four products.
  struct LayerAdapters {
    LowRankLinear qkv, out, up, down;
  };
  void Embed(const Batch& batch, Matrix h, Ops& ops, Workspace& ws) const;
  void RunAdapted(std::size_t layer, const Batch& batch, Matrix h, AttentionArgs scores, Matrix angles,
                  Ops& ops, Workspace& ws) const;

  JinaV3Spec spec_;
  Weight word_, position_, segment_;
  LowRankTable word_adapters_, segment_adapters_;
  Norm norm_;
  std::vector<PostNormLayer> layers_;
  std::vector<LayerAdapters> adapters_;  // empty without adapters
};

extern const Family kJinaV3Family, kXlmRobertaFlashFamily;  // families/jina_v3_config.cc

}  // namespace candor::families

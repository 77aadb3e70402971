// Nomic BERT: a post-norm encoder with rotary positions on a part of each head, and a plain or gated MLP;
// some layers may have routed experts in its place. Members: nomic-bert-2048, nomic-embed-text v1, v1.5 and
// v2-moe. References: transformers 5.24, models/nomic_bert/modeling_nomic_bert.py, and for what that class
// cannot express the published remote code (nomic-ai/contrastors,
// models/huggingface/modeling_hf_nomic_bert.py).
#pragma once
#include <cstddef>
#include <vector>

#include "families/post_norm.h"
#include "model/model.h"

namespace candor::families {

struct NomicBertSpec {
  std::size_t vocabulary = 0, width = 0, inner = 0, heads = 1, layers = 0, max_length = 0;
  std::size_t segments = 0;  // 0: no table
  float eps = 1e-12f;
  bool attention_bias = false, up_bias = false, down_bias = false, gated = true;
  Activation activation = Activation::kSilu;
  Rope rope;
  std::size_t experts = 0, top_k = 0, experts_every = 0;
  bool gives_layers = false;  // as GteSpec's
  // Layers 1, 1 + experts_every, ... have experts in the place of an MLP.
  bool Routed(std::size_t layer) const { return experts_every != 0 && layer % experts_every == 1; }
};

class NomicBertModel final : public Model {
 public:
  explicit NomicBertModel(NomicBertSpec spec) : spec_(std::move(spec)) {}
  void DeclareTensors(const Scope& root) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;
  InputRule input() const override {
    return {.max_length = spec_.max_length,
            .elastic = true,
            .vocabulary = spec_.vocabulary,
            .segments = spec_.segments,
            .may_hide = true};
  }
  std::size_t given_layers() const override { return spec_.gives_layers ? spec_.layers + 1 : 0; }
  std::size_t width() const override { return spec_.width; }
  const NomicBertSpec& spec() const { return spec_; }

 private:
  struct Layer {
    PostNormLayer block;  // its MLP is absent where there are experts
    Router router;
    ExpertSet set;
  };
  void DeclareMlp(const Scope& scope, Mlp& mlp) const;
  void DeclareExperts(const Scope& scope, Layer& layer) const;

  NomicBertSpec spec_;
  Weight word_, segment_;
  Norm norm_;
  std::vector<Layer> layers_;
};

extern const Family kNomicBertFamily;  // families/nomic_bert_config.cc

}  // namespace candor::families

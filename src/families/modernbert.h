// ModernBERT: a pre-norm encoder with rotary positions, local and global attention in turn, and a gated MLP.
// Members: ModernBERT, mmBERT, Ettin, Granite R2. Reference: transformers 5.24,
// models/modernbert/modeling_modernbert.py (ModernBertModel).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/model.h"

namespace candor::families {

struct ModernBertSpec {
  std::size_t vocabulary = 0, width = 0, inner = 0, heads = 1, max_length = 0;
  float eps = 1e-5f;
  bool norm_bias = false, attention_bias = false, mlp_bias = false;
  Activation activation = Activation::kGeluErf;
  Rope global, local;
  std::int32_t radius = 64;     // rows that a local layer sees on either side
  std::vector<bool> is_global;  // one per layer
};

class ModernBertModel final : public Model {
 public:
  explicit ModernBertModel(ModernBertSpec spec) : spec_(std::move(spec)) {}
  void DeclareTensors(const Scope& root) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;
  InputRule input() const override {
    return {
        .max_length = spec_.max_length, .elastic = true, .vocabulary = spec_.vocabulary, .may_hide = true};
  }
  std::size_t given_layers() const override { return spec_.is_global.size() + 1; }
  std::size_t width() const override { return spec_.width; }
  const ModernBertSpec& spec() const { return spec_; }

 private:
  struct Layer {
    Norm attention_norm;  // the first layer has none
    Linear qkv, out;
    Norm mlp_norm;
    Mlp mlp;
  };
  ModernBertSpec spec_;
  Weight word_;
  Norm norm_, final_norm_;
  std::vector<Layer> layers_;
};

extern const Family kModernBertFamily;  // families/modernbert_config.cc

}  // namespace candor::families

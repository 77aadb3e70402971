// Qwen3.5's text model run without generation: layers of attention whose result is gated, and layers that
// carry a state along the text: a short convolution, then the gated delta rule. Norms are stored less one,
// but for those of the delta rule's heads. Reference: transformers 5.24, models/qwen3_5/modeling_qwen3_5.py.
#pragma once
#include <cstddef>
#include <vector>

#include "model/model.h"

namespace candor::families {

struct Qwen35Spec {
  std::size_t vocabulary = 0, width = 0, inner = 0, max_length = 0;
  float eps = 1e-6f;
  Activation activation = Activation::kSilu;
  // Of attention.
  std::size_t heads = 1, key_heads = 1, head_width = 0;
  bool attention_bias = false, causal = true;
  Rope rope;  // of the first columns of each head
  // Of the delta rule.
  struct Delta {
    std::size_t heads = 1, key_heads = 1, key_width = 0, value_width = 0, taps = 1;
    std::size_t keys() const { return key_heads * key_width; }
    std::size_t values() const { return heads * value_width; }
    std::size_t mixed() const { return 2 * keys() + values(); }
  } delta;
  std::vector<bool> attends;  // a layer each; the others carry a state
};

class Qwen35Model final : public Model {
 public:
  explicit Qwen35Model(Qwen35Spec spec) : spec_(std::move(spec)) {}
  void DeclareTensors(const Scope& root) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;
  InputRule input() const override {
    return {.max_length = spec_.max_length, .elastic = true, .vocabulary = spec_.vocabulary};
  }
  std::size_t given_layers() const override { return spec_.attends.size() + 1; }
  std::size_t width() const override { return spec_.width; }
  const Qwen35Spec& spec() const { return spec_; }

 private:
  struct Layer {
    Norm mix_norm, mlp_norm;
    Linear in, out;  // of either kind
    Norm query_norm, key_norm;
    Linear step, beta;
    Weight taps, log_rate;
    Norm value_norm;
    Mlp mlp;
  };
  void DeclareAttention(const Scope& scope, Layer& layer) const;
  void DeclareDelta(const Scope& scope, Layer& layer) const;
  // What the layer's last product takes.
  Matrix Attend(const Layer& layer, Matrix x, Matrix angles, const Batch& batch, Ops& ops,
                Workspace& ws) const;
  Matrix Recur(const Layer& layer, Matrix x, const Batch& batch, Ops& ops, Workspace& ws) const;

  Qwen35Spec spec_;
  Weight word_;
  std::vector<Layer> layers_;
  Norm final_norm_;
};

extern const Family kQwen35Family;  // families/qwen3_5_config.cc

}  // namespace candor::families

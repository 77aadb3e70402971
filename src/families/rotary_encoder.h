// A bidirectional encoder of decoder-like layers: RMS norms before each block, rotary positions, key heads
// that query heads share, a gated MLP. Members: EuroBERT, whose layers see everything, and UltraBERT, which
// has windows and a rotation base of its own per kind of layer. References: transformers 5.24,
// models/eurobert/modeling_eurobert.py (EuroBertModel), models/ultrabert/modeling_ultrabert.py
// (UltrabertModel).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/model.h"

namespace candor::families {

struct RotaryEncoderSpec {
  struct Layer {
    std::int32_t radius = AttentionArgs::kEveryRow;  // rows that it sees on either side
    std::size_t rope = 0;                            // of `ropes`
  };
  std::size_t vocabulary = 0, width = 0, inner = 0, max_length = 0;
  std::size_t heads = 1, key_heads = 1, head_width = 0;  // all heads together may be wider than `width`
  float eps = 1e-5f;
  bool attention_bias = false, mlp_bias = false;
  Activation activation = Activation::kSilu;
  std::vector<Rope> ropes;
  std::vector<Layer> layers;
};

class RotaryEncoderModel final : public Model {
 public:
  explicit RotaryEncoderModel(RotaryEncoderSpec spec) : spec_(std::move(spec)) {}
  void DeclareTensors(const Scope& root) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;
  InputRule input() const override {
    return {
        .max_length = spec_.max_length, .elastic = true, .vocabulary = spec_.vocabulary, .may_hide = true};
  }
  std::size_t given_layers() const override { return spec_.layers.size() + 1; }
  std::size_t width() const override { return spec_.width; }
  const RotaryEncoderSpec& spec() const { return spec_; }

 private:
  struct Layer {
    Norm attention_norm;
    Linear qkv, out;
    Norm mlp_norm;
    Mlp mlp;
  };
  RotaryEncoderSpec spec_;
  Weight word_;
  std::vector<Layer> layers_;
  Norm final_norm_;
};

extern const Family kEuroBertFamily, kUltraBertFamily;  // families/{eurobert,ultrabert}_config.cc

}  // namespace candor::families

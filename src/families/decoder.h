// Decoder layers run without generation: RMS norms before each block, and for some behind it too, rotary
// positions, key heads that query heads share, a gated MLP or experts of that kind. Each row sees itself and
// what is before it, or both sides, all of it or a window. Members differ in the fields of DecoderSpec alone,
// which their readers fill: Llama (llama_config.cc), Qwen2, Qwen3 and Qwen3-MoE (qwen_config.cc,
// qwen_moe_config.cc), Mistral and Ministral3 (mistral_config.cc), Gemma, Gemma 2 and the text model of Gemma
// 3 (gemma_config.cc), and the encoders EuroBERT (eurobert_config.cc) and UltraBERT (ultrabert_config.cc).
// References: transformers 5.24, models/X/modeling_X.py.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/model.h"

namespace candor::families {

struct DecoderSpec {
  struct Layer {
    bool causal = false;
    std::int32_t radius = AttentionArgs::kEveryRow;  // rows that it sees before it, and behind unless causal
    std::size_t rope = 0;                            // of `ropes`
    std::optional<std::size_t> query_rope = {};      // of queries, where theirs is another one
    bool routed = false;                             // experts in the place of the MLP
  };
  std::size_t vocabulary = 0, width = 0, inner = 0, max_length = 0;
  std::size_t heads = 1, key_heads = 1, head_width = 0;  // all heads together may be wider than `width`
  float eps = 1e-5f;
  bool qkv_bias = false, out_bias = false, mlp_bias = false;
  bool head_norms = false;  // of each query and key head, before it turns
  bool post_norms = false;  // of what a block gives, before it is added
  Scope::Scales norm_scales = Scope::Scales::kAsStored;
  float embedding_scale = 1;
  float score_scale = 0;  // 0: 1 / sqrt(head_width)
  float softcap = 0;      // AttentionArgs::softcap
  Activation activation = Activation::kSilu;
  struct Experts {
    std::size_t count = 0, top_k = 0, inner = 0;
    bool renormalise = false;
  } experts;
  std::vector<Rope> ropes;
  std::vector<Layer> layers;
};

class DecoderModel final : public Model {
 public:
  explicit DecoderModel(DecoderSpec spec) : spec_(std::move(spec)) {}
  void DeclareTensors(const Scope& root) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;
  InputRule input() const override;
  std::size_t given_layers() const override { return spec_.layers.size() + 1; }
  std::size_t width() const override { return spec_.width; }
  const DecoderSpec& spec() const { return spec_; }

 private:
  struct Layer {
    Norm attention_norm, query_norm, key_norm;
    Linear qkv, out;
    Norm after_attention, mlp_norm;
    Mlp mlp;  // absent where there are experts
    Router router;
    ExpertSet set;
    Norm after_mlp;
  };
  void DeclareMlp(const Scope& scope, Layer& layer) const;
  void DeclareExperts(const Scope& scope, Layer& layer) const;
  DecoderSpec spec_;
  Weight word_;
  std::vector<Layer> layers_;
  Norm final_norm_;
};

extern const Family kLlamaFamily, kLlamaBidirecFamily;               // families/llama_config.cc
extern const Family kQwen2Family, kQwen3Family, kPplxFamily;         // families/qwen_config.cc
extern const Family kQwen3MoeFamily;                                 // families/qwen_moe_config.cc
extern const Family kMistralFamily, kMinistral3Family;               // families/mistral_config.cc
extern const Family kGemmaFamily, kGemma2Family, kGemma3TextFamily;  // families/gemma_config.cc
extern const Family kEuroBertFamily, kUltraBertFamily;  // families/{eurobert,ultrabert}_config.cc

}  // namespace candor::families

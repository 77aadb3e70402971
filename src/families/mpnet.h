// MPNet: a post-norm encoder whose scores get one learned bias per distance bucket, shared by all layers.
// Reference: transformers 5.24, models/mpnet/modeling_mpnet.py (MPNetModel without its pooler).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "families/post_norm.h"
#include "model/model.h"

namespace candor::families {

struct MpnetSpec {
  std::size_t vocabulary = 0, width = 0, inner = 0, heads = 1, layers = 0, max_positions = 0;
  std::size_t buckets = 32;  // rows of the table; kMpnetBuckets of them are used
  float eps = 1e-12f;
  Activation activation = Activation::kGeluErf;
};

// The padding id of MPNet's positions, whatever config.json says: the class has it in its code.
inline constexpr std::int32_t kMpnetPadding = 1;

// So are the buckets: a table may have more rows, never fewer.
inline constexpr std::int32_t kMpnetBuckets = 32;

// The bucket of the key `distance` rows to the right of the query: half of the buckets for each side, half of
// those exact, the others growing with the logarithm up to 128 rows (T5, arXiv:1910.10683).
std::int32_t MpnetBucket(std::int32_t distance);

class MpnetModel final : public Model {
 public:
  explicit MpnetModel(const MpnetSpec& spec);
  void DeclareTensors(const Scope& root) override;
  void Precompute(Ops& ops, Workspace& constants) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;
  InputRule input() const override;
  std::size_t given_layers() const override { return spec_.layers + 1; }
  std::size_t width() const override { return spec_.width; }
  const MpnetSpec& spec() const { return spec_; }

 private:
  std::size_t longest() const { return spec_.max_positions - kMpnetPadding - 1; }

  MpnetSpec spec_;
  std::vector<std::int32_t> buckets_;  // of every distance, the smallest first
  Weight word_, position_, relative_;
  Matrix distance_bias_;
  Norm norm_;
  std::vector<PostNormLayer> layers_;
};

extern const Family kMpnetFamily;  // families/mpnet_config.cc

}  // namespace candor::families

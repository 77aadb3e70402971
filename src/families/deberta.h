// DeBERTa v2 and v3: a post-norm encoder whose scores add content-to-position and position-to-content terms
// (arXiv:2006.03654, arXiv:2111.09543). Reference: transformers 5.24,
// models/deberta_v2/modeling_deberta_v2.py (DebertaV2Model).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "families/post_norm.h"
#include "model/model.h"

namespace candor::families {

struct DebertaSpec {
  std::size_t vocabulary = 0, width = 0, inner = 0, heads = 1, layers = 0, max_positions = 0, segments = 0;
  std::size_t embedding = 0;         // width of the tables; another one than `width` is projected
  bool positions_in_input = true;    // absolute positions are added to the embeddings
  bool relative = false;             // there is a table of relative positions
  bool content_to_position = false;  // the terms that pos_att_type names; each changes the scale of scores,
  bool position_to_content = false;  // even where there is no table
  bool share_keys = false;           // positions are projected like contents
  bool norm_relative = false;        // the table is normed first
  std::int32_t buckets = 0;          // logarithmic ones; 0: every distance up to max_relative has its own
  std::int32_t max_relative = 0;
  std::size_t conv_taps = 0;  // of the convolution beside the first layer; 0: none
  float eps = 1e-7f;
  Activation activation = Activation::kGeluErf, conv_activation = Activation::kTanh;

  // Rows of the table on either side of distance 0.
  std::int32_t span() const { return buckets > 0 ? buckets : max_relative; }
};

// The row of the table for a query `distance` rows to the right of a key: itself within a half of the
// buckets, logarithmic beyond it, clamped to the table.
std::int32_t DebertaRow(const DebertaSpec& spec, std::int32_t distance);

class DebertaModel final : public Model {
 public:
  explicit DebertaModel(const DebertaSpec& spec);
  void DeclareTensors(const Scope& root) override;
  void Precompute(Ops& ops, Workspace& constants) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;
  InputRule input() const override;
  std::size_t given_layers() const override { return spec_.layers + 1; }
  std::size_t width() const override { return spec_.width; }
  const DebertaSpec& spec() const { return spec_; }

 private:
  struct Layer : PostNormLayer {
    Linear position_key, position_query;
    Matrix keys, queries;  // the table's rows projected, in the order of `buckets_`
  };
  bool has_terms() const {
    return spec_.relative && (spec_.content_to_position || spec_.position_to_content);
  }
  Matrix Embed(const Batch& batch, Ops& ops, Workspace& ws) const;

  DebertaSpec spec_;
  // For key minus query, from the smallest on: rows of the table, counted from its end so that they never
  // decrease.
  std::vector<std::int32_t> buckets_, rows_;
  Index staged_;  // `buckets_`, where the backend reads them
  Weight word_, position_, segment_, relative_;
  Linear widen_, conv_;
  Norm norm_, relative_norm_, conv_norm_;
  std::vector<Layer> layers_;
};

extern const Family kDebertaFamily;  // families/deberta_config.cc

}  // namespace candor::families

// GTE: a post-norm encoder with rotary or learned positions and a gated MLP. Members: model type "gte" and,
// of older packages, "new". References: transformers 5.24, models/gte/modeling_gte.py (GteModel without its
// pooler); Alibaba-NLP/new-impl, modeling.py (NewModel), as tools/oracle/new_model.py has it.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "families/post_norm.h"
#include "model/model.h"

namespace candor::families {

struct GteSpec {
  std::size_t vocabulary = 0, width = 0, inner = 0, heads = 1, layers = 0, max_positions = 0;
  std::size_t segments = 0;  // rows of the token type table; 0: there is none
  float eps = 1e-12f;
  bool rms = false;  // norms of the layers; that of the embeddings is a layer norm always
  Activation activation = Activation::kGeluErf;
  std::optional<Rope> rope = {};  // empty: learned absolute positions
  bool drops_unseen = false;      // rows that no row sees leave the reference's pass, and are zero behind it
  bool gives_layers = false;      // whether the rows of its layers are known to be the reference's
};

// Frequencies of a `base` stretched for `factor` times the length (kexue.fm/archives/9706): with an exponent,
// pair i is slowed by exp(a (i + 1)^mixed), which is `factor` for the last pair; without one, the base grows
// and every pair is slowed alike.
std::vector<float> NtkFrequencies(double base, double factor, std::optional<double> mixed, std::size_t pairs);

class GteModel final : public Model {
 public:
  explicit GteModel(GteSpec spec) : spec_(std::move(spec)) {}
  void DeclareTensors(const Scope& root) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;
  InputRule input() const override {
    return {.max_length = spec_.max_positions,
            .elastic = spec_.rope.has_value(),
            .vocabulary = spec_.vocabulary,
            .segments = spec_.segments,
            .may_hide = !spec_.drops_unseen};
  }
  std::size_t given_layers() const override { return spec_.gives_layers ? spec_.layers + 1 : 0; }
  std::size_t width() const override { return spec_.width; }
  const GteSpec& spec() const { return spec_; }

 private:
  GteSpec spec_;
  Weight word_, segment_, position_;
  Norm norm_;
  std::vector<PostNormLayer> layers_;
};

extern const Family kGteFamily, kNewFamily;  // families/gte_config.cc

}  // namespace candor::families

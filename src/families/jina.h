// What Jina's two encoders share: embeddings without positions, and scores that fall with the distance of two
// rows (ALiBi, arXiv:2108.12409, on both sides). Their layers are in jina_bert.* and jina_code.*.
#pragma once
#include <cstddef>
#include <vector>

#include "families/post_norm.h"
#include "model/model.h"

namespace candor::families {

struct JinaSpec {
  std::size_t vocabulary = 0, width = 0, inner = 0, heads = 1, layers = 0, max_length = 0;
  std::size_t segments = 0;  // rows of the token type table
  float eps = 1e-12f;
  bool gated = true;  // the MLP
  Activation activation = Activation::kGeluErf;
};

// What each head's scores lose per row of distance: a geometric run for a power of two of heads; for others
// that of the next lower power, and then every second one of the next higher.
std::vector<float> AlibiSlopes(std::size_t heads);

class JinaModel : public Model {
 public:
  explicit JinaModel(const JinaSpec& spec) : spec_(spec) {}
  void Precompute(Ops& ops, Workspace& constants) override;
  InputRule input() const override;
  std::size_t width() const override { return spec_.width; }
  const JinaSpec& spec() const { return spec_; }

 protected:
  void DeclareEmbeddings(const Scope& root);
  Matrix Embed(const Batch& batch, Ops& ops, Workspace& ws) const;
  AttentionArgs Scores(const Batch& batch) const;  // how rows meet in every layer

 private:
  JinaSpec spec_;
  Weight word_, segment_;
  Norm norm_;
  Matrix distance_bias_;
};

extern const Family kJinaBertFamily, kJinaCodeFamily;  // families/jina_config.cc

}  // namespace candor::families

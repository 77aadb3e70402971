// JinaCode: ALiBi, queries and keys normed over all heads together, and a layer whose input is added twice.
// Member: jina-embeddings-v2-base-code. Reference: jinaai/jina-bert-v2-qk-post-norm, modeling_bert.py
// (JinaBertModel without its pooler), as tools/oracle/jina_model.py has it.
//
//   a = norm(h + out(attention(h)))
//   h = norm(h + a)
//   h = norm(h + mlp(h))
#pragma once
#include <vector>

#include "families/jina.h"

namespace candor::families {

class JinaCodeModel final : public JinaModel {
 public:
  using JinaModel::JinaModel;
  void DeclareTensors(const Scope& root) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;

 private:
  struct Layer : PostNormLayer {
    Norm second_norm;  // of the input's second sum
  };
  std::vector<Layer> layers_;
};

}  // namespace candor::families

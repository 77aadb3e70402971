// Jina BERT: BERT's layer with a gated or plain MLP, under ALiBi. Members: jina-embeddings-v2,
// jina-reranker-v1. Reference: jinaai/jina-bert-implementation, modeling_bert.py (JinaBertModel without its
// pooler), as tools/oracle/jina_model.py has it.
#pragma once
#include <vector>

#include "families/jina.h"

namespace candor::families {

class JinaBertModel final : public JinaModel {
 public:
  using JinaModel::JinaModel;
  void DeclareTensors(const Scope& root) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;

 private:
  std::vector<PostNormLayer> layers_;
};

}  // namespace candor::families

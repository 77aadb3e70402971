// A static table: the hidden row of a token is its row of a table, and nothing else happens.
// References: sentence_transformers 6.2, modules/static_embedding.py; model2vec 0.10, model.py.
#pragma once
#include <cstddef>
#include <string>

#include "model/model.h"
#include "package/static_table.h"

namespace candor::families {

struct StaticSpec {
  std::size_t ids = 0, width = 0;  // of the table that token ids are looked up in
  std::string table = {};          // the tensor
  std::size_t stored = 0;          // its rows; as many as ids unless they are mapped
  bool mapped = false, scaled = false, whole_numbers = false;
};

class StaticModel final : public Model {
 public:
  explicit StaticModel(package::StaticTable place) : place_(std::move(place)) {}
  void TakeSizes(const package::Package& package, package::ReadLog& log, Problems& problems) override;
  void DeclareTensors(const Scope& root) override;
  Matrix Forward(const Batch& batch, Ops& ops, Workspace& ws) const override;
  InputRule input() const override;
  std::size_t width() const override { return spec_.width; }
  const StaticSpec& spec() const { return spec_; }

 private:
  package::StaticTable place_;
  StaticSpec spec_;
  Weight table_;
};

extern const Family kStaticFamily;  // families/static_embedding_config.cc

}  // namespace candor::families

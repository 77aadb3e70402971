#include "families/bert_reader.h"

#include "families/activations.h"
#include "families/shared_keys.h"

namespace candor::families {

std::unique_ptr<Model> ReadBertMember(const package::Config& c, const BertKeys& keys, Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c,
              {"vocab_size", keys.width, keys.layers, keys.heads, keys.inner, "max_position_embeddings",
               keys.segments, keys.eps, keys.activation},
              problems);
  BertSpec s;
  s.names = keys.names;
  s.vocabulary = c.Size("vocab_size", keys.vocabulary, problems, 1);
  s.width = c.Size(keys.width, 768, problems, 1);
  s.heads = ReadHeads(c, keys.heads, 12, problems.size() == before ? s.width : 0, keys.width, problems);
  s.layers = ReadLayers(c, keys.layers, keys.default_layers, problems);
  s.inner = c.Size(keys.inner, 3072, problems, 1);
  s.max_positions = c.Size("max_position_embeddings", 512, problems, 1);
  s.activation = ReadActivation(c, keys.activation, "gelu", problems);
  if (!keys.eps.empty()) s.eps = ReadEpsilon(c, keys.eps, 1e-12, problems);
  if (!keys.segments.empty()) {
    // The reference always looks a token type up, so it cannot be built without the table.
    s.segments = ReadTokenTypes(c, keys.segments, 2, 1, problems);
  }
  if (keys.counts_behind_padding && problems.size() == before)
    s.padding = ReadPadding(c, s.vocabulary, s.max_positions, problems);
  c.Choice("position_embedding_type", "absolute", "position_embedding_type");
  if (problems.size() != before) return nullptr;
  return std::make_unique<BertModel>(s);
}

}  // namespace candor::families

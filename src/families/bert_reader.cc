#include "families/bert_reader.h"

#include <string>

#include "families/activations.h"
#include "families/shared_keys.h"

namespace candor::families {
namespace {

// The id that positions count behind. The reference makes it a row of both tables, and needs one more for
// text.
std::int32_t ReadPadding(const package::Config& c, const BertSpec& s, Problems& problems) {
  const std::size_t before = problems.size();
  RefuseNulls(c, {"pad_token_id"}, problems);
  const std::size_t id = c.Size("pad_token_id", 1, problems);
  if (problems.size() == before && (id >= s.vocabulary || id + 1 >= s.max_positions)) {
    problems.push_back({Code::kUnsupportedConfigVariant, c.At("pad_token_id"), std::to_string(id),
                        "below vocab_size " + std::to_string(s.vocabulary) +
                            ", and at least 2 below max_position_embeddings " +
                            std::to_string(s.max_positions),
                        Phase::kConfig});
  }
  return static_cast<std::int32_t>(id);
}

}  // namespace

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
  if (keys.counts_behind_padding && problems.size() == before) s.padding = ReadPadding(c, s, problems);
  c.Choice("position_embedding_type", "absolute", "position_embedding_type");
  if (problems.size() != before) return nullptr;
  return std::make_unique<BertModel>(s);
}

}  // namespace candor::families

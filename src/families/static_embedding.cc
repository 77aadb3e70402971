#include "families/static_embedding.h"

namespace candor::families {

void StaticModel::DeclareTensors(const Scope& root) {
  const StaticSpec& s = spec_;
  root.In(place_.folder)
      .MadeTable(s.table, table_, s.ids, s.width,
                 {.stored = s.mapped ? s.stored : 0,
                  .map = s.mapped ? "mapping" : "",
                  .scale = s.scaled ? "weights" : "",
                  .whole_numbers = s.whole_numbers});
}

// A text may be as long as a sequence may be at all.
InputRule StaticModel::input() const { return {.max_length = kLongestSequence, .vocabulary = spec_.ids}; }

Matrix StaticModel::Forward(const Batch& b, Ops& ops, Workspace& ws) const {
  const Matrix h = ws.Rows(b.rows(), spec_.width);
  ops.Embed({{table_, b.tokens}}, {}, h);
  return h;
}

}  // namespace candor::families

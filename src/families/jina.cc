#include "families/jina.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace candor::families {
namespace {

// The farthest two rows can be apart: there is no position table to end at, upstream makes its own larger
// where a text is longer.
constexpr std::size_t kReach = kLongestSequence - 1;

// Of a power of two, in double as upstream.
std::vector<double> GeometricSlopes(std::size_t heads) {
  const double first = std::exp2(-std::exp2(3 - std::log2(static_cast<double>(heads))));
  std::vector<double> out;
  for (std::size_t i = 0; i < heads; ++i) out.push_back(first * std::pow(first, static_cast<double>(i)));
  return out;
}

}  // namespace

std::vector<float> AlibiSlopes(std::size_t heads) {
  const std::size_t power = std::bit_floor(heads);
  std::vector<double> slopes = GeometricSlopes(power);
  if (power != heads) {
    const std::vector<double> finer = GeometricSlopes(2 * power);
    for (std::size_t i = 0; slopes.size() < heads; i += 2) slopes.push_back(finer[i]);
  }
  return {slopes.begin(), slopes.end()};
}

void JinaModel::DeclareEmbeddings(const Scope& root) {
  const Scope e = root.Down("embeddings");
  e.Table("word_embeddings", word_, spec_.vocabulary, spec_.width);
  e.Table("token_type_embeddings", segment_, spec_.segments, spec_.width);
  e.LayerNorm("LayerNorm", norm_, spec_.width, spec_.eps);
}

InputRule JinaModel::input() const {
  return {.max_length = spec_.max_length,
          .elastic = true,
          .vocabulary = spec_.vocabulary,
          .segments = spec_.segments,
          .may_hide = true};
}

void JinaModel::Precompute(Ops& ops, Workspace& constants) {
  const std::vector<float> slopes = AlibiSlopes(spec_.heads);
  constexpr std::size_t kRows = 2 * kReach + 1, kBlock = 4096;  // never a second table of the same size
  distance_bias_ = constants.RowsF32(kRows, slopes.size());
  std::vector<float> values;
  for (std::size_t first = 0; first < kRows; first += kBlock) {
    const std::size_t last = std::min(first + kBlock, kRows);
    values.clear();
    for (std::size_t row = first; row < last; ++row) {
      const auto distance = static_cast<float>(row < kReach ? kReach - row : row - kReach);
      for (const float slope : slopes) values.push_back(-slope * distance);  // in f32 as upstream
    }
    ops.Upload(values, distance_bias_.Rows(first, last - first));
  }
}

Matrix JinaModel::Embed(const Batch& b, Ops& ops, Workspace& ws) const {
  const Matrix h = ws.Rows(b.rows(), spec_.width);
  ops.Embed({{word_, b.tokens}, {segment_, b.segments}}, norm_, h);
  return h;
}

AttentionArgs JinaModel::Scores(const Batch& b) const {
  return {.sequences = b.sequences,
          .heads = spec_.heads,
          .scale = HeadScale(spec_.width, spec_.heads),
          .distance_bias = distance_bias_};
}

}  // namespace candor::families

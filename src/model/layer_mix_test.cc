// LayerMix by hand, over a model whose layers double its rows.
#include "model/layer_mix.h"

#include <gtest/gtest.h>

#include <vector>

#include "model/layers.h"
#include "ops/reference.h"

namespace candor {
namespace {

// One row for each token, (t, 1); each of two layers doubles it, and the pass ends with its negative.
class Doubling final : public Model {
 public:
  void DeclareTensors(const Scope&) override {}
  std::size_t given_layers() const override { return 3; }
  InputRule input() const override { return {}; }
  std::size_t width() const override { return 2; }
  Matrix Forward(const Batch& b, Ops& ops, Workspace& ws) const override {
    const Matrix h = ws.Rows(b.rows(), 2), last = ws.Rows(b.rows(), 2);
    std::vector<float> rows;
    for (const std::int32_t t : b.tokens.host) rows.push_back(static_cast<float>(t)), rows.push_back(1);
    ops.Upload(rows, h);
    Give(b, h, ops);
    ops.Combine(2, h, 0, h, h);
    Give(b, h, ops);
    ops.Combine(2, h, 0, h, h);
    ops.Combine(-1, h, 0, h, last);
    Give(b, last, ops);
    return last;
  }
};

std::vector<float> Mixed(std::size_t first, const std::vector<float>& weights) {
  LayerMix mix(first, weights.size());
  std::vector<TensorDecl> wanted;
  mix.DeclareTensors(Scope(wanted));
  EXPECT_EQ(wanted.size(), 1u);
  EXPECT_EQ(wanted[0].rows(), weights.size());
  *wanted[0].values = weights;
  ReferenceOps ops;
  std::vector<float> memory(256), out(4);
  Workspace ws(reinterpret_cast<std::byte*>(memory.data()), memory.size() * 4, DType::kF32, Space::kHost);
  const std::vector<std::int32_t> tokens{3, 5};
  Batch batch;
  batch.tokens = ops.Stage(tokens);
  ops.Download(mix.Forward(Doubling(), batch, ops, ws), out);
  return out;
}

// TSK-06. The rows are x, 2x and -4x.
TEST(LayerMix, IsTheMeanOfItsLayers) {
  EXPECT_EQ(Mixed(0, {1, 2, 1}), (std::vector<float>{3 * 0.25f, 0.25f, 5 * 0.25f, 0.25f}));  // (1+4-4)/4
  EXPECT_EQ(Mixed(1, {3, -1}), (std::vector<float>{3 * 5, 5, 5 * 5, 5}));                    // (6+4)/2
  EXPECT_EQ(Mixed(2, {-0.5f}), (std::vector<float>{-12, -4, -20, -4}));                      // the last alone
}

}  // namespace
}  // namespace candor

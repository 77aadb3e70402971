// Views, matrices and the workspace: slicing, alignment, frames, and that measuring equals using.
#include "tensor/tensor.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tensor/batch.h"
#include "tensor/workspace.h"

namespace candor {
namespace {

TEST(Matrix, SlicesShareMemory) {
  std::array<float, 12> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  const Matrix m(reinterpret_cast<std::byte*>(values.data()), DType::kF32, Space::kHost, 3, 4, 4);
  const View<float> v = HostView<float>(m.Rows(1, 2).Cols(2, 2));
  EXPECT_EQ(v.rows, 2u);
  EXPECT_EQ(v.cols, 2u);
  EXPECT_EQ(v.stride, 4u);
  EXPECT_EQ(v(0, 0), 6.0f);
  EXPECT_EQ(v(1, 1), 11.0f);
  EXPECT_EQ(v.Row(1)[0], 10.0f);
  EXPECT_TRUE(m.Rows(3, 0).empty());
}

TEST(Workspace, MeasuringEqualsUsing) {
  const auto use = [](Workspace& ws) {
    (void)ws.Rows(3, 5);  // 60 bytes, rounded to 64
    {
      const auto frame = ws.Mark();
      (void)ws.RowsF32(17, 1);  // 68 bytes, rounded to 128
    }
    (void)ws.Rows(1, 1);
    return ws.peak();
  };
  Workspace measuring(nullptr, 0, DType::kF32, Space::kHost);
  EXPECT_TRUE(measuring.measuring());
  EXPECT_EQ(use(measuring), 192u);
  alignas(64) std::array<std::byte, 192> block;
  Workspace real(block.data(), block.size(), DType::kF32, Space::kHost);
  EXPECT_EQ(use(real), 192u);
}

TEST(Workspace, FrameGivesBackAndAlignmentHolds) {
  alignas(64) std::array<std::byte, 256> block;
  Workspace ws(block.data(), block.size(), DType::kF32, Space::kHost);
  const Matrix first = ws.Rows(1, 3);
  std::byte* inner = nullptr;
  {
    const auto frame = ws.Mark();
    inner = ws.Rows(2, 2).address();
  }
  EXPECT_EQ(ws.Rows(1, 1).address(), inner);
  EXPECT_EQ(first.address(), block.data());
  EXPECT_EQ(inner, block.data() + 64);
}

TEST(Sequence, LengthAndSkippedRows) {
  const std::array<Sequence, 2> runs{{{.begin = 0, .end = 4}, {.begin = 6, .end = 9, .skipped = 2}}};
  const Sequences s{runs};
  EXPECT_EQ(s.size(), 2u);
  EXPECT_EQ(s[0].length(), 4);
  EXPECT_EQ(s[1].length(), 3);
  EXPECT_EQ(s[0].skipped, 0);
}

}  // namespace
}  // namespace candor

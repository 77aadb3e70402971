#include "tasks/quantize.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace candor::tasks {
namespace {

// Ten numbers and ranges: an edge of each kind, a dimension without extent, numbers outside their range.
const std::vector<float> kRow{0.0f, -0.5f, 0.25f, 1.0f, -1.0f, 0.1f, 1e-30f, 0.5f, -2.0f, 3.0f};
const std::vector<float> kRanges{-1, -1, 0.25f, -1, -1, 0,    0, -0.3f, -1, -1,
                                 1,  1,  0.25f, 1,  1,  0.3f, 1, 0.7f,  1,  1};

std::vector<int> Bytes(VectorType type) {
  std::vector<std::uint8_t> out(RowBytes(type, kRow.size()));
  Quantize(type, kRow, kRanges, out);
  const bool is_signed = type == VectorType::kInt8 || type == VectorType::kBinary;
  std::vector<int> values;
  for (const std::uint8_t byte : out)
    values.push_back(is_signed ? static_cast<std::int8_t>(byte) : static_cast<int>(byte));
  return values;
}

// What quantize_embeddings of sentence-transformers 6.2 gives for the same numbers and ranges.
TEST(Quantize, BytesOfTheReference) {
  using Values = std::vector<int>;
  EXPECT_EQ(Bytes(VectorType::kUint8), (Values{127, 63, 0, 254, 0, 85, 0, 203, 0, 255}));
  EXPECT_EQ(Bytes(VectorType::kInt8), (Values{-1, -65, -128, 126, -128, -43, -128, 75, -128, 127}));
  EXPECT_EQ(Bytes(VectorType::kUbinary), (Values{55, 64}));
  EXPECT_EQ(Bytes(VectorType::kBinary), (Values{-73, -64}));
  EXPECT_EQ(RowBytes(VectorType::kFloat32, 10), 0u);
}

void ExpectRefused(VectorType type, std::vector<float> ranges, Code code, std::string_view found) {
  const auto checked = CheckRanges(type, ranges, 2);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, code);
  EXPECT_EQ(checked.error().found, found);
}

// A type that needs ranges never takes them from the texts of a request.
TEST(Quantize, RangesAreGivenOrRefused) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(CheckRanges(VectorType::kInt8, std::vector<float>{-1, 0, 1, 0}, 2));
  EXPECT_TRUE(CheckRanges(VectorType::kBinary, {}, 2));
  EXPECT_TRUE(CheckRanges(VectorType::kFloat32, {}, 2));
  ExpectRefused(VectorType::kInt8, {}, Code::kUnsupportedOption, "int8 without ranges");
  ExpectRefused(VectorType::kUbinary, {0, 0, 1, 1}, Code::kUnsupportedOption, "ubinary with ranges");
  ExpectRefused(VectorType::kUint8, {0, 1}, Code::kInvalidInput, "2 numbers");
  ExpectRefused(VectorType::kUint8, {0, 2, 1, 1}, Code::kInvalidInput, "2.000000 to 1.000000 of dimension 1");
  ExpectRefused(VectorType::kUint8, {-3e38f, 0, 3e38f, 1}, Code::kInvalidInput,
                std::to_string(-3e38f) + " to " + std::to_string(3e38f) + " of dimension 0");
  ExpectRefused(VectorType::kInt8, {0, 0, kInfinity, 1}, Code::kInvalidInput,
                "0.000000 to inf of dimension 0");
}

}  // namespace
}  // namespace candor::tasks

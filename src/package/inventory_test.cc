#include "package/inventory.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace candor {
namespace {

class Bytes final : public io::ByteSource {
 public:
  explicit Bytes(std::vector<std::uint16_t> values) : values_(std::move(values)) {}
  std::uint64_t size() const override { return 2 * values_.size(); }
  Result<void> Read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset + out.size() > size()) return Error{Code::kArtifactStale};
    std::memcpy(out.data(), reinterpret_cast<const std::byte*>(values_.data()) + offset, out.size());
    return {};
  }

 private:
  std::vector<std::uint16_t> values_;
};

std::vector<std::uint16_t> EveryPattern() {
  std::vector<std::uint16_t> all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  return all;
}

TensorInfo Tensor(StoredType type, std::vector<std::uint16_t> values) {
  const std::size_t n = values.size();
  return {.name = "t",
          .type = type,
          .shape = {n},
          .file = "f",
          .offset = 0,
          .bytes = 2 * n,
          .source = std::make_shared<Bytes>(std::move(values))};
}

// The value from the definition of binary16: sign, 5 bits of exponent with bias 15, 10 bits of fraction.
double HalfByDefinition(unsigned bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = static_cast<double>(bits & 1023);
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

// BR-107: every pattern widens exactly, subnormals, signed zeros, infinities and NaN included.
TEST(ReadF32, EveryHalf) {
  std::vector<float> out(65536);
  ASSERT_TRUE(ReadF32(Tensor(StoredType::kF16, EveryPattern()), 0, 65536, out.data()));
  for (unsigned i = 0; i < 65536; ++i) {
    const double want = HalfByDefinition(i);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(out[i])) << i;
    } else {
      ASSERT_EQ(static_cast<double>(out[i]), want) << i;
      ASSERT_EQ(std::signbit(out[i]), (i & 0x8000) != 0) << i;
    }
  }
}

TEST(ReadF32, EveryBfloat) {
  std::vector<float> out(65536);
  ASSERT_TRUE(ReadF32(Tensor(StoredType::kBf16, EveryPattern()), 0, 65536, out.data()));
  for (std::uint32_t i = 0; i < 65536; ++i) ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]), i << 16);
}

TEST(ReadF32, PartsAndChunkEdges) {
  std::vector<float> out(20000);
  const TensorInfo tensor = Tensor(StoredType::kBf16, EveryPattern());
  ASSERT_TRUE(ReadF32(tensor, 16383, 20000, out.data()));
  for (std::uint32_t i = 0; i < 20000; ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]), (16383 + i) << 16);
  ASSERT_TRUE(ReadF32(tensor, 65536, 0, out.data()));
}

TEST(ReadF32, F32IsCopied) {
  TensorInfo tensor = Tensor(StoredType::kF32, {0, 0x3f80, 0, 0xc000});  // 1.0f, -2.0f
  tensor.shape = {2};
  float out[2];
  ASSERT_TRUE(ReadF32(tensor, 0, 2, out));
  EXPECT_EQ(out[0], 1.0f);
  EXPECT_EQ(out[1], -2.0f);
}

TEST(ReadF32, OtherTypesAreRefusedByName) {
  TensorInfo tensor = Tensor(StoredType::kI64, {0, 0, 0, 0});
  float out[1];
  const auto read = ReadF32(tensor, 0, 1, out);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::kUnsupportedQuantization);
  EXPECT_EQ(read.error().where, Where::Tensor("f", "t"));
  EXPECT_EQ(read.error().found, "I64");
  EXPECT_EQ(read.error().allowed, "F32, F16, BF16 or I8");
  std::int64_t whole[1];
  EXPECT_EQ(ReadI64(Tensor(StoredType::kF16, {0}), 0, 1, whole).error().allowed, "I32 or I64");
}

// Little-endian: 0xff01 is 1 and -1 as bytes.
TEST(ReadF32, WholeNumbersOfOneByte) {
  TensorInfo tensor = Tensor(StoredType::kI8, {0xff01, 0x807f});
  tensor.shape = {4};
  float out[3];
  ASSERT_TRUE(ReadF32(tensor, 1, 3, out));
  EXPECT_EQ(out[0], -1.0f);
  EXPECT_EQ(out[1], 127.0f);
  EXPECT_EQ(out[2], -128.0f);
}

TEST(ReadI64, BothTypes) {
  std::int64_t out[2];
  ASSERT_TRUE(ReadI64(Tensor(StoredType::kI32, {5, 0, 0xfffe, 0xffff}), 0, 2, out));
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(out[1], -2);
  ASSERT_TRUE(ReadI64(Tensor(StoredType::kI64, {0, 0, 0, 0, 0, 0, 1, 0}), 1, 1, out));
  EXPECT_EQ(out[0], std::int64_t{1} << 32);
}

TEST(ReadF64, AsStoredAndWidened) {
  double out[2];
  ASSERT_TRUE(ReadF64(Tensor(StoredType::kF64, {1, 0, 0, 0x3ff0}), 0, 1, out));
  EXPECT_EQ(out[0], 1.0 + std::ldexp(1, -52));
  ASSERT_TRUE(ReadF64(Tensor(StoredType::kF16, {0x3c00, 0xc000}), 0, 2, out));
  EXPECT_EQ(out[0], 1.0);
  EXPECT_EQ(out[1], -2.0);
}

TEST(StoredTypes, NamesAndSizes) {
  EXPECT_EQ(Name(StoredType::kF8E5M2), "F8_E5M2");
  EXPECT_EQ(SizeOf(StoredType::kF8E5M2), 1u);
  EXPECT_EQ(Name(StoredType::kBool), "BOOL");
  EXPECT_EQ(SizeOf(StoredType::kU64), 8u);
  EXPECT_EQ(Name(StoredType::kBf16), "BF16");
}

}  // namespace
}  // namespace candor

#include "tiny_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/sha256.h"

namespace candor::tiny {
namespace {

class Bytes final : public io::ByteSource {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Result<void> Read(std::uint64_t offset, std::span<std::byte> out) const override {
    if (offset + out.size() > bytes_.size())
      return Error{Code::kArtifactStale, {}, "fewer bytes", "", Phase::kLoad};
    std::memcpy(out.data(), bytes_.data() + offset, out.size());
    return {};
  }

 private:
  std::string bytes_;
};

struct Tensor {
  std::vector<std::size_t> shape;
  std::vector<float> values;
  std::string dtype = "F32";
};
using Tensors = std::map<std::string, Tensor>;

// The values of SPEC section 18.
Tensors Spec() {
  return {{"encoder.weight", {{3, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1}}},
          {"encoder.bias", {{3}, {0, 0, 0}}},
          {"projection.weight", {{2, 3}, {1, 0, 0.5f, 0, 1, -0.5f}}},
          {"projection.bias", {{2}, {0.1f, -0.1f}}}};
}

// Written by the description in SPEC: name order, no blanks, header padded with spaces to a multiple of
// eight.
std::string Write(const Tensors& tensors) {
  std::string header = "{", data;
  for (const auto& [name, t] : tensors) {
    if (header.size() > 1) header += ",";
    header += "\"" + name + "\":{\"dtype\":\"" + t.dtype + "\",\"shape\":[";
    for (std::size_t i = 0; i < t.shape.size(); ++i)
      header += (i == 0 ? "" : ",") + std::to_string(t.shape[i]);
    header += "],\"data_offsets\":[" + std::to_string(data.size()) + ",";
    data.append(reinterpret_cast<const char*>(t.values.data()), t.values.size() * 4);
    header += std::to_string(data.size()) + "]}";
  }
  header += "}";
  while (header.size() % 8 != 0) header += ' ';
  std::string out(8, '\0');
  const std::uint64_t length = header.size();
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(out.data(), &length, 8);
  return out + header + data;
}

Planned<std::unique_ptr<Encoder>> Load(const std::string& bytes, const Policy& policy = {}) {
  return Encoder::Load(std::make_shared<Bytes>(bytes), policy);
}
Planned<std::unique_ptr<Encoder>> Load(const Tensors& tensors, const Policy& policy = {}) {
  return Load(Write(tensors), policy);
}

std::unique_ptr<Encoder> Good(const Tensors& tensors = Spec(), const Policy& policy = {}) {
  auto loaded = Load(tensors, policy);
  EXPECT_TRUE(loaded) << (loaded ? "" : Message(loaded.error()[0]));
  return std::move(loaded).value();
}

void ExpectOne(const Planned<std::unique_ptr<Encoder>>& loaded, Code code, const Where& where,
               std::string_view found, std::string_view allowed) {
  ASSERT_FALSE(loaded);
  ASSERT_EQ(loaded.error().size(), 1u);
  const Error& e = loaded.error()[0];
  EXPECT_EQ(e.code, code) << Message(e);
  EXPECT_EQ(e.where, where);
  EXPECT_EQ(e.found, found);
  EXPECT_EQ(e.allowed, allowed);
}

std::string Committed() {
  std::ifstream in(std::string(CANDOR_SOURCE_DIR) + "/goldens/tny/tiny_encoder.safetensors",
                   std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr const char* kFile = "tiny_encoder.safetensors";
constexpr const char* kDigest = "69c0b17f6095eeabe152d81ab63c632adc015005634c932d2c5993d3bcd88ca6";
const std::vector<std::vector<float>> kInput{{1, 2, 3, 4}, {-1, 1, 1, 0}};

// the committed file is the one that SPEC describes and pins.
TEST(Tiny, CommittedFileIsPinned) {
  const std::string bytes = Committed();
  EXPECT_EQ(bytes.size(), 380u);
  EXPECT_EQ(Sha256Hex(bytes), kDigest);
  EXPECT_EQ(bytes, Write(Spec()));
}

// TNY-01: SPEC's own numbers, to 1e-6.
TEST(Tiny, AnswersByHand) {
  auto loaded = Load(Committed());
  ASSERT_TRUE(loaded);
  const auto reply = loaded.value()->Run(kInput);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->hidden, (std::vector<float>{1, 2, 7, 0, 1, 1}));
  const double want[] = {0.94449675, -0.32852063, 0.83205026, 0.55470020};
  ASSERT_EQ(reply->embeddings.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(static_cast<double>(reply->embeddings[i]), want[i], 1e-6);
}

// TNY-02
TEST(Tiny, CheckpointReceipt) {
  const auto encoder = Good();
  const CheckpointReceipt& r = encoder->checkpoint();
  EXPECT_EQ(r.parameters.size(), 4u);
  EXPECT_EQ(r.parameters[0].first, "encoder.bias");
  EXPECT_EQ(r.parameters[1].second, (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(r.values, 23u);
  EXPECT_EQ(r.bytes, 380u);
  EXPECT_EQ(r.sha256, kDigest);
  Tensors other = Spec();
  other["encoder.bias"].values[0] = 1;
  EXPECT_NE(Good(other)->checkpoint().sha256, kDigest);
}

// TNY-03: one file and policy with a fault for each stage; mending the first shows the next.
TEST(Tiny, StagesInOrder) {
  Tensors tensors = Spec();
  tensors["projection.bias"].values[0] = std::numeric_limits<float>::infinity();
  tensors["encoder.weight"].shape = {4, 3};
  std::string bytes = Write(tensors);
  bytes += 'x';  // a byte past the last tensor
  Policy policy{.schema = "tiny/v9", .device = "cuda:0", .bytes = 10, .sha256 = "0"};
  ExpectOne(Load(bytes, policy), Code::kUnknownFamily, {}, "tiny/v9", "tiny/v1, tiny/v2");
  policy.schema = "tiny/v1";
  ExpectOne(Load(bytes, policy), Code::kArtifactTooLarge, Where::At(kFile), "381 bytes", "10");
  policy.bytes = 4096;
  ExpectOne(Load(bytes, policy), Code::kBackendNotCompiled, Where::Option("device"), "cuda:0", "cpu");
  policy.device = "cpu";
  const auto parsed = Load(bytes, policy);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error()[0].code, Code::kArtifactMalformed);
  ExpectOne(Load(tensors, policy), Code::kLayoutMismatch, Where::Tensor(kFile, "encoder.weight"), "[4, 3]",
            "[3, 4], rows are outputs");
  tensors["encoder.weight"].shape = {3, 4};
  const auto finite = Load(tensors, policy);
  ASSERT_FALSE(finite);
  EXPECT_EQ(finite.error()[0].code, Code::kNonFiniteParameter);
  EXPECT_EQ(finite.error()[0].where.tensor, "projection.bias");
  ExpectOne(Load(Spec(), policy), Code::kArtifactStale, Where::At(kFile), kDigest, "0");
  policy.sha256 = kDigest;
  EXPECT_TRUE(Load(Spec(), policy));
}

// TNY-04: each name missing, and four that should not be there.
TEST(Tiny, ExactNameSet) {
  const Tensors full = Spec();
  for (const auto& [name, tensor] : full) {
    Tensors tensors = full;
    tensors.erase(name);
    const auto loaded = Load(tensors);
    ASSERT_FALSE(loaded);
    ASSERT_EQ(loaded.error().size(), 1u);
    EXPECT_EQ(loaded.error()[0].code, Code::kMissingRequiredTensor);
    EXPECT_EQ(loaded.error()[0].where, Where::Tensor(kFile, name));
  }
  for (const char* extra : {"encoder.scale", "projection.weight2", "norm.weight", "x"}) {
    Tensors tensors = full;
    tensors[extra] = {{1}, {1}};
    const auto loaded = Load(tensors);
    ASSERT_FALSE(loaded);
    ASSERT_EQ(loaded.error().size(), 1u);
    EXPECT_EQ(loaded.error()[0].code, Code::kUnexpectedTensor);
    EXPECT_EQ(loaded.error()[0].where, Where::Tensor(kFile, extra));
  }
}

TEST(Tiny, OnlyF32) {
  Tensors tensors = Spec();
  tensors["encoder.bias"].dtype = "I32";
  ExpectOne(Load(tensors), Code::kUnsupportedOperatorDtypeDevice, Where::Tensor(kFile, "encoder.bias"), "I32",
            "F32, F16, BF16");
}

// TNY-05: another shape of the same size is refused; of a square matrix only a golden tells the transpose.
TEST(Tiny, ShapesAndTheSquareTranspose) {
  Tensors tensors = Spec();
  tensors["encoder.weight"].shape = {2, 6};
  ExpectOne(Load(tensors), Code::kShapeMismatch, Where::Tensor(kFile, "encoder.weight"), "[2, 6]", "[3, 4]");
  // A square product of the same rule: row r of the weight makes output r.
  Linear square{};
  struct Values final : RowReader {
    Result<void> Read(std::size_t first, std::size_t count, float* out) const override {
      const float all[] = {1, 2, 0, 1};
      std::copy_n(all + first * 2, count * 2, out);
      return {};
    }
  } reader;
  const auto prepared =
      ReferenceBackend().Prepare({.rows = 2, .cols = 2, .reader = &reader, .label = "square"}, Profile::kF32);
  ASSERT_TRUE(prepared);
  square.weight = Weight(prepared->get(), 2, 2);
  std::vector<float> in{1, 1}, out(2);
  ReferenceOps ops;
  const auto over = [](std::vector<float>& v) {
    return Matrix(reinterpret_cast<std::byte*>(v.data()), DType::kF32, Space::kHost, 1, 2, 2);
  };
  ops.Project(over(in), square, over(out), {});
  EXPECT_EQ(out, (std::vector<float>{3, 1}));  // the transpose would give (1, 3)
}

// TNY-06, LIM-04
TEST(Tiny, InputLimits) {
  const auto encoder = Good();
  const std::vector<float> row{1, 2, 3, 4};
  const auto code = [&](const std::vector<std::vector<float>>& rows) {
    const auto reply = encoder->Run(rows);
    EXPECT_FALSE(reply);
    return reply.error().code;
  };
  EXPECT_EQ(code({}), Code::kInvalidInput);
  EXPECT_EQ(code(std::vector(9, row)), Code::kInputTooLarge);
  EXPECT_EQ(code({{1, 2, 3}}), Code::kInvalidInput);
  EXPECT_EQ(code({row, {1, 2, 3, 4, 5}}), Code::kInvalidInput);
  EXPECT_EQ(code({{1, 2, 3, std::numeric_limits<float>::quiet_NaN()}}), Code::kNonFiniteInput);
  EXPECT_EQ(code({{1, 2, 3, -std::numeric_limits<float>::infinity()}}), Code::kNonFiniteInput);
  EXPECT_TRUE(encoder->Run(std::vector(8, row)));
}

// TNY-07: no epsilon hides a row without length; just off it, the answer has unit length.
TEST(Tiny, ZeroNorm) {
  Tensors tensors = Spec();
  tensors["projection.bias"].values = {0, 0};
  const auto encoder = Good(tensors);
  const auto zero = encoder->Run({{1, 1, 1, 1}, {-1, -1, -1, -1}});
  ASSERT_FALSE(zero);
  EXPECT_EQ(zero.error().code, Code::kZeroNormOutput);
  EXPECT_EQ(zero.error().found, "row 1");
  const auto off = encoder->Run({{1e-6f, -1, -1, -1}});
  ASSERT_TRUE(off);
  EXPECT_EQ(off->embeddings, (std::vector<float>{1, 0}));
}

// TNY-08: the manifest selects the schema.
TEST(Tiny, SecondSchema) {
  Tensors scaled = Spec();
  scaled["projection.scale"] = {{2}, {2, -1}};
  const Policy v2{.schema = "tiny/v2"};
  const auto v1 = Load(scaled);
  ASSERT_FALSE(v1);
  EXPECT_EQ(v1.error()[0].code, Code::kUnexpectedTensor);
  EXPECT_EQ(v1.error()[0].where.tensor, "projection.scale");
  const auto encoder = Good(scaled, v2);
  EXPECT_EQ(encoder->checkpoint().parameters.size(), 5u);
  EXPECT_EQ(encoder->checkpoint().values, 25u);
  // (4.6, -1.6) times (2, -1) is (9.2, 1.6), of length sqrt(87.2).
  const auto reply = encoder->Run({kInput[0]});
  ASSERT_TRUE(reply);
  EXPECT_NEAR(static_cast<double>(reply->embeddings[0]), 9.2 / std::sqrt(87.2), 1e-6);
  EXPECT_NEAR(static_cast<double>(reply->embeddings[1]), 1.6 / std::sqrt(87.2), 1e-6);
  EXPECT_EQ(Good(Spec(), v2)->checkpoint().values, 23u);  // optional
  Tensors other = scaled;
  other["projection.shift"] = {{2}, {0, 0}};
  ExpectOne(Load(other, v2), Code::kUnexpectedTensor, Where::Tensor(kFile, "projection.shift"), "[2]",
            "tensors of the family's declaration, or of a known unused group");
  scaled["projection.scale"] = {{3}, {1, 1, 1}};
  ExpectOne(Load(scaled, v2), Code::kShapeMismatch, Where::Tensor(kFile, "projection.scale"), "[3]", "[2]");
}

// TNY-09, FBK-02
TEST(Tiny, DeviceReceipt) {
  const auto cpu = Good()->Run(kInput);
  ASSERT_TRUE(cpu);
  EXPECT_EQ(cpu->device.requested, "cpu");
  EXPECT_EQ(cpu->device.selected, "cpu");
  EXPECT_FALSE(cpu->device.used_cpu_fallback);
  ExpectOne(Load(Spec(), {.device = "cuda:1"}), Code::kBackendNotCompiled, Where::Option("device"), "cuda:1",
            "cpu");
  const auto fallback = Good(Spec(), {.device = "cuda:1", .allow_cpu_fallback = true})->Run(kInput);
  ASSERT_TRUE(fallback);
  EXPECT_EQ(fallback->device.requested, "cuda:1");
  EXPECT_EQ(fallback->device.selected, "cpu");
  EXPECT_TRUE(fallback->device.used_cpu_fallback);
}

// TNY-10: a call without a permit does nothing, and permits come back.
TEST(Tiny, PermitsBoundTheWork) {
  const auto encoder = Good(Spec(), {.permits = 1});
  {
    const Encoder::Permit held(*encoder);
    ASSERT_TRUE(held.taken());
    const auto refused = encoder->Run(kInput);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::kOverloaded);
  }
  EXPECT_TRUE(encoder->Run(kInput));
}

}  // namespace
}  // namespace candor::tiny

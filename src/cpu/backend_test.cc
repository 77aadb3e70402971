// The backend: selection and refusal of tables, choices for planned steps, weights, receipts, provenance.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include "cpu/cpu_backend.h"
#include "cpu/features.h"
#include "cpu/prepared.h"
#include "ops/op_bench.h"

namespace candor::cpu {
namespace {

TEST(Tables, SelectionFollowsFeatures) {
  const std::vector<std::string_view> none, avx2{"fma", "f16c", "avx2"},
      all{"fma", "f16c", "avx2", "avx512f", "avx512dq", "avx512bw", "avx512vl"};
  EXPECT_EQ(SelectTable("", none).value()->isa, "scalar");
  EXPECT_EQ(SelectTable("", avx2).value()->isa, "avx2");
  EXPECT_EQ(SelectTable("", all).value()->isa, "avx512");
  EXPECT_EQ(SelectTable("avx2", all).value()->isa, "avx2");
  EXPECT_EQ(SelectTable("scalar", all).value()->isa, "scalar");
}

TEST(Tables, WhatTheMachineLacksIsRefused) {  // DEV-01
  const std::vector<std::string_view> avx2{"fma", "f16c", "avx2"};
  const auto refused = SelectTable("avx512", avx2);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, Code::kDevicePlanRejected);
  EXPECT_EQ(refused.error().where.option, "isa");
  EXPECT_EQ(refused.error().found, "avx512");
  EXPECT_EQ(refused.error().allowed, "a kernel table that this machine can run: scalar avx2");
  const auto unknown = CpuBackend::New({.threads = 1, .isa = "mmx"});
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().found, "mmx");
}

// Every kernel's name says where its code comes from; a new or renamed one is a visible change of the file.
TEST(Tables, ProvenanceIsWrittenDown) {
  std::ostringstream names;
  for (const KernelTable* t : {&kScalarTable, &kAvx2Table, &kAvx512Table})
    for (const std::string_view name :
         {t->gemm.name, t->attention.name, t->norm.name, t->norm_l2.name, t->activate.name, t->combine.name,
          t->rotate.name, t->gate.name, t->gate_by.name, t->convolve.name, t->delta.name, t->route.name,
          t->embed.name, t->pool.name, t->fold.name, t->pack.name, t->narrow.name, t->finite.name})
      names << t->isa << ' ' << name << '\n';
  std::ifstream file(CANDOR_SOURCE_DIR "/src/cpu/provenance.txt");
  std::ostringstream written;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line[0] != '#') written << line << '\n';
  EXPECT_EQ(written.str(), names.str());
}

class Backends : public testing::Test {
 protected:
  const CpuBackend backend_{*RunnableTables(DetectFeatures()).back(), 2};
};

TEST_F(Backends, ChoicesNameTheKernelsThatRun) {
  TestRandom random(1);
  OpBench b(backend_);
  const Linear linear = b.MakeLinear(random.Values(64), 8, {});
  const Matrix x = b.Place(random.Values(24), 3, 8), y = b.Place(random.Values(24), 3, 8);
  b.ops->Project(x, linear, y);
  b.ops->NormalizeL2(y, y);
  b.ops->NormalizeL2(y, y);
  TraceOps trace;
  trace.Project(x, {Weight(nullptr, 8, 8), {}}, y, {});
  trace.NormalizeL2(y, y);
  ASSERT_EQ(b.ops->receipt().rows().size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto choice = backend_.Choose(trace.steps()[i], Profile::kF32);
    ASSERT_TRUE(choice.has_value());
    EXPECT_EQ(choice->kernel, b.ops->receipt().rows()[i].kernel);
    EXPECT_EQ(b.ops->receipt().rows()[i].calls, i + 1);
  }
  b.ops->ClearReceipt();
  EXPECT_TRUE(b.ops->receipt().rows().empty());
}

// A swapped kernel is seen in the receipt, because a name travels with its function.
TEST_F(Backends, ASwappedKernelShowsInTheReceipt) {
  KernelTable mixed = backend_.table();
  mixed.norm_l2 = kScalarTable.norm_l2;
  const CpuBackend backend(mixed, 1);
  OpBench b(backend);
  const Matrix x = b.Place({3, 4}, 1, 2);
  b.ops->NormalizeL2(x, x);
  EXPECT_EQ(b.ops->receipt().rows()[0].kernel, "cpu.scalar.norm_l2_f32");
  EXPECT_FLOAT_EQ(b.Fetch(x)[0], 0.6f);
}

TEST_F(Backends, RefusesWhatItCannotRun) {
  EXPECT_FALSE(backend_.Choose({.op = Op::kProject}, Profile::kBf16).has_value());
  EXPECT_FALSE(backend_.Choose({.op = Op::kProject}, Profile::kInt8).has_value());
  EXPECT_FALSE(
      backend_.Choose({.op = Op::kFeedForward, .middle = kScratchFloats + 1}, Profile::kF32).has_value());
  EXPECT_TRUE(backend_.Choose({.op = Op::kFeedForward, .middle = kScratchFloats}, Profile::kF32).has_value());
  EXPECT_TRUE(backend_.Choose({.op = Op::kRoute, .cols = kScratchFloats}, Profile::kF32).has_value());
  EXPECT_FALSE(backend_.Choose({.op = Op::kRoute, .cols = kScratchFloats + 1}, Profile::kF32).has_value());
  Step experts{.op = Op::kExperts, .inner = 64, .cols = 64, .middle = kScratchFloats / 2 - 128};
  EXPECT_TRUE(backend_.Choose(experts, Profile::kF32).has_value());
  ++experts.middle;
  EXPECT_FALSE(backend_.Choose(experts, Profile::kF32).has_value());
  const Step attention{.op = Op::kAttention, .rows = 8, .inner = 2, .cols = 64, .middle = kLongestSequence};
  EXPECT_TRUE(backend_.Choose(attention, Profile::kF32).has_value());
  Step longer = attention, wider = attention;
  longer.middle = kLongestSequence + 1;
  wider.cols = 2 * kWidestHead + 2;
  EXPECT_FALSE(backend_.Choose(longer, Profile::kF32).has_value());
  EXPECT_FALSE(backend_.Choose(wider, Profile::kF32).has_value());
}

struct Reader final : RowReader {
  std::vector<float> values;
  std::size_t cols = 1;
  bool fail = false;
  Result<void> Read(std::size_t first, std::size_t count, float* out) const override {
    if (fail) return Error{.code = Code::kArtifactStale, .found = "shorter", .allowed = "as listed"};
    for (std::size_t i = 0; i < count * cols; ++i) out[i] = values[first * cols + i];
    return {};
  }
};

// Value i as it is held.
float ValueOf(const Held& held, std::size_t i) {
  if (held.type == DType::kF32) return held.As<float>()[i];
  const std::uint32_t bits = held.type == DType::kBf16 ? held.As<Bf16>()[i].bits : held.As<F16>()[i].bits;
  if (held.type == DType::kBf16) return std::bit_cast<float>(bits << 16);
  const auto fraction = static_cast<float>(bits & 0x3ffu), sign = (bits & 0x8000u) != 0 ? -1.0f : 1.0f;
  const int exponent = static_cast<int>(bits >> 10 & 0x1fu);
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024.0f + fraction, exponent - 25));
}

// Whole numbers up to 249, and a value of each sign that is the smallest of its type, fit in every type.
TEST_F(Backends, PreparedWeightsKeepEveryValue) {
  Reader reader;
  reader.cols = 5;
  for (std::size_t i = 0; i < 50 * 5; ++i) reader.values.push_back(static_cast<float>(i));
  for (const DType type : {DType::kF32, DType::kBf16, DType::kF16}) {
    const float least = type == DType::kF16 ? 0x1p-24f : type == DType::kBf16 ? 0x1p-133f : 0x1p-149f;
    reader.values[7] = least, reader.values[8] = -least, reader.values[9] = -3.0f * least;
    for (const KernelTable* table : RunnableTables(DetectFeatures())) {
      SCOPED_TRACE(std::string(table->isa) + " " + std::string(Name(type)));
      WeightSource source{.rows = 50, .cols = 5, .reader = &reader, .label = "w", .stored = type};
      const auto w = PrepareWeight(*table, source).value();
      const Held held = static_cast<const CpuWeight&>(*w).held();
      EXPECT_EQ(held.type, type);
      const std::size_t p = table->panel, count = PreparedValues(*table, Role::kMatrix, 50, 5);
      EXPECT_EQ(count, (50 + p - 1) / p * p * 5);
      for (std::size_t r = 0; r < (50 + p - 1) / p * p; ++r)
        for (std::size_t c = 0; c < 5; ++c)
          EXPECT_EQ(ValueOf(held, r / p * p * 5 + c * p + r % p), r < 50 ? reader.values[r * 5 + c] : 0.0f);
      source.role = Role::kTable;
      const auto t = PrepareWeight(*table, source).value();
      for (std::size_t i = 0; i < 250; ++i)
        EXPECT_EQ(ValueOf(static_cast<const CpuWeight&>(*t).held(), i), reader.values[i]);
      source.role = Role::kVector;
      EXPECT_EQ(HeldType(source), DType::kF32);
    }
  }
}

TEST_F(Backends, MatricesAndTablesTakeTheBytesOfTheirType) {
  WeightSource source{.rows = 64, .cols = 3};
  EXPECT_EQ(backend_.PreparedBytes(source, Profile::kF32), 64u * 3 * 4);
  for (const DType type : {DType::kBf16, DType::kF16}) {
    source.stored = type;
    EXPECT_EQ(backend_.PreparedBytes(source, Profile::kF32), 64u * 3 * 2);
    EXPECT_EQ(backend_.PreparedType(source, Profile::kF32), type);
  }
}

TEST_F(Backends, NonFiniteParametersAreRefused) {
  for (const Role role : {Role::kMatrix, Role::kTable, Role::kVector})
    for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
      Reader reader;
      reader.values.assign(131, 1.0f);
      reader.values[130] = bad;
      const auto made = backend_.Prepare(
          {.role = role, .rows = 131, .cols = 1, .reader = &reader, .label = "a.b"}, Profile::kF32);
      ASSERT_FALSE(made.has_value());
      EXPECT_EQ(made.error().code, Code::kNonFiniteParameter);
      EXPECT_EQ(made.error().where.tensor, "a.b");
      EXPECT_EQ(made.error().found, bad != bad ? "NaN" : "infinity");
    }
  Reader largest;
  largest.values = {std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()};
  EXPECT_TRUE(backend_.Prepare({.rows = 2, .cols = 1, .reader = &largest}, Profile::kF32).has_value());
}

TEST_F(Backends, AReadersErrorIsHandedOn) {
  Reader reader;
  reader.fail = true;
  const auto made = backend_.Prepare({.rows = 2, .cols = 1, .reader = &reader}, Profile::kF32);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code, Code::kArtifactStale);
}

TEST_F(Backends, Report) {
  const CpuReport report = backend_.Report();
  EXPECT_EQ(report.table, backend_.table().isa);
  EXPECT_EQ(report.threads, 2u);
  EXPECT_EQ(report.tables.front(), "scalar");
  ASSERT_EQ(report.kernels.size(), kOpCount);
  EXPECT_EQ(report.kernels[9].first, "project");
  EXPECT_EQ(report.kernels[9].second, backend_.table().gemm.name);
  EXPECT_EQ(backend_.machine(), "x86-64 " + std::string(report.table));
}

}  // namespace
}  // namespace candor::cpu

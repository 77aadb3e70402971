// Speed of the CPU kernels on the shapes of all-MiniLM-L6-v2, one thread, every table that the machine can
// run. Compare variants only in turns (--benchmark_enable_random_interleaving=true): neighbours change by the
// second. GFLOP/s counts two per multiply-add. With oneDNN found at build time its f32 product stands beside
// ours.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu/features.h"
#include "tensor/workspace.h"

#if defined(CANDOR_BENCH_ONEDNN)
#include <oneapi/dnnl/dnnl.hpp>
#endif

namespace candor {
namespace {

using Floats = std::vector<float>;

Floats Values(std::size_t n) {
  Floats v(n);
  std::uint32_t state = 1;
  for (float& x : v) {
    state = state * 1664525u + 1013904223u;
    x = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
  }
  return v;
}

struct Reader final : RowReader {
  Reader(const Floats& v, std::size_t c) : values(v), cols(c) {}
  Result<void> Read(std::size_t first, std::size_t count, float* out) const override {
    std::copy_n(values.data() + first * cols, count * cols, out);
    return {};
  }
  const Floats& values;
  std::size_t cols;
};

// A backend of one thread with memory and weights for a case.
class Bench {
 public:
  Bench(const cpu::KernelTable& table, std::size_t threads)
      : backend_(table, threads),
        ops_(backend_.NewOps()),
        memory_(backend_.Allocate(kBytes).value()),
        ws_(memory_->address(), kBytes, DType::kF32, Space::kHost) {}
  Matrix Fill(std::size_t rows, std::size_t cols) {
    const Matrix m = ws_.Rows(rows, cols);
    ops_->Upload(Values(rows * cols), m);
    return m;
  }
  Weight Make(std::size_t rows, std::size_t cols, Role role) {
    Floats values = Values(rows * cols);
    for (float& x : values) x *= 0.05f;
    const Reader reader(values, cols);
    kept_.push_back(
        backend_.Prepare({.role = role, .rows = rows, .cols = cols, .reader = &reader}, Profile::kF32)
            .value());
    return {kept_.back().get(), rows, cols};
  }
  Linear MakeLinear(std::size_t in, std::size_t out) {
    return {Make(out, in, Role::kMatrix), Make(out, 1, Role::kVector)};
  }
  Norm MakeNorm(std::size_t width) {
    return {Norm::Kind::kLayer, Make(width, 1, Role::kVector), Make(width, 1, Role::kVector), 1e-12f};
  }
  Ops& ops() { return *ops_; }

 private:
  static constexpr std::size_t kBytes = std::size_t{64} << 20;
  cpu::CpuBackend backend_;
  std::unique_ptr<Ops> ops_;
  std::unique_ptr<Memory> memory_;
  Workspace ws_;
  std::vector<std::unique_ptr<const PreparedWeight>> kept_;
};

void SetFlops(benchmark::State& state, std::size_t flops) {
  state.counters["GFLOP/s"] =
      benchmark::Counter(static_cast<double>(flops) * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

struct Shape {
  std::size_t inner, outer;
};

void Product(benchmark::State& state, const cpu::KernelTable& table, Shape shape, Activation activation) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  Bench bench(table, 1);
  const Matrix in = bench.Fill(rows, shape.inner), out = bench.Fill(rows, shape.outer);
  const Linear linear = bench.MakeLinear(shape.inner, shape.outer);
  for (auto _ : state) bench.ops().Project(in, linear, out, {.activation = activation});
  SetFlops(state, 2 * rows * shape.inner * shape.outer);
}

void FeedForward(benchmark::State& state, const cpu::KernelTable& table, std::size_t threads) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  Bench bench(table, threads);
  const Matrix h = bench.Fill(rows, 384);
  const Mlp mlp{bench.MakeLinear(384, 1536), bench.MakeLinear(1536, 384), Activation::kGeluErf};
  const Norm norm = bench.MakeNorm(384);
  for (auto _ : state) bench.ops().FeedForward(h, mlp, h, {.accumulate = true, .norm = &norm});
  SetFlops(state, 4 * rows * 384 * 1536);
}

void Attention(benchmark::State& state, const cpu::KernelTable& table, std::size_t head) {
  const auto length = static_cast<std::size_t>(state.range(0));
  const std::size_t count = std::max<std::size_t>(512 / length, 1), rows = count * length, width = 384;
  Bench bench(table, 1);
  const Matrix qkv = bench.Fill(rows, 3 * width), out = bench.Fill(rows, width);
  std::vector<Sequence> sequences;
  for (std::size_t i = 0; i < count; ++i)
    sequences.push_back(
        {.begin = static_cast<std::int32_t>(i * length), .end = static_cast<std::int32_t>((i + 1) * length)});
  const Sequences staged = bench.ops().Stage(std::span<const Sequence>(sequences));
  for (auto _ : state)
    bench.ops().Attention({.q = qkv.Cols(0, width),
                           .k = qkv.Cols(width, width),
                           .v = qkv.Cols(2 * width, width),
                           .out = out,
                           .sequences = staged,
                           .heads = width / head,
                           .scale = 1.0f / std::sqrt(static_cast<float>(head))});
  SetFlops(state, 4 * rows * length * width);
}

void Elements(benchmark::State& state, const cpu::KernelTable& table, Activation activation) {
  Bench bench(table, 1);
  const Matrix x = bench.Fill(64, 1536), y = bench.Fill(64, 1536);
  for (auto _ : state) bench.ops().Activate(x, activation, y);
  state.counters["ns/element"] = benchmark::Counter(
      64 * 1536 * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void NormRows(benchmark::State& state, const cpu::KernelTable& table) {
  Bench bench(table, 1);
  const Matrix x = bench.Fill(64, 384), y = bench.Fill(64, 384);
  const Norm norm = bench.MakeNorm(384);
  for (auto _ : state) bench.ops().Normalize(x, norm, y);
  state.counters["ns/element"] = benchmark::Counter(
      64 * 384 * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// What one core can do at most: sixteen independent chains of fused multiply-adds.
__attribute__((target("avx512f"))) void Peak(benchmark::State& state) {
  typedef float Vector __attribute__((vector_size(64)));
  Vector acc[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) acc[i] = Vector{} + static_cast<float>(i);
  Vector a = Vector{} + 0.999f, b = Vector{} + 0.001f;
  for (auto _ : state) {
    for (int r = 0; r < 4096; ++r) {
#pragma GCC unroll 16
      for (int i = 0; i < 16; ++i) asm("vfmadd213ps %2, %1, %0" : "+v"(acc[i]) : "v"(a), "v"(b));
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) asm volatile("" : : "v"(acc[i]));
  SetFlops(state, std::size_t{4096} * 16 * 32);
}

#if defined(CANDOR_BENCH_ONEDNN)
void OneDnn(benchmark::State& state, Shape shape) {
  using dnnl::memory;
  const memory::dim m = state.range(0), k = static_cast<memory::dim>(shape.inner),
                    n = static_cast<memory::dim>(shape.outer);
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const memory::desc a({m, k}, memory::data_type::f32, memory::format_tag::ab),
      c({m, n}, memory::data_type::f32, memory::format_tag::ab),
      any({k, n}, memory::data_type::f32, memory::format_tag::any),
      bias({1, n}, memory::data_type::f32, memory::format_tag::ab);
  const dnnl::matmul::primitive_desc description(dnnl::matmul::desc(a, any, bias, c), engine);
  memory in(a, engine), weights(description.weights_desc(), engine), b(bias, engine), out(c, engine);
  dnnl::matmul product(description);
  for (auto _ : state) {
    product.execute(
        stream, {{DNNL_ARG_SRC, in}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_BIAS, b}, {DNNL_ARG_DST, out}});
    stream.wait();
  }
  SetFlops(state, 2 * static_cast<std::size_t>(m * k * n));
}
#endif

void Register() {
  const auto rows = [](benchmark::internal::Benchmark* b) {
    for (const std::int64_t m : {1, 2, 4, 8, 16, 32, 64, 128, 512, 1024}) b->Arg(m);
  };
  const std::vector<Shape> shapes{{384, 384}, {384, 1152}, {384, 1536}, {1536, 384}};
  for (const cpu::KernelTable* table : cpu::RunnableTables(cpu::DetectFeatures())) {
    if (table->isa == "scalar") continue;  // for the bits, not for speed
    const std::string isa = "/" + std::string(table->isa);
    for (const Shape& s : shapes) {
      const std::string name = std::to_string(s.inner) + "x" + std::to_string(s.outer) + isa;
      benchmark::RegisterBenchmark(("gemm/" + name).c_str(), Product, *table, s, Activation::kNone)
          ->Apply(rows);
    }
    benchmark::RegisterBenchmark(("gemm_gelu/384x1536" + isa).c_str(), Product, *table, shapes[2],
                                 Activation::kGeluErf)
        ->Apply(rows);
    benchmark::RegisterBenchmark(("feed_forward/384x1536" + isa).c_str(), FeedForward, *table, 1)
        ->Apply(rows);
    benchmark::RegisterBenchmark(("feed_forward_2_threads/384x1536" + isa).c_str(), FeedForward, *table, 2)
        ->Apply(rows)
        ->UseRealTime();
    for (const std::size_t head : {32u, 64u})
      benchmark::RegisterBenchmark(("attention/head_" + std::to_string(head) + isa).c_str(), Attention,
                                   *table, head)
          ->Arg(8)
          ->Arg(16)
          ->Arg(32)
          ->Arg(64)
          ->Arg(128)
          ->Arg(256)
          ->Arg(512);
    benchmark::RegisterBenchmark(("gelu_erf" + isa).c_str(), Elements, *table, Activation::kGeluErf);
    benchmark::RegisterBenchmark(("gelu_tanh" + isa).c_str(), Elements, *table, Activation::kGeluTanh);
    benchmark::RegisterBenchmark(("norm" + isa).c_str(), NormRows, *table);
    if (table->isa == "avx512") benchmark::RegisterBenchmark("peak/avx512", Peak);
  }
#if defined(CANDOR_BENCH_ONEDNN)
  for (const Shape& s : shapes)
    benchmark::RegisterBenchmark(
        ("onednn/" + std::to_string(s.inner) + "x" + std::to_string(s.outer)).c_str(), OneDnn, s)
        ->Apply(rows);
#endif
}

}  // namespace
}  // namespace candor

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  candor::Register();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

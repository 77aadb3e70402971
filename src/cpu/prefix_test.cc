// Texts that continue one earlier text see its rows as if they stood before each of them: the same bits on
// every table.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "cpu/cpu_backend.h"
#include "cpu/features.h"
#include "ops/op_bench.h"
#include "ops/reference.h"

namespace candor::cpu {
namespace {

using Floats = std::vector<float>;

// Attention of several texts that continue one, whose rows are there once or before each of them: the rows of
// those texts.
Floats Continued(const Backend& backend, std::int32_t common, std::size_t dim, bool repeated,
                 std::int32_t radius, bool causal) {
  constexpr std::size_t kHeads = 2, kKeyHeads = 1;
  const std::size_t wide = (kHeads + 2 * kKeyHeads) * dim;
  constexpr std::int32_t kOwn[] = {1, 40, 7};
  OpBench b(backend);
  TestRandom random(3);
  const auto rows_of = [&](std::int32_t rows) {
    return random.Values(static_cast<std::size_t>(rows) * wide);
  };
  const Floats beginning = rows_of(common);
  Floats rows;
  std::vector<Sequence> sequences;
  std::int32_t end = 0;
  const auto add = [&](const Floats& more) {
    rows.insert(rows.end(), more.begin(), more.end());
    end += static_cast<std::int32_t>(more.size() / wide);
  };
  if (!repeated) add(beginning), sequences.push_back({.begin = 0, .end = end});
  std::vector<Sequence> own;
  for (const std::int32_t length : kOwn) {
    const std::int32_t begin = end;
    if (repeated) add(beginning);
    own.push_back({.begin = end, .end = end + length});
    add(rows_of(length));
    sequences.push_back({.begin = begin, .end = end, .prefix = repeated ? Sequence::kNoPrefix : 0});
  }
  const std::size_t count = rows.size() / wide, width = kHeads * dim;
  const Sequences staged = b.ops->Stage(std::span<const Sequence>(sequences));
  const Matrix all = b.Place(rows, count, wide), out = b.Place(Floats(count * width), count, width);
  b.ops->Attention({.q = all.Cols(0, width),
                    .k = all.Cols(width, kKeyHeads * dim),
                    .v = all.Cols(width + kKeyHeads * dim, kKeyHeads * dim),
                    .out = out,
                    .sequences = staged,
                    .heads = kHeads,
                    .kv_heads = kKeyHeads,
                    .scale = 0.3f,
                    .radius = radius,
                    .causal = causal});
  EXPECT_TRUE(b.MarginsIntact());
  Floats found;
  for (const Sequence& s : own) {
    const Floats some =
        b.Fetch(out.Rows(static_cast<std::size_t>(s.begin), static_cast<std::size_t>(s.length())));
    found.insert(found.end(), some.begin(), some.end());
  }
  return found;
}

TEST(Prefix, WhatTextsBeginWithIsSeenAsIfRepeated) {  // SES-11
  std::vector<std::unique_ptr<const Backend>> backends;
  backends.push_back(std::make_unique<ReferenceBackend>());
  for (const KernelTable* table : RunnableTables(DetectFeatures()))
    for (const std::size_t threads : {std::size_t{1}, std::size_t{3}})
      backends.push_back(std::make_unique<CpuBackend>(*table, threads));
  for (const auto& backend : backends)
    for (const std::int32_t common : {1, 7, 16, 17, 33, 64, 150, 300})
      for (const bool causal : {true, false})
        for (const std::int32_t radius : {AttentionArgs::kEveryRow, 5, 40}) {
          // Of heads of 512 columns 256 keys are packed at once; plain loops take long for them.
          const std::size_t dim = common == 300 ? 512 : 20;
          if (common == 300 && (backend->name() == "reference" || !causal || radius < 40)) continue;
          const Floats wanted = Continued(*backend, common, dim, true, radius, causal);
          EXPECT_EQ(wanted.size(), 48u * 2 * dim);
          EXPECT_EQ(wanted, Continued(*backend, common, dim, false, radius, causal))
              << backend->machine() << " common " << common << " radius " << radius << " causal " << causal;
        }
}

}  // namespace
}  // namespace candor::cpu

#include "plan/plan.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "io/json.h"
#include "plan/planner.h"

namespace candor::plan {
namespace {

Plan Sample() {
  Plan p;
  p.product = "candor 1", p.package = "sha256:aa", p.family = "bert", p.family_version = "1",
  p.dialect = "plain";
  p.verb = "embed", p.contract = "candor.embedding.dense/v1", p.device = "cpu", p.backend = "cpu",
  p.machine = "m";
  p.space = "sha256:bb";
  p.options = {{"max-length", "256", "package", true},
               {"max-batch-tokens", "1024", "application_default", false}};
  p.evidence = {{"hidden_act", "gelu", "config_field", "config.json", "/hidden_act", "config/v1", true}};
  p.tensors = {{.slot = "a",
                .role = "matrix",
                .from = {{"a.weight", "model.safetensors", "F32", {2, 3}}},
                .transform = "as is"}};
  p.steps = {{{.op = Op::kEmbed, .rows = 8, .cols = 4}, "cpu.scalar.embed", Precision::kF32}};
  return p;
}

// PLAN-03: whatever can change a number or its meaning changes the fingerprint.
TEST(Fingerprint, EveryNumericChoiceChangesIt) {
  const std::vector<std::function<void(Plan&)>> changes = {
      [](Plan& p) { p.product = "candor 2"; },
      [](Plan& p) { p.package = "sha256:ab"; },
      [](Plan& p) { p.route = Route::kGraph; },
      [](Plan& p) { p.family = "mpnet"; },
      [](Plan& p) { p.family_version = "2"; },
      [](Plan& p) { p.dialect = "tensorflow"; },
      [](Plan& p) { p.contract = "candor.embedding.dense/v2"; },
      [](Plan& p) { p.device = "cuda:0"; },
      [](Plan& p) { p.backend = "torch"; },
      [](Plan& p) { p.profile = Profile::kBf16; },
      [](Plan& p) { p.space = "sha256:bc"; },
      [](Plan& p) { p.options[0].value = "128"; },
      [](Plan& p) { p.evidence[0].value = "relu"; },
      [](Plan& p) { p.tensors[0].from[0].tensor = "b.weight"; },
      [](Plan& p) { p.tensors[0].from[0].dtype = "F16"; },
      [](Plan& p) { p.tensors[0].transform = "transpose/v1"; },
      [](Plan& p) { p.steps[0].kernel = "cpu.avx2.embed"; },
  };
  std::set<std::string> seen{Fingerprint(Sample())};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Plan p = Sample();
    changes[i](p);
    EXPECT_TRUE(seen.insert(Fingerprint(p)).second) << "change " << i << " left the fingerprint as it was";
  }
}

// PLAN-03: what only bounds size, or only explains, does not.
TEST(Fingerprint, SizesAndProvenanceDoNotChangeIt) {
  Plan p = Sample();
  p.options[1].value = "4096";
  p.limits.max_batch_tokens = 4096;
  p.steps[0].step.rows = 4096;
  p.evidence[0].pointer = "/elsewhere";
  p.files = {"config.json"};
  EXPECT_EQ(Fingerprint(p), Fingerprint(Sample()));
  EXPECT_TRUE(Fingerprint(p).starts_with("sha256:"));
}

// The canonical text of Sample() is written down by hand as "name length value" lines, schema, product,
// package, route, family, family_version, dialect, contract, device, backend, profile, space, "option
// max-length", choice, slot, transform, from, kernel, and hashed by Python's hashlib. A change here changes
// every fingerprint there is.
TEST(Fingerprint, IsTheDigestOfTheCanonicalText) {
  EXPECT_EQ(Fingerprint(Sample()), "sha256:bae7efe0b39070446afe8a928f9d594a4b7dd79339edee91168e360b15a84ba2");
}

TEST(Fingerprint, AnUnsealedPlanHasNone) {
  Plan p = Sample();
  p.package.clear();
  EXPECT_EQ(Fingerprint(p), "");
}

// PLAN-02: the form is JSON whose members say what the plan says.
TEST(Serialize, IsReadableJson) {
  const Result<io::Json> json = io::ParseJson(Serialize(Sample()), "plan");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->Find("schema")->as_string(), "candor.plan/v1");
  EXPECT_EQ(json->Find("fingerprint")->as_string(), Fingerprint(Sample()));
  EXPECT_EQ(json->Find("choices")->items()[0].as_string(), "hidden_act=gelu");
  EXPECT_EQ(json->Find("audit")->Find("loaded_required")->as_int(), 1);
}

// PLAN-04, DEV-01, CAP-08: each option is taken or refused, and a missing backend is not an unknown word.
TEST(CheckOptions, RefusesWhatIsNotBuilt) {
  EXPECT_TRUE(CheckOptions({}).empty());
  for (const char* precision : {"bf16", "int8", "f32-split", "F32", ""}) {
    const Problems p = CheckOptions({.precision = precision});
    ASSERT_EQ(p.size(), 1u);
    EXPECT_EQ(p[0].code, Code::kUnsupportedOption);
    EXPECT_EQ(p[0].where.option, "precision");
    EXPECT_EQ(p[0].found, precision);
  }
  for (const char* device : {"cuda", "cuda:1", "metal:0", "mps", "xpu:3"})
    EXPECT_EQ(CheckOptions({.device = device}).at(0).code, Code::kBackendNotCompiled) << device;
  for (const char* device : {"gpu", "cuda:", "cuda:x", "cpu:0", ""})
    EXPECT_EQ(CheckOptions({.device = device}).at(0).code, Code::kUnsupportedOption) << device;
  EXPECT_EQ(CheckOptions({.precision = "bf16", .device = "cuda", .max_batch_tokens = 1u << 21}).size(),
            3u);  // ERR-03
}

}  // namespace
}  // namespace candor::plan

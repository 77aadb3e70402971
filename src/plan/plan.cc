#include "plan/plan.h"

#include <algorithm>
#include <set>

#include "base/sha256.h"

namespace candor::plan {
namespace {

// Length-prefixed fields, so that no two different lists of fields give one text.
class Canonical {
 public:
  Canonical& Field(std::string_view name, std::string_view value) {
    text_ += name;
    text_ += ' ';
    text_ += std::to_string(value.size());
    text_ += ' ';
    text_ += value;
    text_ += '\n';
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::string_view Name(Decision decision) {
  return decision == Decision::kEligible ? "eligible" : "unqualified";
}

std::string_view Name(Profile profile) {
  switch (profile) {
    case Profile::kF32:
      return "f32";
    case Profile::kBf16:
      return "bf16";
    case Profile::kInt8:
      return "int8";
  }
  return "";
}

std::vector<std::string> Plan::Choices() const {
  std::set<std::string> out;
  for (const package::Evidence& e : evidence)
    if (e.choice) out.insert(e.fact + "=" + e.value);
  return {out.begin(), out.end()};
}

std::string Fingerprint(const Plan& plan) {
  if (!plan.sealed()) return {};
  Canonical c;
  c.Field("schema", kPlanSchema).Field("product", plan.product).Field("package", plan.package);
  c.Field("route", plan.route == Route::kNative ? "native" : "graph");
  c.Field("family", plan.family).Field("family_version", plan.family_version).Field("dialect", plan.dialect);
  c.Field("contract", plan.contract).Field("device", plan.device).Field("backend", plan.backend);
  c.Field("profile", Name(plan.profile)).Field("space", plan.space);
  for (const Option& o : plan.options)
    if (o.numeric) c.Field("option " + o.name, o.value);
  for (const std::string& choice : plan.Choices()) c.Field("choice", choice);
  for (const PlannedTensor& t : plan.tensors) {
    c.Field("slot", t.slot).Field("transform", t.transform);
    for (const PlannedTensor::Source& s : t.from) c.Field("from", s.file + ":" + s.tensor + ":" + s.dtype);
  }
  // Shapes of steps follow from the batch limit, which changes no number; the kernels do not.
  std::set<std::string> kernels;
  for (std::size_t route = 0; route <= plan.other_routes.size(); ++route)
    for (const PlannedStep& s : plan.StepsOf(route))
      kernels.insert(std::string(Name(s.step.op)) + " " + s.kernel + " " + std::string(Name(s.precision)));
  for (const std::string& k : kernels) c.Field("kernel", k);
  return "sha256:" + Sha256Hex(c.text());
}

}  // namespace candor::plan

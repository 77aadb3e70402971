// Serialize: the plan's stable JSON form, keys in declaration order, as schemas/plan.schema.json says.
#include "io/json.h"
#include "plan/plan.h"

namespace candor::plan {
namespace {

using io::JsonWriter;

template <class Range, class Each>
void List(JsonWriter& w, std::string_view key, const Range& range, Each each) {
  w.Key(key).BeginArray();
  for (const auto& item : range) each(item);
  w.EndArray();
}

void Texts(JsonWriter& w, std::string_view key, const std::vector<std::string>& texts) {
  List(w, key, texts, [&](const std::string& t) { w.String(t); });
}

void Keys(JsonWriter& w, std::string_view key, const std::vector<ListedKey>& keys) {
  List(w, key, keys, [&](const ListedKey& k) {
    w.BeginObject().Member("file", k.file).Member("pointer", k.pointer);
    if (!k.rule.empty()) w.Member("rule", k.rule);
    w.EndObject();
  });
}

void WriteTensor(JsonWriter& w, const PlannedTensor& t) {
  w.BeginObject().Member("slot", t.slot).Member("role", t.role).Member("bound", t.bound);
  List(w, "from", t.from, [&](const PlannedTensor::Source& s) {
    w.BeginObject().Member("tensor", s.tensor).Member("file", s.file).Member("dtype", s.dtype);
    List(w, "shape", s.shape, [&](std::size_t n) { w.Uint(n); });
    w.EndObject();
  });
  w.Member("transform", t.transform).Member("alias", t.alias).Member("optional", t.optional);
  w.Key("rows")
      .Uint(t.rows)
      .Key("cols")
      .Uint(t.cols)
      .Key("prepared_bytes")
      .Uint(t.prepared_bytes)
      .Member("prepared_dtype", t.prepared_dtype)
      .EndObject();
}

void WriteAudit(JsonWriter& w, const Plan& p) {
  std::size_t bound = 0, alias = 0, transformed = 0, absent = 0;
  for (const PlannedTensor& t : p.tensors) {
    bound += t.bound ? 1u : 0u;
    absent += t.bound ? 0u : 1u;
    alias += t.alias.empty() ? 0u : 1u;
    transformed += t.bound && t.transform != "as is" ? 1u : 0u;
  }
  w.Key("audit").BeginObject();
  w.Key("loaded_required").Uint(bound).Key("aliases").Uint(alias).Key("transformed").Uint(transformed);
  // Ties come with the first family whose head shares a table.
  w.Key("tied").Uint(0).Key("optional_absent").Uint(absent);
  List(w, "ignored", p.ignored_tensors, [&](const ListedTensor& t) {
    w.BeginObject().Member("tensor", t.name).Member("rule", t.rule).EndObject();
  });
  // A plan exists only when nothing is unexpected or unresolved; the empty lists say so in as many words.
  w.Key("unexpected").BeginArray().EndArray().Key("unresolved").BeginArray().EndArray().EndObject();
}

void WriteSteps(io::JsonWriter& w, const std::vector<PlannedStep>& steps) {
  w.BeginArray();
  for (const PlannedStep& s : steps) {
    w.BeginObject().Member("op", Name(s.step.op)).Key("rows").Uint(s.step.rows);
    w.Key("inner").Uint(s.step.inner).Key("cols").Uint(s.step.cols);
    w.Member("kernel", s.kernel).Member("precision", Name(s.precision)).EndObject();
  }
  w.EndArray();
}

}  // namespace

std::string Serialize(const Plan& p, bool pretty) {
  JsonWriter w(pretty);
  w.BeginObject().Member("schema", kPlanSchema).Member("product", p.product);
  w.Member("fingerprint", Fingerprint(p)).Member("package", p.package);
  w.Member("decision", Name(p.decision));
  Texts(w, "unqualified", p.unqualified);
  w.Member("route", p.route == Route::kNative ? "native" : "graph");
  w.Member("family", p.family).Member("family_version", p.family_version).Member("dialect", p.dialect);
  w.Member("task", p.verb).Member("contract", p.contract).Member("space", p.space);
  w.Member("device", p.device).Member("backend", p.backend).Member("machine", p.machine);
  w.Member("profile", Name(p.profile));
  List(w, "modules", p.modules,
       [&](const auto& m) { w.BeginObject().Member("type", m.first).Member("does", m.second).EndObject(); });
  Texts(w, "choices", p.Choices());
  List(w, "options", p.options, [&](const Option& o) {
    w.BeginObject().Member("name", o.name).Member("value", o.value).Member("source", o.source).EndObject();
  });
  w.Key("limits").BeginObject();
  w.Key("max_length").Uint(p.limits.max_length).Key("max_batch_tokens").Uint(p.limits.max_batch_tokens);
  w.Key("max_sequences").Uint(p.limits.max_sequences);
  w.Member("shares_prefixes", p.limits.shares_prefixes).EndObject();
  const package::SafetensorsLimits& weights = p.reading.weights;
  w.Key("reading").BeginObject().Key("header_bytes").Uint(weights.header_bytes);
  w.Key("json_bytes").Uint(p.reading.json_bytes).Key("json_depth").Uint(io::JsonLimits{}.depth);
  w.Key("files").Uint(p.reading.files).Key("tensors").Uint(weights.tensors).Key("rank").Uint(weights.rank);
  w.Key("dimension").Uint(weights.dimension).EndObject();
  w.Key("memory").BeginObject();
  w.Key("weight_bytes").Uint(p.limits.weight_bytes).Key("workspace_bytes").Uint(p.limits.workspace_bytes);
  w.Key("scratch_bytes").Uint(p.limits.scratch_bytes);
  w.Key("sessions").Uint(p.limits.sessions).Key("peak_bytes").Uint(p.limits.PeakBytes());
  w.Key("uncertainty_bytes").Uint(p.limits.estimate_uncertainty_bytes).EndObject();
  w.Key("steps");
  WriteSteps(w, p.steps);
  if (!p.other_routes.empty()) {
    w.Key("other_routes").BeginArray();
    for (const std::vector<PlannedStep>& steps : p.other_routes) WriteSteps(w, steps);
    w.EndArray();
  }
  List(w, "tensors", p.tensors, [&](const PlannedTensor& t) { WriteTensor(w, t); });
  WriteAudit(w, p);
  w.Key("keys").BeginObject();
  Keys(w, "ignored", p.ignored_keys);
  Keys(w, "unknown", p.unknown_keys);
  w.EndObject();
  List(w, "evidence", p.evidence, [&](const package::Evidence& e) {
    w.BeginObject().Member("fact", e.fact).Member("value", e.value).Member("origin", e.origin);
    w.Member("file", e.file).Member("pointer", e.pointer).Member("rule", e.rule).EndObject();
  });
  Texts(w, "files", p.files);
  w.EndObject();
  return w.Take();
}

}  // namespace candor::plan

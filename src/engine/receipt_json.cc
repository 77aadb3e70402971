// The public receipt as JSON (schemas/receipt.schema.json), and receipts of several requests made one.
#include "candor/receipt.h"
#include "engine/kernel_runs.h"
#include "io/json.h"

namespace candor {
namespace {

using io::JsonWriter;

void WriteKernels(JsonWriter& w, const std::vector<KernelRun>& kernels) {
  w.Key("kernels").BeginArray();
  for (const KernelRun& k : kernels) {
    w.BeginObject().Member("op", k.op).Member("kernel", k.kernel).Member("precision", k.precision);
    w.Key("calls").Uint(k.calls).EndObject();
  }
  w.EndArray();
}

void WriteOptions(JsonWriter& w, const std::vector<EffectiveOption>& options) {
  w.Key("options").BeginArray();
  for (const EffectiveOption& o : options) {
    w.BeginObject().Member("name", o.name).Member("value", o.value).Member("source", o.source).EndObject();
  }
  w.EndArray();
}

void WriteTruncated(JsonWriter& w, const std::vector<Truncation>& truncated) {
  w.Key("truncated").BeginArray();
  for (const Truncation& t : truncated) {
    w.BeginObject().Key("item").Uint(t.item).Key("tokens").Uint(t.tokens).Key("kept").Uint(t.kept);
    w.Member("side", t.side).EndObject();
  }
  w.EndArray();
}

}  // namespace

std::string ToJson(const Receipt& r, bool pretty) {
  JsonWriter w(pretty);
  w.BeginObject().Member("schema", "candor.receipt/v1");
  w.Member("product", r.product).Member("version", r.version).Member("commit", r.commit);
  w.Member("request", r.request).Member("execution", r.execution);
  w.Member("plan", r.plan).Member("package", r.package).Member("digest_cached", r.digest_cached);
  w.Member("contract", r.contract)
      .Member("family", r.family)
      .Member("route", r.route)
      .Member("recipe", r.recipe);
  w.Key("device").BeginObject().Member("requested", r.device_requested).Member("selected", r.device_selected);
  w.Member("used_cpu_fallback", r.used_cpu_fallback).Member("machine", r.machine).EndObject();
  w.Member("profile", r.profile);
  w.Key("dtypes").BeginObject().Member("stored", r.stored_dtype).Member("weights", r.weight_dtype);
  w.Member("activations", r.activation_dtype).Member("accumulation", r.accumulation_dtype);
  w.Member("output", r.output_dtype).EndObject();
  WriteKernels(w, r.kernels);
  w.Member("as_planned", r.as_planned);
  if (!r.as_planned) w.Member("difference", r.difference);
  w.Member("decision", r.decision).Key("unqualified").BeginArray();
  for (const std::string& u : r.unqualified) w.String(u);
  w.EndArray();
  w.Key("items").Uint(r.items).Key("failed").Uint(r.failed).Key("batches").Uint(r.batches);
  w.Key("rows").Uint(r.rows).Key("padding_rows").Uint(r.padding_rows);
  w.Key("shared_rows").Uint(r.shared_rows);
  w.Key("tokens").BeginArray();
  for (const std::size_t n : r.tokens) w.Uint(n);
  w.EndArray();
  WriteTruncated(w, r.truncated);
  const bool scores = r.representation == "logits";
  w.Key("output").BeginObject().Member("representation", r.representation);
  w.Key("dimensions").Uint(r.dimensions);
  w.Member("dimensions_declared", r.dimensions_declared).Member("normalized", r.normalized);
  if (scores)
    w.Member("activation", r.activation);
  else
    w.Member("similarity", r.similarity);
  w.EndObject();
  w.Member("prompt", r.prompt);
  WriteOptions(w, r.options);
  w.Key("fallback").Null();
  w.Key("timings_ms")
      .BeginObject()
      .Key("queue")
      .Double(r.timings.queue)
      .Key("preprocess")
      .Double(r.timings.preprocess);
  w.Key("compute").Double(r.timings.compute).Key("finish").Double(r.timings.finish);
  w.Key("total").Double(r.timings.total).EndObject();
  w.Member("outcome", r.outcome).Member("drain", r.drain).EndObject();
  return w.Take();
}

void Merge(Receipt& into, const Receipt& more) {
  for (const KernelRun& k : more.kernels) engine::AddKernel(into.kernels, k);
  if (into.as_planned && !more.as_planned) into.as_planned = false, into.difference = more.difference;
  for (Truncation t : more.truncated) {
    t.item += into.items;
    into.truncated.push_back(std::move(t));
  }
  if (into.options.empty()) into.options = more.options;
  into.tokens.insert(into.tokens.end(), more.tokens.begin(), more.tokens.end());
  into.items += more.items, into.failed += more.failed, into.batches += more.batches;
  into.rows += more.rows, into.padding_rows += more.padding_rows;
  into.shared_rows += more.shared_rows;
  into.timings.queue += more.timings.queue, into.timings.preprocess += more.timings.preprocess;
  into.timings.compute += more.timings.compute, into.timings.finish += more.timings.finish;
  into.timings.total += more.timings.total;
}

}  // namespace candor

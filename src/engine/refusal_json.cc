// Problems as CLI.md writes them.
#include "candor/engine.h"
#include "io/json.h"

namespace candor {
namespace {

using io::JsonWriter;

void WriteWhere(JsonWriter& w, const Where& at) {
  w.Key("where").BeginObject();
  if (!at.file.empty()) w.Member("file", at.file);
  if (!at.pointer.empty()) w.Member("pointer", at.pointer);
  if (!at.tensor.empty()) w.Member("tensor", at.tensor);
  if (!at.option.empty()) w.Member("option", at.option);
  if (at.line != 0) w.Key("line").Int(at.line);
  if (!at.field.empty()) w.Member("field", at.field);
  w.EndObject();
}

void WriteError(JsonWriter& w, const Error& e) {
  const CodeInfo& info = Info(e.code);
  w.BeginObject().Member("code", info.name);
  WriteWhere(w, e.where);
  w.Member("found", e.found).Member("allowed", e.allowed).Member("message", Message(e));
  w.Member("class", info.class_name)
      .Member("phase", Name(e.phase))
      .Member("retryable", Name(info.retry))
      .EndObject();
}

}  // namespace

std::string ErrorJson(const Error& error) {
  JsonWriter w;
  WriteError(w, error);
  return w.Take();
}

std::string RefusalJson(const Problems& problems, bool pretty) {
  JsonWriter w(pretty);
  w.BeginObject().Member("refused", true).Key("problems").BeginArray();
  for (const Error& e : problems) WriteError(w, e);
  w.EndArray().EndObject();
  return w.Take();
}

}  // namespace candor

#include "io/error_json.h"

namespace candor::io {

void WriteError(JsonWriter& writer, const Error& error) {
  const CodeInfo& info = Info(error.code);
  writer.BeginObject().Member("code", info.name).Member("class", info.class_name);
  writer.Member("phase", Name(error.phase)).Key("where").BeginObject();
  const Where& where = error.where;
  if (!where.file.empty()) writer.Member("file", where.file);
  if (!where.pointer.empty()) writer.Member("pointer", where.pointer);
  if (!where.tensor.empty()) writer.Member("tensor", where.tensor);
  if (!where.option.empty()) writer.Member("option", where.option);
  if (where.line != 0) writer.Key("line").Int(where.line);
  if (!where.field.empty()) writer.Member("field", where.field);
  writer.EndObject().Member("found", error.found).Member("allowed", error.allowed);
  writer.Member("message", Message(error)).Member("retryable", Name(info.retry)).EndObject();
}

}  // namespace candor::io

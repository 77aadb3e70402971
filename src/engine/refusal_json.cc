// Problems as CLI.md writes them.
#include "candor/engine.h"
#include "io/error_json.h"
#include "io/json.h"

namespace candor {

std::string ErrorJson(const Error& error) {
  io::JsonWriter w;
  io::WriteError(w, error);
  return w.Take();
}

std::string RefusalJson(const Problems& problems, bool pretty) {
  io::JsonWriter w(pretty);
  w.BeginObject().Member("refused", true).Key("problems").BeginArray();
  for (const Error& e : problems) io::WriteError(w, e);
  w.EndArray().EndObject();
  return w.Take();
}

}  // namespace candor

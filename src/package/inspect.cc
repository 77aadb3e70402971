// `candor inspect --json`: the inventory (SPEC R1) as stable JSON, by schemas/inspect.schema.json.
//
// Nothing here depends on where the package lies: paths are relative, order is fixed.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "io/error_json.h"
#include "io/json.h"
#include "package/facts.h"
#include "package/license.h"
#include "package/package.h"

namespace candor::package {
namespace {

bool HasRole(const Package& package, std::string_view role) {
  return std::ranges::any_of(package.files(), [&](const FileFact& file) { return file.role == role; });
}

void WriteDialects(io::JsonWriter& w, const Package& package) {
  w.Key("dialects").BeginArray();
  if (package.Has(package.InEncoder("config.json"))) w.String("transformers");
  if (package.Has("modules.json")) w.String("sentence_transformers");
  for (const auto& [ending, dialect] :
       std::map<std::string_view, const char*>{{".gguf", "gguf"}, {".onnx", "onnx"}}) {
    const auto ends = [e = ending](const FileFact& file) { return file.path.ends_with(e); };
    if (std::ranges::any_of(package.files(), ends)) w.String(dialect);
  }
  w.EndArray();
}

// component_state of SPEC section 2; only what the inventory itself can tell.
void WriteComponents(io::JsonWriter& w, const Package& package) {
  std::map<std::string_view, std::string_view> role_of;
  for (const FileFact& file : package.files()) role_of.emplace(file.path, file.role);
  std::set<std::string_view> broken;  // roles; a damaged package may have a million problems
  for (const Error& problem : package.problems()) {
    const auto file = role_of.find(problem.where.file);
    if (file != role_of.end()) broken.insert(file->second);
  }
  w.Key("components").BeginObject();
  for (const std::string_view role : {"weights", "config", "tokenizer", "module", "labels", "template"}) {
    const bool present = HasRole(package, role);
    w.Member(role, !present ? "absent" : broken.contains(role) ? "invalid" : "present");
  }
  w.EndObject();
}

void WriteFiles(io::JsonWriter& w, const Package& package,
                const std::map<std::string, std::string, std::less<>>& digests) {
  w.Key("files").BeginArray();
  for (const FileFact& file : package.files()) {
    w.BeginObject().Member("path", file.path).Member("role", file.role).Key("bytes").Uint(file.bytes);
    w.Member("in_closure", file.in_closure);
    const auto digest = digests.find(file.path);
    if (digest != digests.end()) w.Member("digest", digest->second);
    if (!file.note.empty()) w.Member("note", file.note);
    w.EndObject();
  }
  w.EndArray();
}

void WriteTensors(io::JsonWriter& w, const Package& package) {
  w.Key("tensors").BeginArray();
  for (const std::string& folder : package.tensor_folders()) {
    for (const TensorInfo& tensor : package.tensors(folder)) {
      w.BeginObject()
          .Member("name", tensor.name)
          .Member("dtype", Name(tensor.type))
          .Key("shape")
          .BeginArray();
      for (const std::size_t size : tensor.shape) w.Uint(size);
      w.EndArray()
          .Member("file", tensor.file)
          .Key("offset")
          .Uint(tensor.offset)
          .Key("bytes")
          .Uint(tensor.bytes);
      w.EndObject();
    }
  }
  w.EndArray();
}

void WriteFacts(io::JsonWriter& w, const Package& package) {
  const auto write = [&](const Fact& fact, bool stated) {
    w.BeginObject().Member("fact", fact.name).Member("value", fact.value).Member("file", fact.file);
    w.Member("pointer", fact.pointer);
    if (stated) w.Member("basis", "stated");
    w.EndObject();
  };
  const std::vector<Fact> licenses = StatedLicenses(package);
  w.Key("facts").BeginArray();
  for (const Fact& fact : package.facts()) write(fact, false);
  for (const Fact& fact : licenses) write(fact, true);
  w.EndArray().Key("conflicts").BeginArray();
  for (const std::string& name : package.conflicts()) w.String(name);
  for (const std::string& name : ConflictsOf(licenses)) w.String(name);
  w.EndArray();
}

}  // namespace

std::string InspectJson(const Package& package) {
  const auto digest = package.Digest();
  std::map<std::string, std::string, std::less<>> digests;
  if (const auto files = package.FileDigests()) digests.insert(files->begin(), files->end());
  io::JsonWriter w(true);
  w.BeginObject().Member("schema", "candor.inspect/v1");
  if (digest) {
    w.Member("closure", *digest);
  } else {
    w.Key("closure").Null();
  }
  WriteDialects(w, package);
  WriteComponents(w, package);
  WriteFiles(w, package, digests);
  WriteTensors(w, package);
  w.Key("metadata").BeginObject();
  for (const auto& [key, value] : package.metadata()) w.Member(key, value);
  w.EndObject();
  WriteFacts(w, package);
  w.Key("problems").BeginArray();
  for (const Error& problem : package.problems()) io::WriteError(w, problem);
  if (!digest) io::WriteError(w, digest.error());
  w.EndArray().EndObject();
  return w.Take();
}

}  // namespace candor::package

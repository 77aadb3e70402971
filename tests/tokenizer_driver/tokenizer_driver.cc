// tokenizer_driver FOLDER: reads one request per line, writes one encoding per line. For comparisons only.
//
// Request: {"a": text, "b": text?, "max": n?, "left": bool?, "add_special": bool?, "parse": bool?}, or
// {"package": folder} to go on with another package. Encoding: {"ids": […], "types": […], "offsets": […],
// "total": n} or
// {"error": sentence}.
#include <cstdio>
#include <iostream>
#include <string>

#include "text/tokenizer.h"

namespace {

using candor::io::Json;
using candor::io::JsonWriter;

std::shared_ptr<const candor::text::Tokenizer> Open(const std::string& folder, std::string& error) {
  const auto package = candor::package::Package::Open(folder);
  if (!package) {
    error = candor::Message(package.error());
    return nullptr;
  }
  auto tokenizer = candor::text::Tokenizer::Read(**package, std::make_shared<candor::package::ReadLog>());
  if (tokenizer) return *tokenizer;
  for (const candor::Error& problem : tokenizer.error()) error += candor::Message(problem) + "\n";
  return nullptr;
}

bool FlagOr(const Json& request, std::string_view key, bool fallback) {
  const Json* value = request.Find(key);
  return value == nullptr ? fallback : value->as_bool();
}

std::string Answer(const candor::text::Tokenizer& tokenizer, const Json& request) {
  candor::text::EncodeOptions options;
  if (const Json* max = request.Find("max")) options.max_length = max->as_uint();
  options.truncate_left = FlagOr(request, "left", false);
  options.add_special = FlagOr(request, "add_special", true);
  options.parse_special = FlagOr(request, "parse", true);
  const Json* second = request.Find("b");
  const std::string& first = request.Find("a")->as_string();
  const auto encoding = second != nullptr ? tokenizer.EncodePair(first, second->as_string(), options)
                                          : tokenizer.Encode(first, options);
  JsonWriter out;
  out.BeginObject();
  if (!encoding) return out.Member("error", candor::Message(encoding.error())).EndObject().Take();
  out.Key("ids").BeginArray();
  for (const auto id : encoding->ids) out.Int(id);
  out.EndArray().Key("types").BeginArray();
  for (const auto type : encoding->type_ids) out.Int(type);
  out.EndArray().Key("offsets").BeginArray();
  for (const auto offset : encoding->offsets) out.BeginArray().Int(offset.begin).Int(offset.end).EndArray();
  out.EndArray().Key("special").BeginArray();
  for (const auto special : encoding->special) out.Int(special);
  out.EndArray().Key("total").Uint(encoding->total);
  return out.EndObject().Take();
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  std::shared_ptr<const candor::text::Tokenizer> tokenizer;
  std::string error, line;
  if (argc > 1) tokenizer = Open(argv[1], error);
  while (error.empty() && std::getline(std::cin, line)) {
    const auto request = candor::io::ParseJson(line, "request");
    if (!request) {
      error = candor::Message(request.error());
    } else if (const Json* folder = request->Find("package")) {
      tokenizer = Open(folder->as_string(), error);
    } else if (tokenizer != nullptr) {
      std::cout << Answer(*tokenizer, *request) << '\n';
    }
  }
  std::cerr << error;
  return error.empty() ? 0 : 1;
}

// tokenizer_driver: reads one request a line, writes one line for each. For comparisons (tools/tokenizers)
// only.
//
// {"package": folder} goes on with that package: {"vocabulary": n}, or {"refused": [problem…]}; what AnswerTo
// (src/text/test_answer.h) describes is encoded with it. An empty line flushes what has been answered.
#include <iostream>
#include <string>

#include "text/test_answer.h"

namespace {

using candor::io::Json;
using candor::io::JsonWriter;
using TokenizerPtr = std::shared_ptr<const candor::text::Tokenizer>;

std::string Refused(std::span<const candor::Error> problems) {
  JsonWriter out;
  out.BeginObject().Key("refused").BeginArray();
  for (const candor::Error& problem : problems) {
    out.BeginObject().Member("code", candor::Info(problem.code).name);
    out.Member("file", problem.where.file).Member("pointer", problem.where.pointer);
    out.Member("found", problem.found).Member("allowed", problem.allowed).EndObject();
  }
  return out.EndArray().EndObject().Take();
}

std::string Open(const std::string& folder, TokenizerPtr& tokenizer) {
  tokenizer = nullptr;
  const auto package = candor::package::Package::Open(folder);
  if (!package) return Refused(std::span(&package.error(), 1));
  auto read = candor::text::Tokenizer::Read(**package, std::make_shared<candor::package::ReadLog>());
  if (!read) return Refused(read.error());
  tokenizer = *read;
  JsonWriter out;
  return out.BeginObject().Key("vocabulary").Uint(tokenizer->facts().vocabulary).EndObject().Take();
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  TokenizerPtr tokenizer;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.empty()) {
      std::cout.flush();
      continue;
    }
    const auto request = candor::io::ParseJson(line, "request");
    if (!request) {
      std::cout << Refused(std::span(&request.error(), 1)) << '\n';
    } else if (const Json* folder = request->Find("package")) {
      std::cout << Open(std::string(folder->as_string()), tokenizer) << '\n';
    } else {
      std::cout << (tokenizer ? candor::text::AnswerTo(*tokenizer, *request) : "{}") << '\n';
    }
  }
  return 0;
}

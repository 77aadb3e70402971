// One measurement of Candor's tokenizer for tokenizing.py, which compares it with the reference library.
//
//   tokenizing_bench speed FOLDER TEXTS THREADS SECONDS    TEXTS: one JSON string a line
//   tokenizing_bench load FOLDER
//
// Times are the clock's (seconds) and the processor's over all threads (processor_s). speed encodes all texts
// once to warm up, then again and again for SECONDS, at least three times, and prints the median pass and the
// SHA-256 of all ids (32 bits each, little-endian, in order). Offsets are not asked for, as the library's
// encode_batch_fast gives none.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/sha256.h"
#include "io/json.h"
#include "text/tokenizer.h"

namespace {

using candor::text::Encoding;
using candor::text::Tokenizer;
using Clock = std::chrono::steady_clock;

double Since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::shared_ptr<const Tokenizer> Open(const std::string& folder) {
  const auto package = candor::package::Package::Open(folder);
  if (!package) {
    std::cerr << candor::Message(package.error()) << '\n';
    return nullptr;
  }
  auto tokenizer = Tokenizer::Read(**package, std::make_shared<candor::package::ReadLog>());
  if (tokenizer) return *tokenizer;
  for (const candor::Error& problem : tokenizer.error()) std::cerr << candor::Message(problem) << '\n';
  return nullptr;
}

std::vector<std::string> ReadTexts(const std::string& path) {
  std::vector<std::string> texts;
  std::ifstream in(path, std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    const auto text = candor::io::ParseJson(line, path);
    if (text && text->is_string()) texts.emplace_back(text->as_string());
  }
  return texts;
}

// Encodes every text, each thread taking the next one; false when one was refused.
bool Pass(const Tokenizer& tokenizer, const std::vector<std::string>& texts, std::size_t threads,
          std::vector<std::vector<std::int32_t>>& ids) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> good = true;
  const auto work = [&] {
    for (std::size_t i = next++; i < texts.size(); i = next++) {
      auto encoding = tokenizer.Encode(texts[i], {.offsets = false});
      if (!encoding) {
        good = false;
        return;
      }
      ids[i] = std::move(encoding->ids);
    }
  };
  std::vector<std::thread> others;
  for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
  return good;
}

int Speed(const std::string& folder, const std::string& path, std::size_t threads, double seconds) {
  const auto tokenizer = Open(folder);
  const std::vector<std::string> texts = ReadTexts(path);
  std::vector<std::vector<std::int32_t>> ids(texts.size());
  if (tokenizer == nullptr || texts.empty() || !Pass(*tokenizer, texts, threads, ids)) {
    std::cerr << "nothing measured\n";
    return 1;
  }
  std::vector<double> passes;
  const std::clock_t used = std::clock();
  for (const auto begin = Clock::now(); passes.size() < 3 || Since(begin) < seconds;) {
    const auto pass = Clock::now();
    Pass(*tokenizer, texts, threads, ids);
    passes.push_back(Since(pass));
  }
  const double processor =
      static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC / static_cast<double>(passes.size());
  std::sort(passes.begin(), passes.end());
  std::size_t bytes = 0, tokens = 0;
  for (const std::string& text : texts) bytes += text.size();
  candor::Sha256 digest;
  for (const std::vector<std::int32_t>& list : ids) {
    tokens += list.size();
    digest.Update({reinterpret_cast<const char*>(list.data()), list.size() * sizeof(std::int32_t)});
  }
  candor::io::JsonWriter out;
  out.BeginObject().Key("seconds").Double(passes[passes.size() / 2]).Key("processor_s").Double(processor);
  out.Key("texts").Uint(texts.size()).Key("bytes").Uint(bytes).Key("tokens").Uint(tokens);
  std::cout << out.Member("ids", candor::Hex(digest.Finish())).EndObject().Take() << '\n';
  return 0;
}

int Load(const std::string& folder) {
  const auto begin = Clock::now();
  const std::clock_t used = std::clock();
  const auto tokenizer = Open(folder);
  const double seconds = Since(begin), processor = static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC;
  if (tokenizer == nullptr) return 1;
  candor::io::JsonWriter out;
  out.BeginObject().Key("seconds").Double(seconds).Key("processor_s").Double(processor);
  std::cout << out.Key("entries").Uint(tokenizer->facts().vocabulary).EndObject().Take() << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 5 && arguments[0] == "speed") {
    return Speed(arguments[1], arguments[2], std::stoul(arguments[3]), std::stod(arguments[4]));
  }
  if (arguments.size() == 2 && arguments[0] == "load") return Load(arguments[1]);
  std::cerr << "tokenizing_bench speed FOLDER TEXTS THREADS SECONDS | load FOLDER\n";
  return 2;
}

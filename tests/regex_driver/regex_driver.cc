// regex_driver: reads JSON Lines, writes where a pattern matches. For comparisons only.
//
// {"pattern": {…as tokenizer.json…}} is read from then on, answered with "ok" or "refused: sentence".
// {"text": …} is answered with the code points of all matches, "begin end begin end …", or "exceeded".
#include <iostream>
#include <string>

#include "package/config.h"
#include "text/regex/regex.h"

namespace {

using namespace candor;

std::string Matches(const text::Regex& regex, const std::string& text) {
  std::string out;
  std::size_t byte = 0, point = 0;
  const auto at = [&](std::size_t place) {
    for (; byte < place; ++byte) point += (static_cast<unsigned char>(text[byte]) & 0xc0) != 0x80;
    return std::to_string(point);
  };
  const auto limit = regex.ForEachMatch(text, [&](std::size_t begin, std::size_t end) {
    out += at(begin) + " ";
    out += at(end) + " ";
  });
  return limit == text::TextLimit::kNone ? out : "exceeded";
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  text::RegexPtr regex;
  std::string line;
  while (std::getline(std::cin, line)) {
    auto request = io::ParseJson(line, "request");
    if (!request) {
      std::cerr << Message(request.error()) << '\n';
      return 1;
    }
    if (const io::Json* text = request->Find("text")) {
      std::cout << (regex == nullptr ? "none" : Matches(*regex, std::string(text->as_string()))) << '\n';
      continue;
    }
    Problems problems;
    const auto document = std::make_shared<const io::Json>(std::move(*request));
    const package::Config config(document, document.get(), "request", "",
                                 std::make_shared<package::ReadLog>());
    regex = text::ReadPattern(config, "pattern", problems);
    std::string answer = problems.empty() ? "ok" : "refused:";
    for (const Error& problem : problems) answer += " " + Message(problem);
    std::cout << answer << '\n' << std::flush;
  }
}

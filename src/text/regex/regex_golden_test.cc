// Where every scanner and many other patterns match, against the reference library:
// goldens/tokenizer/regex.json, made by tools/tokenizers/compare_regex.py, which compares many more texts.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/sha256.h"
#include "package/config.h"
#include "text/regex/scanners.h"

namespace candor::text {
namespace {

using Spans = std::vector<std::pair<std::size_t, std::size_t>>;

std::string Listed(const Spans& spans) {
  std::string out;
  for (const auto& [begin, end] : spans) {
    out += (out.empty() ? "" : " ") + std::to_string(begin) + " " + std::to_string(end);
  }
  return out;
}

// The matches that are not empty, then the pieces between all bounds, in code points.
std::string LineOf(const Regex& regex, std::string_view text) {
  std::vector<std::size_t> points(text.size() + 1);  // before each byte
  for (std::size_t i = 0; i < text.size(); ++i) {
    points[i + 1] = points[i] + ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80);
  }
  // A byte inside a code point counts with the code point's own.
  const auto at = [&](std::size_t byte) { return points[byte]; };
  Spans matches, pieces;
  std::vector<std::size_t> bounds;
  if (!text.empty()) bounds = {0, points.back()};
  const TextLimit limit = regex.ForEachMatch(text, [&](std::size_t begin, std::size_t end) {
    if (begin < end) matches.emplace_back(at(begin), at(end));
    bounds.push_back(at(begin));
    bounds.push_back(at(end));
  });
  if (limit != TextLimit::kNone) return "exceeded";
  std::ranges::sort(bounds);
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) pieces.emplace_back(bounds[i], bounds[i + 1]);
  return Listed(matches) + " | " + Listed(pieces);
}

TEST(RegexGolden, EqualsTheReference) {
  std::ifstream in(CANDOR_SOURCE_DIR "/goldens/tokenizer/regex.json", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto sample = io::ParseJson(bytes, "regex.json");
  ASSERT_TRUE(sample) << Message(sample.error());
  const auto texts = sample->Find("texts")->items();
  std::size_t scanners = 0, compared = 0;
  for (const io::Json& row : sample->Find("patterns")->items()) {
    SCOPED_TRACE(std::string(row.Find("name")->as_string()));
    const bool scanner = row.Find("scanner")->as_bool();
    EXPECT_EQ(FindScanner(row.Find("pattern")->as_string()) != nullptr, scanner);
    scanners += scanner;
    io::JsonWriter json;
    json.BeginObject().Key("pattern").BeginObject().Key("Regex").Value(*row.Find("pattern"));
    const auto document =
        std::make_shared<const io::Json>(*io::ParseJson(json.EndObject().EndObject().Take(), "pattern"));
    Problems problems;
    const RegexPtr regex = ReadPattern(
        {document, document.get(), "", "", std::make_shared<package::ReadLog>()}, "pattern", problems);
    ASSERT_NE(regex, nullptr) << Message(problems.front());
    std::istringstream hashes{std::string(row.Find("hashes")->as_string())};
    std::size_t index = row.Find("first")->as_uint();
    for (std::string hash; hashes >> hash; ++index, ++compared) {
      ASSERT_LT(index, texts.size());
      const std::string line = LineOf(*regex, texts[index].as_string());
      EXPECT_EQ(Sha256Hex(line).substr(0, 8), hash) << texts[index].Dump() << "\n" << line;
    }
  }
  EXPECT_EQ(scanners, ScannerCount()) << "a scanner without a sample";
  EXPECT_GE(compared, 7000u);
}

}  // namespace
}  // namespace candor::text

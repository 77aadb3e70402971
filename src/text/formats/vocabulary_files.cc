// Lines as Rust's standard library takes them, which the reference reads these files with: the end of the
// last line is no line, a carriage return before the end is dropped, and so are blanks at the end of a token.
#include "text/formats/vocabulary_files.h"

#include <unordered_set>

#include "base/utf8.h"
#include "text/reader.h"
#include "text/unicode.h"

namespace candor::text {
namespace {

constexpr std::string_view kMerges = "merges.txt";

void Refused(std::string_view file, std::string found, std::string allowed, Problems& problems) {
  problems.push_back({Code::kInvalidPackageSchema, Where::At(std::string(file)), std::move(found),
                      std::move(allowed), Phase::kProcessing});
}

std::optional<std::string> Text(const package::Package& package, std::string_view file, Problems& problems) {
  auto text = package.Contents(file);
  if (!text) {
    problems.push_back(text.error());
    return std::nullopt;
  }
  if (const std::size_t at = FirstInvalidUtf8(*text); at != text->size()) {
    Refused(file, "invalid UTF-8 at byte " + std::to_string(at), "UTF-8", problems);
    return std::nullopt;
  }
  return std::move(*text);
}

template <class Take>
bool EachLine(std::string_view text, const Take& take) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (end != std::string_view::npos && line.ends_with('\r')) line.remove_suffix(1);
    if (!take(line, number)) return false;
  }
  return true;
}

std::string_view WithoutBlanksBehind(std::string_view line) {
  while (!line.empty()) {
    std::size_t begin = line.size() - 1;
    while (begin > 0 && (static_cast<unsigned char>(line[begin]) & 0xc0) == 0x80) --begin;
    if (!Is(DecodeUtf8(line, begin).value, kSpace)) break;
    line = line.substr(0, begin);
  }
  return line;
}

std::string Line(std::size_t number) { return "line " + std::to_string(number); }

}  // namespace

bool WriteVocabTxt(const package::Package& package, std::string_view file, io::JsonWriter& out,
                   Problems& problems) {
  const auto text = Text(package, file, problems);
  if (!text) return false;
  std::unordered_set<std::string_view> seen;
  out.Key("vocab").BeginObject();
  const bool read = EachLine(*text, [&](std::string_view line, std::size_t number) {
    const std::string_view token = WithoutBlanksBehind(line);
    if (!seen.insert(token).second) {
      // The library lets the last line win and leaves a hole: an id that no text can reach.
      Refused(file,
              Line(number) + ": " + (token.empty() ? "nothing" : std::string(token)) + ", a second time",
              "every token once", problems);
      return false;
    }
    out.Key(token).Uint(number - 1);
    return true;
  });
  out.EndObject();
  if (read && seen.empty()) Refused(file, "nothing", "a token a line", problems);
  return read && !seen.empty();
}

bool WriteVocabAndMerges(const package::Package& package, std::string_view file, io::JsonWriter& out,
                         Problems& problems) {
  const std::string merges_file = std::string(file.substr(0, file.rfind('/') + 1)) + std::string(kMerges);
  const auto vocab = Text(package, file, problems);
  const auto merges = Text(package, merges_file, problems);
  if (!vocab || !merges) return false;
  const auto json = io::ParseJson(*vocab, std::string(file), {.bytes = package.limits().json_bytes});
  if (!json) {
    problems.push_back(json.error());
    return false;
  }
  if (!json->is_object()) {
    Refused(file, std::string(json->KindName()), "an object of tokens and ids", problems);
    return false;
  }
  out.Key("vocab").Value(*json).Key("merges").BeginArray();
  const bool read = EachLine(*merges, [&](std::string_view line, std::size_t number) {
    if (line.starts_with("#version")) return true;
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || line.find(' ', blank + 1) != std::string_view::npos) {
      Refused(merges_file, Line(number) + ": " + (line.empty() ? "nothing" : std::string(line.substr(0, 80))),
              "two tokens with one space between them", problems);
      return false;
    }
    out.BeginArray().String(line.substr(0, blank)).String(line.substr(blank + 1)).EndArray();
    return true;
  });
  out.EndArray();
  return read;
}

}  // namespace candor::text

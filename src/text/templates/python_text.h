// Python's methods of str, over UTF-8. Where one needs tables that we do not have, it answers nothing.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace candor::text::jinja {

std::optional<std::string> Upper(std::string_view text);
std::optional<std::string> Lower(std::string_view text);
std::optional<std::string> Capitalize(std::string_view text);
std::optional<std::string> Title(std::string_view text);  // str.title
std::optional<std::string> TitleFilter(
    std::string_view text);  // jinja2's filter: words begin behind blanks and brackets
std::optional<bool> IsLower(std::string_view text);
std::optional<bool> IsUpper(std::string_view text);
std::optional<bool> IsDigits(std::string_view text);
std::optional<bool> IsLetters(std::string_view text);
std::optional<bool> IsLettersOrDigits(std::string_view text);
bool IsSpaces(std::string_view text);

// str.strip and its halves; `chars` are the characters taken off, white space when null.
std::string_view Strip(std::string_view text, const std::string* chars, bool left, bool right);
std::string Replace(std::string_view text, std::string_view old, std::string_view with, std::int64_t count);
// How long Replace's answer is.
std::size_t ReplacedSize(std::string_view text, std::string_view old, std::string_view with,
                         std::int64_t count);
std::size_t CountOf(std::string_view text, std::string_view what);
std::vector<std::string_view> Split(std::string_view text, std::string_view separator, std::int64_t most,
                                    bool right);
std::vector<std::string_view> SplitSpaces(std::string_view text, std::int64_t most, bool right);
std::vector<std::string_view> SplitLines(std::string_view text, bool keep_ends);
// int(text) and float(text): nullopt where Python refuses. `overflows` where a value exists that ours cannot
// hold.
struct ReadNumber {
  std::optional<std::int64_t> whole = {};
  std::optional<double> real = {};
  bool overflows = false;
};
ReadNumber ReadWhole(std::string_view text);
ReadNumber ReadReal(std::string_view text);
bool IsPrintable(char32_t c);  // str.isprintable

}  // namespace candor::text::jinja

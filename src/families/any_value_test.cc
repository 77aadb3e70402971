// Every key of every golden config.json, holding anything: a reader answers with a model or with problems
// that have a place, and nothing else.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "families/test_support.h"

namespace candor::families {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kValues[] = {"null",  "true", "-1", "0",      "3",  "2.5",  "1e300",
                                        "\"x\"", "\"\"", "[]", "[null]", "{}", "[[]]", R"({"a":null})"};

// Copies of `from`, each with one member or element, at any depth, replaced or an object's member added.
std::vector<std::string> Changed(const io::Json& from) {
  std::vector<std::string> out(std::begin(kValues), std::end(kValues));
  const auto write = [&](std::size_t at, std::string_view value, bool add) {
    std::string text = from.is_object() ? "{" : "[";
    const std::size_t count = from.is_object() ? from.members().size() : from.items().size();
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) text += ',';
      if (from.is_object()) text += "\"" + std::string(from.members()[i].key) + "\":";
      const io::Json& own = from.is_object() ? from.members()[i].value : from.items()[i];
      text += i == at ? std::string(value) : own.Dump();
    }
    if (add) text += (count == 0 ? "" : ",") + std::string(R"("another_key":)") + std::string(value);
    out.push_back(text + (from.is_object() ? "}" : "]"));
  };
  const std::size_t none = static_cast<std::size_t>(-1);
  if (from.is_object()) {
    for (const std::string_view value : kValues) write(none, value, true);
    for (std::size_t i = 0; i < from.members().size(); ++i)
      for (const std::string& value : Changed(from.members()[i].value)) write(i, value, false);
  } else if (from.is_array()) {
    for (std::size_t i = 0; i < from.items().size(); ++i)
      for (const std::string& value : Changed(from.items()[i])) write(i, value, false);
  }
  return out;
}

TEST(AnyValue, IsAModelOrProblemsWithAPlace) {
  std::size_t configs = 0, refused = 0, taken = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(CANDOR_SOURCE_DIR) / "goldens")) {
    if (entry.path().filename() != "config.json" || entry.path().parent_path().filename() != "package")
      continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto config = io::ParseJson(text, "config.json");
    ASSERT_TRUE(config) << entry.path();
    ++configs;
    for (const std::string& changed : Changed(*config)) {
      if (!changed.starts_with('{')) continue;  // a package refuses such a file before any reader sees it
      const ReadResult r = Read(changed);
      ++(r.model != nullptr ? taken : refused);
      ASSERT_NE(r.model == nullptr, r.problems.empty()) << changed;
      for (const Error& e : r.problems) {
        ASSERT_EQ(e.where.file, "config.json") << changed;
        ASSERT_FALSE(e.allowed.empty()) << changed;
        // A name is shown without quotes, so an empty one shows nothing.
        ASSERT_TRUE(!e.found.empty() || changed.find("\"\"") != std::string::npos) << changed;
      }
    }
  }
  EXPECT_GE(configs, 86u);
  EXPECT_GT(refused, 1000u);
  EXPECT_GT(taken, 1000u);
}

}  // namespace
}  // namespace candor::families

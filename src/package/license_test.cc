#include "package/license.h"

#include <gtest/gtest.h>

#include <string>

#include "package/test_folder.h"

namespace candor::package {
namespace {

// As model cards write it, and what a hostile or careless one may hold.
TEST(License, FrontMatter) {
  const auto license = [](const std::string& text) { return FrontMatterValue(text, "license"); };
  EXPECT_EQ(license("---\nlanguage: en\nlicense: apache-2.0\n---\n# Card"), "apache-2.0");
  EXPECT_EQ(license("\xef\xbb\xbf---\r\nlicense: \"mit\"  # sure\r\n---\r\n"), "mit");
  EXPECT_EQ(license("---\nlicense: 'mit' \n"), "mit");
  EXPECT_EQ(license("---\nlicense: mit # sure"), "mit");
  EXPECT_EQ(license("---\nlicense:\n- mit\n  - 'apache-2.0'\ntags:\n- x\n---"), "mit, apache-2.0");
  EXPECT_EQ(license("---\nlicense: [mit, other]\n---"), "[mit, other]");
  EXPECT_EQ(license("---\nlicense: \"mit\n---"), "\"mit");
  EXPECT_EQ(license("---\nlicense:\n---\nlicense: mit"), "");
  EXPECT_EQ(license("---\nlicense: # none\n---"), "");
  EXPECT_EQ(license("---\nmodel:\n  license: mit\nlicense_name: x\n---\nlicense: mit\n"), "");
  EXPECT_EQ(license("# Card\nlicense: mit\n"), "");
  EXPECT_EQ(license(""), "");
  EXPECT_EQ(license("---"), "");
  EXPECT_EQ(license("---\nlicense: " + std::string(1000, 'x')), std::string(256, 'x'));
}

std::string Stated(const TestFolder& folder) {
  const auto package = Package::Open(folder.path());
  EXPECT_TRUE(package);
  std::string all;
  if (!package) return all;
  for (const Fact& f : StatedLicenses(**package))
    all += f.name + "=" + f.value + " " + f.file + f.pointer + "; ";
  return all;
}

// ART-18: each statement with its place; two that differ stand side by side, and none is made up.
TEST(License, StatedWithItsPlace) {
  const TestFolder folder("license");
  folder.WriteValid();
  EXPECT_EQ(Stated(folder), "");
  folder.Write("README.md", "---\nlicense: other\nlicense_name: gemma\n---\n");
  EXPECT_EQ(Stated(folder), "license=other README.md/license; license_name=gemma README.md/license_name; ");
  folder.Write("config.json", R"({"model_type":"bert","license":"mit"})");
  EXPECT_EQ(Stated(folder),
            "license=mit config.json/license; license=other README.md/license; "
            "license_name=gemma README.md/license_name; ");
  folder.Write("LICENSE.txt", "MIT");
  const auto opened = Package::Open(folder.path());
  ASSERT_TRUE(opened);
  const std::string json = InspectJson(**opened);
  EXPECT_NE(json.find(R"("conflicts": [
    "license"
  ])"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("basis": "stated")"), std::string::npos);
  EXPECT_NE(json.find("stated by the package: not verified, grants nothing"), std::string::npos);
  EXPECT_EQ((*opened)->files()[0].path, "1_Pooling/config.json");
  EXPECT_EQ((*opened)->files()[1].path, "LICENSE.txt");
  EXPECT_EQ((*opened)->files()[1].role, "license");
  EXPECT_FALSE((*opened)->files()[1].in_closure);
}

// Only the first 64 KiB of a card are read, and no link out of the package is followed.
TEST(License, ReadsWithinBounds) {
  const TestFolder folder("bounds"), outside("outside");
  folder.WriteValid();
  folder.Write("README.md", "---\nx: " + std::string((64u << 10) - 8 - 14, 'x') + "\nlicense: mit\n---\n");
  EXPECT_EQ(Stated(folder), "license=mit README.md/license; ");
  folder.Write("README.md", "---\nx: " + std::string(64u << 10, 'x') + "\nlicense: mit\n---\n");
  EXPECT_EQ(Stated(folder), "");
  outside.Write("card", "---\nlicense: mit\n---\n");
  folder.Link("README.md", outside.path() + "/card");
  EXPECT_EQ(Stated(folder), "");
}

}  // namespace
}  // namespace candor::package

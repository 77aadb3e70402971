#include "package/config.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace candor::package {
namespace {

class ConfigTest : public ::testing::Test {
 protected:
  Config Read(std::string_view text) {
    auto json = io::ParseJson(text, "config.json");
    EXPECT_TRUE(json.has_value());
    document_ = std::make_shared<const io::Json>(*json);
    return Config(document_, document_.get(), "config.json", "", log_);
  }
  void ExpectProblem(std::size_t i, const std::string& pointer, const std::string& found,
                     const std::string& allowed) {
    ASSERT_LT(i, problems_.size());
    EXPECT_EQ(problems_[i].code, Code::kInvalidPackageSchema);
    EXPECT_EQ(problems_[i].where, Where::At("config.json", pointer));
    EXPECT_EQ(problems_[i].found, found);
    EXPECT_EQ(problems_[i].allowed, allowed);
  }

  std::shared_ptr<const io::Json> document_;
  std::shared_ptr<ReadLog> log_ = std::make_shared<ReadLog>();
  Problems problems_;
};

TEST_F(ConfigTest, TypedLookUps) {
  const Config c = Read(R"({"s":"x","b":true,"r":1e-12,"i":3,"n":null,"l":["p","q"],"o":"one"})");
  EXPECT_EQ(c.Text("s", "d", problems_), "x");
  EXPECT_TRUE(c.Flag("b", false, problems_));
  EXPECT_EQ(c.Real("r", 0, problems_), 1e-12);
  EXPECT_EQ(c.Real("i", 0, problems_), 3.0);
  EXPECT_EQ(c.Size("i", 0, problems_), 3u);
  EXPECT_EQ(c.Text("n", "d", problems_), "d");  // null is absent (BR-105)
  EXPECT_EQ(c.Size("absent", 7, problems_), 7u);
  EXPECT_EQ(c.Texts("l", problems_), (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(c.Texts("o", problems_), (std::vector<std::string>{"one"}));
  EXPECT_FALSE(c.Has("n"));
  EXPECT_TRUE(c.Has("s"));
  EXPECT_EQ(c.FirstOf({"absent", "n", "i", "s"}), "i");
  EXPECT_EQ(c.FirstOf({"absent", "n"}), "absent");
  EXPECT_EQ(c.Keys(), (std::vector<std::string>{"s", "b", "r", "i", "n", "l", "o"}));
  EXPECT_TRUE(problems_.empty());
}

TEST_F(ConfigTest, ShownIsWhatIsWritten) {
  const Config c = Read(R"({"n":null,"o":{"a":[1]}})");
  EXPECT_EQ(c.Shown("n"), "null");
  EXPECT_EQ(c.Shown("o"), R"({"a":[1]})");
  EXPECT_EQ(c.Shown("x"), "absent");
  EXPECT_TRUE(c.Unread().empty());
}

TEST_F(ConfigTest, WrongTypeOrRangeIsAProblemWithItsPlace) {
  const Config c = Read(R"({"s":1,"b":"yes","r":"x","i":-1,"j":1.5,"k":100,"l":[1],"o":[],"p":[{},7]})");
  EXPECT_EQ(c.Text("s", "d", problems_), "d");
  EXPECT_FALSE(c.Flag("b", false, problems_));
  EXPECT_EQ(c.Real("r", 2, problems_), 2);
  EXPECT_EQ(c.Size("i", 5, problems_), 5u);
  EXPECT_EQ(c.Size("j", 5, problems_), 5u);
  EXPECT_EQ(c.Size("k", 5, problems_, 1, 99), 5u);
  EXPECT_TRUE(c.Texts("l", problems_).empty());
  EXPECT_FALSE(c.Inside("o", problems_));
  EXPECT_EQ(c.Items("p", problems_).size(), 1u);
  ASSERT_EQ(problems_.size(), 9u);
  ExpectProblem(0, "/s", "1", "a string");
  ExpectProblem(1, "/b", "\"yes\"", "true or false");
  ExpectProblem(2, "/r", "\"x\"", "a number");
  ExpectProblem(3, "/i", "-1", "a whole number from 0 to 2147483647");
  ExpectProblem(4, "/j", "1.5", "a whole number from 0 to 2147483647");
  ExpectProblem(5, "/k", "100", "a whole number from 1 to 99");
  ExpectProblem(6, "/l", "[1]", "a string or a list of strings");
  ExpectProblem(7, "/o", "[]", "an object");
  ExpectProblem(8, "/p/1", "7", "an object");
}

// EVI-01, EVI-09: every fact has an origin; what nobody read is listed, with nested keys as pointers.
TEST_F(ConfigTest, EvidenceAndUnreadKeys) {
  const Config c =
      Read(R"({"a":1,"b":{"x":1,"y/z":2},"c":{"p":1},"d":{"q":1},"e":[{"f":1,"g":2},{}],"h":3})");
  c.Size("a", 0, problems_);
  c.Size("a", 0, problems_);
  c.Text("absent", "fallback", problems_);
  const auto b = c.Inside("b", problems_);
  ASSERT_TRUE(b);
  EXPECT_EQ(b->At("y/z").pointer, "/b/y~1z");
  b->Size("x", 0, problems_);
  EXPECT_NE(c.Raw("c"), nullptr);
  const auto items = c.Items("e", problems_);
  ASSERT_EQ(items.size(), 2u);
  items[0].Size("g", 0, problems_);
  c.Ignore("h", "descriptive");
  EXPECT_EQ(c.Unread(), (std::vector<std::string>{"/b/y~1z", "/d", "/e/0/f"}));
  c.Choice("activation", "gelu", "a");

  const auto& evidence = log_->evidence();
  ASSERT_EQ(evidence.size(), 5u);
  EXPECT_EQ(evidence[0].fact, "a");
  EXPECT_EQ(evidence[0].value, "1");
  EXPECT_EQ(evidence[0].origin, "config_field");
  EXPECT_EQ(evidence[0].file, "config.json");
  EXPECT_EQ(evidence[0].pointer, "/a");
  EXPECT_EQ(evidence[1].fact, "absent");
  EXPECT_EQ(evidence[1].value, "fallback");
  EXPECT_EQ(evidence[1].rule, "default");
  EXPECT_TRUE(evidence[1].file.empty());
  EXPECT_EQ(evidence[2].pointer, "/b/x");
  EXPECT_EQ(evidence[3].pointer, "/e/0/g");
  EXPECT_TRUE(evidence[4].choice);
  ASSERT_EQ(log_->ignored().size(), 1u);
  EXPECT_EQ(log_->ignored()[0].pointer, "/h");
  EXPECT_EQ(log_->ignored()[0].rule, "descriptive");
}

}  // namespace
}  // namespace candor::package

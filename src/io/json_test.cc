#include "io/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace candor::io {
namespace {

Json Parsed(std::string_view text) {
  auto json = ParseJson(text, "f.json");
  EXPECT_TRUE(json.has_value()) << text << ": " << (json ? "" : Message(json.error()));
  return json ? *json : Json();
}

TEST(Json, KindsAndOrder) {
  const Json root = Parsed(R"( {"b":[1,-2,3.5,true,false,null,"x"],"a":{},"c":[]} )");
  ASSERT_EQ(root.members().size(), 3u);
  EXPECT_EQ(root.members()[0].key, "b");
  EXPECT_EQ(root.members()[1].key, "a");
  const auto items = root.Find("b")->items();
  ASSERT_EQ(items.size(), 7u);
  EXPECT_EQ(items[0].as_int(), 1);
  EXPECT_EQ(items[1].as_int(), -2);
  EXPECT_EQ(items[2].as_real(), 3.5);
  EXPECT_TRUE(items[3].as_bool());
  EXPECT_FALSE(items[4].as_bool());
  EXPECT_TRUE(items[5].is_null());
  EXPECT_EQ(items[6].as_string(), "x");
  EXPECT_TRUE(root.Find("a")->members().empty());
  EXPECT_TRUE(root.Find("c")->items().empty());
  EXPECT_EQ(root.Find("d"), nullptr);
  EXPECT_EQ(items[0].Find("d"), nullptr);
}

TEST(Json, IntegersAreExactAndLongOnesAreReals) {
  const Json root = Parsed(
      "[9223372036854775807,-9223372036854775808,18446744073709551615,"
      "1000000000000000019884624838656,-9223372036854775809,9007199254740993,-0]");
  EXPECT_EQ(root.items()[0].as_int(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(root.items()[1].as_int(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(root.items()[2].as_uint(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(root.items()[2].kind(), Json::Kind::kUint);
  EXPECT_EQ(root.items()[3].kind(), Json::Kind::kReal);
  EXPECT_EQ(root.items()[3].as_real(), 1e30);  // tokenizer_config.json's "no limit"
  EXPECT_EQ(root.items()[4].as_real(), -9223372036854775808.0);
  EXPECT_EQ(root.items()[5].as_int(), 9007199254740993);  // 2^53 + 1
  EXPECT_EQ(root.items()[6].as_int(), 0);
}

TEST(Json, Strings) {
  const Json root = Parsed(R"(["\"\\\/\b\f\n\r\t","\u00e9\u20ac\ud83d\ude00","é","\u0000"])");
  EXPECT_EQ(root.items()[0].as_string(), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(root.items()[1].as_string(), "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(root.items()[2].as_string(), "\xc3\xa9");
  EXPECT_EQ(root.items()[3].as_string(), std::string(1, '\0'));
}

TEST(Json, FindInManyKeys) {
  std::string text = "{\"a\\u0000b\":-1";
  for (int i = 0; i < 1000; ++i)
    text += ",\"key_with_a_long_stem_" + std::to_string(i) + "\":" + std::to_string(i);
  const Json root = Parsed(text + "}");
  for (int i = 0; i < 1000; ++i) {
    const Json* value = root.Find("key_with_a_long_stem_" + std::to_string(i));
    ASSERT_NE(value, nullptr);
    EXPECT_EQ(value->as_int(), i);
  }
  EXPECT_EQ(root.Find(std::string_view("a\0b", 3))->as_int(), -1);
  EXPECT_EQ(root.Find("a"), nullptr);
  EXPECT_EQ(root.Find("zzz"), nullptr);
}

struct Refusal {
  std::string text, pointer, found, allowed;
};

// ART-10: malformed, duplicate, deep; the place is exact.
TEST(Json, RefusalsNamePlaceFoundAndAllowed) {
  const Refusal cases[] = {
      {"", "", "the end of the document at line 1, column 1", "a value"},
      {"{\"a\":1", "", "the end of the document at line 1, column 7", "',' or '}'"},
      {"{\"a\" 1}", "/a", "'1' at line 1, column 6", "':'"},
      {"{\n\"a\": [1,\n 2 3]}", "/a", "'3' at line 3, column 4", "',' or ']'"},
      {"[1,]", "/1", "']' at line 1, column 4", "a value"},
      {"{\"a\":1,}", "", "'}' at line 1, column 8", "a key in quotes"},
      {"{'a':1}", "", "''' at line 1, column 2", "a key in quotes"},
      {"{\"a\":1,\"b\":2,\"a\":3}", "/a", "the key twice in one object", "each key once"},
      {"{\"x\":{\"a/b\":1,\"a~c\":2,\"a\\u002fb\":3}}", "/x/a~1b", "the key twice in one object",
       "each key once"},
      {"[NaN]", "/0", "'N' at line 1, column 2", "a value"},
      {"[-Infinity]", "/0", "'I' at line 1, column 3", "a digit"},
      {"[nul]", "/0", "'n' at line 1, column 2", "true, false or null"},
      {"[01]", "", "'1' at line 1, column 3", "',' or ']'"},
      {"[1.]", "/0", "']' at line 1, column 4", "a digit"},
      {"[1e]", "/0", "']' at line 1, column 4", "a digit"},
      {"[.5]", "/0", "'.' at line 1, column 2", "a value"},
      {"[+1]", "/0", "'+' at line 1, column 2", "a value"},
      {"[1e400]", "/0", "a number outside the range of doubles at line 1, column 2",
       "a magnitude from 2.3e-308 to 1.7e308, or 0"},
      {"{} {}", "", "'{' at line 1, column 4", "the end of the document"},
      {"[\"a\nb\"]", "/0", "control character 10 at line 1, column 4", "the end of the string"},
      {"[\"\\x\"]", "/0", "'x' at line 1, column 4", "an escape: one of \"\\/bfnrtu"},
      {"[\"\\u12g4\"]", "/0", "'g' at line 1, column 7", "four hexadecimal digits"},
      {"[\"\\ud800\"]", "/0", "a lone surrogate at line 1, column 3", "a pair of surrogates"},
      {"[\"\\udc00\"]", "/0", "a lone surrogate at line 1, column 3", "a pair of surrogates"},
      {"[\"\\ud800\\u0041\"]", "/0", "a lone surrogate at line 1, column 3", "a pair of surrogates"},
      {"[\"\\", "/0", "the end of the document at line 1, column 4", "an escape: one of \"\\/bfnrtu"},
      {"[\"abc", "/0", "the end of the document at line 1, column 6", "the end of the string"},
      {"[\"\xc3(\"]", "", "a byte that is not UTF-8 at line 1, column 3", "UTF-8"},
      {"\xef\xbb\xbf{}", "", "'\xef\xbb\xbf' at line 1, column 1", "a value"},
  };
  for (const Refusal& c : cases) {
    const auto json = ParseJson(c.text, "f.json");
    ASSERT_FALSE(json) << c.text;
    EXPECT_EQ(json.error().code, Code::kInvalidPackageSchema) << c.text;
    EXPECT_EQ(json.error().where, Where::At("f.json", c.pointer)) << c.text << json.error().where.pointer;
    EXPECT_EQ(json.error().found, c.found) << c.text;
    EXPECT_EQ(json.error().allowed, c.allowed) << c.text;
  }
}

// LIM-02: each bound, and one past it.
TEST(Json, Limits) {
  const JsonLimits limits{.bytes = 40, .depth = 3, .string_bytes = 5};
  EXPECT_TRUE(ParseJson("[[[1]]]", "f", limits));
  const auto deep = ParseJson("[[[[1]]]]", "f", limits);
  ASSERT_FALSE(deep);
  EXPECT_EQ(deep.error().where.pointer, "/0/0/0");
  EXPECT_EQ(deep.error().found, "nesting deeper than 3 levels at line 1, column 4");
  EXPECT_TRUE(ParseJson("\"12345\"", "f", limits));
  const auto longer = ParseJson("\"123456\"", "f", limits);
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().found, "a string longer than 5 bytes at line 1, column 8");
  EXPECT_TRUE(ParseJson("1" + std::string(39, ' '), "f", limits));
  const auto large = ParseJson("1" + std::string(40, ' '), "f", limits);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, Code::kArtifactTooLarge);
  EXPECT_EQ(large.error().found, "41 bytes");
  EXPECT_EQ(large.error().allowed, "at most 40 bytes");
  EXPECT_FALSE(ParseJson(std::string(100'000, '['), "f"));
}

TEST(Json, CopiesShareAndOutliveTheOriginal) {
  Json copy;
  {
    const Json root = Parsed(R"({"a":{"b":[1,2]}})");
    copy = *root.Find("a");
  }
  EXPECT_EQ(copy.Dump(), R"({"b":[1,2]})");
}

TEST(Json, PointerSegments) { EXPECT_EQ(EscapePointer("a/b~c"), "a~1b~0c"); }

}  // namespace
}  // namespace candor::io

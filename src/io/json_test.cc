#include "io/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "io/json_document.h"

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
      "1000000000000000019884624838656,-9223372036854775809,9007199254740993,-0,5e-324,1e5]");
  EXPECT_EQ(root.items()[0].as_int(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(root.items()[1].as_int(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(root.items()[2].as_uint(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(root.items()[2].kind(), Json::Kind::kUint);
  EXPECT_EQ(root.items()[3].kind(), Json::Kind::kReal);
  EXPECT_EQ(root.items()[3].as_real(), 1e30);  // tokenizer_config.json's "no limit"
  EXPECT_EQ(root.items()[4].as_real(), -9223372036854775808.0);
  EXPECT_EQ(root.items()[5].as_int(), 9007199254740993);  // 2^53 + 1
  EXPECT_EQ(root.items()[6].as_int(), 0);
  EXPECT_EQ(root.items()[7].as_real(), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(root.items()[8].as_real(), 100000.0);
}

// Recorded from tokenizers 0.23.3, which writes back what serde_json read of a Unigram's scores.
TEST(Json, NumbersAsSerdeReadsThem) {
  const std::pair<const char*, double> cases[] = {
      {"-3.238345792180650022", -3.2383457921806498},  // the nearest is -3.23834579218065
      {"-11.451579093933105", -11.451579093933104},
      {"-3.5", -3.5},
      {"-5", -5},
      {"-3.10", -3.1},
      {"1e-320", 1e-320},
      {"-1e-5", -1e-5},
      {"123456789012345678901.5", 1.2345678901234567e20},
      {"-18446744073709551615", -18446744073709551616.0},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"0.000000000000000000000000000001", 9.999999999999999e-31},
      {"9007199254740993.0", 9007199254740994.0},
      {"184467440737095516159.3", 1.844674407370955e20},
      {"2.2250738585072011e-308", 2.2250738585072014e-308},
  };
  for (const auto& [text, value] : cases) {
    const Json root = Parsed("[" + std::string(text) + "]");
    EXPECT_EQ(root.items()[0].as_serde_real(), value) << text;
  }
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

// Keys that share their first eight bytes, hold zero bytes, or are each other's beginning, in an object large
// enough for its keys to be sorted by bytes: all are found, and one that occurs twice is refused.
TEST(Json, ManyKeysAreSortedRight) {
  std::vector<std::string> keys = {"", "\\u0000", "\\u0000\\u0000", "12345678", "123456789", "1234567\\u0000",
                                   "z"};
  for (int i = 0; i < 2000; ++i) keys.push_back((i % 3 == 0 ? "same stem " : "k") + std::to_string(i * 7919));
  std::string text = "{\"first\":0";
  for (std::size_t i = 0; i < keys.size(); ++i) text += ",\"" + keys[i] + "\":" + std::to_string(i);
  const Json root = Parsed(text + "}");
  ASSERT_EQ(root.members().size(), keys.size() + 1);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Json* value = root.Find(root.members()[i + 1].key);
    ASSERT_NE(value, nullptr) << keys[i];
    EXPECT_EQ(value->as_uint(), i) << keys[i];
  }
  for (const std::string& key : {std::string("z"), std::string("123456789"), keys.back()}) {
    const auto twice = ParseJson(text + ",\"" + key + "\":1}", "f.json");
    ASSERT_FALSE(twice) << key;
    EXPECT_EQ(twice.error().where, Where::At("f.json", "/" + key));
  }
}

// Keys chosen for one place of the table: it is given up in time, and what the sorted keys answer is the
// same.
TEST(Json, KeysThatCollide) {
  constexpr std::size_t kCount = 600;
  const std::size_t mask = KeySlots(kCount) - 1;
  std::vector<std::string> keys;
  for (int i = 0; keys.size() < kCount; ++i) {
    std::string key = "key " + std::to_string(i);
    if ((KeyHash(key) & mask) == 5) keys.push_back(std::move(key));
  }
  std::vector<JsonMember> members(kCount);
  for (std::size_t i = 0; i < kCount; ++i) members[i].key = keys[i];
  std::vector<KeySlot> slots(mask + 1);
  EXPECT_FALSE(HashKeys(members, slots).built);
  std::string text = "{";
  for (std::size_t i = 0; i < kCount; ++i) text += "\"" + keys[i] + "\":" + std::to_string(i) + ",";
  const Json root = Parsed(text.substr(0, text.size() - 1) + "}");
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_NE(root.Find(keys[i]), nullptr);
    EXPECT_EQ(root.Find(keys[i])->as_uint(), i);
  }
  EXPECT_EQ(root.Find("key"), nullptr);
  const auto twice = ParseJson(text + "\"" + keys[7] + "\":1}", "f.json");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().where, Where::At("f.json", "/" + keys[7]));
}

struct Refusal {
  std::string text, pointer, found, allowed;
};

const char kEscapes[] = "after \\ one of \"\\/bfnrt, or u and four hexadecimal digits, surrogates in pairs";
const char kMagnitudes[] = "a magnitude from 4.9e-324 to 1.7e308, or 0";

// ART-10: malformed, duplicate, deep; the place is exact.
TEST(Json, RefusalsNamePlaceFoundAndAllowed) {
  const Refusal cases[] = {
      // structure
      {"", "", "the end of the document at byte 0", "a value"},
      {" \n", "", "the end of the document at byte 2", "a value"},
      {"{", "", "'{' at byte 0", "'}' as the last character"},
      {"{\"a\":1", "", "'1' at byte 5", "'}' as the last character"},
      {"[1}", "", "'}' at byte 2", "']' as the last character"},
      {"[\"\xc3\xa9\"] \xc3\xa9\n", "", "'\xc3\xa9' at byte 7", "']' as the last character"},
      {"{\"a\":[1}", "/a", "'}' at byte 7", "',' or ']'"},
      {"[[1]", "", "the end of the document at byte 4", "',' or ']'"},
      {"{\"a\":{\"b\":1}", "", "the end of the document at byte 12", "',' or '}'"},
      {"{\"a\" 1}", "", "'1' at byte 5", "':'"},
      {"{\"a\":1 \"b\":2}", "", "'\"' at byte 7", "',' or '}'"},
      {"{\"a\":\"x\" \"b\":2}", "", "'\"' at byte 9", "',' or '}'"},
      {"{\"a\":{} \"b\":2}", "", "'\"' at byte 8", "',' or '}'"},
      {"{\"a\"}", "", "'}' at byte 4", "':'"},
      {"{\"a\":}", "/a", "'}' at byte 5", "a value"},
      {"{\n\"a\": [1,\n 2 3]}", "/a", "'3' at byte 14", "',' or ']'"},
      {"[1,]", "/1", "']' at byte 3", "a value"},
      {"[,1]", "/0", "',' at byte 1", "a value"},
      {"[\"a\":1]", "", "':' at byte 4", "',' or ']'"},
      {"{\"a\":1,}", "", "'}' at byte 7", "a key in quotes"},
      {"{,}", "", "',' at byte 1", "a key in quotes"},
      {"{'a':1}", "", "''' at byte 1", "a key in quotes"},
      {"{1:1}", "", "'1' at byte 1", "a key in quotes"},
      {"{\"a\":1,\"b\":2,\"a\":3}", "/a", "the key twice in one object", "each key once"},
      {"{\"x\":{\"a/b\":1,\"a~c\":2,\"a\\u002fb\":3}}", "/x/a~1b", "the key twice in one object",
       "each key once"},
      {"{} {}", "", "'{' at byte 3", "the end of the document"},
      {"[]]", "", "']' at byte 2", "the end of the document"},
      {"1 2", "", "'2' at byte 2", "the end of the document"},
      {"1]", "", "']' at byte 1", "the end of the document"},
      {"null \n,", "", "',' at byte 6", "the end of the document"},
      {"\"a\"b", "", "'b' at byte 3", "the end of the document"},
      {"\xef\xbb\xbf{}", "", "'\xef\xbb\xbf' at byte 0", "a value"},
      {std::string("[\0]", 3), "/0", "control character 0 at byte 1", "a value"},
      {"[\f1]", "/0", "control character 12 at byte 1", "a value"},
      // words and numbers
      {"[NaN]", "/0", "'N' at byte 1", "a value"},
      {"[nul]", "/0", "'n' at byte 1", "true, false or null"},
      {"[nulls]", "/0", "'n' at byte 1", "true, false or null"},
      {"[true\"a\"]", "/0", "'t' at byte 1", "true, false or null"},
      {"tru", "", "'t' at byte 0", "true, false or null"},
      {"[-Infinity]", "/0", "a malformed number at byte 1", "a number"},
      {"[-inf]", "/0", "a malformed number at byte 1", "a number"},
      {"[-nan]", "/0", "a malformed number at byte 1", "a number"},
      {"[-]", "/0", "a malformed number at byte 1", "a number"},
      {"[01]", "/0", "a malformed number at byte 1", "a number"},
      {"[-01.5]", "/0", "a malformed number at byte 1", "a number"},
      {"[1.]", "/0", "a malformed number at byte 1", "a number"},
      {"[1.e5]", "/0", "a malformed number at byte 1", "a number"},
      {"[-.5]", "/0", "a malformed number at byte 1", "a number"},
      {"[1e]", "/0", "a malformed number at byte 1", "a number"},
      {"[1e+]", "/0", "a malformed number at byte 1", "a number"},
      {"[1.2.3]", "/0", "a malformed number at byte 1", "a number"},
      {"[0x10]", "/0", "a malformed number at byte 1", "a number"},
      {"[1,2\"a\"]", "/1", "a malformed number at byte 3", "a number"},
      {"1a", "", "a malformed number at byte 0", "a number"},
      {"[.5]", "/0", "'.' at byte 1", "a value"},
      {"[+1]", "/0", "'+' at byte 1", "a value"},
      {"[1e400]", "/0", "a number outside the range of doubles at byte 1", kMagnitudes},
      {"[-1e400]", "/0", "a number outside the range of doubles at byte 1", kMagnitudes},
      {"[1e-400]", "/0", "a number outside the range of doubles at byte 1", kMagnitudes},
      {"[" + std::string(310, '1') + ".5]", "/0", "a number outside the range of doubles at byte 1",
       kMagnitudes},
      {"[0." + std::string(400, '0') + "1]", "/0", "a number outside the range of doubles at byte 1",
       kMagnitudes},
      // strings
      {"[\"a\nb\"]", "", "control character 10 at byte 3", "the end of the string"},
      {"[\"\\\"\tb\"]", "", "control character 9 at byte 4", "the end of the string"},
      {"[\"\\x\"]", "/0", "a string with a wrong escape at byte 1", kEscapes},
      {"[\"\\u12g4\"]", "/0", "a string with a wrong escape at byte 1", kEscapes},
      {"[\"\\u12\"]", "/0", "a string with a wrong escape at byte 1", kEscapes},
      {"[\"\\ud800\"]", "/0", "a string with a wrong escape at byte 1", kEscapes},
      {"[\"\\udc00\"]", "/0", "a string with a wrong escape at byte 1", kEscapes},
      {"[\"\\ud800\\u0041\"]", "/0", "a string with a wrong escape at byte 1", kEscapes},
      {"[\"\\ud800\\ud800\"]", "/0", "a string with a wrong escape at byte 1", kEscapes},
      {"[\"\\ud83d\\n\\u0041\"]", "/0", "a string with a wrong escape at byte 1", kEscapes},
      {"{\"a\":{\"b\":1,\"\\ud800\":2}}", "/a", "a string with a wrong escape at byte 12", kEscapes},
      {"[\"\\", "", "the end of the document at byte 3", "the end of the string"},
      {"[\"abc", "", "the end of the document at byte 5", "the end of the string"},
      {"[\"\xc3(\"]", "", "a byte that is not UTF-8 at byte 2", "UTF-8"},
      {"[\"\xed\xa0\x80\"]", "", "a byte that is not UTF-8 at byte 2", "UTF-8"},
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
  EXPECT_EQ(deep.error().found, "nesting deeper than 3 levels at byte 3");
  EXPECT_TRUE(ParseJson("\"12345\"", "f", limits));
  const auto longer = ParseJson("\"123456\"", "f", limits);
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().found, "a string longer than 5 bytes at byte 0");
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
  copy = *copy.Find("b");  // out of what only it kept alive
  EXPECT_EQ(copy.Dump(), "[1,2]");
  Json text, real, moved;
  {
    const Json root = Parsed(R"(["a text", "", [], {}, 3, 2.5])");
    text = root.items()[0];
    real = root.items()[5];
    EXPECT_EQ(root.items()[1].as_string(), "");
    moved = root;
  }
  EXPECT_EQ(text.as_string(), "a text");
  EXPECT_EQ(real.as_real(), 2.5);
  const Json other = std::move(moved);
  EXPECT_TRUE(moved.is_null());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(other.Dump(), R"(["a text","",[],{},3,2.5])");
}

TEST(Json, PointerSegments) { EXPECT_EQ(EscapePointer("a/b~c"), "a~1b~0c"); }

}  // namespace
}  // namespace candor::io

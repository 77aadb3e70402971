#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/json.h"

namespace candor::io {
namespace {

TEST(JsonWriter, Compact) {
  JsonWriter w;
  w.BeginObject().Member("a", "x").Member("b", true).Key("c").BeginArray().Int(-1).Uint(
      18446744073709551615u);
  w.Null().BeginObject().EndObject().EndArray().Key("d").Raw("[1]").EndObject();
  EXPECT_EQ(w.Take(), R"({"a":"x","b":true,"c":[-1,18446744073709551615,null,{}],"d":[1]})");
}

TEST(JsonWriter, Pretty) {
  JsonWriter w(true);
  w.BeginObject().Member("a", "x").Key("b").BeginArray().Int(1).Int(2).EndArray().Key("c").BeginArray();
  w.EndArray().EndObject();
  EXPECT_EQ(w.text(), "{\n  \"a\": \"x\",\n  \"b\": [\n    1,\n    2\n  ],\n  \"c\": []\n}");
}

TEST(JsonWriter, StringsAreEscapedAndAlwaysUtf8) {
  JsonWriter w;
  w.String("\"\\\n\r\t\x01\x1f/\x7f\xc3\xa9");
  EXPECT_EQ(w.Take(), "\"\\\"\\\\\\n\\r\\t\\u0001\\u001f/\x7f\xc3\xa9\"");
  JsonWriter damaged;
  damaged.String(
      "a\xff"
      "b\xc3");
  EXPECT_EQ(damaged.Take(),
            "\"a\xef\xbf\xbd"
            "b\xef\xbf\xbd\"");
}

// Shortest digits: known values, and reading back gives the same bits.
TEST(JsonWriter, NumbersReadBack) {
  JsonWriter w;
  w.BeginArray().Float(0.1f).Double(0.1).Float(std::nanf("")).Double(HUGE_VAL).Float(1.0f).EndArray();
  EXPECT_EQ(w.Take(), "[0.1,0.1,null,null,1]");
  const std::vector<float> values = {0.0f, -1.5f, 1.17549435e-38f, 1e-45f, 3.4028235e38f, 0.333333343f};
  JsonWriter array;
  array.Floats(values);
  const auto json = ParseJson(array.text(), "f");
  ASSERT_TRUE(json);
  ASSERT_EQ(json->items().size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(static_cast<float>(json->items()[i].as_real()), values[i]);
  }
  JsonWriter none;
  none.Floats({});
  EXPECT_EQ(none.Take(), "[]");
}

TEST(JsonWriter, DumpReadsBackToItself) {
  const std::string text = R"({"b":[1,-2,0.5,1e+30,true,null,"x\n"],"a":{"k":18446744073709551615}})";
  const auto json = ParseJson(text, "f");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->Dump(), text);
  // A zero keeps its sign; found by fuzzing.
  EXPECT_EQ(ParseJson("-0e1", "f")->Dump(), "-0.0");
  EXPECT_EQ(ParseJson("-0.0", "f")->Dump(), "-0.0");
}

}  // namespace
}  // namespace candor::io

#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace candor {
namespace {

TEST(Utf8, EveryScalarValueGoesThereAndBack) {
  std::string text;
  std::size_t count = 0;
  for (char32_t value = 0; value <= 0x10ffff; ++value) {
    if (!IsScalarValue(value)) continue;
    std::string one;
    AppendUtf8(one, value);
    const CodePoint point = DecodeUtf8(one, 0);
    ASSERT_EQ(point.value, value);
    ASSERT_EQ(point.bytes, one.size());
    text += one;
    ++count;
  }
  EXPECT_EQ(count, 0x110000u - 0x800u);
  EXPECT_TRUE(IsUtf8(text));
  EXPECT_EQ(CountUtf8(text), count);
  EXPECT_EQ(DecodeAllUtf8(text).size(), count);
}

// Bytes by hand from RFC 3629.
TEST(Utf8, KnownBytes) {
  EXPECT_EQ(DecodeUtf8("\xc3\xa9", 0).value, 0xe9u);
  EXPECT_EQ(DecodeUtf8("\xe2\x82\xac", 0).value, 0x20acu);
  EXPECT_EQ(DecodeUtf8("\xf0\x9f\x98\x80", 0).value, 0x1f600u);
}

TEST(Utf8, DamageAndItsPlace) {
  const struct {
    std::string text;
    std::size_t at;
  } cases[] = {
      {"\x80", 0},                     // a continuation alone
      {"ab\xc0\xaf", 2},               // overlong
      {"abcdefghij\xe0\x80\x80", 10},  // overlong, after a whole word of ASCII
      {"\xed\xa0\x80", 0},             // surrogate
      {"\xf4\x90\x80\x80", 0},         // above U+10FFFF
      {"\xf0\x80\x80\x80", 0},         // overlong
      {"\xff", 0},                     // never a byte of UTF-8
      {"x\xc3", 1},                    // cut
      {"x\xe2\x82", 1},                // cut
      {"\xc3\xa9\xf0\x9f\x98", 2},     // cut
      {"\xc3(", 0},                    // wrong continuation
  };
  for (const auto& c : cases) EXPECT_EQ(FirstInvalidUtf8(c.text), c.at) << c.text;
  EXPECT_EQ(FirstInvalidUtf8(std::string("a\0b", 3)), 3u);
  EXPECT_EQ(FirstInvalidUtf8(""), 0u);
}

TEST(Utf8, SlicesCountCodePoints) {
  const std::string text = "a\xc3\xa9\xf0\x9f\x98\x80z";  // a, e acute, a face, z
  EXPECT_EQ(SliceUtf8(text, 0, 4), text);
  EXPECT_EQ(SliceUtf8(text, 0, 9), text);
  EXPECT_EQ(SliceUtf8(text, 1, 3), "\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(SliceUtf8(text, 3, 4), "z");
  EXPECT_EQ(SliceUtf8(text, 2, 2), "");
  EXPECT_EQ(SliceUtf8(text, 4, 5), "");
  EXPECT_EQ(SliceUtf8("", 0, 1), "");
}

}  // namespace
}  // namespace candor

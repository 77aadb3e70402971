// Code points and normal forms: values from the Unicode standard and from the reference, by hand.
#include "text/unicode.h"

#include <gtest/gtest.h>

#include "text/normalized.h"
#include "text/normalizers/normalizer.h"

namespace candor::text {
namespace {

std::u32string Form(std::u32string_view text, NormalForm form) {
  std::u32string out;
  for (const Change& c : Normalize(text, form)) out.push_back(c.value);
  return out;
}

// BR-081: the rows of its fixture.
TEST(Unicode, NormalForms) {
  EXPECT_EQ(Form(U"\ufb01", NormalForm::kNfkc), U"fi");
  EXPECT_EQ(Form(U"\ufb01", NormalForm::kNfc), U"\ufb01");
  EXPECT_EQ(Form(U"\u00bd", NormalForm::kNfkc), U"1\u20442");
  EXPECT_EQ(Form(U"\u2460", NormalForm::kNfkc), U"1");
  EXPECT_EQ(Form(U"\u212b", NormalForm::kNfc), U"\u00c5");
  EXPECT_EQ(Form(U"\u304b\u3099", NormalForm::kNfc), U"\u304c");
  EXPECT_EQ(Form(U"\uff76\uff9e", NormalForm::kNfkc), U"\u30ac");
  EXPECT_EQ(Form(U"\u1e69", NormalForm::kNfd), U"s\u0323\u0307");
}

TEST(Unicode, MarksAreSortedByClassAndBlockedOnesStay) {
  EXPECT_EQ(Form(U"q\u0307\u0323", NormalForm::kNfd), U"q\u0323\u0307");
  EXPECT_EQ(Form(U"a\u0301\u0301", NormalForm::kNfc), U"\u00e1\u0301");
  EXPECT_EQ(Form(U"\u0344", NormalForm::kNfc), U"\u0308\u0301");  // excluded from composition
}

TEST(Unicode, HangulIsArithmetic) {
  EXPECT_EQ(Form(U"\uac01", NormalForm::kNfd), U"\u1100\u1161\u11a8");
  EXPECT_EQ(Form(U"\u1100\u1161\u11a8", NormalForm::kNfc), U"\uac01");
  EXPECT_EQ(Form(U"\ud7a3", NormalForm::kNfd), U"\u1112\u1175\u11c2");
  EXPECT_EQ(Form(U"\uac01\u11a8", NormalForm::kNfc), U"\uac01\u11a8");  // has its final consonant already
}

// Normalising twice changes nothing, and quick answers are never wrongly no, for every code point.
TEST(Unicode, FormsAreStableAndQuickAnswersSafe) {
  constexpr NormalForm kForms[] = {NormalForm::kNfc, NormalForm::kNfd, NormalForm::kNfkc, NormalForm::kNfkd};
  for (char32_t c = 0; c <= 0x10ffff; ++c) {
    if (!IsScalarValue(c)) continue;
    const std::u32string_view one(&c, 1);
    for (const NormalForm form : kForms) {
      const std::u32string once = Form(one, form);
      if (once == one) continue;
      ASSERT_TRUE(MayChange(c, form)) << std::hex << static_cast<unsigned>(c);
      ASSERT_EQ(Form(once, form), once) << std::hex << static_cast<unsigned>(c);
    }
  }
}

TEST(Unicode, LowerCaseIsPerCharacter) {
  EXPECT_EQ(LowerOf(U'\u0130'), U"i\u0307");
  EXPECT_EQ(LowerOf(U'\u03a3'), U"\u03c3");  // never the final form
  EXPECT_TRUE(LowerOf(U'\u00df').empty());
}

TEST(Unicode, Flags) {
  EXPECT_TRUE(Is(U'\u00a0', kSpace));
  EXPECT_FALSE(Is(U'\u200b', kSpace));
  EXPECT_TRUE(Is(0, kDropped));
  EXPECT_TRUE(Is(0xfffd, kDropped));
  EXPECT_FALSE(Is(U'\n', kDropped));    // BR-067: a blank, not nothing
  EXPECT_TRUE(Is(U'$', kPunctuation));  // a symbol to Unicode, punctuation to BERT
  EXPECT_FALSE(Is(U'\u20ac', kPunctuation));
  EXPECT_TRUE(Is(0x4e00, kIdeograph));
  EXPECT_FALSE(Is(0xac00, kIdeograph));
  EXPECT_EQ(FlagsOf(0x110000), 0);
}

TEST(Normalized, KeepsTheOriginOfWhatItReplaces) {
  Normalized text("\xc3\x89\xc4\xb0\xf0\x9f\x98\x80z", 10, 64);  // É İ 😀 z, from code point 10 on
  ApplyLowercase(text);
  EXPECT_EQ(text.text(), "\xc3\xa9i\xcc\x87\xf0\x9f\x98\x80z");
  EXPECT_EQ(text.Origin(0, 2), (Offset{10, 11}));
  EXPECT_EQ(text.Origin(2, 5), (Offset{11, 12}));
  EXPECT_EQ(text.Origin(9, 10), (Offset{13, 14}));
  ApplyForm(text, NormalForm::kNfd);
  text.Filter([](char32_t c) { return !Is(c, kNonspacingMark); });
  EXPECT_EQ(text.text(), "ei\xf0\x9f\x98\x80z");
  EXPECT_EQ(text.Origin(0, 2), (Offset{10, 12}));
}

}  // namespace
}  // namespace candor::text

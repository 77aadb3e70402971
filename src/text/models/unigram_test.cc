// Unigram against what tokenizers 0.23.3 answered to the same file and text.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "text/test_support.h"

namespace candor::text {
namespace {

std::string Model(const std::string& fields) {
  return File("", "", "", R"("model":{"type":"Unigram",)" + fields + "}");
}

struct Case {
  std::string fields;
  std::string_view text;
  std::vector<std::int32_t> ids;
  std::vector<std::pair<std::int32_t, std::int32_t>> offsets;
};

void ExpectAnswers(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    const auto tokenizer = Read(Model(c.fields));
    ASSERT_TRUE(tokenizer) << Message(tokenizer.error().front());
    const auto encoding = (*tokenizer)->Encode(c.text, {});
    ASSERT_TRUE(encoding) << c.fields << Message(encoding.error());
    EXPECT_EQ(encoding->ids, c.ids) << c.fields << c.text;
    std::vector<std::pair<std::int32_t, std::int32_t>> offsets;
    for (const Offset& offset : encoding->offsets) offsets.emplace_back(offset.begin, offset.end);
    EXPECT_EQ(offsets, c.offsets) << c.fields << c.text;
  }
}

// BR-080.
TEST(Unigram, TiesGoToTheWayFoundFirst) {
  const std::string marks = R"("unk_id":0,"vocab":[["<unk>",0],["!",-3],["!!!!!",-3]])";
  const std::string three = R"("unk_id":0,"vocab":[["<unk>",0],["a",-3],["aa",-3],["aaa",-3]])";
  const std::string sums =
      R"("unk_id":0,"vocab":[["<unk>",0],["a",-2],["b",-2],["c",-2],["ab",-4],["bc",-4],["abc",-6]])";
  ExpectAnswers({{marks, "!!!!!!", {1, 2}, {{0, 1}, {1, 6}}},
                 {three, "aaaa", {1, 3}, {{0, 1}, {1, 4}}},
                 {sums, "abc", {6}, {{0, 3}}}});
}

TEST(Unigram, UnknownNeighboursAreOneToken) {
  const std::string one = R"("unk_id":0,"vocab":[["<unk>",0],["a",-1]])";
  ExpectAnswers({{one, "axyza\u00e9", {1, 0, 1, 0}, {{0, 1}, {1, 4}, {4, 5}, {5, 6}}},
                 {one, "a<unk>b", {1, 0}, {{0, 1}, {1, 7}}},
                 // Two unknown characters are worth more than the token that they are.
                 {R"("unk_id":0,"vocab":[["u",50],["ab",60]])", "ab", {1}, {{0, 2}}}});
}

// BR-078: all bytes of neighbours that are unknown, or none.
TEST(Unigram, ByteFallback) {
  const std::string line =
      R"("unk_id":0,"byte_fallback":true,"vocab":[["<unk>",0],["a",-1],["b",-1],["<0x0A>",-1]])";
  const std::string vocab =
      R"("vocab":[["<unk>",0],["a",-1],["<0xF0>",-1],["<0x9F>",-1],["<0x8D>",-1],["<0xA3>",-1]])";
  const std::string bytes = R"("unk_id":0,"byte_fallback":true,)" + vocab;
  const std::pair<std::int32_t, std::int32_t> second{1, 2};
  const std::pair<std::int32_t, std::int32_t> both{0, 2};
  ExpectAnswers(
      {{line, "a\nb", {1, 3, 2}, {{0, 1}, {1, 2}, {2, 3}}},
       {bytes, "a\U0001f363a", {1, 2, 3, 4, 5, 1}, {{0, 1}, second, second, second, second, {2, 3}}},
       {bytes,
        "\U0001f363\U0001f363",
        {2, 3, 4, 5, 2, 3, 4, 5},
        {both, both, both, both, both, both, both, both}},
       {bytes, "\U0001f363\u00e9", {0}, {{0, 2}}},
       {R"("unk_id":0,)" + vocab, "\U0001f363", {0}, {{0, 1}}}});
}

TEST(Unigram, OfEqualPiecesTheLastIsMeant) {
  const std::string twice = R"("unk_id":1,"vocab":[["a",-1],["x",-2],["a",-3],["ax",-4.5],["",0]])";
  ExpectAnswers({{twice, "ax", {3}, {{0, 2}}}, {twice, "axa", {3, 2}, {{0, 2}, {2, 3}}}});
  const auto tokenizer = Read(Model(twice));
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ((*tokenizer)->IdOf("a"), 2);
  EXPECT_EQ((*tokenizer)->TokenOf(0), "a");
  EXPECT_EQ((*tokenizer)->TokenOf(2), "a");
}

TEST(Unigram, WithoutAnUnknownTokenOnlyWhatIsSpelt) {
  for (const std::string fields :
       {R"("vocab":[["a",-1]])", R"("unk_id":null,"byte_fallback":true,"vocab":[["a",-1]])"}) {
    ExpectAnswers({{fields, "aa", {0, 0}, {{0, 1}, {1, 2}}}});
    EXPECT_FALSE((*Read(Model(fields)))->Encode("ab", {}));
  }
}

// Pieces that share their beginnings, some longer than the text, in an array of several blocks.
TEST(Unigram, ManyPieces) {
  std::string vocab = R"("unk_id":0,"vocab":[["<unk>",0],["a",-1])";
  for (int i = 0; i < 3000; ++i) vocab += ",[\"" + std::to_string(i * 7919) + "\",-2]";
  const auto tokenizer = Read(Model(vocab + "]"));
  ASSERT_TRUE(tokenizer);
  for (int i = 1; i < 3000; ++i) {
    const auto encoding = (*tokenizer)->Encode("a" + std::to_string(i * 7919) + "a", {});
    ASSERT_TRUE(encoding);
    EXPECT_EQ(encoding->ids, (std::vector<std::int32_t>{1, i + 2, 1})) << i;
  }
}

// A piece of many windows: no way to spell it has a greater sum, by a plain search over all of it; in a text
// without a place to settle at, in one of unknown runs longer than a window, and in one of everything.
TEST(Unigram, LongPiecesAreSpelledBest) {
  std::mt19937 random(1);
  std::vector<std::pair<std::string, double>> pieces = {{"a", -2}, {"b", -2.5}, {"aa", -3}, {"aaa", -4.25}};
  for (int i = 0; i < 60; ++i) {
    std::string piece;
    for (std::size_t n = 2 + random() % 6; n > 0; --n) piece += "abc"[random() % 3];
    if (std::ranges::none_of(pieces, [&](const auto& p) { return p.first == piece; })) {
      pieces.emplace_back(piece, -3 - static_cast<double>(random() % 64) / 8);
    }
  }
  std::ostringstream fields;
  fields << R"("unk_id":0,"vocab":[["<unk>",0])";
  double least = 0;
  for (const auto& [piece, score] : pieces) {
    fields << ",[\"" << piece << "\"," << score << "]";
    least = std::min(least, score);
  }
  const auto tokenizer = Read(Model(fields.str() + "]"));
  ASSERT_TRUE(tokenizer);
  std::string everything, runs;
  for (int i = 0; i < 20'000; ++i) everything += "abcabcabcabx"[random() % 12];
  for (const std::size_t length : {5000u, 1u, 9000u, 4096u}) runs += "ab" + std::string(length, 'x');
  for (const std::string& text : {everything, runs, std::string(20'000, 'a')}) {
    std::vector<double> best(text.size() + 1, -1e300);
    best[0] = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      best[at + 1] = std::max(best[at + 1], best[at] + least - 10);
      for (const auto& [piece, score] : pieces) {
        if (text.compare(at, piece.size(), piece) != 0) continue;
        best[at + piece.size()] = std::max(best[at + piece.size()], best[at] + score);
      }
    }
    const auto encoding = (*tokenizer)->Encode(text, {});
    ASSERT_TRUE(encoding);
    double sum = 0;
    std::int32_t end = 0;
    for (std::size_t i = 0; i < encoding->ids.size(); ++i) {
      const auto id = static_cast<std::size_t>(encoding->ids[i]);
      const Offset at = encoding->offsets[i];
      EXPECT_EQ(at.begin, end);
      end = at.end;
      sum += id == 0 ? (least - 10) * (at.end - at.begin) : pieces[id - 1].second;
      EXPECT_FALSE(i > 0 && id == 0 && encoding->ids[i - 1] == 0) << "unknown neighbours at " << at.begin;
    }
    EXPECT_EQ(static_cast<std::size_t>(end), text.size());
    EXPECT_EQ(sum, best.back());  // eighths: exact
  }
}

TEST(Unigram, RefusesDamage) {
  constexpr Code kSchema = Code::kInvalidPackageSchema;
  constexpr Code kRecipe = Code::kUnsupportedProcessorRecipe;
  const std::string at = "tokenizer.json:/model/";
  const std::string pair = "a list of a piece and its score";
  const auto expect = [](const std::string& fields, const Want& want) {
    EXPECT_EQ(Difference(Read(Model(fields)), {want}), "") << fields;
  };
  expect(R"("unk_id":0)", {kSchema, at + "vocab", "nothing", "a list of pieces"});
  expect(R"("vocab":{"a":1})", {kSchema, at + "vocab", "object", "a list of pieces"});
  expect(R"("vocab":[["a",1],["b"]])", {kSchema, at + "vocab/1", R"(["b"])", pair});
  expect(R"("vocab":[["a",1,2]])", {kSchema, at + "vocab/0", R"(["a",1,2])", pair});
  expect(R"("vocab":[["a","1"]])", {kSchema, at + "vocab/0", R"(["a","1"])", pair});
  expect(R"("vocab":[[1,1]])", {kSchema, at + "vocab/0", "[1,1]", pair});
  expect(R"("vocab":[["a",1]],"unk_id":1)",
         {kRecipe, at + "unk_id", "1", "null or an index of the 1 pieces"});
  expect(R"("vocab":[["a",1]],"unk_id":-1)",
         {kRecipe, at + "unk_id", "-1", "null or an index of the 1 pieces"});
  expect(R"("vocab":[],"unk_id":0)", {kRecipe, at + "unk_id", "0", "null or an index of the 0 pieces"});
  expect(R"("vocab":[["a",1]],"byte_fallback":null)",
         {kSchema, at + "byte_fallback", "null", "a value that is not null"});
  expect(R"("vocab":[["a",1]],"alpha":0.1)",
         {kRecipe, at + "alpha", "unknown key", "type, unk_id, byte_fallback, vocab"});
  expect("\"vocab\":[[\"" + std::string(513, 'a') + "\",1]]",
         {kSchema, at + "vocab/0/0", "513 bytes", "at most 512 bytes"});
}

}  // namespace
}  // namespace candor::text

// ByteLevel and Metaspace: what becomes of pieces, and where the bytes of them came from. Expected by the
// library's own rules, by hand (BR-074, BR-077).
#include <gtest/gtest.h>

#include <string>

#include "text/byte_alphabet.h"
#include "text/pre_tokenizers/pre_tokenizer.h"
#include "text/test_support.h"

namespace candor::text {
namespace {

PreTokenizerPtr Make(std::string_view json, Problems& problems) {
  const package::TestFolder folder("pre_tokenizer");
  folder.Write("tokenizer.json", json);
  const auto package = package::Package::Open(folder.path());
  if (!package) return nullptr;
  const auto config = (*package)->Read("tokenizer.json", std::make_shared<package::ReadLog>());
  return config ? ReadPreTokenizer(*config, problems) : nullptr;
}

// "piece[begin,end]" of each, joined by blanks; the bytes [4,7) are an added token when the text says <s>.
std::string Split(std::string_view json, std::string_view input, bool added = false) {
  Problems problems;
  const PreTokenizerPtr step = Make(json, problems);
  if (step == nullptr || !problems.empty()) return problems.empty() ? "nothing" : Message(problems.front());
  PreTokenized text = {Normalized(input, 0, 1000), {{0, input.size()}}};
  if (const std::size_t at = input.find("<s>"); added && at != std::string_view::npos) {
    text.pieces = {{0, at}, {at, at + 3, 9}, {at + 3, input.size()}};
  }
  step->Split(text);
  std::string out;
  for (const Piece& piece : text.pieces) {
    const Offset o = text.text.Origin(piece.begin, piece.end);
    out += (out.empty() ? "" : " ") + text.text.text().substr(piece.begin, piece.end - piece.begin) + "[" +
           std::to_string(o.begin) + "," + std::to_string(o.end) + "]";
  }
  return out;
}

std::string Meta(std::string_view more) {
  return R"({"type":"Metaspace","replacement":"_")" + std::string(more) + "}";
}

TEST(Metaspace, PrependsByScheme) {
  const std::string first = R"(,"prepend_scheme":"first")", never = R"(,"prepend_scheme":"never")";
  for (const std::string always : {"", R"(,"prepend_scheme":"always")", R"(,"add_prefix_space":true)"}) {
    EXPECT_EQ(Split(Meta(always), "a<s>b a", true), "_a[0,1] <s>[1,4] _b[4,5] _a[5,7]");
  }
  EXPECT_EQ(Split(Meta(first), "a<s>b a", true), "_a[0,1] <s>[1,4] b[4,5] _a[5,7]");
  EXPECT_EQ(Split(Meta(never), "a<s>b a", true), "a[0,1] <s>[1,4] b[4,5] _a[5,7]");
  for (const std::string& scheme : {first, never}) {
    EXPECT_EQ(Split(Meta(scheme), "  a  "), "_[0,1] _a[1,3] _[3,4] _[4,5]");
  }
  EXPECT_EQ(Split(Meta(R"(,"split":false)"), "\xc3\xa9 b"), "_\xc3\xa9_b[0,3]");
}

TEST(Metaspace, ContradictionsAreRefused) {
  const auto found = [](std::string_view more) {
    Problems problems;
    Make(Meta(more), problems);
    return problems.empty() ? std::string() : problems[0].where.pointer + ": " + problems[0].found;
  };
  EXPECT_EQ(found(R"(,"add_prefix_space":false)"),
            "/add_prefix_space: false, with the prepend_scheme always");
  EXPECT_EQ(found(R"(,"add_prefix_space":false,"prepend_scheme":"never","str_rep":"x")"), "");
  EXPECT_EQ(found(R"(,"prepend_scheme":"last")"), "/prepend_scheme: last");
  Problems problems;
  Make(R"({"type":"Metaspace","replacement":"__"})", problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].allowed, "one character");
}

TEST(ByteLevel, SpellsBytesAndKeepsAddedTokens) {
  const auto level = [](std::string_view prefix) {
    return R"({"type":"ByteLevel","use_regex":false,"trim_offsets":true,"add_prefix_space":)" +
           std::string(prefix) + "}";
  };
  // é is C3 A9: both of its letters came from the one character; the prefix shares the origin of what
  // follows.
  EXPECT_EQ(Split(level("false"), "\xc3\xa9 b"),
            "\xc3\x83\xc2\xa9\xc4\xa0"
            "b[0,3]");
  EXPECT_EQ(Split(level("true"), "a <s> b", true),
            "\xc4\xa0"
            "a\xc4\xa0[0,2] <s>[2,5] \xc4\xa0"
            "b[5,7]");
}

TEST(ByteAlphabet, IsReversible) {
  for (int byte = 0; byte < 256; ++byte) {
    const auto b = static_cast<unsigned char>(byte);
    EXPECT_EQ(ByteOf(kByteCharacters[b]), b);
    EXPECT_EQ(kByteSpellings[b].size == 1, StandsForItself(b));
  }
  EXPECT_EQ(kBlankCharacter, char32_t{0x120});
  for (const char32_t c : {U'\x20', U'\x7f', U'\xa0', U'\xad', U'\u0144', U'\u2581'})
    EXPECT_EQ(ByteOf(c), std::nullopt);
}

}  // namespace
}  // namespace candor::text

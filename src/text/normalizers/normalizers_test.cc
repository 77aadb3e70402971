// Nmt, Prepend, ByteLevel, Precompiled: texts and origins as the reference gives them, and damaged charsmaps.
#include <gtest/gtest.h>

#include "text/base64.h"
#include "text/limits.h"
#include "text/normalizers/normalizer.h"
#include "text/test_support.h"

namespace candor::text {
namespace {

// tools/make_charsmap.py 'a=bb' '\u00e9=e' '\u2122=TM' '\x1e=' 'e\u0301=\u00e9' '\r\n=\n'
constexpr std::string_view kCharsmap =
    "AAQAAAAEAAAAAAAAAAAAAAwAAIAIAACAAAAAgAAAAAAAAAAACi0AAAkAAIADAACAAAAAAA04AAAFAACAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAebQAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAGGVAQAAAAAAAAAAAAAAAABliAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAgT0CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAhAwCAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAqa0CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAKKNAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwygDAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADMNAMAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAA4qADAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABiYgBlAFRNAADDqQAKAA==";

NormalizerPtr ReadOne(const std::string& json) {
  auto parsed = io::ParseJson(json, "t.json");
  if (!parsed) return nullptr;
  const auto document = std::make_shared<const io::Json>(std::move(*parsed));
  const package::Config config(document, document.get(), "t.json", "", std::make_shared<package::ReadLog>());
  Problems problems;
  NormalizerPtr out = ReadNormalizer(config, problems);
  return problems.empty() ? std::move(out) : nullptr;
}

NormalizerPtr Mapped() {
  return ReadOne(R"({"type":"Precompiled","precompiled_charsmap":")" + std::string(kCharsmap) + R"("})");
}

// The text, and of each character where it came from: "ab 0-1 1-2".
std::string After(const NormalizerPtr& normalizer, std::string_view text) {
  if (normalizer == nullptr) return "refused";
  Normalized normalized(text, 0, kMaxTextBytes);
  normalizer->Normalize(normalized);
  const std::string& bytes = normalized.text();
  std::string out = bytes;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = at + CodePointAt(bytes, at).bytes;
    const Offset origin = normalized.Origin(at, end);
    out += " " + std::to_string(origin.begin) + "-" + std::to_string(origin.end);
    at = end;
  }
  return out;
}

TEST(Nmt, DropsControlsAndBlanksTheRest) {
  const NormalizerPtr nmt = ReadOne(R"({"type":"Nmt"})");
  EXPECT_EQ(After(nmt, "a\x01\tb\xe2\x80\x8b\xc2\x85"), "a b \xc2\x85 0-1 2-3 3-4 4-5 5-6");
  EXPECT_EQ(After(nmt, "\xc2\x9f\xe2\x96\x81"), "  1-2");
}

TEST(Prepend, SharesTheOriginOfTheFirstCharacter) {
  const NormalizerPtr prepend = ReadOne(R"({"type":"Prepend","prepend":"<_"})");
  EXPECT_EQ(After(prepend, "\xc3\xa9z"), "<_\xc3\xa9z 0-1 0-1 0-1 1-2");
  EXPECT_EQ(After(prepend, ""), "");
  EXPECT_EQ(prepend->growth().most(), 3u);
  EXPECT_EQ(ReadOne(R"({"type":"Prepend","prepend":""})"), nullptr);
}

TEST(ByteLevelNormalizer, BytesShareTheOriginOfTheirCharacter) {
  EXPECT_EQ(After(ReadOne(R"({"type":"ByteLevel"})"), " \xc3\xa9"), "\xc4\xa0\xc3\x83\xc2\xa9 0-1 1-2 1-2");
}

// Values of the reference for the map above.
TEST(Precompiled, OriginsAreThoseOfTheReference) {
  const NormalizerPtr map = Mapped();
  EXPECT_EQ(After(map, "cac"), "cbbc 0-1 1-2 1-2 2-3");
  EXPECT_EQ(After(map, "\xe2\x84\xa2\x1eg"), "TMg 0-1 1-2 2-3");
  EXPECT_EQ(After(map, "c\x1e\xc3\xa9"), "ce 0-1 2-3");
  EXPECT_EQ(After(map,
                  "\x1e\x1e"
                  "ca"),
            "cbb 0-1 1-2 1-2");  // what is removed in front is forgotten
  EXPECT_EQ(After(map, "\x1e"), "");
  EXPECT_EQ(After(map, "plus text"), "plus text 0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-8 8-9");
}

// A cluster of fewer than six bytes is replaced by what its first key says, marks and all.
TEST(Precompiled, GoesByClusters) {
  const NormalizerPtr map = Mapped();
  EXPECT_EQ(After(map,
                  "e\xcc\x81"
                  "a\xcc\x81\xcc\x81x"),
            "\xc3\xa9"
            "bbx 0-1 2-3 3-4 5-6");
  EXPECT_EQ(After(map, "\r\n\r"), "\n\r 0-1 2-3");
  EXPECT_EQ(After(map, "\xf0\x9f\x87\xa6\xcc\x81\xc3\xa9"),
            "\xf0\x9f\x87\xa6\xcc\x81"
            "e 0-1 1-2 2-3");
}

TEST(Precompiled, DamageIsRefused) {
  const std::string whole = *DecodeBase64(kCharsmap);
  std::string fault;
  ASSERT_NE(MakePrecompiled(whole, fault), nullptr);
  EXPECT_EQ(MakePrecompiled(whole, fault)->growth().most(), 2u);
  const auto fault_of = [](std::string_view bytes) {
    std::string said;
    return MakePrecompiled(bytes, said) == nullptr ? said : "accepted";
  };
  EXPECT_EQ(fault_of("abc"), "3 bytes, too few for the size of a trie");
  EXPECT_EQ(fault_of(std::string_view(whole).substr(0, 1000)), "a trie of 1024 bytes in 1000 bytes");
  EXPECT_NE(fault_of(std::string_view(whole).substr(0, 4 + 1024)).find("a replacement at byte "),
            std::string::npos);
  EXPECT_EQ(fault_of(std::string(4, '\0')), "a trie of 0 bytes in 4 bytes");
  EXPECT_EQ(fault_of(whole + "\xff"), "strings that are not UTF-8");
  std::string rootless = whole;
  rootless[4] = 'x';
  EXPECT_EQ(fault_of(rootless), "a trie of 256 units whose first is no root");
  // Whatever bit is turned over: refused, or safe to use.
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
      if (const NormalizerPtr map = MakePrecompiled(damaged, fault)) {
        After(map, "a\xcc\x81\xc3\xa9\xe2\x84\xa2\x1e\r\nxyz\xf0\x9f\x87\xa6\xcc\x81");
      }
    }
  }
}

TEST(Precompiled, RefusalsNameTheKey) {
  const std::string allowed = "a SentencePiece charsmap in base64";
  const auto refused = [&](std::string_view charsmap, std::string found) {
    return Difference(Read(File(R"("normalizer":{"type":"Precompiled","precompiled_charsmap":")" +
                                std::string(charsmap) + R"("})")),
                      {{Code::kUnsupportedProcessorRecipe, "tokenizer.json:/normalizer/precompiled_charsmap",
                        std::move(found), allowed}});
  };
  EXPECT_EQ(refused("", "an empty string"), "");
  EXPECT_EQ(refused("A", "a string that is not base64"), "");
  EXPECT_EQ(refused("AA*=", "a string that is not base64"), "");
  EXPECT_EQ(refused("AAAAAA==", "a trie of 0 bytes in 4 bytes"), "");
}

TEST(Base64, IsStrict) {
  EXPECT_EQ(DecodeBase64("Zm9vYg=="), "foob");
  EXPECT_EQ(DecodeBase64("Zm9vYmE="), "fooba");
  EXPECT_EQ(DecodeBase64(""), "");
  for (const std::string_view bad : {"Zm9vYg", "Zm9vYh==", "Zm9vYg==Zm9v", "====", "Zm 9", "Z==="}) {
    EXPECT_EQ(DecodeBase64(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace candor::text

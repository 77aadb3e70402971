// BPE and WordLevel: ids and places, small enough for a hand and the same from the library (tokenizers
// 0.23.3); exact refusals; the same tokens on every thread; a word ten times as long takes less than 30 times
// as long.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <thread>

#include "text/models/merges.h"
#include "text/models/vocabulary.h"
#include "text/test_support.h"

namespace candor::text {
namespace {

std::string Bpe(std::string_view vocab, std::string_view merges, std::string_view more = {}) {
  return R"("model":{"type":"BPE","vocab":)" + std::string(vocab) + R"(,"merges":)" + std::string(merges) +
         (more.empty() ? "" : ",") + std::string(more) + "}";
}

Answer ReadModel(std::string_view model) { return Read(File("", "", "", model)); }

// "id@begin-end" of each token; the refusal, of the file or the text, when there is one.
std::string Tokens(std::string_view model, std::string_view text) {
  const auto answer = ReadModel(model);
  if (!answer) return Message(answer.error().front());
  const auto encoding = (*answer)->Encode(text);
  if (!encoding) return "found " + encoding.error().found;
  std::string out;
  for (std::size_t i = 0; i < encoding->ids.size(); ++i) {
    const Offset at = encoding->offsets[i];
    out += (i == 0 ? "" : " ") + std::to_string(encoding->ids[i]) + "@" + std::to_string(at.begin) + "-" +
           std::to_string(at.end);
  }
  return out;
}

TEST(Bpe, MergesByRankThenFromTheLeft) {
  constexpr std::string_view kVocab = R"({"a":0,"b":1,"c":2,"aa":3,"ab":4,"bc":5,"abc":6})";
  EXPECT_EQ(Tokens(Bpe(kVocab, R"(["a a"])"), "aaa"), "3@0-2 0@2-3");
  EXPECT_EQ(Tokens(Bpe(kVocab, R"(["b c","a b"])"), "abc"), "0@0-1 5@1-3");
  EXPECT_EQ(Tokens(Bpe(kVocab, R"(["a b","b c"])"), "abc"), "4@0-2 2@2-3");
  EXPECT_EQ(Tokens(Bpe(kVocab, R"(["a b","b c","ab c"])"), "abc"), "6@0-3");
  // A merge that comes again has its last rank.
  EXPECT_EQ(Tokens(Bpe(kVocab, R"(["a b","b c","a b"])"), "abc"), "0@0-1 5@1-3");
  EXPECT_EQ(Tokens(Bpe(kVocab, R"([["a","b"],["b","c"]])"), "abc"), "4@0-2 2@2-3");
  EXPECT_EQ(Tokens(Bpe(kVocab, "[]"), "abc"), "0@0-1 1@1-2 2@2-3");
  EXPECT_EQ(Tokens(Bpe(R"({"b":7,"a":100000,"ab":3})", R"(["a b"])"), "abab"), "3@0-2 3@2-4");
}

TEST(Bpe, VersionLinesAndSpacesInsideTokens) {
  constexpr std::string_view kVocab = R"({"a":0,"b":1," ":2,"a ":3,"a b":4,"#":5,"ab":6})";
  EXPECT_EQ(Tokens(Bpe(kVocab, R"(["#version: 0.2","a b","#versions are comments"])"), "ab"), "6@0-2");
  EXPECT_EQ(Tokens(Bpe(kVocab, R"([["a"," "],["a ","b"]])"), "a b"), "4@0-3");
}

TEST(Bpe, UnknownCharacters) {
  constexpr std::string_view kVocab = R"({"<unk>":0,"a":1,"b":2,"ab":3})";
  constexpr std::string_view kMerges = R"(["a b"])";
  // Without an unknown token they are left out, and what follows moves up: é hides half of itself from a.
  EXPECT_EQ(Tokens(Bpe(kVocab, kMerges), "axb"), "3@0-2");
  EXPECT_EQ(Tokens(Bpe(kVocab, kMerges),
                   "\xc3\xa9"
                   "ab"),
            "3@0-1");
  EXPECT_EQ(Tokens(Bpe(kVocab, kMerges, R"("unk_token":"<unk>")"), "axyb"), "1@0-1 0@1-2 0@2-3 2@3-4");
  EXPECT_EQ(Tokens(Bpe(kVocab, kMerges, R"("unk_token":"<unk>","fuse_unk":true)"), "xyab"), "0@0-2 3@2-4");
  EXPECT_EQ(Tokens(Bpe(kVocab, kMerges, R"("unk_token":null,"fuse_unk":null)"), "xyab"), "3@0-2");
  const std::string missing = Bpe(kVocab, kMerges, R"("unk_token":"[UNK]")");
  EXPECT_EQ(Tokens(missing, "ab"), "3@0-2");
  EXPECT_EQ(Tokens(missing, "axb"), "found a character or word that the vocabulary does not spell");
}

TEST(Bpe, ByteFallback) {
  constexpr std::string_view kVocab = R"({"<unk>":0,"a":1,"<0xC3>":2,"<0xA9>":3,"b":4})";
  constexpr std::string_view kBoth = R"("unk_token":"<unk>","byte_fallback":true)";
  EXPECT_EQ(Tokens(Bpe(kVocab, "[]", kBoth), "a\xc3\xa9"), "1@0-1 2@1-2 3@1-2");
  // All bytes of a character or none: ê is C3 AA.
  EXPECT_EQ(Tokens(Bpe(kVocab, "[]", kBoth), "\xc3\xaa"), "0@0-1");
  // An unknown token waits for the next one that is no byte, and its place with it.
  EXPECT_EQ(Tokens(Bpe(kVocab, "[]", kBoth),
                   "\xc3\xaa\xc3\xa9"
                   "a"),
            "2@0-1 3@0-1 0@1-2 1@2-3");
  EXPECT_EQ(Tokens(Bpe(kVocab, R"([])", R"("byte_fallback":true)"), "x\xc3\xa9"), "2@0-1 3@1-2");
}

TEST(Bpe, PrefixAndSuffix) {
  constexpr std::string_view kVocab =
      R"({"a":0,"b":1,"##a":2,"##b":3,"ab":4,"aba":5,"ab</w>":6,"b</w>":7,"a</w>":8})";
  EXPECT_EQ(Tokens(Bpe(kVocab, R"(["a ##b","ab ##a"])", R"("continuing_subword_prefix":"##")"), "abab"),
            "5@0-3 3@3-4");
  EXPECT_EQ(Tokens(Bpe(kVocab, R"(["a b</w>"])", R"("end_of_word_suffix":"</w>")"), "aab"), "0@0-1 6@1-3");
  EXPECT_EQ(Tokens(Bpe(kVocab, R"(["a b"])", R"("end_of_word_suffix":"")"), "ab"), "4@0-2");
  // As many bytes are cut as the prefix has.
  EXPECT_EQ(
      Tokens(Bpe(R"({"a":0,"xxb":1,"ab":2,"##c":3})", R"(["a xxb"])", R"("continuing_subword_prefix":"##")"),
             "ac"),
      "0@0-1 3@1-2");
}

TEST(Bpe, IgnoreMergesTakesWholePieces) {
  constexpr std::string_view kVocab = R"({"a":0,"b":1,"c":2,"bc":3,"abc":4})";
  EXPECT_EQ(Tokens(Bpe(kVocab, R"(["b c"])", R"("ignore_merges":true)"), "abc"), "4@0-3");
  EXPECT_EQ(Tokens(Bpe(kVocab, R"(["b c"])", R"("ignore_merges":false)"), "abc"), "0@0-1 3@1-3");
}

TEST(Bpe, FilesWithoutTypeAndDropout) {
  EXPECT_EQ(Tokens(R"("model":{"vocab":{"a":0,"aa":1},"merges":["a a"],"dropout":0.0})", "aa"), "1@0-2");
  EXPECT_EQ(Tokens(R"("model":{"vocab":{"a":0,"x":1},"unk_token":"x"})", "aa"), "1@0-2");
}

TEST(Bpe, ManySymbolsAreMergedAsFew) {
  constexpr std::string_view kVocab = R"({"a":0,"b":1,"ab":2,"abab":3,"aab":4})";
  const std::string model = Bpe(kVocab, R"(["a b","ab ab","a ab"])");
  for (const std::size_t times : {3u, 63u, 64u, 65u, 66u, 200u}) {  // 128 bytes are few
    std::string text, expected;
    for (std::size_t i = 0; i < times; ++i) text += "ab";
    for (std::size_t i = 0; i + 1 < times; i += 2) {
      expected += "3@" + std::to_string(2 * i) + "-" + std::to_string(2 * i + 4) + " ";
    }
    if (times % 2 == 1)
      expected += "2@" + std::to_string(2 * times - 2) + "-" + std::to_string(2 * times) + " ";
    expected.pop_back();
    EXPECT_EQ(Tokens(model, text), expected);
  }
}

TEST(Bpe, Refusals) {
  constexpr std::string_view kVocab = R"({"a":0,"b":1,"ab":2})";
  const auto refused = [](std::string_view model, const std::vector<Want>& wanted) {
    EXPECT_EQ(Difference(ReadModel(model), wanted), "");
  };
  constexpr Code kSchema = Code::kInvalidPackageSchema, kRecipe = Code::kUnsupportedProcessorRecipe;
  refused(
      Bpe(kVocab, R"(["a b","a x","b a","ab"," a b",1])"),
      {{kSchema, "tokenizer.json:/model/merges/3", "ab", "two tokens and one space between them"},
       {kSchema, "tokenizer.json:/model/merges/4", " a b", "two tokens and one space between them"},
       {kSchema, "tokenizer.json:/model/merges/5", "1", "two tokens and one space between them"},
       {kRecipe, "tokenizer.json:/model/merges/1", "x", "tokens of the vocabulary"},
       {kRecipe, "tokenizer.json:/model/merges/2", "ba, which the two make", "tokens of the vocabulary"}});
  refused(Bpe(kVocab, R"([["a","b"],"a b",["a","b","b"]])"),
          {{kSchema, "tokenizer.json:/model/merges/1", "\"a b\"",
            "a list of two tokens, since the first merge is a list"},
           {kSchema, "tokenizer.json:/model/merges/2", "[\"a\",\"b\",\"b\"]",
            "a list of two tokens, since the first merge is a list"}});
  refused(Bpe(kVocab, R"(["a b"])", R"("dropout":0.1)"),
          {{kRecipe, "tokenizer.json:/model/dropout", "0.1",
            "null, 0: the same text must give the same tokens"}});
  refused(Bpe(kVocab, R"(["a b"])", R"("continuing_subword_prefix":"##")"),
          {{kRecipe, "tokenizer.json:/model/merges/0", "b",
            "a second token that starts with continuing_subword_prefix"}});
  refused(Bpe(kVocab, "[]", R"("byte_fallback":true,"end_of_word_suffix":"x")"),
          {{kRecipe, "tokenizer.json:/model/byte_fallback",
            "true, with continuing_subword_prefix or end_of_word_suffix", "true only without them"}});
  refused(
      Bpe(kVocab, "{}", R"("cache":1)"),
      {{kRecipe, "tokenizer.json:/model/cache", "unknown key",
        "type, dropout, unk_token, continuing_subword_prefix, end_of_word_suffix, fuse_unk, byte_fallback, "
        "ignore_merges, vocab, merges"},
       {kSchema, "tokenizer.json:/model/merges", "object", "a list of merges"}});
  // A wrong file in another's place: not half a million problems.
  std::string merges = "[";
  for (int i = 0; i < 1000; ++i) merges += R"("x y",)";
  merges.back() = ']';
  const auto answer = ReadModel(Bpe(kVocab, merges));
  ASSERT_FALSE(answer);
  EXPECT_LT(answer.error().size(), 300u);
}

TEST(WordLevel, WholePiecesOrTheUnknownToken) {
  constexpr std::string_view kModel =
      R"("model":{"type":"WordLevel","vocab":{"ab":3,"x":5},"unk_token":"x"})";
  EXPECT_EQ(Tokens(kModel, "ab"), "3@0-2");
  EXPECT_EQ(Tokens(kModel, "abc"), "5@0-3");
  EXPECT_EQ(Tokens(R"("model":{"type":"WordLevel","vocab":{"ab":3},"unk_token":"x"})", "abc"),
            "found a character or word that the vocabulary does not spell");
  EXPECT_EQ(
      Difference(ReadModel(R"("model":{"type":"WordLevel","vocab":{"ab":3}})"),
                 {{Code::kInvalidPackageSchema, "tokenizer.json:/model/unk_token", "nothing", "a string"}}),
      "");
}

// Pairs that all want the same place of the table are still found, and reading them is no square.
TEST(Merges, PairsThatCollide) {
  Merges merges;
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::int32_t left = 0; pairs.size() < 3000; ++left) {
    for (std::int32_t right = 0; right < 4096; ++right) {
      if ((Merges::Hash(left, right) & 0x1fff) == 0) pairs.emplace_back(left, right);
    }
  }
  for (const auto& [left, right] : pairs) merges.Add(left, right, left + right);
  merges.Add(pairs[7].first, pairs[7].second, 1);  // again
  merges.Seal(true);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(merges.Rank(pairs[i].first, pairs[i].second), i == 7 ? pairs.size() : i);
  }
  EXPECT_EQ(merges.Rank(-1, 0), Merges::kNone);
}

// Few symbols, rounds and the queue make the same of the same symbols; rounds only where no rank can come
// late.
TEST(Merges, EveryWayMakesTheSame) {
  std::mt19937 random(1);
  for (const bool in_order : {true, false}) {
    std::vector<std::string> tokens = {"a", "b", "c"};
    Merges merges, by_queue;
    while (tokens.size() < 300) {
      const std::size_t left = random() % tokens.size(), right = random() % tokens.size();
      const std::string joined = tokens[left] + tokens[right];
      const auto known = std::find(tokens.begin(), tokens.end(), joined);
      if (joined.size() > 9 || (in_order && known != tokens.end())) continue;
      const auto product = static_cast<std::int32_t>(known - tokens.begin());
      if (known == tokens.end()) tokens.push_back(joined);
      for (Merges* one : {&merges, &by_queue}) {
        one->Add(static_cast<std::int32_t>(left), static_cast<std::int32_t>(right), product);
      }
    }
    merges.Seal(true);
    by_queue.Seal(false);
    for (const std::size_t size : {2u, 3u, 9u, 63u, 127u, 128u, 129u, 500u, 4000u}) {
      for (int repeat = 0; repeat < 100; ++repeat) {
        std::vector<Symbol> symbols(size);
        for (Symbol& symbol : symbols) symbol = {static_cast<std::int32_t>(random() % 3), 1};
        std::vector<Symbol> others = symbols;
        symbols.resize(merges.Apply(symbols));
        others.resize(by_queue.Apply(others));
        EXPECT_LT(symbols.size(), size < 60 ? size + 1 : size);
        EXPECT_TRUE(
            std::equal(symbols.begin(), symbols.end(), others.begin(), others.end(),
                       [](const Symbol& a, const Symbol& b) { return a.id == b.id && a.bytes == b.bytes; }))
            << in_order << size;
      }
    }
  }
}

// Tokens that all want the same place of the table are found too, one by one and many at once.
TEST(Vocabulary, TokensThatCollide) {
  std::vector<std::string> tokens;
  for (int i = 0; tokens.size() < 1100; ++i) {
    std::string token = "t" + std::to_string(i);
    const std::uint64_t hash = Vocabulary::Hash(token);
    if (((hash ^ hash >> 29) & 0xfff) == 0) tokens.push_back(std::move(token));
  }
  Vocabulary vocabulary;
  for (std::size_t i = 0; i < tokens.size(); ++i) vocabulary.Add(tokens[i], static_cast<std::int32_t>(i));
  vocabulary.Seal();
  tokens.push_back("absent");
  std::vector<Vocabulary::Query> queries;
  for (const std::string_view token : tokens) {
    queries.push_back({token.substr(0, 1), token.substr(1), Vocabulary::Hash(token)});
  }
  std::vector<std::int32_t> ids(tokens.size());
  vocabulary.FindAll(queries, ids);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto id = i < 1100 ? static_cast<std::int32_t>(i) : Vocabulary::kAbsent;
    EXPECT_EQ(ids[i], id);
    EXPECT_EQ(vocabulary.IdOf(tokens[i]).value_or(Vocabulary::kAbsent), id);
  }
}

// The tokens of a piece do not depend on what else was met, nor on who asks at the same time.
TEST(Bpe, ThreadsAgree) {
  const auto answer =
      ReadModel(Bpe(R"({"a":0,"b":1,"c":2,"ab":3,"bc":4,"abc":5,"ca":6})", R"(["b c","a b","c a"])"));
  ASSERT_TRUE(answer);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 3000; ++i) {
    std::string text;
    for (std::size_t rest = i; text.size() < 12; rest = rest / 3 + text.size()) text += "abc"[rest % 3];
    texts.push_back(text);
  }
  const auto all = [&] {
    std::vector<std::int32_t> ids;
    for (int round = 0; round < 2; ++round) {
      for (const std::string& text : texts) {
        const auto encoding = (*answer)->Encode(text);
        ids.insert(ids.end(), encoding->ids.begin(), encoding->ids.end());
      }
    }
    return ids;
  };
  std::vector<std::vector<std::int32_t>> found(4);
  std::vector<std::thread> threads;
  for (auto& ids : found) threads.emplace_back([&] { ids = all(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& ids : found) EXPECT_EQ(ids, found[0]);
}

double Seconds(const Tokenizer& tokenizer, std::string_view text) {
  timespec begin = {}, end = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  EXPECT_TRUE(tokenizer.Encode(text));
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return static_cast<double>(end.tv_sec - begin.tv_sec) +
         1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec);
}

// One word ten times as long takes some ten times as long; a square would be a hundred.
TEST(Bpe, LongWordsInLinearTime) {
  const auto answer = ReadModel(Bpe(R"({"a":0,"b":1,"aa":2,"aaaa":3,"ab":4})", R"(["a a","aa aa","a b"])"));
  ASSERT_TRUE(answer);
  std::string mixed;
  for (std::size_t i = 0; i < 400'000; ++i) mixed += i * i % 7 < 3 ? 'a' : 'b';
  for (const std::string& text : {std::string(400'000, 'a'), mixed}) {
    const double few = Seconds(**answer, std::string_view(text).substr(0, 40'000));
    EXPECT_LT(Seconds(**answer, text), 30 * few + 0.05);
  }
}

}  // namespace
}  // namespace candor::text

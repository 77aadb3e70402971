// Packages without tokenizer.json: what is refused of damaged files, unknown classes and classes that are
// code. That the others are answered as transformers does is golden_test.cc's.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "text/formats/sentence_piece.h"
#include "text/test_support.h"

namespace candor::text {
namespace {

const std::string kFolder = CANDOR_SOURCE_DIR "/goldens/formats/";

std::string Bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Answer ReadFolder(const std::string& path) {
  const auto package = package::Package::Open(path);
  if (!package) return Problems{package.error()};
  return Tokenizer::Read(**package, std::make_shared<package::ReadLog>());
}

// One file of a golden package in another form.
std::string Message(const std::string& golden, std::string_view file, std::string_view text) {
  const package::TestFolder folder("formats");
  for (const char* name : {"config.json", "tokenizer_config.json", "vocab.txt", "vocab.json", "merges.txt",
                           "sentencepiece.bpe.model"}) {
    const std::string bytes = Bytes(kFolder + golden + "/" + name);
    if (!bytes.empty()) folder.Write(name, bytes);
  }
  folder.Write(file, text);
  const Answer answer = ReadFolder(folder.path());
  return answer ? "not refused" : candor::Message(answer.error()[0]);
}

// An encoder's folder has older files as the root has, and what is wrong with them is told there.
TEST(Formats, OfAnEncodersFolder) {
  const package::TestFolder folder("formats_folder");
  folder.Write("modules.json",
               R"([{"name":"0","path":"0_T","type":"sentence_transformers.models.Transformer"}])");
  for (const char* name : {"config.json", "vocab.txt"})
    folder.Write("0_T/" + std::string(name), Bytes(kFolder + "bert/" + name));
  const auto read = [&](const std::string& of) -> Answer {
    const auto package = package::Package::Open(folder.path()).value();
    return Tokenizer::Read(*package, std::make_shared<package::ReadLog>(), false, of);
  };
  const auto ids = [](const Answer& answer) { return answer.value()->Encode("Hello the world").value().ids; };
  const Answer moved = read("0_T/"), root = ReadFolder(kFolder + "bert");
  ASSERT_TRUE(moved) << candor::Message(moved.error()[0]);
  EXPECT_EQ(ids(moved), ids(root));
  EXPECT_EQ(read("").error()[0].where, Where::At("tokenizer.json"));  // of no encoder
  folder.Write("0_T/vocab.txt", "a\nb\na\n");
  EXPECT_EQ(read("0_T/").error()[0].where, Where::At("0_T/vocab.txt"));
  // The library looks for such a name in the root, and then opens the folder's.
  folder.Write("tokenizer.model", "x");
  EXPECT_EQ(read("0_T/").error()[0].where, Where::At("tokenizer.model"));
  folder.Write("0_T/config.json", R"({"model_type":"other"})");
  EXPECT_EQ(read("0_T/").error()[0].where, Where::At("0_T/tokenizer.json"));
}

TEST(Formats, DamageIsNamed) {
  EXPECT_NE(Message("bert", "vocab.txt", "a\nb\na\n").find("line 3: a, a second time"), std::string::npos);
  EXPECT_NE(Message("roberta", "merges.txt", "#version: 0.2\nh e\na b c\n").find("line 3: a b c"),
            std::string::npos);
  EXPECT_NE(Message("bert", "vocab.txt", "a\n\xff\n").find("invalid UTF-8 at byte 2"), std::string::npos);
  const std::string model = Bytes(kFolder + "xlm_roberta/sentencepiece.bpe.model");
  EXPECT_NE(
      Message("xlm_roberta", "sentencepiece.bpe.model", model.substr(0, 300)).find("damaged or cut off"),
      std::string::npos);
  EXPECT_NE(Message("xlm_roberta", "sentencepiece.bpe.model", "no model").find("damaged or cut off"),
            std::string::npos);
}

TEST(Formats, UnknownClassesAndCodeAreRefused) {
  const std::string unknown =
      Message("bert", "tokenizer_config.json", R"({"tokenizer_class":"XLNetTokenizer"})");
  EXPECT_NE(unknown.find("XLNetTokenizer"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("XLMRobertaTokenizer"), std::string::npos) << unknown;
  const std::string code =
      Message("bert", "tokenizer_config.json",
              R"({"tokenizer_class":"Own","auto_map":{"AutoTokenizer":["own.Own",null]}})");
  EXPECT_NE(code.find("code in the package"), std::string::npos) << code;
}

// Wire bytes by hand: field 1 (piece), length, field 1 (text), field 2 (score, fixed32), field 3 (type).
TEST(SentencePiece, ReadsAFileByHand) {
  using namespace std::string_view_literals;
  const auto model = ReadSentencePiece(
      "\x0a\x08\x0a\x01"
      "a\x15\x00\x00\x80\xbf"
      "\x0a\x05\x0a\x01"
      "b\x18\x03\x12\x02\x18\x02"sv,
      "m");
  ASSERT_TRUE(model) << candor::Message(model.error());
  ASSERT_EQ(model->pieces.size(), 2u);
  EXPECT_EQ(model->pieces[0].score, -1.0f);
  EXPECT_EQ(model->pieces[1].kind, SentencePieceModel::Kind::kControl);
  EXPECT_FALSE(model->unigram);
  EXPECT_FALSE(
      ReadSentencePiece("\x0a\x03\x0a\x01"
                        "a\x0a\x03\x0a\x01"
                        "a"sv,
                        "m"));
}

}  // namespace
}  // namespace candor::text

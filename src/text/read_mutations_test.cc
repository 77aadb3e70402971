// Every value of both tokenizer files replaced by a value of every kind, one at a time: the package is read
// or refused with a place in the right file, and nothing else ever happens.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "package/test_folder.h"
#include "text/tokenizer.h"

namespace candor::text {
namespace {

constexpr std::string_view kTokenizer = R"({"version":"1.0","truncation":{"direction":"Right","max_length":8,
"strategy":"LongestFirst","stride":0},"padding":null,"added_tokens":[{"id":1,"content":"[UNK]","single_word":false,
"lstrip":false,"rstrip":false,"normalized":false,"special":true}],"normalizer":{"type":"Sequence","normalizers":[
{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"strip_accents":null,"lowercase":true},
{"type":"Strip","strip_left":true,"strip_right":false},{"type":"Replace","pattern":{"String":"a"},"content":"b"}]},
"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"BertPreTokenizer"},{"type":"Punctuation",
"behavior":"Isolated"}]},"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]",
"type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B",
"type_id":1}}],"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]}}},"decoder":null,"model":{
"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,"vocab":{
"[PAD]":0,"[UNK]":1,"[CLS]":2,"b":3}}})";

constexpr std::string_view kConfig = R"({"tokenizer_class":"PreTrainedTokenizerFast","do_lower_case":true,
"strip_accents":null,"tokenize_chinese_chars":true,"model_max_length":512,"truncation_side":"right",
"model_input_names":["input_ids"],"cls_token":{"__type":"AddedToken","content":"[CLS]","lstrip":false,"rstrip":false,
"single_word":false,"normalized":false},"pad_token":"[PAD]","additional_special_tokens":["[PAD]",{"content":"[CLS]",
"lstrip":true}],"added_tokens_decoder":{"2":{"content":"[CLS]","lstrip":false,"rstrip":false,"single_word":false,
"normalized":false,"special":true}},"never_split":[],"chat_template":"x"})";

constexpr std::string_view kValues[] = {"null",  "true", "-1", "3",   "1e99", "18446744073709551615",
                                        "\"x\"", "\"\"", "[]", "[1]", "{}",   "{\"x\":{}}"};

// Writes `value`, with the node numbered `target` in writing order replaced. Returns how many nodes were met.
std::size_t WriteReplaced(const io::Json& value, std::size_t target, std::string_view by, std::size_t index,
                          io::JsonWriter& out) {
  const std::size_t mine = index++;
  if (mine == target) {
    out.Raw(by);
    return index;
  }
  if (value.is_object()) {
    out.BeginObject();
    for (const io::JsonMember& member : value.members()) {
      index = WriteReplaced(member.value, target, by, index, out.Key(member.key));
    }
    out.EndObject();
  } else if (value.is_array()) {
    out.BeginArray();
    for (const io::Json& item : value.items()) index = WriteReplaced(item, target, by, index, out);
    out.EndArray();
  } else {
    out.Value(value);
  }
  return index;
}

Planned<std::shared_ptr<const Tokenizer>> ReadFolder(const package::TestFolder& folder) {
  const auto package = package::Package::Open(folder.path());
  if (!package) return Problems{package.error()};
  return Tokenizer::Read(**package, std::make_shared<package::ReadLog>());
}

void Mutate(const std::string& file, std::string_view text, std::size_t at_least) {
  const package::TestFolder folder("tokenizer_mutations");
  folder.Write("tokenizer.json", kTokenizer);
  folder.Write("tokenizer_config.json", kConfig);
  const auto whole = ReadFolder(folder);
  ASSERT_TRUE(whole) << Message(whole.error().front());
  const auto json = io::ParseJson(text, file);
  ASSERT_TRUE(json);
  io::JsonWriter unchanged;
  const std::size_t nodes = WriteReplaced(*json, SIZE_MAX, {}, 0, unchanged);
  std::size_t refused = 0;
  for (std::size_t target = 0; target < nodes; ++target) {
    for (const std::string_view by : kValues) {
      io::JsonWriter out;
      WriteReplaced(*json, target, by, 0, out);
      folder.Write(file, out.text());
      const auto answer = ReadFolder(folder);
      if (answer) {
        EXPECT_TRUE((*answer)->Encode("a [CLS] \xc3\xa9 b")) << out.text();
        continue;
      }
      ++refused;
      ASSERT_FALSE(answer.error().empty());
      for (const Error& problem : answer.error()) {
        EXPECT_TRUE(problem.where.file.starts_with("tokenizer")) << Message(problem) << out.text();
        EXPECT_FALSE(problem.found.empty()) << out.text();
        EXPECT_FALSE(problem.allowed.empty()) << out.text();
      }
    }
  }
  EXPECT_GE(refused, at_least);
}

TEST(TokenizerMutations, TokenizerJson) { Mutate("tokenizer.json", kTokenizer, 400); }
TEST(TokenizerMutations, TokenizerConfigJson) { Mutate("tokenizer_config.json", kConfig, 100); }

}  // namespace
}  // namespace candor::text

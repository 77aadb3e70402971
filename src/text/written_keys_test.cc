// Keys beside tokenizer.json that are refused: of the wrong kind, beyond what is reproduced, or in
// contradiction with tokenizer.json where releases of the reference library disagree about who is right. What
// the keys do is golden_test.cc's.
#include <gtest/gtest.h>

#include "text/test_support.h"

namespace candor::text {
namespace {

constexpr Code kSchema = Code::kInvalidPackageSchema, kRecipe = Code::kUnsupportedProcessorRecipe,
               kConflict = Code::kEvidenceConflict;

constexpr std::string_view kByteLevel =
    R"("pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true})";
constexpr std::string_view kChain =
    R"("pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"ByteLevel","add_prefix_space":false,)"
    R"("trim_offsets":true,"use_regex":true}]})";
constexpr std::string_view kMetaspace =
    R"("pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"first","split":true})";

// The whole answer of a file with this tokenizer_config.json: empty when it is read.
std::string Lines(const Answer& answer) {
  if (answer) return "";
  std::string out;
  for (const Error& error : answer.error()) {
    out += std::string(Info(error.code).name) + " " + error.where.file + error.where.pointer + ": " +
           error.found + " | " + error.allowed + "\n";
  }
  return out;
}
std::string With(std::string_view pre, std::string_view config) {
  return Lines(Read(File("", pre, ""), config));
}
std::string One(Code code, std::string_view pointer, std::string_view found, std::string_view allowed) {
  return std::string(Info(code).name) + " tokenizer_config.json" + std::string(pointer) + ": " +
         std::string(found) + " | " + std::string(allowed) + "\n";
}

TEST(WrittenKeys, OfTheWrongKind) {
  struct Row {
    std::string_view config, pointer, found, allowed;
  };
  const Row rows[] = {
      {R"({"do_lower_case":"yes"})", "/do_lower_case", "\"yes\"", "true or false"},
      {R"({"strip_accents":1})", "/strip_accents", "1", "true or false"},
      {R"({"tokenize_chinese_chars":[]})", "/tokenize_chinese_chars", "[]", "true or false"},
      {R"({"add_bos_token":"<s>"})", "/add_bos_token", "\"<s>\"", "true or false"},
      {R"({"add_eos_token":0})", "/add_eos_token", "0", "true or false"},
      {R"({"add_prefix_space":"first"})", "/add_prefix_space", "\"first\"", "true or false"},
      {R"({"trim_offsets":{}})", "/trim_offsets", "{}", "true or false"},
      {R"({"model_max_length":"512"})", "/model_max_length", "\"512\"", "a number"},
      {R"({"model_max_length":0})", "/model_max_length", "0", "a whole number from 1 to 2147483647"},
      {R"({"model_max_length":7.5})", "/model_max_length", "7.5", "a whole number from 1 to 2147483647"},
      {R"({"cls_token":5})", "/cls_token", "5", "an object"},
      {R"({"cls_token":{"lstrip":true}})", "/cls_token/content", "nothing", "a string"},
      {R"({"additional_special_tokens":"[Q]"})", "/additional_special_tokens", "string", "a list of tokens"},
      {R"({"additional_special_tokens":["[Q]",7]})", "/additional_special_tokens", "7",
       "strings or token objects"},
      {R"({"added_tokens_decoder":{"one":{"content":"[Q]"}}})", "/added_tokens_decoder/one", "one",
       "a token id"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(With(kPre, row.config), One(kSchema, row.pointer, row.found, row.allowed)) << row.config;
  }
}

// A normalizer that is none of BERT's, and a class that would not read the key.
TEST(WrittenKeys, OfBertBesideSomethingElse) {
  for (const std::string_view key : {"do_lower_case", "strip_accents", "tokenize_chinese_chars"}) {
    const std::string config = "{\"" + std::string(key) + "\":false";
    EXPECT_EQ(Lines(Read(File(R"("normalizer":{"type":"NFC"})"), config + "}")),
              "evidence_conflict tokenizer.json/normalizer/type: NFC | BertNormalizer, which keys of "
              "tokenizer_config.json describe\n");
    EXPECT_EQ(Lines(Read(File(), config + R"(,"tokenizer_class":"XLMRobertaTokenizer"})")),
              One(kRecipe, "/tokenizer_class", "XLMRobertaTokenizer",
                  "a BERT class, PreTrainedTokenizerFast, TokenizersBackend"));
  }
}

// The space before a text: what the class can write into the file is written (golden_test.cc), the rest must
// be there already.
TEST(WrittenKeys, PrefixSpaceThatContradicts) {
  const std::string added = One(kConflict, "/add_prefix_space", "true", "false, as tokenizer.json has it");
  const std::string left_out = One(kConflict, "/add_prefix_space", "false", "true, as tokenizer.json has it");
  const std::string xlm = R"(,"tokenizer_class":"XLMRobertaTokenizer"})";
  EXPECT_EQ(With(kMetaspace, R"({"add_prefix_space":false)" + xlm), left_out);
  EXPECT_EQ(With(kMetaspace, R"({"add_prefix_space":true)" + xlm), "");
  EXPECT_EQ(With(kByteLevel, R"({"add_prefix_space":true,"tokenizer_class":"LlamaTokenizer"})"), added);
  EXPECT_EQ(With(kByteLevel, R"({"add_prefix_space":true,"tokenizer_class":"StrangeTokenizer"})"), added);
  // Releases before 5 wrote it into a ByteLevel that stands alone, whatever the class; in a chain never.
  for (const std::string_view plain : {"", R"(,"tokenizer_class":"PreTrainedTokenizerFast")"}) {
    const std::string config = R"({"add_prefix_space":true)" + std::string(plain) + "}";
    EXPECT_EQ(With(kByteLevel, config), added);
    EXPECT_EQ(With(kChain, config), "");
  }
  EXPECT_EQ(With(kByteLevel, R"({"add_prefix_space":false})"), "");
  EXPECT_EQ(With(kPre, R"({"add_prefix_space":true,"tokenizer_class":"BertTokenizer"})"), "");
}

std::string Ends(std::string_view parts, std::string_view config) {
  const std::string post =
      R"("post_processor":{"type":"TemplateProcessing","single":[)" + std::string(parts) +
      R"(],"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],)"
      R"("special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]},)"
      R"("[SEP]":{"id":"[SEP]","ids":[3],"tokens":["[SEP]"]}}})";
  return Lines(Read(File("", kMetaspace, post), config));
}

// This release drops the keys, those before 5 built the template of these classes from them.
TEST(WrittenKeys, EndsThatContradict) {
  constexpr std::string_view kBegin = R"({"SpecialToken":{"id":"[CLS]","type_id":0}},)";
  constexpr std::string_view kText = R"({"Sequence":{"id":"A","type_id":0}})";
  constexpr std::string_view kEnd = R"(,{"SpecialToken":{"id":"[SEP]","type_id":0}})";
  constexpr std::string_view kEndAsBegin = R"(,{"SpecialToken":{"id":"[CLS]","type_id":0}})";
  const std::string text(kText), begin = std::string(kBegin) + text, end = text + std::string(kEnd);
  const auto is = [](std::string_view key, bool file) {
    return One(kConflict, "/" + std::string(key), file ? "false" : "true",
               std::string(file ? "true" : "false") + ", as the post_processor of tokenizer.json has it");
  };
  for (const std::string_view name : {"Llama", "CodeLlama", "Gemma", "Cohere"}) {
    const std::string rest = R"(,"bos_token":"[CLS]","eos_token":"[SEP]","tokenizer_class":")" +
                             std::string(name) + R"(TokenizerFast"})";
    EXPECT_EQ(Ends(text, R"({"add_bos_token":true)" + rest), is("add_bos_token", false));
    EXPECT_EQ(Ends(begin, R"({"add_bos_token":false)" + rest), is("add_bos_token", true));
    EXPECT_EQ(Ends(begin, R"({"add_eos_token":true)" + rest), is("add_eos_token", false));
    EXPECT_EQ(Ends(end, R"({"add_eos_token":false)" + rest), is("add_eos_token", true));
    EXPECT_EQ(Ends(begin + std::string(kEnd), R"({"add_bos_token":true,"add_eos_token":true)" + rest), "");
    EXPECT_EQ(Ends(text, R"({"add_bos_token":false,"add_eos_token":false)" + rest), "");
    EXPECT_EQ(Ends(begin, "{" + rest.substr(1)), "") << "nothing written, nothing to contradict";
  }
  // One token for both ends: the side counts.
  const std::string same = R"(,"bos_token":"[CLS]","eos_token":"[CLS]","tokenizer_class":"LlamaTokenizer"})";
  EXPECT_EQ(Ends(begin, R"({"add_bos_token":true,"add_eos_token":false)" + same), "");
  EXPECT_EQ(Ends(begin, R"({"add_eos_token":true)" + same), is("add_eos_token", false));
  EXPECT_EQ(Ends(text + std::string(kEndAsBegin), R"({"add_bos_token":true)" + same),
            is("add_bos_token", false));
  // No name is written: any token on that side.
  EXPECT_EQ(Ends(text, R"({"add_eos_token":true,"tokenizer_class":"LlamaTokenizer"})"),
            is("add_eos_token", false));
  EXPECT_EQ(Ends(end, R"({"add_eos_token":true,"tokenizer_class":"LlamaTokenizer"})"), "");
  // Classes that no release built a template for.
  EXPECT_EQ(Ends(text, R"({"add_bos_token":true,"bos_token":"[CLS]"})"), "");
  EXPECT_EQ(Ends(text, R"({"add_bos_token":true,"bos_token":"[CLS]","tokenizer_class":"GPT2Tokenizer"})"),
            "");
}

// Ids that a file writes must be those that the vocabulary leads to, in every file that writes them.
TEST(WrittenKeys, IdsThatContradict) {
  const auto read = [](std::string_view file, std::string_view text) {
    const package::TestFolder folder("tokenizer");
    folder.Write("tokenizer.json", File());
    folder.Write(file, text);
    return Lines(Tokenizer::Read(*package::Package::Open(folder.path()).value(),
                                 std::make_shared<package::ReadLog>()));
  };
  EXPECT_EQ(read("tokenizer_config.json", R"({"added_tokens_decoder":{"9":{"content":"[Q]"}}})"),
            One(kConflict, "/added_tokens_decoder/9", "9", "7, the id that the vocabulary leads to"));
  EXPECT_EQ(read("added_tokens.json", R"({"[Q]":8})"),
            "evidence_conflict added_tokens.json/[Q]: 8 | 7, the id that the vocabulary leads to\n");
  EXPECT_EQ(
      read("added_tokens.json", R"({"[Q]":7,"[R]":7})"),
      "unsupported_processor_recipe added_tokens.json/[R]: 7 | an id that no other token of the file has\n");
  EXPECT_EQ(read("added_tokens.json", R"({"[Q]":"7"})"),
            "invalid_package_schema added_tokens.json/[Q]: \"7\" | a whole number from 0 to 2147483646\n");
  EXPECT_EQ(read("special_tokens_map.json", R"({"cls_token":["[CLS]"]})"),
            "invalid_package_schema special_tokens_map.json/cls_token: [\"[CLS]\"] | an object\n");
}

}  // namespace
}  // namespace candor::text

// Damaged tokenizer.json files: each is refused at its place, by what is there and what may be there instead.
// Long because it is one table, a row a damage.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "text/test_support.h"

namespace candor::text {
namespace {

constexpr Code kSchema = Code::kInvalidPackageSchema, kRecipe = Code::kUnsupportedProcessorRecipe,
               kConflict = Code::kEvidenceConflict;

// What the library itself (tokenizers 0.23.3) does with the file: it refuses it too, or reads it, or reads it
// and then breaks off on every text. docs/tokenizers.md says why those are refused here.
enum class Library : std::uint8_t { kRefuses, kReads, kBreaks };

struct Bad {
  std::string name, file;
  Code code;
  std::string pointer, found, allowed;  // allowed may end in "…": a list that grows
  Library library = Library::kRefuses;
};

std::string Normalizer(std::string_view json) { return File("\"normalizer\":" + std::string(json)); }
std::string Pre(std::string_view json) { return File(kNormalizer, "\"pre_tokenizer\":" + std::string(json)); }
std::string Post(std::string_view json) {
  return File(kNormalizer, kPre, "\"post_processor\":" + std::string(json));
}
std::string Model(std::string_view json) { return File("", "", "", "\"model\":" + std::string(json)); }
std::string Added(std::string_view json) {
  return File(kNormalizer, kPre, kPost, kModel, "\"added_tokens\":[" + std::string(json) + "]");
}
std::string WordPiece(std::string_view vocab, std::string_view more = "") {
  return Model(R"({"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",)"
               R"("max_input_chars_per_word":100,"vocab":)" +
               std::string(vocab) + std::string(more) + "}");
}
std::string Bpe(std::string_view fields) {
  return Model(R"({"type":"BPE","vocab":{"a":0,"b":1,"ab":2})" + std::string(fields) + "}");
}
std::string Chain(std::string_view key, std::string_view member, int depth) {
  std::string out = "\"" + std::string(key) + "\":";
  for (int i = 0; i < depth; ++i) out += R"({"type":"Sequence",")" + std::string(member) + "\":[";
  for (int i = 0; i < depth; ++i) out += "]}";
  return out;
}

// Where the 129th level of a chain begins: each step has two, the file has one.
std::string Deep(std::string pointer, std::string_view member) {
  for (int i = 0; i < 63; ++i) pointer += "/" + std::string(member) + "/0";
  return pointer + "/" + std::string(member);
}

// A `found` of many bytes would tell nothing more.
std::string Short(const std::string& text) { return text.size() > 200 ? text.substr(0, 200) : text; }

std::string Line(const Error& error) {
  return std::string(Info(error.code).name) + " at " + error.where.file + error.where.pointer + ": found " +
         Short(error.found) + ", allowed " + error.allowed;
}

bool Matches(const std::string& wanted, const std::string& is) {
  constexpr std::string_view kMore = "…";
  if (!wanted.ends_with(kMore)) return wanted == is;
  return is.starts_with(wanted.substr(0, wanted.size() - kMore.size()));
}

std::vector<Bad> Cases() {
  return {
      {"not JSON", R"j({"version":"1.0",)j", kSchema, "", "',' at byte 16", "'}' as the last character"},
      {"an array", R"j([])j", kSchema, "", "array", "an object"},
      {"nothing in it", R"j({})j", kSchema, "/model", "nothing", "a model"},
      {"version", File(kNormalizer, kPre, kPost, kModel, R"j("version":"2.0")j"), kRecipe, "/version",
       R"j("2.0")j", "1.0"},
      {"unknown section", File(kNormalizer, kPre, kPost, kModel, R"j("version":"1.0","postprocessor":null)j"),
       kRecipe, "/postprocessor", "unknown key",
       "type, version, truncation, padding, added_tokens, normalizer, pre_tokenizer, post_processor, "
       "decoder, model"},
      {"duplicate key", File(kNormalizer, kPre, kPost, kModel, R"j("version":"1.0","version":"1.0")j"),
       kSchema, "/version", "the key twice in one object", "each key once", Library::kReads},
      {"unknown normalizer", Normalizer(R"j({"type":"NFX"})j"), kRecipe, "/normalizer/type", "NFX",
       "BertNormalizer, …"},
      {"normalizer without type", Normalizer(R"j({"lowercase":true})j"), kSchema, "/normalizer/type",
       "nothing", "a string"},
      {"normalizer of the wrong kind", Normalizer(R"j(["NFC"])j"), kSchema, "/normalizer", R"j(["NFC"])j",
       "an object", Library::kReads},
      {"normalizer with a stranger", Normalizer(R"j({"type":"NFC","form":"C"})j"), kRecipe,
       "/normalizer/form", "unknown key", "type", Library::kReads},
      {"flag of the wrong kind", Normalizer(R"j({"type":"Strip","strip_left":1,"strip_right":true})j"),
       kSchema, "/normalizer/strip_left", "1", "true or false"},
      {"flag missing", Normalizer(R"j({"type":"Strip","strip_left":true})j"), kSchema,
       "/normalizer/strip_right", "nothing", "true or false"},
      {"chain without list", Normalizer(R"j({"type":"Sequence"})j"), kSchema, "/normalizer/normalizers",
       "nothing", "a list of normalizers"},
      {"chain of strings", Normalizer(R"j({"type":"Sequence","normalizers":["NFC"]})j"), kSchema,
       "/normalizer/normalizers/0", R"j("NFC")j", "an object"},
      {"deep chain", File(Chain("normalizer", "normalizers", 200)), kSchema,
       Deep("/normalizer", "normalizers"), "nesting deeper than 128 levels at byte 2205",
       "at most 128 levels"},
      {"growth by Replace",
       Normalizer(std::string(R"j({"type":"Replace","pattern":{"String":"a"},"content":")j") +
                  std::string(5000, 'x') + R"j("})j"),
       kRecipe, "/normalizer", "steps that can make a text more than 64 times longer", "at most 64 times",
       Library::kReads},
      {"replace without content", Normalizer(R"j({"type":"Replace","pattern":{"String":"a"}})j"), kSchema,
       "/normalizer/content", "nothing", "a string"},
      {"Prepend of nothing", Normalizer(R"j({"type":"Prepend","prepend":""})j"), kRecipe,
       "/normalizer/prepend", "an empty string", "at least one character", Library::kReads},
      {"unknown pre-tokenizer", Pre(R"j({"type":"Whitespaces"})j"), kRecipe, "/pre_tokenizer/type",
       "Whitespaces", "BertPreTokenizer, …"},
      {"deep pre chain", File(kNormalizer, Chain("pre_tokenizer", "pretokenizers", 200)), kSchema,
       Deep("/pre_tokenizer", "pretokenizers"), "nesting deeper than 128 levels at byte 2459",
       "at most 128 levels"},
      {"delimiter of two", Pre(R"j({"type":"CharDelimiterSplit","delimiter":"ab"})j"), kRecipe,
       "/pre_tokenizer/delimiter", "ab", "one character"},
      {"length zero", Pre(R"j({"type":"FixedLength","length":0})j"), kSchema, "/pre_tokenizer/length", "0",
       "a whole number from 1 to 2147483647", Library::kBreaks},
      {"unknown behavior", Pre(R"j({"type":"Punctuation","behavior":"Merged"})j"), kRecipe,
       "/pre_tokenizer/behavior", "Merged",
       "Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous"},
      {"split without invert", Pre(R"j({"type":"Split","pattern":{"String":"a"},"behavior":"Isolated"})j"),
       kSchema, "/pre_tokenizer/invert", "nothing", "true or false"},
      {"regex that does not compile",
       Pre(R"j({"type":"Split","pattern":{"Regex":"(a"},"behavior":"Isolated","invert":false})j"), kRecipe,
       "/pre_tokenizer/pattern/Regex", "a group that does not end", "alternatives, groups, …"},
      {"regex with a back reference",
       Pre(R"j({"type":"Split","pattern":{"Regex":"(a)\\1"},"behavior":"Isolated","invert":false})j"),
       kRecipe, "/pre_tokenizer/pattern/Regex", R"j(\1)j", "alternatives, groups, …", Library::kReads},
      {"regex with the absent operator",
       Pre(R"j({"type":"Split","pattern":{"Regex":"(?~abc)"},"behavior":"Isolated","invert":false})j"),
       kRecipe, "/pre_tokenizer/pattern/Regex", "the group (?~", "alternatives, groups, …", Library::kReads},
      {"pattern of another kind",
       Pre(R"j({"type":"Split","pattern":{"Glob":"*"},"behavior":"Isolated","invert":false})j"), kRecipe,
       "/pre_tokenizer/pattern", R"j({"Glob":"*"})j", R"j({"String": …} or {"Regex": …})j"},
      {"unknown post-processor", Post(R"j({"type":"GptProcessing"})j"), kRecipe, "/post_processor/type",
       "GptProcessing", "BertProcessing, …"},
      {"template without pair",
       Post(
           R"j({"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]}}})j"),
       kSchema, "/post_processor/pair", "nothing", "a list of parts"},
      {"template naming an unknown token",
       Post(
           R"j({"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}},{"SpecialToken":{"id":"[EOS]","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]}}})j"),
       kRecipe, "/post_processor/single/1/SpecialToken/id", "[EOS]", "a token of special_tokens",
       Library::kBreaks},
      {"template naming a third text",
       Post(
           R"j({"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"C","type_id":0}}],"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]}}})j"),
       kRecipe, "/post_processor/pair/1/Sequence/id", "C", "A, B"},
      {"template part of another kind",
       Post(
           R"j({"type":"TemplateProcessing","single":[{"Text":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]}}})j"),
       kRecipe, "/post_processor/single/0/Text", "Text", "SpecialToken, Sequence"},
      {"special without ids",
       Post(
           R"j({"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[],"tokens":["[CLS]"]}}})j"),
       kSchema, "/post_processor/special_tokens/[CLS]/ids", "[]", "as many ids as tokens: 1",
       Library::kReads},
      {"type id below zero",
       Post(
           R"j({"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":-1}}],"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],"special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]}}})j"),
       kSchema, "/post_processor/single/0/Sequence/type_id", "-1", "a whole number from 0 to 2147483647"},
      {"bert sep of the wrong kind", Post(R"j({"type":"BertProcessing","sep":"[SEP]","cls":["[CLS]",2]})j"),
       kSchema, "/post_processor/sep", R"j("[SEP]")j", "[token, id]"},
      {"unknown model", Model(R"j({"type":"Bytes","vocab":{}})j"), kRecipe, "/model/type", "Bytes", "BPE, …"},
      {"vocabulary of the wrong kind", WordPiece(R"j(["a"])j"), kSchema, "/model/vocab", "array",
       "an object of tokens and ids"},
      {"duplicate token", WordPiece(R"j({"[UNK]":0,"a":1,"a":2})j"), kSchema, "/model/vocab/a",
       "the key twice in one object", "each key once", Library::kReads},
      {"id below zero", WordPiece(R"j({"[UNK]":0,"a":-1})j"), kSchema, "/model/vocab/a", "-1",
       "an id from 0 to 2147483646"},
      {"id beyond 32 bits", WordPiece(R"j({"[UNK]":0,"a":4294967296})j"), kSchema, "/model/vocab/a",
       "4294967296", "an id from 0 to 2147483646"},
      {"id with a fraction", WordPiece(R"j({"[UNK]":0,"a":1.5})j"), kSchema, "/model/vocab/a", "1.5",
       "an id from 0 to 2147483646"},
      {"unknown token not there", WordPiece(R"j({"a":0})j"), kRecipe, "/model/unk_token", "[UNK]",
       "a token of the vocabulary", Library::kReads},
      {"negative word length",
       Model(
           R"j({"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":-1,"vocab":{"[UNK]":0,"a":1}})j"),
       kSchema, "/model/max_input_chars_per_word", "-1", "a whole number from 0 to 2147483647"},
      {"no merges", Bpe(R"j()j"), kSchema, "/model/merges", "nothing", "a list of merges"},
      {"merge of an unknown piece", Bpe(R"j(,"merges":["a b","a c"])j"), kRecipe, "/model/merges/1", "c",
       "tokens of the vocabulary"},
      {"merge into an unknown piece", Bpe(R"j(,"merges":["b a"])j"), kRecipe, "/model/merges/0",
       "ba, which the two make", "tokens of the vocabulary"},
      {"merge of three", Bpe(R"j(,"merges":["a b ab"])j"), kSchema, "/model/merges/0", "a b ab",
       "two tokens and one space between them"},
      {"merge of the wrong kind", Bpe(R"j(,"merges":[["a","b",1]])j"), kSchema, "/model/merges/0",
       R"j(["a","b",1])j", "a list of two tokens, since the first merge is a list"},
      {"dropout", Bpe(R"j(,"merges":[],"dropout":0.1)j"), kRecipe, "/model/dropout", "0.1",
       "null, 0: the same text must give the same tokens", Library::kReads},
      {"bpe stranger", Bpe(R"j(,"merges":[],"cache_capacity":10)j"), kRecipe, "/model/cache_capacity",
       "unknown key",
       "type, dropout, unk_token, continuing_subword_prefix, end_of_word_suffix, fuse_unk, byte_fallback, "
       "ignore_merges, vocab, merges",
       Library::kReads},
      {"bytes beside a suffix", Bpe(R"j(,"merges":[],"byte_fallback":true,"end_of_word_suffix":"</w>")j"),
       kRecipe, "/model/byte_fallback", "true, with continuing_subword_prefix or end_of_word_suffix",
       "true only without them", Library::kReads},
      {"added id",
       Added(
           R"j({"id":9,"content":"<m>","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true})j"),
       kConflict, "/added_tokens/0/id", "9", "7, the id that the vocabulary leads to", Library::kReads},
      {"added without a flag",
       Added(
           R"j({"id":7,"content":"<m>","single_word":false,"lstrip":false,"rstrip":false,"normalized":false})j"),
       kSchema, "/added_tokens/0/special", "nothing", "true or false"},
      {"added tokens that become alike",
       Added(
           R"j({"id":7,"content":"Q","single_word":false,"lstrip":false,"rstrip":false,"normalized":true,"special":false},{"id":8,"content":"q","single_word":false,"lstrip":false,"rstrip":false,"normalized":true,"special":false})j"),
       kRecipe, "/added_tokens/1/content", "q",
       "tokens that stay distinct, not empty and within 512 bytes when normalised", Library::kReads},
      {"added of the wrong kind", Added(R"j("<m>")j"), kSchema, "/added_tokens/0", R"j("<m>")j", "an object"},
      {"added content of the wrong kind",
       Added(
           R"j({"id":7,"content":["<m>"],"single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true})j"),
       kSchema, "/added_tokens/0/content", R"j(["<m>"])j", "a string"},
      {"truncation side",
       File(
           kNormalizer, kPre, kPost, kModel,
           R"j("version":"1.0","truncation":{"direction":"Up","max_length":8,"strategy":"LongestFirst","stride":0})j"),
       kRecipe, "/truncation/direction", "Up", "Left, Right"},
      {"metaspace of two characters",
       Pre(R"j({"type":"Metaspace","replacement":"__","prepend_scheme":"always","split":true})j"), kRecipe,
       "/pre_tokenizer/replacement", "__", "one character"},
      {"metaspace scheme",
       Pre(R"j({"type":"Metaspace","replacement":"_","prepend_scheme":"last","split":true})j"), kRecipe,
       "/pre_tokenizer/prepend_scheme", "last", "always, first, never"},
      {"byte level without a flag", Pre(R"j({"type":"ByteLevel","add_prefix_space":true,"use_regex":true})j"),
       kSchema, "/pre_tokenizer/trim_offsets", "nothing", "true or false"},
      {"byte level stranger",
       Pre(R"j({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true,"pattern":"x"})j"),
       kRecipe, "/pre_tokenizer/pattern", "unknown key", "type, add_prefix_space, trim_offsets, use_regex",
       Library::kReads},
      {"digits flag", Pre(R"j({"type":"Digits","individual_digits":"yes"})j"), kSchema,
       "/pre_tokenizer/individual_digits", R"j("yes")j", "true or false"},
      {"charsmap not base64", Normalizer(R"j({"type":"Precompiled","precompiled_charsmap":"***"})j"), kRecipe,
       "/normalizer/precompiled_charsmap", "a string that is not base64",
       "a SentencePiece charsmap in base64"},
      {"charsmap too short", Normalizer(R"j({"type":"Precompiled","precompiled_charsmap":"AAw="})j"), kRecipe,
       "/normalizer/precompiled_charsmap", "2 bytes, too few for the size of a trie",
       "a SentencePiece charsmap in base64"},
      {"charsmap truncated",
       Normalizer(R"j({"type":"Precompiled","precompiled_charsmap":"ABAAAAAAAAAAAAAAAAAAAAAAAAA="})j"),
       kRecipe, "/normalizer/precompiled_charsmap", "a trie of 4096 bytes in 20 bytes",
       "a SentencePiece charsmap in base64"},
      {"charsmap odd trie",
       Normalizer(R"j({"type":"Precompiled","precompiled_charsmap":"BwAAAAAAAAAAAAAAAAAAAAAAAAA="})j"),
       kRecipe, "/normalizer/precompiled_charsmap", "a trie of 7 bytes in 20 bytes",
       "a SentencePiece charsmap in base64", Library::kBreaks},
      {"charsmap missing", Normalizer(R"j({"type":"Precompiled"})j"), kSchema,
       "/normalizer/precompiled_charsmap", "nothing", "a string"},
      {"replace regex",
       Normalizer(R"j({"type":"Replace","pattern":{"Regex":"(?<n>a)\\k<n>"},"content":""})j"), kRecipe,
       "/normalizer/pattern/Regex", R"j(\k)j", "alternatives, groups, …", Library::kReads},
      {"unigram unk beyond",
       Model(R"j({"type":"Unigram","unk_id":2,"byte_fallback":false,"vocab":[["<unk>",0.0],["a",-1.0]]})j"),
       kRecipe, "/model/unk_id", "2", "null or an index of the 2 pieces"},
      {"unigram without vocabulary", Model(R"j({"type":"Unigram","unk_id":0,"byte_fallback":false})j"),
       kSchema, "/model/vocab", "nothing", "a list of pieces"},
      {"unigram entry of three",
       Model(R"j({"type":"Unigram","unk_id":0,"byte_fallback":false,"vocab":[["<unk>",0.0,1]]})j"), kSchema,
       "/model/vocab/0", R"j(["<unk>",0,1])j", "a list of a piece and its score"},
      {"unigram score of the wrong kind",
       Model(R"j({"type":"Unigram","unk_id":0,"byte_fallback":false,"vocab":[["<unk>","0"]]})j"), kSchema,
       "/model/vocab/0", R"j(["<unk>","0"])j", "a list of a piece and its score"},
      {"roberta without cls",
       Post(R"j({"type":"RobertaProcessing","sep":["</s>",2],"trim_offsets":true,"add_prefix_space":true})j"),
       kSchema, "/post_processor/cls", "nothing", "[token, id]"},
      {"roberta id of the wrong kind",
       Post(
           R"j({"type":"RobertaProcessing","sep":["</s>","2"],"cls":["<s>",0],"trim_offsets":true,"add_prefix_space":true})j"),
       kSchema, "/post_processor/sep", R"j("2")j", "a token id"},
      {"post chain of strings", Post(R"j({"type":"Sequence","processors":["ByteLevel"]})j"), kSchema,
       "/post_processor/processors/0", R"j("ByteLevel")j", "an object"},
      {"unigram stranger",
       Model(R"j({"type":"Unigram","unk_id":0,"byte_fallback":false,"alpha":0.1,"vocab":[["<unk>",0.0]]})j"),
       kRecipe, "/model/alpha", "unknown key", "type, unk_id, byte_fallback, vocab", Library::kReads},
      // Null where the library wants a value. A reader of tokenizer.json that took it for absent would read a
      // default.
      {"null use_regex",
       Pre(R"j({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":null})j"), kSchema,
       "/pre_tokenizer/use_regex", "null", "a value that is not null"},
      {"null in a chain",
       Pre(R"j({"type":"Sequence","pretokenizers":[{"type":"Punctuation","behavior":null}]})j"), kSchema,
       "/pre_tokenizer/pretokenizers/0/behavior", "null", "a value that is not null"},
      {"null prepend_scheme",
       Pre(R"j({"type":"Metaspace","replacement":"_","prepend_scheme":null,"split":null,"str_rep":null})j"),
       kSchema, "/pre_tokenizer/prepend_scheme", "null", "a value that is not null"},
      {"null behavior", Pre(R"j({"type":"Punctuation","behavior":null})j"), kSchema,
       "/pre_tokenizer/behavior", "null", "a value that is not null"},
      {"null length", Pre(R"j({"type":"FixedLength","length":null})j"), kSchema, "/pre_tokenizer/length",
       "null", "a value that is not null"},
      {"null literal", Normalizer(R"j({"type":"Replace","pattern":{"String":null},"content":""})j"), kSchema,
       "/normalizer/pattern/String", "nothing", "a string"},
      {"null pattern",
       Pre(R"j({"type":"Split","pattern":{"Regex":null},"behavior":"Isolated","invert":false})j"), kSchema,
       "/pre_tokenizer/pattern/Regex", "nothing", "a string"},
      {"null part of a template",
       Post(
           R"j({"type":"TemplateProcessing","single":[{"Sequence":null}],"pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":0}}],"special_tokens":{}})j"),
       kSchema, "/post_processor/single/0/Sequence", "nothing", "an object of id and type_id"},
      {"null model type", Model(R"j({"type":null,"unk_token":"a","vocab":{"a":0}})j"), kSchema, "/model/type",
       "null", "a value that is not null"},
      {"null byte_fallback",
       Model(R"j({"type":"Unigram","unk_id":null,"byte_fallback":null,"vocab":[["a",0.0]]})j"), kSchema,
       "/model/byte_fallback", "null", "a value that is not null"},
      {"null direction",
       File(
           kNormalizer, kPre, kPost, kModel,
           R"j("version":"1.0","truncation":{"direction":null,"max_length":8,"strategy":"LongestFirst","stride":0})j"),
       kSchema, "/truncation/direction", "null", "a value that is not null"},
      {"null version", File(kNormalizer, kPre, kPost, kModel, R"j("version":null)j"), kSchema, "/version",
       "null", "a value that is not null"},
      {"null added tokens", File(kNormalizer, kPre, kPost, kModel, R"j("added_tokens":null)j"), kSchema,
       "/added_tokens", "null", "a value that is not null"},
      {"wrong kind of pattern",
       Pre(R"j({"type":"Split","pattern":"a","behavior":"Isolated","invert":false})j"), kSchema,
       "/pre_tokenizer/pattern", R"j("a")j", "an object"},
  };
}

TEST(BadTokenizers, AreRefusedAtTheirPlace) {
  std::set<std::string> answers;
  for (const Bad& bad : Cases()) {
    SCOPED_TRACE(bad.name);
    const Answer answer = Read(bad.file);
    EXPECT_FALSE(answer);
    if (answer) continue;
    // A damage is one problem; only a vocabulary that is none also lacks the unknown token.
    EXPECT_EQ(answer.error().size(), bad.name == "vocabulary of the wrong kind" ? 2u : 1u);
    const Error& first = answer.error().front();
    EXPECT_EQ(first.code, bad.code) << Line(first);
    EXPECT_EQ(first.where.file, "tokenizer.json");
    EXPECT_EQ(first.where.pointer, bad.pointer) << Line(first);
    EXPECT_EQ(Short(first.found), bad.found);
    EXPECT_TRUE(Matches(bad.allowed, first.allowed)) << Line(first);
    EXPECT_TRUE(answers.insert(Line(first)).second) << "the same answer as another damage";
  }
  EXPECT_GE(answers.size(), 30u);
}

// The page has a row for each file that the library reads: "| name | why |".
TEST(BadTokenizers, ThoseThatTheLibraryReadsAreExplained) {
  std::ifstream in(CANDOR_SOURCE_DIR "/docs/tokenizers.md", std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  for (const Bad& bad : Cases()) {
    const bool has = page.find("\n| " + bad.name + " | ") != std::string::npos;
    EXPECT_EQ(has, bad.library != Library::kRefuses) << bad.name;
  }
}

}  // namespace
}  // namespace candor::text

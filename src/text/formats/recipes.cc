// The tokenizer classes whose older files are read, as transformers 5.24 builds them. Long because the parts
// of a class are written out as the JSON that tokenizer.json would hold: a table, not code.
#include <algorithm>

#include "text/formats/formats.h"

namespace candor::text {
namespace {

constexpr RecipeOption kBertOptions[] = {
    {"do_lower_case", "true"}, {"tokenize_chinese_chars", "true"}, {"strip_accents", "null"}};
constexpr RecipeOption kRobertaOptions[] = {{"add_prefix_space", "false"}, {"trim_offsets", "true"}};
constexpr RecipeOption kByteOptions[] = {
    {"add_prefix_space", "false"}, {"add_bos_token", "false"}, {"add_eos_token", "false"}};
constexpr RecipeOption kSpaceOptions[] = {{"add_prefix_space", "true"}};
constexpr RecipeOption kT5Options[] = {{"extra_ids", "100"}};
constexpr RecipeOption kAlbertOptions[] = {
    {"add_prefix_space", "true"}, {"do_lower_case", "true"}, {"keep_accents", "false"}};
constexpr RecipeOption kDebertaOptions[] = {
    {"add_prefix_space", "true"}, {"do_lower_case", "false"}, {"split_by_punct", "false"}};
constexpr RecipeOption kLlamaOptions[] = {{"add_prefix_space", "true"},
                                          {"legacy", "false"},
                                          {"add_bos_token", "false"},
                                          {"add_eos_token", "false"}};
constexpr RecipeOption kGemmaOptions[] = {{"add_bos_token", "false"}, {"add_eos_token", "false"}};

constexpr std::string_view kWordPiece =
    R"("type":"WordPiece","unk_token":$unk,"continuing_subword_prefix":"##","max_input_chars_per_word":100)";
constexpr std::string_view kBytePairs =
    R"("type":"BPE","dropout":null,"unk_token":null,"continuing_subword_prefix":"",)"
    R"("end_of_word_suffix":"","fuse_unk":false,"byte_fallback":false,"ignore_merges":false)";
constexpr std::string_view kBertNormalizer =
    R"({"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":$tokenize_chinese_chars,)"
    R"("strip_accents":$strip_accents,"lowercase":$do_lower_case})";
constexpr std::string_view kBertPre = R"({"type":"BertPreTokenizer"})";
constexpr std::string_view kWordPieceDecoder = R"({"type":"WordPiece","prefix":"##","cleanup":true})";
constexpr std::string_view kByteLevel =
    R"({"type":"ByteLevel","add_prefix_space":$add_prefix_space,"trim_offsets":true,"use_regex":true})";
constexpr std::string_view kByteDecoder =
    R"({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true})";
constexpr std::string_view kQwen2Pre =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":)"
    R"("(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*)"
    R"(|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},"behavior":"Isolated","invert":false},)"
    R"({"type":"ByteLevel","add_prefix_space":$add_prefix_space,"trim_offsets":true,"use_regex":false}]})";
constexpr std::string_view kWordsOfSpaces =
    R"({"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},)"
    R"({"type":"Metaspace","replacement":"▁","prepend_scheme":$scheme,"split":true}]})";
constexpr std::string_view kSpaceDecoder =
    R"({"type":"Metaspace","replacement":"▁","prepend_scheme":$scheme,"split":true})";
constexpr std::string_view kFallbackDecoder =
    R"({"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"▁"},"content":" "},)"
    R"({"type":"ByteFallback"},{"type":"Fuse"}$then_strip]})";
constexpr std::string_view kAlbertNormalizer =
    R"({"type":"Sequence","normalizers":[{"type":"Replace","pattern":{"String":"``"},"content":"\""},)"
    R"({"type":"Replace","pattern":{"String":"''"},"content":"\""}$then_unaccent$then_lower$then_charsmap]})";
constexpr std::string_view kDebertaNormalizer =
    R"({"type":"Sequence","normalizers":[$lower_first{"type":"Replace","pattern":{"Regex":)"
    R"("\\s{2,}|[\\n\\r\\t]"},"content":" "},{"type":"NFC"},)"
    R"({"type":"Strip","strip_left":false,"strip_right":true}]})";
constexpr std::string_view kDebertaPre =
    R"({"type":"Sequence","pretokenizers":[$punctuation_first)"
    R"({"type":"Metaspace","replacement":"▁","prepend_scheme":$scheme,"split":true}]})";
constexpr std::string_view kPieceMerges =
    R"("type":"BPE","dropout":null,"unk_token":$unk_or_null,"continuing_subword_prefix":null,)"
    R"("end_of_word_suffix":null,"fuse_unk":true,"byte_fallback":true,"ignore_merges":false)";

// Names in kNamedTokens' order: bos, eos, unk, sep, pad, cls, mask.
constexpr Recipe kBert = {.tokenizer_class = "BertTokenizer",
                          .source = VocabularySource::kVocabTxt,
                          .file = "vocab.txt",
                          .model = kWordPiece,
                          .normalizer = kBertNormalizer,
                          .pre_tokenizer = kBertPre,
                          .decoder = kWordPieceDecoder,
                          .ends = "cls A sep|cls A sep B:1 sep:1",
                          .options = kBertOptions,
                          .names = {"", "", "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"},
                          .type_ids = true};

constexpr Recipe DistilBert() {
  Recipe recipe = kBert;
  recipe.tokenizer_class = "DistilBertTokenizer";
  recipe.type_ids = false;
  return recipe;
}

constexpr Recipe Mpnet() {
  Recipe recipe = kBert;
  recipe.tokenizer_class = "MPNetTokenizer";
  recipe.ends = {};
  recipe.processor = R"({"type":"RobertaProcessing","sep":[$sep,$sep_id],"cls":[$cls,$cls_id],)"
                     R"("trim_offsets":true,"add_prefix_space":false})";
  recipe.names = {"<s>", "</s>", "[UNK]", "</s>", "<pad>", "<s>", "<mask>"};
  recipe.type_ids = false;
  recipe.mask_takes_space_before = true;
  return recipe;
}

constexpr Recipe kXlmRoberta = {.tokenizer_class = "XLMRobertaTokenizer",
                                .source = VocabularySource::kUnigram,
                                .file = "sentencepiece.bpe.model",
                                .model = R"("type":"Unigram","unk_id":3,"byte_fallback":false)",
                                .normalizer = "$charsmap",
                                .pre_tokenizer = kWordsOfSpaces,
                                .decoder = kSpaceDecoder,
                                .ends = "bos A eos|bos A eos eos B eos",
                                .options = kSpaceOptions,
                                .names = {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"},
                                .pieces = {"bos pad eos unk", 3, "mask"},
                                .without_prefix = "never"};

constexpr Recipe Camembert() {
  Recipe recipe = kXlmRoberta;
  recipe.tokenizer_class = "CamembertTokenizer";
  recipe.model = R"("type":"Unigram","unk_id":$unk_first,"byte_fallback":false)";
  recipe.mask_takes_space_before = true;
  recipe.pieces = {"<s>NOTUSED pad </s>NOTUSED unk <unk>NOTUSED", 1, "mask"};
  return recipe;
}

constexpr Recipe kTable[] = {
    kBert,
    DistilBert(),
    Mpnet(),
    {.tokenizer_class = "RobertaTokenizer",
     .source = VocabularySource::kVocabAndMerges,
     .file = "vocab.json",
     .model = kBytePairs,
     .pre_tokenizer = kByteLevel,
     .decoder = kByteDecoder,
     .processor = R"({"type":"RobertaProcessing","sep":[$sep,$sep_id],"cls":[$cls,$cls_id],)"
                  R"("trim_offsets":$trim_offsets,"add_prefix_space":$add_prefix_space})",
     .options = kRobertaOptions,
     .names = {"<s>", "</s>", "<unk>", "</s>", "<pad>", "<s>", "<mask>"}},
    {.tokenizer_class = "GPT2Tokenizer",
     .source = VocabularySource::kVocabAndMerges,
     .file = "vocab.json",
     .model = kBytePairs,
     .pre_tokenizer = kByteLevel,
     .decoder = kByteDecoder,
     .options = kByteOptions,
     .names = {"<|endoftext|>", "<|endoftext|>", "<|endoftext|>", "", "", "", ""}},
    {.tokenizer_class = "Qwen2Tokenizer",
     .source = VocabularySource::kVocabAndMerges,
     .file = "vocab.json",
     .model = kBytePairs,
     .normalizer = R"({"type":"NFC"})",
     .pre_tokenizer = kQwen2Pre,
     .decoder = kByteDecoder,
     .options = kByteOptions,
     .names = {"", "<|endoftext|>", "<|endoftext|>", "", "<|endoftext|>", "", ""},
     .renews_names = true},
    kXlmRoberta,
    Camembert(),
    {.tokenizer_class = "T5Tokenizer",
     .source = VocabularySource::kUnigram,
     .file = "spiece.model",
     .model = R"("type":"Unigram","unk_id":2,"byte_fallback":false)",
     .normalizer = "$charsmap",
     .pre_tokenizer = kWordsOfSpaces,
     .decoder = kSpaceDecoder,
     .ends = "A eos|A eos B eos",
     .options = kT5Options,
     .names = {"", "</s>", "<unk>", "", "<pad>", "", ""},
     .pieces = {"", 0, "extra_ids"}},
    {.tokenizer_class = "AlbertTokenizer",
     .source = VocabularySource::kUnigram,
     .file = "spiece.model",
     .model = R"("type":"Unigram","unk_id":1,"byte_fallback":false)",
     .normalizer = kAlbertNormalizer,
     .pre_tokenizer = kWordsOfSpaces,
     .decoder = kSpaceDecoder,
     .ends = "cls A sep|cls A sep B:1 sep:1",
     .options = kAlbertOptions,
     .names = {"[CLS]", "[SEP]", "<unk>", "[SEP]", "<pad>", "[CLS]", "[MASK]"},
     .without_prefix = "never"},
    {.tokenizer_class = "DebertaV2Tokenizer",
     .source = VocabularySource::kUnigram,
     .file = "spm.model",
     .model = R"("type":"Unigram","unk_id":$unk_scored,"byte_fallback":false)",
     .normalizer = kDebertaNormalizer,
     .pre_tokenizer = kDebertaPre,
     .decoder = kSpaceDecoder,
     .ends = "cls A sep|cls A sep B:1 sep:1",
     .options = kDebertaOptions,
     .names = {"[CLS]", "[SEP]", "[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"},
     .type_ids = true,
     .without_prefix = "first"},
    {.tokenizer_class = "LlamaTokenizer",
     .source = VocabularySource::kPieceMerges,
     .file = "tokenizer.model",
     .model = kPieceMerges,
     .pre_tokenizer = R"({"type":"Metaspace","replacement":"▁","prepend_scheme":$scheme,"split":false})",
     .decoder = kFallbackDecoder,
     .options = kLlamaOptions,
     .names = {"<s>", "</s>", "<unk>", "", "", "", ""},
     .without_prefix = "never"},
    {.tokenizer_class = "GemmaTokenizer",
     .source = VocabularySource::kPieceMerges,
     .file = "tokenizer.model",
     .model = kPieceMerges,
     .normalizer = R"({"type":"Replace","pattern":{"String":" "},"content":"▁"})",
     .pre_tokenizer =
         R"({"type":"Split","pattern":{"String":" "},"behavior":"MergedWithPrevious","invert":false})",
     .decoder = kFallbackDecoder,
     .options = kGemmaOptions,
     .names = {"<bos>", "<eos>", "<unk>", "", "<pad>", "", "<mask>"},
     .unknown_in_model = true},
};

}  // namespace

std::span<const Recipe> Recipes() { return kTable; }

const Recipe* FindRecipe(std::string_view tokenizer_class) {
  const auto* const row = std::ranges::find(kTable, tokenizer_class, &Recipe::tokenizer_class);
  return row == std::end(kTable) ? nullptr : row;
}

}  // namespace candor::text

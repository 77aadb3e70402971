"""tokenizer.json and tokenizer_config.json."""

from case import Case, at
from package_edit import drop, edits, put

FILE, SAYS = "tokenizer.json", "tokenizer_config.json"
SCHEMA, RECIPE, CONFLICT = "invalid_package_schema", "unsupported_processor_recipe", "evidence_conflict"
CONTRACT = "preprocessing_contract_mismatch"
ROWS = "ids below 189, the rows of the token table"
PRE_TOKENIZERS = (
    "BertPreTokenizer, ByteLevel, CharDelimiterSplit, Digits, FixedLength, Metaspace, Punctuation, Sequence, "
    "Split, UnicodeScripts, Whitespace, WhitespaceSplit"
)
DESCRIBED = "BertNormalizer, which keys of tokenizer_config.json describe"
NEW = {
    "content": "<new>",
    "single_word": False,
    "lstrip": False,
    "rstrip": False,
    "normalized": False,
    "special": False,
}


def one(pointer, value, code, found, allowed, place=None, file=FILE):
    """One value, one problem at its place."""
    place = pointer if place is None else place
    return Case(
        f"{file} {pointer} {value}",
        "classic",
        put(file, pointer, value),
        [at(code, file, place, found, allowed)],
    )


def says(key, value, code, found, allowed, place=None):
    return one(f"/{key}", value, code, found, allowed, place, SAYS)


CASES = [
    # components that are not implemented, and those that are not there
    Case("no model", "classic", drop(FILE, "/model"), [at(SCHEMA, FILE, "/model", "nothing", "a model")]),
    one("/model/type", "Bytes", RECIPE, "Bytes", "BPE, WordPiece, WordLevel, Unigram"),
    one(
        "/model/extra",
        1,
        RECIPE,
        "unknown key",
        "type, unk_token, continuing_subword_prefix, max_input_chars_per_word, vocab",
    ),
    one("/model/unk_token", "[NONE]", RECIPE, "[NONE]", "a token of the vocabulary"),
    one("/model/vocab/the", -1, SCHEMA, "-1", "an id from 0 to 2147483646"),
    one("/model/max_input_chars_per_word", -3, SCHEMA, "-3", "a whole number from 0 to 2147483647"),
    one("/model/continuing_subword_prefix", 7, SCHEMA, "7", "a string"),
    one("/normalizer", {"type": "NFC"}, CONFLICT, "NFC", DESCRIBED, "/normalizer/type"),
    one("/normalizer", None, CONFLICT, "no normalizer", DESCRIBED),
    one("/normalizer/lowercase", "yes", SCHEMA, '"yes"', "true or false"),
    one("/pre_tokenizer/type", "BytePairs", RECIPE, "BytePairs", PRE_TOKENIZERS),
    one(
        "/post_processor/type",
        "ElectraProcessing",
        RECIPE,
        "ElectraProcessing",
        "BertProcessing, ByteLevel, RobertaProcessing, Sequence, TemplateProcessing",
    ),
    one("/post_processor/single/0/SpecialToken/id", "[NOPE]", RECIPE, "[NOPE]", "a token of special_tokens"),
    one("/post_processor/single/1/Sequence/id", "C", RECIPE, "C", "A"),
    one("/version", "2.0", RECIPE, '"2.0"', "1.0"),
    one(
        "/unknown",
        1,
        RECIPE,
        "unknown key",
        "type, version, truncation, padding, added_tokens, normalizer, "
        "pre_tokenizer, post_processor, decoder, model",
    ),
    one(
        "/truncation",
        {"direction": "Up", "max_length": 9},
        RECIPE,
        "Up",
        "Left, Right",
        "/truncation/direction",
    ),
    one(
        "/truncation",
        {"strategy": "LongestFirst"},
        SCHEMA,
        "nothing",
        "a number of tokens",
        "/truncation/max_length",
    ),
    one("/added_tokens/2/id", 7, CONFLICT, "7", "2, the id that the vocabulary leads to"),
    one("/added_tokens/2/content", 7, SCHEMA, "7", "a string"),
    Case(
        "added without a flag",
        "classic",
        drop(FILE, "/added_tokens/3/special"),
        [at(SCHEMA, FILE, "/added_tokens/3/special", "nothing", "true or false")],
    ),
    one(
        "/added_tokens/-",
        {"id": 400, **NEW},
        CONFLICT,
        "400",
        "189, the id that the vocabulary leads to",
        "/added_tokens/5/id",
    ),
    # FAM-09: ids and types that the model has no row for, wherever they come from
    one("/added_tokens/-", {"id": 189, **NEW}, CONTRACT, 'id 189 of "<new>"', ROWS, ""),
    one("/model/vocab/the", 999, CONTRACT, 'id 999 of "the"', ROWS, ""),
    one("/post_processor/special_tokens/[CLS]/ids", [999], CONTRACT, "id 999", ROWS, "/post_processor"),
    one(
        "/post_processor/single/0/SpecialToken/type_id",
        7,
        CONTRACT,
        "token type 7",
        "token types below 2",
        "/post_processor",
    ),
    one(
        "/post_processor/single/1/Sequence/type_id",
        2,
        CONTRACT,
        "token type 2",
        "token types below 2",
        "/post_processor",
    ),
    # tokenizer_config.json
    says(
        "tokenizer_class",
        "GPT2Tokenizer",
        RECIPE,
        "GPT2Tokenizer",
        "a BERT class, PreTrainedTokenizerFast, TokenizersBackend",
    ),
    says("model_max_length", "x", SCHEMA, '"x"', "a number"),
    says("truncation_side", "middle", RECIPE, "middle", "left, right"),
    says("never_split", ["a"], RECIPE, '["a"]', "null, []"),
    says("do_basic_tokenize", False, RECIPE, "false", "true"),
    says(
        "novel_key",
        1,
        "unqualified_case",
        "a key that nothing here knows",
        "keys with a known meaning, or --allow-unqualified",
    ),
    says("do_lower_case", "yes", SCHEMA, '"yes"', "true or false"),
    says(
        "added_tokens_decoder", {"x": {"content": "a"}}, SCHEMA, "x", "a token id", "/added_tokens_decoder/x"
    ),
    says(
        "added_tokens_decoder",
        {"2": {"content": "[SEP]"}},
        CONFLICT,
        "2",
        "3, the id that the vocabulary leads to",
        "/added_tokens_decoder/2",
    ),
    says("additional_special_tokens", 7, SCHEMA, "integer", "a list of tokens"),
    # ERR-03
    Case(
        "five faults of two files",
        "classic",
        edits(
            put(FILE, "/version", "2.0"),
            put(FILE, "/pre_tokenizer/type", "BytePairs"),
            put(FILE, "/added_tokens/2/id", 7),
            put(SAYS, "/truncation_side", "up"),
            put(SAYS, "/do_lower_case", "yes"),
        ),
        [
            at(SCHEMA, SAYS, "/do_lower_case", '"yes"', "true or false"),
            at(RECIPE, SAYS, "/truncation_side", "up", "left, right"),
            at(RECIPE, FILE, "/version", '"2.0"', "1.0"),
            at(RECIPE, FILE, "/pre_tokenizer/type", "BytePairs", PRE_TOKENIZERS),
            at(CONFLICT, FILE, "/added_tokens/2/id", "7", "2, the id that the vocabulary leads to"),
        ],
    ),
]

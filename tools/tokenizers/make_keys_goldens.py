#!/usr/bin/env python3
"""goldens/keys: small packages whose files beside tokenizer.json write one key each, and the answers that follow.

make_keys_goldens.py OUT. Expected is what PyPI `tokenizers` makes of tokenizer.json once the key's meaning is written into it,
by the `edit` of the row below. transformers must give the same, but in the row where its class drops a part of tokenizer.json
(docs/tokenizers.md). A row that says it acts must change an answer.
"""
import copy
import json
import os
import pathlib
import sys
import tempfile

os.environ["TRANSFORMERS_VERBOSITY"] = "error"
import tokenizers  # noqa: E402
import transformers  # noqa: E402
from tokenizers import AddedToken  # noqa: E402

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = "hello Hello world café cafe Café ##s a b x ##x 中 文 中文 ! ##! the The q".split()
TEXTS = ["hello world", " Hello  Café the", "café 中文! x", "a [MASK] b [Q]x  hello", "中文a <new> b", "The [CLS] q [R] hello [MASK]x",
         "hello world x [Q] [SEP] the the"]
FLAGS = {"lstrip": False, "rstrip": False, "normalized": False, "single_word": False}


def template(cls, cls_id, sep, sep_id):
    def part(name, type_id=0):
        return {"Sequence" if name in "AB" else "SpecialToken": {"id": name, "type_id": type_id}}
    ends = {name: {"id": name, "ids": [i], "tokens": [name]} for name, i in ((cls, cls_id), (sep, sep_id)) if name}
    single = [part(name) for name in (cls, "A", sep) if name]
    return {"type": "TemplateProcessing", "single": single, "pair": single + [part(name, 1) for name in ("B", sep) if name],
            "special_tokens": ends}


def whole(model, normalizer, pre_tokenizer, post_processor, specials):
    return {"version": "1.0", "truncation": None, "padding": None,
            "added_tokens": [{"id": i, "content": token, **FLAGS, "special": True} for token, i in specials],
            "normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "post_processor": post_processor, "decoder": None, "model": model}


def bert(**flags):
    vocab = {token: i for i, token in enumerate(SPECIALS + WORDS)}
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab}
    normalizer = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True, **flags}
    return whole(model, normalizer, {"type": "BertPreTokenizer"}, template("[CLS]", 2, "[SEP]", 3), [(t, vocab[t]) for t in SPECIALS])


def letters():
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [b for b in range(256) if b not in kept]
    return [chr(b) for b in kept] + [chr(256 + i) for i in range(len(others))]


def level(pre_tokenizer, post_processor, **more):
    merges = ["h e", "l l", "he ll", "hell o", "Ġ hello", "Ġ x"]
    tokens = ["<s>", "<pad>", "</s>", "<unk>", *letters(), *(m.replace(" ", "") for m in merges), "<mask>"]
    vocab = {token: i for i, token in enumerate(tokens)}
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
             "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, "vocab": vocab, "merges": merges, **more}
    return whole(model, None, pre_tokenizer, post_processor, [(t, vocab[t]) for t in ("<s>", "<pad>", "</s>", "<unk>", "<mask>")])


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
ROBERTA = {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": True, "add_prefix_space": False}
SPLIT = {"type": "Split", "pattern": {"Regex": r"\s?\S+"}, "behavior": "Isolated", "invert": False}
BASES = {
    "bert": bert(), "bert_cased": bert(lowercase=False), "bert_accents": bert(strip_accents=False),
    "roberta": level(BYTE_LEVEL, ROBERTA), "gpt2": level(BYTE_LEVEL, {**BYTE_LEVEL, "add_prefix_space": True}),
    "qwen2": level({"type": "Sequence", "pretokenizers": [SPLIT, {**BYTE_LEVEL, "use_regex": False}]}, BYTE_LEVEL),
    "llama": level({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}, template("<s>", 0, None, None)),
}


def put(section, **values):
    """Writes values into a section of tokenizer.json; in a chain, into its last member."""
    def edit(tokenizer):
        part = tokenizer[section]
        (part["pretokenizers"][-1] if "pretokenizers" in part else part).update(values)
    return edit


def both(*edits):
    return lambda tokenizer: [edit(tokenizer) for edit in edits]


def token(content, special=True, **flags):
    return AddedToken(content, special=special, **{**FLAGS, **flags})


def plain(content, **flags):
    return token(content, special=False, **flags)


def spoken(**flags):
    return {**FLAGS, **flags}


P = "PreTrainedTokenizerFast"
# name: base, files beside it, edit of tokenizer.json, tokens added to it; then: limit and side, whether the key acts, whether transformers agrees.
ROWS = {
    "lower_off": ("bert", {"do_lower_case": False}, put("normalizer", lowercase=False)),
    "lower_on": ("bert_cased", {"do_lower_case": True, "tokenizer_class": "BertTokenizer"}, put("normalizer", lowercase=True)),
    "lower_of_a_plain_class": ("bert", {"do_lower_case": False, "tokenizer_class": P}, None, [], {"acts": False}),
    "accents_stay": ("bert", {"strip_accents": False, "tokenizer_class": "BertTokenizerFast"}, put("normalizer", strip_accents=False)),
    "accents_go": ("bert_cased", {"strip_accents": True, "do_lower_case": False}, put("normalizer", strip_accents=True)),
    "accents_follow": ("bert_accents", {"strip_accents": None}, put("normalizer", strip_accents=None)),
    "chinese_stays": ("bert", {"tokenize_chinese_chars": False, "tokenizer_class": "ElectraTokenizer"},
                      put("normalizer", handle_chinese_chars=False)),
    "space_before_roberta": ("roberta", {"add_prefix_space": True, "tokenizer_class": "RobertaTokenizer"},
                             both(put("pre_tokenizer", add_prefix_space=True), put("post_processor", add_prefix_space=True))),
    "space_before_gpt2": ("gpt2", {"add_prefix_space": True, "tokenizer_class": "GPT2Tokenizer"}, put("pre_tokenizer", add_prefix_space=True)),
    "space_before_chain": ("qwen2", {"add_prefix_space": True, "tokenizer_class": "Qwen2Tokenizer"}, put("pre_tokenizer", add_prefix_space=True),
                           [], {"agrees": False}),  # transformers has a pattern of its own there
    "offsets_whole": ("roberta", {"trim_offsets": False, "tokenizer_class": "RobertaTokenizerFast"}, put("post_processor", trim_offsets=False)),
    "offsets_of_gpt2": ("gpt2", {"trim_offsets": False, "tokenizer_class": "GPT2Tokenizer"}, None, [], {"acts": False}),
    "ends_agree": ("llama", {"add_bos_token": True, "add_eos_token": False, "bos_token": "<s>", "eos_token": "</s>", "add_prefix_space": True,
                             "tokenizer_class": "LlamaTokenizer"}, None, [], {"acts": False}),
    "ends_of_a_plain_class": ("llama", {"add_bos_token": False, "add_eos_token": True, "bos_token": "<s>", "eos_token": "</s>",
                                        "tokenizer_class": P}, None, [], {"acts": False}),
    "limit": ("bert", {"model_max_length": 5}, None, [], {"limit": 5}),
    "limit_left": ("bert", {"model_max_length": 6, "truncation_side": "left", "tokenizer_class": P}, None, [], {"limit": 6, "side": "left"}),
    "limit_old_name": ("bert", {"max_len": 4, "tokenizer_class": P}, None, [], {"limit": 4}),
    "no_type_ids": ("bert", {"model_input_names": ["input_ids", "attention_mask"]}, "types"),
    "specials_as_text": ("bert", {"split_special_tokens": True, "tokenizer_class": P}, "plain text", [], {}),
    "mask_with_flags": ("bert", {"mask_token": {"__type": "AddedToken", **spoken(lstrip=True), "content": "[Q]"}, "tokenizer_class": P}, None,
                        [token("[Q]", lstrip=True)], {}),
    "mask_by_name": ("bert", {"mask_token": "[Q]"}, None, [token("[Q]")], {}),
    "name_of_its_own": ("bert", {"image_token": "[R]", "tokenizer_class": P}, None, [token("[R]")], {}),
    "additional": ("bert", {"additional_special_tokens": ["[Q]", "<new>"], "tokenizer_class": P}, None, [token("[Q]"), token("<new>")], {}),
    "extra": ("bert", {"extra_special_tokens": ["<new>"], "additional_special_tokens": ["[Q]"], "tokenizer_class": P}, None, [token("<new>")], {}),
    "extra_by_name": ("bert", {"extra_special_tokens": {"q_token": "[Q]", "r_token": "[R]"}, "tokenizer_class": P}, None,
                      [token("[Q]"), token("[R]")], {}),
    "decoder": ("bert", {"added_tokens_decoder": {"24": {**spoken(rstrip=True), "content": "[Q]", "special": True},
                                                  "12": {**spoken(single_word=True), "content": "a", "special": False}}, "tokenizer_class": P},
                None, [plain("a", single_word=True), token("[Q]", rstrip=True)], {}),
    "names_in_the_map": ("bert", {"tokenizer_class": P}, None, [token("[Q]", lstrip=True)],
                         {"map": {"mask_token": {**spoken(lstrip=True), "content": "[Q]"}, "cls_token": "[CLS]"}}),
    "map_passed_by": ("bert", {"added_tokens_decoder": {"24": {**spoken(), "content": "[R]", "special": True}}, "tokenizer_class": P}, None,
                      [token("[R]")], {"map": {"mask_token": "[Q]"}}),
    "added_file": ("bert", {"tokenizer_class": P}, None, [plain("<new>", normalized=True), token("[Q]")],
                   {"map": {"sep_token": "[Q]"}, "added": {"[Q]": 25, "<new>": 24}}),
}


def answers(base, edit, tokens, rest):
    description = copy.deepcopy(BASES[base])
    if callable(edit):
        edit(description)
    tokenizer = tokenizers.Tokenizer.from_str(json.dumps(description))
    for one in tokens:
        (tokenizer.add_special_tokens if one.special else tokenizer.add_tokens)([one])
    tokenizer.encode_special_tokens = edit == "plain text"
    if "limit" in rest:
        tokenizer.enable_truncation(rest["limit"], direction=rest.get("side", "right"))
    out = []
    for text, second in [(text, None) for text in TEXTS] + list(zip(TEXTS, TEXTS[3:])):
        got = tokenizer.encode(text, second)
        case = {"a": text, **({"b": second} if second is not None else {})}
        out.append({**case, "ids": got.ids, "types": [0] * len(got.ids) if edit == "types" else got.type_ids, "offsets": got.offsets})
    return out


def check(name, files, expected, rest):
    """transformers must give the same ids and offsets."""
    with tempfile.TemporaryDirectory() as folder:
        for file, content in files.items():
            (pathlib.Path(folder) / file).write_text(json.dumps(BASES[content] if isinstance(content, str) else content))
        if "tokenizer_class" not in files["tokenizer_config.json"]:
            (pathlib.Path(folder) / "config.json").write_text('{"model_type":"bert"}')
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        for case in expected:
            got = tokenizer(case["a"], case.get("b"), return_offsets_mapping=True, truncation="limit" in rest)
            if (got["input_ids"], got["offset_mapping"]) != (case["ids"], case["offsets"]):
                sys.exit(f"{name}: transformers {got['input_ids']} {got['offset_mapping']} for {case}")


def main():
    out = pathlib.Path(sys.argv[1])
    packages = {}
    for name, (base, config, edit, *more) in ROWS.items():
        tokens, rest = more or ([], {})
        files = {"tokenizer.json": base, "tokenizer_config.json": config}
        for key, file in (("map", "special_tokens_map.json"), ("added", "added_tokens.json")):
            if key in rest:
                files[file] = rest[key]
        expected = answers(base, edit, tokens, rest)
        if (expected != answers(base, None, [], {})) != rest.get("acts", True):
            sys.exit(f"{name}: whether the key acts is not as said")
        if rest.get("agrees", True):
            check(name, files, expected, rest)
        packages[name] = {"files": {**files, "tokenizer.json": "@" + base}, "cases": expected}
    lines = [f"{json.dumps(name)}: {json.dumps(row, ensure_ascii=False, separators=(',', ':'))}" for name, row in packages.items()]
    bases = [f"{json.dumps('@' + name)}: {json.dumps(row, ensure_ascii=False, separators=(',', ':'))}" for name, row in BASES.items()]
    versions = json.dumps({m.__name__: m.__version__ for m in (transformers, tokenizers)})
    out.mkdir(parents=True, exist_ok=True)
    (out / "expected.json").write_text('{"versions": %s,\n"bases": {\n%s},\n"packages": {\n%s}}\n' % (versions, ",\n".join(bases), ",\n".join(lines)))
    print(len(packages), "packages,", sum(len(row["cases"]) for row in packages.values()), "texts")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""goldens/field: a small tokenizer for each class of fault that other engines shipped, with PyPI `tokenizers`' answers.

make_field_goldens.py OUT. A row is named for its class. Where the tokens that are right are known beforehand they are written
here too, and the library must give them; an expectation that stands on nothing but the library has none. Long texts are kept
as a unit and how often it stands, with the SHA-256 of the ids (32 bits each, little-endian)."""
import hashlib
import itertools
import json
import pathlib
import struct
import sys

import tokenizers

from charsmap import charsmap
from patterns import FOUND

LONG = 1_000_000
BLANKS = "\u2581"
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def added(content, id, special=True, **flags):
    return {"id": id, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": special, **flags}


def whole(model, normalizer=None, pre_tokenizer=None, post_processor=None, tokens=()):
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": list(tokens), "normalizer": normalizer,
            "pre_tokenizer": pre_tokenizer, "post_processor": post_processor, "decoder": None, "model": model}


def chain(key, *steps):
    return {"type": "Sequence", key: list(steps)}


def ids(tokens):
    return {token: i for i, token in enumerate(tokens)}


def bert(words, limit=100, template=True, **flags):
    vocab = ids(SPECIALS + words)
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": limit, "vocab": vocab}
    normalizer = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True, **flags}
    post = {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]} if template else None
    return whole(model, normalizer, {"type": "BertPreTokenizer"}, post, [added(token, i) for i, token in enumerate(SPECIALS)])


def bpe(vocab, merges=(), **flags):
    return {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
            "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, "vocab": ids(vocab), "merges": list(merges), **flags}


def letters():
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return [chr(b) for b in kept] + [chr(256 + i) for i in range(256 - len(kept))]


def level(normalizer=None, merges=(), split=None):
    """Byte-level: the ids tell the bytes."""
    pre = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": split is None}
    if split is not None:
        pre = chain("pretokenizers", {"type": "Split", "pattern": {"Regex": split}, "behavior": "Isolated", "invert": False}, pre)
    return whole(bpe([*letters(), *(merge.replace(" ", "") for merge in merges)], merges), normalizer, pre)


def pieces(pattern):
    """One token a piece: the offsets tell what the pattern found."""
    model = {"type": "WordLevel", "unk_token": "[UNK]", "vocab": {"[UNK]": 0}}
    return whole(model, None, {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False})


def unigram(rows, byte_fallback=False, pre_tokenizer=None, normalizer=None):
    model = {"type": "Unigram", "unk_id": 0, "byte_fallback": byte_fallback, "vocab": [["<unk>", 0.0], *([t, float(s)] for t, s in rows)]}
    return whole(model, normalizer, pre_tokenizer)


def metaspace(**keys):
    return {"type": "Metaspace", "replacement": BLANKS, **keys}


def blanks(pre_tokenizer, normalizer=None, tokens=()):
    return whole(bpe(["<unk>", BLANKS, "a", "b", BLANKS + "a", BLANKS + "b", "</s>"], [BLANKS + " a", BLANKS + " b"], unk_token="<unk>"),
                 normalizer, pre_tokenizer, None, tokens)


END = added("</s>", 6)
SCHEMES = {
    "always": metaspace(prepend_scheme="always", split=True), "first": metaspace(prepend_scheme="first", split=True),
    "never": metaspace(prepend_scheme="never", split=True), "absent": metaspace(), "legacy": metaspace(add_prefix_space=True),
}
ENDS = f"{BLANKS}a </s>".split()
PREPENDED = {"always": [*ENDS, BLANKS + "b", BLANKS + "a"], "first": [*ENDS, "b", BLANKS + "a"], "never": ["a", "</s>", "b", BLANKS + "a"]}
FORMS = "\ufb01 \u00bd \u2460 \u212b \u304b\u3099 \uff76\uff9e e\u0301\u0323 \uac01 \u1100\u1161\u11a8 \U0001e030 \u1c89 \U00010d50 \u0378"
COLLAPSE = charsmap({"\ufb01": "fi", "\u3000": " ", "\u2460": "1", "e\u0301": "\u00e9", "\t": " "})
TAILS = ["a   b  ", "x\r\n\n y\n", "\u0661\u0662\u0663\u0664 1234567", "it\u2019s it's IT'S we'LL", "e\u0301a\u0301 \u0915\u093f", "\U0001f469\u200d\U0001f4bb!? \U0001f1e9\U0001f1ea",
         "caf\u00e9,na\u00efve--\u4f60\u597d\u3002\u3053", "  \t \u00a0x", "HTMLParser iPhone's", "a\u0300\u0301 \u01c5x \u02b0"]


def flags():
    names = ("clean_text", "handle_chinese_chars", "strip_accents", "lowercase")
    for values in itertools.product((False, True), repeat=4):
        name = " ".join(n for n, v in zip(names, values) if v) or "none"
        yield f"BR-069 {name}", bert(["caf\u00e9", "cafe", "Caf\u00e9", "\u4e2d", "\u6587", "\u4e2d\u6587", "ab", "a"], **dict(zip(names, values)))


def rows():
    """(name, tokenizer, [(text or pair of texts, tokens or None)])."""
    plain = lambda *texts: [(text, None) for text in texts]
    yield "BR-066", bert(["cafe", "hello", "world", "\u4f60", "\u597d", "##s"]), [
        ("Caf\u00e9", ["[CLS]", "cafe", "[SEP]"]), ("Cafe\u0301", ["[CLS]", "cafe", "[SEP]"]), ("hello\u4f60\u597dworld", ["[CLS]", "hello", "\u4f60", "\u597d", "world", "[SEP]"]),
        ("hellos hellosx", ["[CLS]", "hello", "##s", "[UNK]", "[SEP]"])]
    yield "BR-067", bert(["one", "line", "note", "book", "##line", "##book"]), [
        ("one\nline", ["[CLS]", "one", "line", "[SEP]"]), ("note\tbook\r\none", ["[CLS]", "note", "book", "one", "[SEP]"])]
    for name, tokenizer in flags():
        yield name, tokenizer, plain("caf\u00e9 cafe\u0301 Caf\u00e9 Cafe\u0301", "\u4e2d\u6587 a\u4e2d\u6587", "a\0b a\u200bb ab a\ufffdb")
    yield "BR-069 composed", bert(["caf\u00e9"], lowercase=False, strip_accents=False), [
        ("caf\u00e9 cafe\u0301", ["[CLS]", "caf\u00e9", "[UNK]", "[SEP]"])]
    for limit in (100, 5):
        for letter in ("a", "\u00e9"):
            yield f"BR-071 {limit} {letter}", bert(["a", "##a", "\u00e9", "##\u00e9"], limit, lowercase=False, template=False), [
                (letter * limit, [letter] + ["##" + letter] * (limit - 1)), (letter * (limit + 1), ["[UNK]"])]
    wide = {"lstrip": True, "rstrip": True}
    words = {"type": "WordLevel", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "hello": 1, "world": 2, "<m>": 3}}
    for name, more in (("without", {}), ("with", wide)):
        yield f"BR-072 {name}", whole(words, None, {"type": "WhitespaceSplit"}, None, [added("<m>", 3, **more)]), [
            ("hello   <m>  world", ["hello", "<m>", "world"])]
        tokens = [BLANKS + "a", "</s>", BLANKS + "b"] if more else [BLANKS + "a", BLANKS, "</s>", BLANKS + "b"]
        yield f"BR-072 {name}, Metaspace", blanks(SCHEMES["always"], None, [added("</s>", 6, **more)]), [
            ("a </s> b", tokens)]
    for name, pre in SCHEMES.items():
        yield f"BR-074 {name}", blanks(pre, None, [END]), [("a</s>b a", PREPENDED.get(name, PREPENDED["always"])), *plain("</s>a", " a</s> b", "")]
    yield "BR-076", bert(["hello", "world", "[", "]", "sep"]), [
        ("hello [SEP] world", ["[CLS]", "hello", "[SEP]", "world", "[SEP]"]), ("hello [sep] world", ["[CLS]", "hello", "[", "sep", "]", "world", "[SEP]"]),
        (("hello [SEP] world", "[CLS] hello"), None)]
    for name in ("always", "first", "never"):
        yield f"BR-077 {name}", blanks(SCHEMES[name]), [("  a  ", [BLANKS, BLANKS + "a", BLANKS, BLANKS]), *plain("", " ", "   ")]
    yield "BR-077 T5", blanks(chain("pretokenizers", {"type": "WhitespaceSplit"}, SCHEMES["always"])), [("  a  ", [BLANKS + "a"]), ("   ", []), *plain(" a  b ")]
    yield "BR-077 Strip", blanks(SCHEMES["always"], {"type": "Strip", "strip_left": True, "strip_right": True}), [("  a  ", [BLANKS + "a"]), ("   ", [])]
    collapse = chain("normalizers", {"type": "Precompiled", "precompiled_charsmap": COLLAPSE},
                     {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})
    yield "BR-077 Precompiled", blanks(SCHEMES["always"], collapse), plain("  a  ", "a\u3000\u3000b", "\ta\t b", "   ")
    newline = [("a", -1), ("b", -2), ("<0x0A>", -3)]
    sushi = [(f"<0x{byte:02X}>", -4) for byte in "\U0001f363".encode()]
    yield "BR-078 all", unigram(newline + sushi, True), [("a\nb", ["a", "<0x0A>", "b"]), ("\U0001f363", [name for name, _ in sushi]), *plain("a\U0001f363\nb")]
    yield "BR-078 some", unigram(newline + sushi[:3], True), [("a\nb", ["a", "<0x0A>", "b"]), ("\U0001f363", ["<unk>"]), *plain("\U0001f363\n")]
    yield "BR-078 off", unigram(newline + sushi), [("a\nb", ["a", "<unk>", "b"]), ("\U0001f363", ["<unk>"])]
    yield "BR-080", unigram([("!", -3), ("!!!!!", -3)]), [("!!!!!!", ["!", "!!!!!"]), *plain("!!!!!!!!!!!")]
    yield "BR-080 three ways", unigram([("a", -2), ("aa", -4), ("aaa", -6), ("b", -1), ("ab", -3)]), plain("aaa", "aaaaaa", "aabaab")
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        yield f"BR-081 {form}", level({"type": form}), plain(FORMS)
    yield "BR-081 Precompiled", level({"type": "Precompiled", "precompiled_charsmap": COLLAPSE}), plain(FORMS, "e\u0301 a\u0301 \u3000")
    for name in ("gpt2", "cl100k", "llama3", "qwen2", "qwen3.5", "o200k", "tekken", "deepseek3", "bloom"):
        yield f"BR-083 {name}", pieces(FOUND[name]), plain(*TAILS)
    yield "BR-085 BERT", bert(["abc", "##def", "abcdef"]), [("abc\0def", ["[CLS]", "abcdef", "[SEP]"])]
    yield "BR-085 bytes", level(), [("abc\0def", [*"abc", "\u0100", *"def"])]
    yield "BR-086", level(), plain("a\u00a0b\u2007c\u202fd\ufeff")
    yield "BR-090", bert(["hello"]), [("", ["[CLS]", "[SEP]"]), ("   ", ["[CLS]", "[SEP]"]), ("\n", ["[CLS]", "[SEP]"]),
                                      (("hello", ""), ["[CLS]", "hello", "[SEP]", "[SEP]"]), (("", "hello"), None), (("", ""), None)]
    yield "BR-090 no template", bert(["hello"], template=False), [("", []), (" \n", [])]


DOUBLES = ["a a", "aa aa", "aaaa aaaa", "_ _", "^ ^", "__ __", "\u00e4 \u00b8", "\u00e4\u00b8 \u0122", "\u0120 \u0120", "\u0120\u0120 \u0120\u0120"]
UNITS = ["a", "_", "^", "\u4e00", " ", "\u0301"]


def long_rows():
    """(name, tokenizer): BR-084."""
    yield "WordPiece", bert(["a", "##a", "_", "^", "\u4e00", "e"])
    yield "BPE", level(None, DOUBLES)
    yield "BPE, Llama 3", level(None, DOUBLES, FOUND["llama3"])
    yield "BPE, Metaspace", blanks(metaspace(prepend_scheme="always", split=False))
    yield "Unigram", unigram([("a", -1), ("aaa", -2.5), ("_", -2), ("^^", -3), ("\u4e00", -2), (BLANKS, -1), (BLANKS * 2, -1.5), ("e", -2), ("ab", -1)],
                             False, metaspace(prepend_scheme="always", split=False))
    yield "WordLevel", whole({"type": "WordLevel", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "a": 1}}, None, {"type": "Whitespace"})


def case(tokenizer, name, text, wanted):
    a, b = text if isinstance(text, tuple) else (text, None)
    got = tokenizer.encode(a, b)
    tokens = [tokenizer.id_to_token(i) for i in got.ids]
    if wanted is not None and tokens != wanted:
        sys.exit(f"{name}: {text!r} gives {tokens}, not {wanted}")
    return {"a": a, **({} if b is None else {"b": b}), "ids": got.ids, "types": got.type_ids, "offsets": got.offsets}


def digest(numbers):
    return hashlib.sha256(struct.pack(f"<{len(numbers)}i", *numbers)).hexdigest()


def main():
    dumps = lambda value: json.dumps(value, separators=(",", ":"))
    packages, long, bytes_only = [], [], bpe(letters())
    for name, description, texts in rows():
        tokenizer = tokenizers.Tokenizer.from_str(json.dumps(description))
        cases = [case(tokenizer, name, *row) for row in texts]
        if description["model"] == bytes_only:
            description = {**description, "model": "@bytes"}
        packages.append(f"{json.dumps(name)}: {dumps({'files': {'tokenizer.json': description}, 'cases': cases})}")
    for name, description in long_rows():
        tokenizer = tokenizers.Tokenizer.from_str(json.dumps(description))
        texts = []
        for unit in UNITS:
            numbers = tokenizer.encode(unit * (LONG // len(unit))).ids
            texts.append({"unit": unit, "times": LONG // len(unit), "tokens": len(numbers), "sha256": digest(numbers)})
        long.append(f"{json.dumps(name)}: {dumps({'tokenizer': description, 'texts': texts})}")
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    head = json.dumps({"made_by": "tools/tokenizers/make_field_goldens.py", "tokenizers": tokenizers.__version__})[:-1]
    (out / "expected.json").write_text(head + ',\n"bases": {"@bytes": ' + dumps(bytes_only) + '},\n"packages": {\n' + ",\n".join(packages) + '\n},\n"long": {\n' + ",\n".join(long) + "\n}}\n")
    print(len(packages), "packages,", len(long), "tokenizers of long texts")


if __name__ == "__main__":
    main()

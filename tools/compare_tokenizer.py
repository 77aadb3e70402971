#!/usr/bin/env python3
"""Compares Candor's tokenizer with the PyPI package `tokenizers`: ids, type ids, offsets, totals.

    python tools/compare_tokenizer.py build/release/tests/tokenizer_driver/tokenizer_driver   # all must be equal
    python tools/compare_tokenizer.py --golden goldens/tokenizer/sample.json                  # the tests' sample

Packages of every component and flag are built from one small vocabulary; texts are seeded, run over all of
Unicode, and use every code point at least once. Expected values come from the reference only. Where
tokenizer_config.json acts, the reference is changed through its own interface.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import tokenizers
from tokenizers import AddedToken, Tokenizer, normalizers

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = ["the", "hello", "world", "cafe", "caf\u00e9", "Hello", "WORLD", "un", "##believ", "##able", "##ing", "token",
         "##s", "##izer", "stra\u00dfe", "\u03bf\u03b4\u03bf\u03c3", "\u03bf\u03b4\u03bf\u03c2", "i\u0307", "\u4f60",
         "\u597d", "##\u597d", "\u4f60\u597d", "\uac00", "##\uac01", "\u1112", "##\u1161", "\u0915\u094d", "10", "##00",
         "fi", "##ffi", "\u00c5", "a\u030a", "<m>", "note", "book", "one", "line", "[unk]", "sep"]
BLOCKS = [(0x20, 0x7F), (0x20, 0x7F), (0xA0, 0x250), (0x300, 0x370), (0x370, 0x530), (0x590, 0x700), (0x900, 0xE00),
          (0x1100, 0x1200), (0x1E00, 0x2000), (0x2000, 0x2100), (0x2100, 0x2200), (0x3000, 0x3100), (0x4E00, 0x5000),
          (0xAC00, 0xAE00), (0xF900, 0xFB50), (0xFF00, 0xFFF0), (0x1D100, 0x1D200), (0x1F300, 0x1F600),
          (0x20000, 0x20100), (0x2F800, 0x2FA20), (0, 0x20), (0x7F, 0xA0)]


def make_vocabulary():
    tokens = SPECIALS + [chr(c) for c in range(0x21, 0x7F)] + ["##" + chr(c) for c in range(0x21, 0x7F)] + WORDS
    for first, last in [(0xE0, 0x100), (0x300, 0x310), (0x3B1, 0x3CA), (0x430, 0x450), (0x5D0, 0x5DB), (0x905, 0x910),
                        (0x1100, 0x1113), (0x1161, 0x1176), (0x4E00, 0x4E08), (0x1F600, 0x1F604)]:
        tokens += [chr(c) for c in range(first, last)] + ["##" + chr(c) for c in range(first, last)]
    return {token: i for i, token in enumerate(dict.fromkeys(tokens))}


VOCABULARY = make_vocabulary()
BERT = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
        "lowercase": True}


def template(single, pair):
    def parts(text):
        for part in text.split():
            name, type_id = part.rsplit(":", 1)
            kind = "Sequence" if name in ("A", "B") else "SpecialToken"
            yield {kind: {"id": name, "type_id": int(type_id)}}
    special = {"[CLS]": [2], "[SEP]": [3], "[TWO]": [3, 4]}
    return {"type": "TemplateProcessing", "single": list(parts(single)), "pair": list(parts(pair)),
            "special_tokens": {k: {"id": k, "ids": v, "tokens": [str(i) for i in v]} for k, v in special.items()}}


CLS_SEP = template("[CLS]:0 A:0 [SEP]:0", "[CLS]:0 A:0 [SEP]:0 B:1 [SEP]:1")


def added(content, index=None, **flags):
    row = {"id": VOCABULARY[content] if index is None else len(VOCABULARY) + index, "content": content,
           "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {**row, **flags}


NAMED = [added(token) for token in SPECIALS]


def package(name, normalizer=BERT, pre_tokenizer={"type": "BertPreTokenizer"}, post_processor=CLS_SEP,
            added_tokens=NAMED, max_chars=100, prefix="##", config=None, truncation=None, padding=None):
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": prefix,
             "max_input_chars_per_word": max_chars}
    return {"name": name, "config": config, "tokenizer": {
        "version": "1.0", "truncation": truncation, "padding": padding, "added_tokens": added_tokens,
        "normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "post_processor": post_processor,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True}, "model": model}}


def packages():
    out = [package("bert")]
    for clean in (True, False):
        for chinese in (True, False):
            for strip in (None, True, False):
                for lower in (True, False):
                    flags = dict(clean_text=clean, handle_chinese_chars=chinese, strip_accents=strip, lowercase=lower)
                    out.append(package("flags %d%d%s%d" % (clean, chinese, strip, lower), {**BERT, **flags}))
    for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents"):
        out.append(package(kind, {"type": kind}))
    for left in (True, False):
        for right in (True, False):
            strip = {"type": "Strip", "strip_left": left, "strip_right": right}
            out.append(package("strip %d%d" % (left, right), strip, pre_tokenizer=None))
    out.append(package("sequence", {"type": "Sequence", "normalizers": [
        {"type": "NFKD"}, {"type": "StripAccents"}, {"type": "NFC"}, {"type": "Lowercase"},
        {"type": "Replace", "pattern": {"String": "ab"}, "content": "\u00e9xyz"},
        {"type": "Replace", "pattern": {"String": "."}, "content": ""}]}))
    out.append(package("nothing", None, None, None, []))
    for kind in ("Whitespace", "WhitespaceSplit"):
        out.append(package(kind, pre_tokenizer={"type": kind}))
    for behavior in ("Isolated", "Removed", "Contiguous"):
        out.append(package("punctuation " + behavior, pre_tokenizer={"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"}, {"type": "Punctuation", "behavior": behavior}]}))
    for limit in (0, 1, 2, 5, 100, 1000):
        out.append(package("limit %d" % limit, max_chars=limit))
    out.append(package("no prefix", prefix=""))
    out.append(package("bert processing", post_processor={"type": "BertProcessing", "sep": ["[SEP]", 3],
                                                          "cls": ["[CLS]", 2]}))
    out.append(package("templates", post_processor=template("[TWO]:3 A:2", "B:1 [TWO]:5 A:4 [CLS]:0 A:7")))
    out.append(package("sections", truncation={"direction": "Left", "max_length": 4, "strategy": "LongestFirst",
                                               "stride": 0},
                       padding={"strategy": {"Fixed": 16}, "direction": "Right", "pad_to_multiple_of": None,
                                "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}))
    for i in range(32):
        flags = dict(zip(("single_word", "lstrip", "rstrip", "normalized", "special"), (bool(i >> b & 1) for b in range(5))))
        tokens = NAMED + [added("<m>", **flags), added("Caf\u00c9", 0, **flags), added("<m>x", 1, **flags),
                          added(" y", 2, **flags), added("\u4f60z", 3, **{**flags, "lstrip": False})]
        out.append(package("added %d" % i, added_tokens=tokens))
    written = [
        {"do_lower_case": False}, {"do_lower_case": True, "strip_accents": None, "tokenizer_class": "BertTokenizer"},
        {"strip_accents": False, "tokenize_chinese_chars": False}, {"do_lower_case": False, "strip_accents": True},
        {"do_lower_case": False, "tokenizer_class": "PreTrainedTokenizerFast"},
        {"cls_token": "[CLS]", "mask_token": {"__type": "AddedToken", "content": "<m>", "lstrip": True, "rstrip": True,
                                              "single_word": False, "normalized": False}},
        {"additional_special_tokens": ["hello", "new token"], "eos_token": None},
        {"added_tokens_decoder": {"4": {"content": "[MASK]", "lstrip": True, "rstrip": False, "normalized": False,
                                        "single_word": False, "special": True},
                                  str(len(VOCABULARY)): {"content": "Zz", "lstrip": False, "rstrip": False,
                                                         "normalized": True, "single_word": True, "special": False}}},
        {"model_input_names": ["input_ids", "attention_mask"], "model_max_length": 1e30, "truncation_side": "left"},
    ]
    for i, config in enumerate(written):
        out.append(package("config %d" % i, {**BERT, "strip_accents": [None, True, False][i % 3]}, config=config))
    return out


def reference(spec):
    """The library's tokenizer, changed by what the config writes."""
    description = json.loads(json.dumps(spec["tokenizer"]))
    description["model"]["vocab"] = VOCABULARY
    tokenizer = Tokenizer.from_str(json.dumps(description))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    config = spec["config"] or {}
    keys = {"do_lower_case": "lowercase", "strip_accents": "strip_accents",
            "tokenize_chinese_chars": "handle_chinese_chars"}
    if any(key in config for key in keys) and config.get("tokenizer_class") != "PreTrainedTokenizerFast":
        state = {k: v for k, v in description["normalizer"].items() if k != "type"}
        state.update({keys[key]: config[key] for key in keys if key in config})
        tokenizer.normalizer = normalizers.BertNormalizer(**state)
    decoder = config.get("added_tokens_decoder")
    if decoder:
        tokenizer.add_tokens([AddedToken(**decoder[key]) for key in sorted(decoder, key=int)])
    for key, value in config.items():
        names = value if key == "additional_special_tokens" else [value] if key.endswith("_token") else []
        for name in names:
            if isinstance(name, dict):
                name = AddedToken(**{k: v for k, v in name.items() if k != "__type"}, special=True)
            if name is not None and str(name) not in SPECIALS:
                tokenizer.add_special_tokens([name if isinstance(name, AddedToken)
                                              else AddedToken(name, special=True, normalized=False)])
    return tokenizer


class Texts:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.every = SCALARS[:]
        self.random.shuffle(self.every)
        self.used = 0

    def characters(self, count):
        r = self.random
        if self.used < len(self.every) and r.random() < 0.7:
            self.used += count
            return "".join(map(chr, self.every[self.used - count:self.used]))
        low, high = r.choice(BLOCKS)
        return "".join(chr(r.randrange(low, high)) for _ in range(count))

    def part(self):
        r = self.random
        kind = r.randrange(11)
        if kind == 0:
            return r.choice(SPECIALS + ["<m>", "<M>", "<m>x", "Caf\u00c9", "cafe\u0301", "CAF\u00c9", " y", "\u4f60z", "Zz",
                                        "[sep]", "hello", "new token"])
        if kind == 1:
            return r.choice([" ", "  ", "\t", "\n", "\r\n", "\u00a0", "\u3000", "\u2028", "\0", "\ufffd", "\u200b", "\x0b"])
        if kind == 2:
            return r.choice(["e\u0301", "\u1e69", "s\u0323\u0307", "s\u0307\u0323", "\u0344", "\u0f73\u0334", "\u1100\u1161\u11a8",
                             "\uac00\u11a8", "\u212b", "\ufb01", "\u00bd", "\u2460", "\u0130", "\u03a3", "\u1e9e", "\u304b\u3099",
                             "\u09c7\u09be", "\u0dd9\u0dcf\u0dca", "ab", "abab", "."])
        if kind == 3:
            return r.choice("abz\u00e9\u4f60") * r.choice([1, 2, 3, 5, 6, 99, 100, 101])
        if kind == 4:
            return r.choice(WORDS).replace("##", "") + r.choice(["", " ", ",", "s", "ing"])
        if kind == 5:
            return chr(r.choice([0x300, 0x301, 0x316, 0x334, 0x345, 0x5B0, 0x93C, 0x94D, 0x1D165])) * r.choice([1, 2, 3])
        if kind == 6:
            return r.choice(WORDS).upper() + " "
        return self.characters(r.choice([1, 1, 2, 3, 8, 20, 40]))

    def text(self):
        r = self.random
        if r.random() < 0.02:
            return r.choice(["", " ", "\n", "   "])
        return "".join(self.part() for _ in range(r.choice([1, 1, 2, 3, 4, 6, 8])))

    def request(self):
        r = self.random
        request = {"a": self.text()}
        if r.random() < 0.3:
            request["b"] = self.text()
        if r.random() < 0.4:
            request["max"] = r.choice([6, 7, 8, 9, 10, 11, 16, 33])
            request["left"] = r.random() < 0.5
        if r.random() < 0.15:
            request["add_special"] = False
        if r.random() < 0.15:
            request["parse"] = False
        return request


def expect(tokenizer, spec, request):
    tokenizer.encode_special_tokens = not request.get("parse", True)
    arguments = (request["a"], request.get("b")), dict(add_special_tokens=request.get("add_special", True))
    tokenizer.no_truncation()
    whole = tokenizer.encode(*arguments[0], **arguments[1])
    encoding = whole
    if "max" in request:
        tokenizer.enable_truncation(request["max"], direction="left" if request.get("left") else "right")
        encoding = tokenizer.encode(*arguments[0], **arguments[1])
    types = encoding.type_ids
    if (spec["config"] or {}).get("model_input_names"):
        types = [0] * len(types)
    return {"ids": encoding.ids, "types": types, "offsets": [list(o) for o in encoding.offsets],
            "special": encoding.special_tokens_mask, "total": len(whole.ids)}


def write_package(folder, spec):
    folder.mkdir()
    description = json.loads(json.dumps(spec["tokenizer"]))
    description["model"]["vocab"] = VOCABULARY
    (folder / "tokenizer.json").write_text(json.dumps(description))
    if spec["config"] is not None:
        (folder / "tokenizer_config.json").write_text(json.dumps(spec["config"]))


def compare(driver, count, seed):
    texts = Texts(seed)
    specs = packages()
    compared = different = 0
    with tempfile.TemporaryDirectory() as root:
        requests, expected = [], []
        for i, spec in enumerate(specs):
            folder = pathlib.Path(root) / str(i)
            write_package(folder, spec)
            tokenizer = reference(spec)
            requests.append({"package": str(folder)})
            share = count // 3 if i == 0 else count * 2 // 3 // (len(specs) - 1) + 1
            for _ in range(share):
                request = texts.request()
                requests.append(request)
                expected.append((spec, request, expect(tokenizer, spec, request)))
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        answers = subprocess.run([driver], input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout
        for (spec, request, want), line in zip(expected, answers.decode().splitlines(), strict=True):
            compared += 1
            got = json.loads(line)
            if got != want:
                different += 1
                if different <= 10:
                    print("%s: %s\n  want %s\n  got  %s" % (spec["name"], json.dumps(request), want, got))
    used = min(texts.used, len(SCALARS))
    print("tokenizers %s, seed %d: %d packages, %d strings compared, %d different; %d of %d code points drawn in turn"
          % (tokenizers.__version__, seed, len(specs), compared, different, used, len(SCALARS)))
    return different == 0


def golden(path, seed):
    texts = Texts(seed)
    groups = []
    fixed = [
        {"a": ""}, {"a": "   "}, {"a": "hello", "b": ""}, {"a": "one\nline note\tbook\r\none"}, {"a": "abc\0def"},
        {"a": "caf\u00e9 cafe\u0301 CAF\u00c9"}, {"a": "hello\u4f60\u597dworld"}, {"a": "a" * 100}, {"a": "a" * 101},
        {"a": "\u00e9" * 100}, {"a": "\u00e9" * 101}, {"a": "hello [SEP] world [sep]"}, {"a": "hello   <m>  world"},
        {"a": "hello [SEP] world", "parse": False}, {"a": "the hello world " * 9, "b": "one line " * 4, "max": 16},
        {"a": "the hello world " * 9, "b": "one line " * 9, "max": 11, "left": True},
        {"a": "the hello world", "max": 3}, {"a": "the hello world", "max": 2}, {"a": "un" + "believable" * 3 + "!"},
    ]
    for spec in packages():
        tokenizer = reference(spec)
        if spec["name"] in ("bert", "limit 100"):
            requests = fixed[:]
        else:
            requests = fixed[3:7] if spec["name"].startswith("flags") else fixed[5:7] + fixed[11:13]
        requests += [texts.request() for _ in range(3)]
        cases = [{**request, **expect(tokenizer, spec, request)} for request in requests]
        groups.append({**spec, "cases": cases})
    head = {"made_by": "tools/compare_tokenizer.py", "tokenizers": tokenizers.__version__, "seed": seed,
            "vocab": VOCABULARY}
    text = json.dumps(head)[:-1] + ',\n"packages": [\n'
    text += ",\n".join(json.dumps(group) for group in groups) + "\n]}\n"
    pathlib.Path(path).write_text(text)
    print("%d packages, %d cases" % (len(groups), sum(len(g["cases"]) for g in groups)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("driver", nargs="?")
    parser.add_argument("--count", type=int, default=120000)
    parser.add_argument("--seed", type=int, default=20260)
    parser.add_argument("--golden")
    options = parser.parse_args()
    if options.golden:
        golden(options.golden, options.seed)
    elif not compare(options.driver, options.count, options.seed):
        sys.exit(1)


main()

"""Sections of tokenizer.json: one random component of every kind, chains of them, and whole packages.

A package is a dict: `name`, `parts` (names of its components), `tokenizer` (tokenizer.json), `config`
(tokenizer_config.json or None). `package(random, models)` combines anything with anything; `singles(models)` has every
component, and every value of its flags, at least once beside parts that leave it something to do.
"""
import itertools

from charsmap import charsmap
from patterns import FOUND, SMALL
from texts import SPECIALS

BEHAVIORS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
BOOLEANS = (False, True)
CHARSMAP = {  # some of NFKC and lower-casing, deletions, prefixes of one another
    **{chr(0xFF01 + i): chr(0x21 + i) for i in range(94)}, **{chr(c): chr(c + 32) for c in range(0x41, 0x5B)},
    "\u00e9": "e\u0301", "e\u0301": "\u00e9", "\ufb01": "fi", "\ufb03": "ffi", "\u00bd": "1\u20442", "\u3000": " ", "\u00a0": " ", "\t": " ", "\n": " ",
    "\u200b": "", "\u00ad": "", "\ufeff": "", "\u2460": "1", "\u304b\u3099": "\u304c", "\u33a5": "m3", "\u212b": "\u00c5", "a": "a", "ab": "XY",
    "\r\n": " ", "\u0301": "", "\u1100\u1161": "\uac00", "\U0001f1e9\U0001f1ea": "DE", "\u2764": "<3", "\u4f60": "\u597d\u597d\u597d", "\u03c3": "\u03c2", "\u2581": "_"}
CHARSMAPS = [charsmap(CHARSMAP), charsmap({"a": "b", "b": "a", "\u00e9": "", "\u2028": "\n", "\u4f60\u597d": "x", "\u0323": "\u0301\u0301"})]
REPLACED = [(" ", "\u2581"), ("ab", "\u00e9xyz"), (".", ""), ("a", "aa"), ("\u00e9", "e"), ("\u2581", " "), ("``", "\""), ("\n", " "), ("e", "\u0301"), ("  ", " ")]
REPLACED_REGEX = [(r"\s+", " "), (r" {2,}", "\u2581"), ("[\u0300-\u036f]+", ""), (r"\p{M}", ""), (r"\d", "0"),
                  (r"(?i)the", "a"), (r"\n+", "\n"), (r"[^a-z]", "."), (r"x*", "-"), (r"^\s+|\s+$", ""), (r"(?<=a)b", "\u4f60"), (r"\p{Lu}", "")]


def sections():
    """Every component once per value of its flags: (section, name, JSON). Random packages choose among them."""
    rows = []

    def add(section, kind, **fields):
        rows.append((section, kind, {"type": kind, **fields}))

    for clean, chinese, strip, lower in itertools.product(BOOLEANS, BOOLEANS, (None, False, True), BOOLEANS):
        add("normalizer", "BertNormalizer", clean_text=clean, handle_chinese_chars=chinese, strip_accents=strip, lowercase=lower)
    for kind in ("NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "Nmt", "ByteLevel"):
        add("normalizer", kind)
    for left, right in itertools.product(BOOLEANS, BOOLEANS):
        add("normalizer", "Strip", strip_left=left, strip_right=right)
    for text in ("\u2581", "x ", "\u00e9\u4f60", "<s>"):
        add("normalizer", "Prepend", prepend=text)
    for map64 in CHARSMAPS:
        add("normalizer", "Precompiled", precompiled_charsmap=map64)
    for pattern, content in REPLACED:
        add("normalizer", "Replace", pattern={"String": pattern}, content=content)
    for pattern, content in REPLACED_REGEX:
        add("normalizer", "Replace", pattern={"Regex": pattern}, content=content)

    for kind in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit", "UnicodeScripts"):
        add("pre_tokenizer", kind)
    for prefix, trim, regex in itertools.product(BOOLEANS, BOOLEANS, (True, True, False)):
        add("pre_tokenizer", "ByteLevel", add_prefix_space=prefix, trim_offsets=trim, use_regex=regex)
    for delimiter in (" ", "-", "\u2581", "\u00e9", "\n", "a"):
        add("pre_tokenizer", "CharDelimiterSplit", delimiter=delimiter)
    for each in BOOLEANS:
        add("pre_tokenizer", "Digits", individual_digits=each)
    for length in (1, 2, 3, 7):
        add("pre_tokenizer", "FixedLength", length=length)
    for replacement, scheme, split in itertools.product(("\u2581", "\u2581", "_"), ("always", "first", "never"), BOOLEANS):
        add("pre_tokenizer", "Metaspace", replacement=replacement, prepend_scheme=scheme, split=split)
    add("pre_tokenizer", "Metaspace", replacement="\u2581", add_prefix_space=True)
    add("pre_tokenizer", "Metaspace", replacement="\u2581", add_prefix_space=False, prepend_scheme="never")
    add("pre_tokenizer", "Metaspace", replacement="\u2581", str_rep="\u2581", add_prefix_space=True)
    for behavior in BEHAVIORS:
        add("pre_tokenizer", "Punctuation", behavior=behavior)
    for pattern in FOUND.values():
        for behavior, invert in (("Isolated", False), ("Removed", True), ("MergedWithNext", False)):
            add("pre_tokenizer", "Split", pattern={"Regex": pattern}, behavior=behavior, invert=invert)
    for pattern in (" ", "ab", "\u2581", "\u00e9", "e", ".", "\n\n"):
        for behavior, invert in itertools.product(BEHAVIORS, BOOLEANS):
            add("pre_tokenizer", "Split", pattern={"String": pattern}, behavior=behavior, invert=invert)
    for i, pattern in enumerate(SMALL):
        for j in range(3):
            add("pre_tokenizer", "Split", pattern={"Regex": pattern}, behavior=BEHAVIORS[(i + 2 * j) % 5], invert=bool((i + j) % 2))

    add("post_processor", "BertProcessing", sep=["[SEP]", 8], cls=["[CLS]", 7])
    add("post_processor", "BertProcessing", sep=["</s>", 3], cls=["<s>", 2])
    for trim, prefix in itertools.product(BOOLEANS, BOOLEANS):
        add("post_processor", "RobertaProcessing", sep=["</s>", 3], cls=["<s>", 2], trim_offsets=trim, add_prefix_space=prefix)
        add("post_processor", "ByteLevel", add_prefix_space=prefix, trim_offsets=trim, use_regex=True)
    for single, pair in (("[CLS]:0 A:0 [SEP]:0", "[CLS]:0 A:0 [SEP]:0 B:1 [SEP]:1"), ("<s>:0 A:0 </s>:0", "<s>:0 A:0 </s>:0 </s>:0 B:0 </s>:0"),
                         ("A:0", "A:0 B:1"), ("[TWO]:3 A:2", "B:1 [TWO]:5 A:4 [CLS]:0 [CLS]:7"), ("A:0 </s>:1", "A:0 </s>:0 B:0 </s>:0"),
                         ("<s>:0 A:0", "<s>:0 A:0 <s>:1 B:1"), ("<s>:0", "A:0 <s>:1 B:1")):
        rows.append(("post_processor", "TemplateProcessing", template(single, pair)))

    for prefix, trim, regex in itertools.product(BOOLEANS, BOOLEANS, BOOLEANS):
        add("decoder", "ByteLevel", add_prefix_space=prefix, trim_offsets=trim, use_regex=regex)
    for prefix, cleanup in itertools.product(("##", "\u2581", "", "x"), BOOLEANS):
        add("decoder", "WordPiece", prefix=prefix, cleanup=cleanup)
    for replacement, scheme in itertools.product(("\u2581", "_"), ("always", "first", "never")):
        add("decoder", "Metaspace", replacement=replacement, prepend_scheme=scheme, split=True)
    for suffix in ("</w>", "", "e"):
        add("decoder", "BPEDecoder", suffix=suffix)
    for cleanup in BOOLEANS:
        add("decoder", "CTC", pad_token="<pad>", word_delimiter_token="|", cleanup=cleanup)
    add("decoder", "CTC", pad_token="a", word_delimiter_token="e", cleanup=False)
    for kind in ("Fuse", "ByteFallback"):
        add("decoder", kind)
    for content, start, stop in ((" ", 1, 0), (" ", 0, 2), ("e", 1, 1), ("\u2581", 3, 0), ("#", 2, 0)):
        add("decoder", "Strip", content=content, start=start, stop=stop)
    for pattern, content in (({"String": "\u2581"}, " "), ({"String": "a"}, ""), ({"Regex": r"\s+"}, "_"), ({"String": "##"}, "")):
        add("decoder", "Replace", pattern=pattern, content=content)
    return rows


def template(single, pair):
    def parts(text):
        for part in text.split():
            name, type_id = part.rsplit(":", 1)
            kind = "Sequence" if name in ("A", "B") else "SpecialToken"
            yield {kind: {"id": name, "type_id": int(type_id)}}
    named = {part.rsplit(":", 1)[0] for part in (single + " " + pair).split()} - {"A", "B"}
    ids = {**{token: [i] for i, token in enumerate(SPECIALS)}, "[TWO]": [7, 3]}
    return {"type": "TemplateProcessing", "single": list(parts(single)), "pair": list(parts(pair)),
            "special_tokens": {name: {"id": name, "ids": ids[name], "tokens": [SPECIALS[i] for i in ids[name]]} for name in sorted(named)}}


CLS_SEP = template("[CLS]:0 A:0 [SEP]:0", "[CLS]:0 A:0 [SEP]:0 B:1 [SEP]:1")
SECTIONS = {}
for _section, _kind, _json in sections():
    SECTIONS.setdefault(_section, {}).setdefault(_kind, []).append(_json)
CHAINS = {"normalizer": ("Sequence", "normalizers"), "pre_tokenizer": ("Sequence", "pretokenizers"),
          "post_processor": ("Sequence", "processors"), "decoder": ("Sequence", "decoders")}
# How often nothing, one component, or a chain of two or more stands in a section.
WEIGHTS = {"normalizer": (2, 4, 4), "pre_tokenizer": (2, 5, 3), "post_processor": (3, 5, 2), "decoder": (2, 4, 4)}
NAMES_OF_SECTION = {"normalizer": "normalizers", "pre_tokenizer": "pre_tokenizers", "post_processor": "post_processors", "decoder": "decoders"}


def label(section, kind):
    return f"{NAMES_OF_SECTION[section]}/{kind}"


def one(r, section):
    kind = r.choice(list(SECTIONS[section]))
    return kind, r.choice(SECTIONS[section][kind])


def chosen(r, section):
    """A random section and the names of what is in it."""
    how = r.choices(("nothing", "one", "chain"), WEIGHTS[section])[0]
    if how == "nothing":
        return None, []
    if how == "one":
        kind, component = one(r, section)
        return component, [label(section, kind)]
    items = [one(r, section) for _ in range(r.choice((1, 2, 2, 3, 4)))]
    if section == "post_processor":  # specials come after what acts on offsets; two templates are rare but legal
        items = [("ByteLevel", r.choice(SECTIONS[section]["ByteLevel"]))] + items[:r.choice((1, 1, 1, 2))]
    name, key = CHAINS[section]
    return {"type": name, key: [component for _, component in items]}, [label(section, "Sequence")] + [label(section, kind) for kind, _ in items]


FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


def added_tokens(r, model, more=True):
    """The special tokens, most of the time, and others with random flags. Ids follow the library's rule."""
    rows, names = [], []
    vocab, size = vocabulary(model), len(model["vocab"])

    def add(content, **flags):
        if any(row["content"] == content for row in rows):
            return
        next_id = max([size - 1] + [row["id"] for row in rows if row["content"] not in vocab]) + 1
        rows.append({"id": vocab.get(content, next_id), "content": content, **{flag: False for flag in FLAGS}, **flags})

    if r.random() < 0.8:
        for token in SPECIALS:
            add(token, special=True)
        names.append("added_tokens/special")
    if more and r.random() < 0.6:
        for content in r.sample(["<m>", "Caf\u00c9", "<m>x", " y", "\u4f60z", "Zz", "the", "ab", "\u2581<m>", "<|endoftext|>", "\u00e9\u00e9", "e\u0301", "\u0301", "\n\n",
                                 "   ", "I'VE", "hello world", "\ufb01", "\u4f60", "</w>"], r.randint(1, 6)):
            flags = {flag: r.random() < 0.4 for flag in FLAGS}
            names += [f"added_tokens/{flag}" for flag in FLAGS if flags[flag]]
            add(content, **flags)
    return sorted(rows, key=lambda row: row["id"]), names


def vocabulary(model):
    if isinstance(model["vocab"], dict):
        return model["vocab"]
    return {piece: i for i, (piece, _) in enumerate(model["vocab"])}


def whole(name, parts, model, normalizer=None, pre_tokenizer=None, post_processor=None, decoder=None, added=(), config=None):
    return {"name": name, "parts": list(dict.fromkeys(parts)), "config": config, "tokenizer": {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": list(added), "normalizer": normalizer,
        "pre_tokenizer": pre_tokenizer, "post_processor": post_processor, "decoder": decoder, "model": model}}


def package(r, models):
    kind, name, model = r.choice(models[r.choice(list(models))])
    made, parts = {}, ["models/" + kind]
    for section in WEIGHTS:
        made[section], names = chosen(r, section)
        parts += names
    added, names = added_tokens(r, model)
    return whole(f"{kind} {name}", parts + names, model, added=added, **made)


# What usually stands around a model, so that most of it has something to do.
USUAL = {
    "WordPiece": ({"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
                  {"type": "BertPreTokenizer"}, {"type": "WordPiece", "prefix": "##", "cleanup": True}),
    "BPE": (None, {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
            {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}),
    "Unigram": ({"type": "Precompiled", "precompiled_charsmap": CHARSMAPS[0]},
                {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True},
                {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}),
    "WordLevel": (None, {"type": "Whitespace"}, None),
}


def singles(r, models):
    """Every row of every section in a usual package, then every model with what is usual around it."""
    kinds = list(models)
    for section, rows in SECTIONS.items():
        for kind in rows:
            for component in rows[kind]:
                of = {"ByteLevel": "BPE", "Metaspace": "Unigram", "WordPiece": "WordPiece", "BertNormalizer": "WordPiece"}.get(kind, r.choice(kinds))
                _, name, model = r.choice(models[of])
                normalizer, pre_tokenizer, decoder = USUAL[of]
                made = {"normalizer": normalizer, "pre_tokenizer": pre_tokenizer, "decoder": decoder, "post_processor": None}
                parts = ["models/" + of]
                for other, value in made.items():
                    if value is not None and other != section:
                        parts.append(label(other, value["type"]))
                made[section] = component
                added, names = added_tokens(r, model, more=False)
                yield whole(f"{label(section, kind)} in {of} {name}", parts + names + [label(section, kind)], model, added=added, **made)
    for kind in kinds:
        for _, name, model in models[kind]:
            normalizer, pre_tokenizer, decoder = USUAL[kind]
            if kind == "BPE" and "byte_level" not in name:
                normalizer, pre_tokenizer, decoder = None, {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": False}, None
            parts = ["models/" + kind] + [label(s, v["type"]) for s, v in (("normalizer", normalizer), ("pre_tokenizer", pre_tokenizer),
                                                                            ("decoder", decoder)) if v]
            added, names = added_tokens(r, model)
            yield whole(f"{kind} {name}", parts + names, model, normalizer, pre_tokenizer, None, decoder, added)

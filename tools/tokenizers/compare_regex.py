#!/usr/bin/env python3
"""Compares where patterns match with the Split of the PyPI package `tokenizers`, on generated texts.

    python tools/tokenizers/compare_regex.py build/release/tests/regex_driver/regex_driver            # scanners
    python tools/tokenizers/compare_regex.py build/release/tests/regex_driver/regex_driver --others   # all others
    python tools/tokenizers/compare_regex.py --sample goldens/tokenizer/regex.json    # what regex_golden_test.cc reads

Texts are seeded: every code point between neighbours of every kind, each script and block, code, mixed line ends,
long runs. Two answers are compared for each: the matches that are not empty (the reference splits, inverted, with what
lies between removed) and the pieces between all bounds (isolated), which empty matches cut too.
"""
import argparse
import hashlib
import json
import pathlib
import random
import subprocess
import sys

import tokenizers
from tokenizers import Regex, pre_tokenizers

S = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
BLANKS = r"|\s*[\r\n]+|\s+(?!\S)|\s+"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
BEFORE = r"[^\r\n\p{L}\p{N}]?"
# As published files write them.
SCANNERS = {
    "gpt2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "gpt2 of tiktoken": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "clip": r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+",
    "cl100k": S + "|" + BEFORE + r"\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*" + BLANKS,
    "qwen2": S + "|" + BEFORE + r"\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*" + BLANKS,
    "minicpm": S + "|" + BEFORE + r"\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*" + BLANKS,
    "qwen3.5": S + "|" + BEFORE + r"[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*" + BLANKS,
    "o200k": BEFORE + UPPER + "*" + LOWER + "+" + S + "?|" + BEFORE + UPPER + "+" + LOWER + "*" + S
             + r"?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*" + BLANKS,
    "tekken": BEFORE + UPPER + "*" + LOWER + "+|" + BEFORE + UPPER + "+" + LOWER
              + r"*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*" + BLANKS,
    "digits": r"\p{N}{1,3}",
    "deepseek kana": "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    "deepseek": r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"""
                + r"""| ?[\p{P}\p{S}]+[\r\n]*""" + BLANKS,
    "bloom": " ?[^(\\s|[.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c])]+",
}
SCANNERS["deepseek, line ends as such"] = SCANNERS["deepseek"].replace(r"\r", "\r").replace(r"\n", "\n")

# Run by PCRE2: what files have and scanners do not, and every construct of the syntax.
OTHERS = [
    r"\s+", r" {2,}", r"\s{2,}|[\n\r\t]", r"[\n\r\t]", r"\n", r"\A +| +\z", "\\A\u2581", "^\u2581+$", " +\u2581", ".", "",
    "[0-9][0-9][0-9]", r"\d", r"\d+", r"\p{N}", r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+",
    "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+",
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"[\p{Han}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    " ?[^(\\s|.,!?\u2026\u3002\uff0c\u3001\u0964\u06d4\u060c)]+", "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|\\p{L}+",
    r"\w+|[^\w\s]+", r"\w", r"[\w]+", r"\W", r"[\W]", r"[^\w]", r"\b", r"\B", r"\b\w+\b", r"\S+", r"\D+", r"\h+", r"\H", r"$", r"^",
    r"\Z", r"\z", r"\A", r"^.*$", r".+", r"(?m:.+)", r"a*", r"a*?", r"a+?b", r"a?", r"x{2,3}", r"x{,2}", r"x{2,}?", r"x{1,2}+",
    r"x{2}+a", r"(?>a|ab)b", r"a++b", r"(?:ab|a)(?:b|1)", r"(a|b)+", r"(?<name>a)b", r"(?<=a)b", r"(?<!a)b", r"(?<=ab|\s)\S", r"(?=\d)",
    r"\d(?!\d)", r"(?i:k)", r"(?i:s)+", r"(?i)ab|K", r"(?i:[a-z]+)", r"(?i:[^a-k\s])", r"(?i:\p{Lu})", r"\p{Lu}\p{Ll}*", r"\P{L}+", r"\p{^L}+",
    r"[\p{P}\p{S}]", r"[[:alpha:]]+", r"[[:punct:]]", r"[[:^space:]]+", r"[[:word:]]+", r"[[:upper:][:digit:]]+", r"[[:print:]]+", r"[[:graph:]]+",
    r"[[:cntrl:]]", r"[[:lower:]]+", r"[[:alnum:]]+", r"\p{Alnum}+", r"\p{Punct}", r"\p{Word}+", r"[\p{Word}]+", r"\p{Han}", r"[\p{Hiragana}\p{Katakana}]+",
    r"\p{Arabic}+", r"\p{Cyrillic}+|\p{Latin}+", r"\p{Common}", r"\p{Cn}", r"\p{Co}|\p{Cf}", r"[a-z&&[^aeiou]]+", r"[^a-z&&\w]", r"[\x{300}-\x{36f}]",
    r"\u4e00|\t|\x41|\e", r"[-+]", r"[+\-.]", r"[a-]", r"[^-a]+", r"\.|\(|\)|\[|\]|\$|\/|\-|\'", r"a|b|ab|", r"(?:)", r"(?:a|b)?1", r"[\s&&[^\n]]+",
    r"\s+(?!\S)|\s+", r" ?\p{L}+| ?\p{N}+", r"(?=[A-Z])", r"(?<=[a-z])(?=[A-Z])", r"}|]",
]

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
BLOCKS = [(0x20, 0x7F)] * 4 + [(0xA0, 0x250), (0x250, 0x370), (0x370, 0x530), (0x530, 0x700), (0x700, 0x900),
          (0x900, 0xE00), (0xE00, 0x1100), (0x1100, 0x1200), (0x1200, 0x1800), (0x1800, 0x1E00), (0x1E00, 0x2000),
          (0x2000, 0x2100), (0x2100, 0x2C00), (0x2C00, 0x3000), (0x3000, 0x3100), (0x4E00, 0x5000), (0x9FA0, 0xA500),
          (0xA500, 0xAC00), (0xAC00, 0xAE00), (0xF900, 0xFB50), (0xFB50, 0xFF00), (0xFF00, 0xFFF0), (0x10000, 0x12000),
          (0x1D100, 0x1D800), (0x1E000, 0x1F000), (0x1F300, 0x1F700), (0x20000, 0x20100), (0x2A6D0, 0x2A710),
          (0xE0000, 0xE01F0), (0, 0x20), (0x7F, 0xA0)]
BITS = ["'s", "'S", "'t", "'re", "'RE", "'ve", "'m", "'ll", "'lL", "'d", "'\u017f", "'", "''", "\u2019s", "'l", "'r", " ",
        "  ", "   ", "\t", "\n", "\r\n", "\r", "\n\n", " \n ", "\u00a0", "\u3000", "\u2028", "\u0085", "a", "B", "ab",
        "Ab", "AB", "aB", "ABc", "ab1", "1", "12", "123", "1234", "\u0661", "\u00b2", "\u00bd", "!", "?!", "...", "//",
        "/\n", "_", "-", "(", ")", "|", "[", "\u0301", "e\u0301", "\u01c5", "\u02b0", "\u4e00", "\u3042", "\u30a2",
        "\u0627", "\u064e", "\u0915\u094d", "\U0001f600", "\u200d", "\ufe0f", "$", "+", "\u20ac", "\u2026", "\u3002",
        "\u0964", "\u06d4", "\u060c", "\u3001", "\uff0c", "\u0378", "\ue000", "\u200b", "\u180e", "s", "ss", "\u00df",
        "K", "k", "\u212a", "=", "x", "xx", "a1", "\x00", "\ufffd", "\u2581", "#", "0x1F", "fi", "\ufb01"]
CODE = ["def f(x):\n    return x\n", "if (a == b) {\n\t++i;\n}\r\n", "http://a.b/c?d=1&e=2", "// it's\n\n", "<p>A</p>",
        "foo_bar.bazQux(1,234.50)", "    # NB's\n", "'quoted' \"text\"", "C++17", "x^2+y^2", "I'LL", "we've'll"]


class Texts:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.order = SCALARS[:]
        self.random.shuffle(self.order)
        self.next = 0

    def points(self, count):
        """The next code points of all, so that every one has its turn."""
        taken = [self.order[(self.next + i) % len(self.order)] for i in range(count)]
        self.next += count
        return taken

    def one(self):
        r = self.random
        kind = r.randrange(8)
        if kind == 0:
            return "".join(chr(c) + r.choice(["", "", " ", "a", "A", "1", "!", "\n", "\u0301"]) for c in self.points(24))
        if kind in (1, 2):
            first, last = r.choice(BLOCKS)
            return "".join(r.choice([" ", "a", "1", "'", "\n"]) if r.random() < 0.2 else chr(r.randrange(first, last))
                           for _ in range(r.randrange(1, 40)))
        if kind in (3, 4, 5):
            return "".join(r.choice(BITS) for _ in range(r.randrange(1, 24)))
        if kind == 6:
            return "".join(r.choice(CODE + BITS) for _ in range(r.randrange(1, 6)))
        run = r.choice(BITS) * r.randrange(1, r.choice([4, 40, 600]))
        return r.choice(BITS) + run + r.choice(BITS + [""])


def expected(pattern, text):
    matches, pieces = pattern
    return [p[1] for p in matches.pre_tokenize_str(text)], [p[1] for p in pieces.pre_tokenize_str(text)]


def reference(pattern):
    regex = Regex(pattern)
    return (pre_tokenizers.Split(regex, "removed", invert=True), pre_tokenizers.Split(regex, "isolated"))


def as_reference(line, text):
    numbers = list(map(int, line.split()))
    spans = list(zip(numbers[::2], numbers[1::2]))
    bounds = sorted({0, len(text), *numbers}) if text else []
    return [s for s in spans if s[0] < s[1]], list(zip(bounds, bounds[1:]))


def ask(driver, pattern, texts):
    """The driver's answers: one for the pattern, one for each text."""
    requests = [{"pattern": {"Regex": pattern}}] + [{"text": text} for text in texts]
    done = subprocess.run([driver], input="".join(json.dumps(r) + "\n" for r in requests), stdout=subprocess.PIPE,
                          encoding="utf-8", check=True)
    return done.stdout.split("\n")[:-1]


def run(driver, name, pattern, texts, count):
    batch = [texts.one() for _ in range(count)]
    answer, *lines = ask(driver, pattern, batch)
    if answer != "ok":
        print("%s: %s" % (name, answer))
        return None
    both = reference(pattern)
    different = exceeded = 0
    for text, line in zip(batch, lines, strict=True):
        if line == "exceeded":
            exceeded += 1
            continue
        want, have = expected(both, text), as_reference(line, text)
        if want != have:
            different += 1
            if different < 4:
                print("%s: %r on %r\n  reference %s\n  here      %s" % (name, pattern, text, want, have))
    print("%s: %d texts, %d differences, %d refused" % (name, count, different, exceeded), flush=True)
    return different


def line_of(matches, pieces):
    """Both lists as one line: what the hashes of the sample are of."""
    return " | ".join(" ".join(f"{begin} {end}" for begin, end in spans) for spans in (matches, pieces))


def sample(path, seed, scanned=300, others=30):
    """Texts that all patterns share; for each pattern the first 8 hexadecimal digits of the SHA-256 of each line."""
    texts, chosen = Texts(seed), []
    while len(chosen) < scanned:
        text = texts.one()
        if len(text) <= 160:
            chosen.append(text)
    rows = []
    for patterns, scanner, count in ((SCANNERS, True, scanned), ({p: p for p in OTHERS}, False, others)):
        for i, (name, pattern) in enumerate(patterns.items()):
            both = reference(pattern)
            begin = 0 if scanner else i * others % scanned
            lines = [line_of(*expected(both, text)) for text in chosen[begin:begin + count]]
            hashes = " ".join(hashlib.sha256(line.encode()).hexdigest()[:8] for line in lines)
            rows.append({"name": name, "pattern": pattern, "scanner": scanner, "first": begin, "hashes": hashes})
    dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    head = {"made_by": "tools/tokenizers/compare_regex.py", "tokenizers": tokenizers.__version__, "seed": seed}
    body = ['"texts":[\n' + ",\n".join(map(dumps, chosen)) + "]", '"patterns":[\n' + ",\n".join(map(dumps, rows)) + "]"]
    pathlib.Path(path).write_text(dumps(head)[:-1] + ",\n" + ",\n".join(body) + "}\n")
    print(sum(row["hashes"].count(" ") + 1 for row in rows), "answers of", len(rows), "patterns")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("driver", nargs="?")
    parser.add_argument("--count", type=int, default=300000)
    parser.add_argument("--seed", type=int, default=20261)
    parser.add_argument("--only")
    parser.add_argument("--others", action="store_true")
    parser.add_argument("--sample", help="a file for the committed sample")
    options = parser.parse_args()
    if options.sample:
        return sample(options.sample, options.seed)
    driver = options.driver
    texts = Texts(options.seed)
    total = 0
    patterns = {pattern: pattern for pattern in OTHERS} if options.others else SCANNERS
    for name, pattern in patterns.items():
        if options.only in (None, name):
            total += run(driver, name, pattern, texts, options.count) or 0
    sys.exit(1 if total else 0)


main()

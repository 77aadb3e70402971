#!/usr/bin/env python3
"""Writes src/text/unicode_data.inc: what the PyPI package `tokenizers` does to every Unicode code point.

Nothing here is taken from a Unicode database: each property is asked of the reference itself, for each of
the 1,112,064 scalar values (Python's unicodedata only names one sample per combining class, and the samples
are checked). Usage, with the pinned reference installed:

    python tools/make_unicode_tables.py > src/text/unicode_data.inc
"""
import sys
import unicodedata

import tokenizers
from tokenizers import normalizers, pre_tokenizers

from code_point_tables import BLOCK, SCALARS, in_blocks, wrap

FLAGS = ["Space", "Dropped", "Punctuation", "NonspacingMark", "CombiningMark", "Word", "Ideograph",
         "Canonical", "Compatibility", "Lower", "Classed", "Composes", "Numeric"]
HANGUL = range(0xAC00, 0xD7A4)


def apply(normalizer, texts):
    """One call for many texts; the separator is one that no text of ours can become part of."""
    separator = "|~|~|"
    result = normalizer.normalize_str(separator.join(texts)).split(separator)
    assert len(result) == len(texts), (normalizer, len(result))
    return result


def per_character(normalizer):
    return dict(zip(SCALARS, apply(normalizer, [chr(c) for c in SCALARS])))


def bert(**on):
    flags = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return normalizers.BertNormalizer(**{**flags, **on})


def pieces(pre_tokenizer, text):
    return [piece for piece, _ in pre_tokenizer.pre_tokenize_str(text)]


def combining_classes(nfd):
    """Exact classes, from which marks change places: a pair is swapped when the first class is the larger one."""
    low, high = chr(0x334), chr(0x345)  # the lowest and the highest class
    candidates = [c for c in SCALARS if nfd[c] == chr(c)]
    after = apply(normalizers.NFD(), [chr(c) + low for c in candidates])
    before = apply(normalizers.NFD(), [high + chr(c) for c in candidates])
    marks = [c for c, a, b in zip(candidates, after, before) if a != chr(c) + low or b != high + chr(c)]
    samples = {}
    for c in marks:  # a mark that only one of the two knows is no sample
        if unicodedata.combining(chr(c)):
            samples.setdefault(unicodedata.combining(chr(c)), chr(c))
    ks = sorted(samples)
    classes = {}
    for c in marks:
        swapped = [apply(normalizers.NFD(), [chr(c) + samples[k]])[0] != chr(c) + samples[k] for k in ks]
        above = sum(swapped)
        assert swapped == [True] * above + [False] * (len(ks) - above), hex(c)
        classes[c] = ks[above]
        # Equal classes never change places, neither way round.
        assert apply(normalizers.NFD(), [samples[ks[above]] + chr(c)])[0] == samples[ks[above]] + chr(c), hex(c)
    return classes


def compositions(nfd, nfc):
    pairs = {}
    for c in SCALARS:
        if c in HANGUL or nfd[c] == chr(c) or nfc[c] != chr(c):
            continue
        first = normalizers.NFC().normalize_str(nfd[c][:-1])
        second = nfd[c][-1]
        assert len(first) == 1 and normalizers.NFC().normalize_str(first + second) == chr(c), hex(c)
        pairs[(ord(first), ord(second))] = c
    return pairs


def check_hangul(nfd, nfc):
    for c in HANGUL:
        i = c - 0xAC00
        parts = [0x1100 + i // 588, 0x1161 + i % 588 // 28] + ([0x11A7 + i % 28] if i % 28 else [])
        assert nfd[c] == "".join(map(chr, parts)) and nfc[c] == chr(c)
        assert normalizers.NFC().normalize_str(nfd[c]) == chr(c)


def cuts_before(pre_tokenizer, text):
    """The places in `text` where a piece starts."""
    return {begin for _, (begin, _) in pre_tokenizer.pre_tokenize_str(text)}


def scripts():
    """Classes by which UnicodeScripts cuts, numbered by their first code point; 0 never cuts."""
    splitter = pre_tokenizers.UnicodeScripts()

    def joins(letter):  # the code points that a piece of this letter's script goes on with
        text = "".join(letter + chr(c) for c in SCALARS)
        cuts = cuts_before(splitter, text)
        return {c for i, c in enumerate(SCALARS) if 2 * i + 1 not in cuts}

    none = joins("a") & joins("1")  # no character is both Latin and Common
    values, samples = [0] * 0x110000, []
    scripted = [c for c in SCALARS if c not in none]
    starts = cuts_before(splitter, "".join(map(chr, scripted)))
    assert 0 in starts
    for i, c in enumerate(scripted):
        if i not in starts:
            values[c] = values[scripted[i - 1]]
            continue
        cuts = cuts_before(splitter, "".join(chr(c) + sample for sample in samples))
        same = [k for k in range(len(samples)) if 2 * k + 1 not in cuts]
        assert len(same) <= 1, hex(c)
        if not same:
            samples.append(chr(c))
            same = [len(samples) - 1]
        values[c] = same[0] + 1
    assert len(samples) < 256
    return values


class Pool:
    def __init__(self):
        self.values = []
        self.known = {}

    def place(self, text):
        if text not in self.known:
            self.known[text] = len(self.values)
            self.values += [ord(x) for x in text]
        return self.known[text]


def main():
    nfd, nfkd = per_character(normalizers.NFD()), per_character(normalizers.NFKD())
    nfc, nfkc = per_character(normalizers.NFC()), per_character(normalizers.NFKC())
    lower = per_character(normalizers.Lowercase())
    assert lower == per_character(bert(lowercase=True))
    cleaned = per_character(bert(clean_text=True))
    unaccented = per_character(bert(strip_accents=True))
    bare = per_character(normalizers.StripAccents())
    spaced = per_character(bert(handle_chinese_chars=True))
    check_hangul(nfd, nfc)
    classes = combining_classes(nfd)
    pairs = compositions(nfd, nfc)
    seconds = {second for _, second in pairs}
    blank, word = pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Whitespace()
    punctuation = pre_tokenizers.Punctuation()

    numeric = cuts_before(pre_tokenizers.Digits(individual_digits=True), "".join("a" + chr(c) for c in SCALARS))
    numeric = {c for i, c in enumerate(SCALARS) if 2 * i + 1 in numeric}

    flags = [0] * 0x110000
    for c in SCALARS:
        x = chr(c)
        is_space = pieces(blank, "a" + x + "a") == ["a", "a"]
        is_word = pieces(word, "a" + x) == ["a" + x]
        dropped = cleaned[c] == ""
        assert dropped or cleaned[c] == (" " if is_space else x), hex(c)
        assert bare[c] in ("", x) and spaced[c] in (x, " " + x + " ")
        # Compositions of a single character are its decompositions composed: nothing else is stored.
        assert nfkc[c] == normalizers.NFC().normalize_str(nfkd[c])
        assert nfc[c] == normalizers.NFC().normalize_str(nfd[c])
        on = [is_space, dropped, pieces(punctuation, "a" + x) == ["a", x], nfd[c] == x and unaccented[c] == "",
              bare[c] == "", is_word, spaced[c] != x, nfd[c] != x, nfkd[c] != x, lower[c] != x, c in classes,
              c in seconds, c in numeric]
        # Jamo vowels and trailing consonants compose by arithmetic.
        on[11] = on[11] or 0x1161 <= c < 0x1176 or 0x11A8 <= c < 0x11C3
        flags[c] = sum(1 << i for i, value in enumerate(on) if value)

    blocks, index = in_blocks(flags)
    script_blocks, script_index = in_blocks(scripts())
    pool = Pool()
    tables = {
        "Canonical": {c: nfd[c] for c in SCALARS if nfd[c] != chr(c) and c not in HANGUL},
        "Compatibility": {c: nfkd[c] for c in SCALARS if nfkd[c] != nfd[c]},
        "Lower": {c: lower[c] for c in SCALARS if lower[c] != chr(c)},
    }

    out = ["// Generated by tools/make_unicode_tables.py from the PyPI package tokenizers %s; not edited by hand."
           % tokenizers.__version__,
           "// What that package does to each code point: two-stage flags, mappings into one pool, combining",
           "// classes as ranges, compositions. Hangul syllables are arithmetic and have no rows.",
           "// clang-format off", ""]
    out += ["static_assert(k%s == 1u << %d);" % (name, i) for i, name in enumerate(FLAGS)]
    out += ["constexpr char32_t kBlock = %d;" % BLOCK,
            "constexpr std::uint16_t kBlockOf[] = {", wrap(map(str, index)), "};",
            "constexpr std::uint16_t kFlags[] = {", wrap(str(f) for b in blocks for f in b), "};",
            "constexpr std::uint8_t kScriptBlockOf[] = {", wrap(map(str, script_index)), "};",
            "constexpr std::uint8_t kScripts[] = {", wrap(str(s) for b in script_blocks for s in b), "};"]
    for name, table in tables.items():
        rows = ["{%d,%d,%d}" % (c, pool.place(t), len(t)) for c, t in sorted(table.items())]
        out += ["constexpr Mapping k%sRows[] = {" % name, wrap(rows), "};"]
    out += ["constexpr char32_t kPool[] = {", wrap(map(str, pool.values)), "};"]
    ranges = []
    for c, k in sorted(classes.items()):
        if ranges and ranges[-1][1] == c - 1 and ranges[-1][2] == k:
            ranges[-1][1] = c
        else:
            ranges.append([c, c, k])
    out += ["constexpr ClassRange kClasses[] = {", wrap("{%d,%d,%d}" % tuple(r) for r in ranges), "};",
            "constexpr Composition kCompositions[] = {",
            wrap("{%d,%d,%d}" % (a, b, c) for (a, b), c in sorted(pairs.items())), "};",
            "// clang-format on"]
    print("\n".join(out))
    assert len(script_blocks) < 256
    print("blocks %d, pool %d, classes %d, pairs %d" % (len(blocks), len(pool.values), len(classes), len(pairs)),
          file=sys.stderr)


main()

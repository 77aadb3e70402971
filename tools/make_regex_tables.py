#!/usr/bin/env python3
"""Writes src/text/regex/classes.inc: what the regular expressions of the PyPI package `tokenizers` make of every
code point: general category, white space, words, POSIX brackets, scripts, and what ASCII letters match when case
is ignored.

Every set is asked of the reference itself, over all 1,112,064 scalar values; names of scripts that it does not know
are left out. Usage, with the pinned reference installed:

    python tools/make_regex_tables.py > src/text/regex/classes.inc
"""
import string
import sys

import tokenizers
from tokenizers import Regex, normalizers

from code_point_tables import SCALARS, in_blocks, wrap

EVERYTHING = "".join(map(chr, SCALARS))
# The order is that of enum Category in regex/classes.h.
CATEGORIES = ["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po",
              "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cn"]
NEWLINE, BLANK_CONTROL = len(CATEGORIES), len(CATEGORIES) + 1
SETS = ["alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit",
        "word"]
SCRIPTS = """Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak Bengali Bhaiksuki
Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian Caucasian_Albanian Chakma Cham Cherokee Chorasmian
Common Coptic Cuneiform Cypriot Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan
Egyptian_Hieroglyphs Elbasan Elymaic Ethiopic Garay Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi
Gurmukhi Gurung_Khema Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic Inherited
Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi Kayah_Li Kharoshthi
Khitan_Small_Script Khmer Khojki Khudawadi Kirat_Rai Lao Latin Lepcha Limbu Linear_A Linear_B Lisu Lycian Lydian
Mahajani Makasar Malayalam Mandaic Manichaean Marchen Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui
Meroitic_Cursive Meroitic_Hieroglyphs Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari
New_Tai_Lue Newa Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Ol_Onal Old_Hungarian Old_Italic Old_North_Arabian
Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage Osmanya Pahawh_Hmong Palmyrene
Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic Samaritan Saurashtra Sharada Shavian Siddham SignWriting
Sinhala Sogdian Sora_Sompeng Soyombo Sundanese Sunuwar Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet
Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Todhri Toto Tulu_Tigalari Ugaritic Vai
Vithkuqi Wancho Warang_Citi Yezidi Yi Zanabazar_Square""".split()


def matched(pattern):
    """The code points that the pattern matches alone, or None where the reference does not know it."""
    try:
        rest = normalizers.Replace(Regex(pattern), "").normalize_str(EVERYTHING)
    except Exception as error:
        print(pattern, error, file=sys.stderr)
        return None
    return set(SCALARS) - set(map(ord, rest))


def ranges(points):
    out = []
    for c in sorted(points):
        # Surrogates are no scalar values: a range may span them.
        if out and (out[-1][1] == c - 1 or (out[-1][1] == 0xD7FF and c == 0xE000)):
            out[-1][1] = c
        else:
            out.append([c, c])
    return out


def main():
    categories = {}
    for i, name in enumerate(CATEGORIES):
        for c in matched(r"\p{%s}" % name):
            assert c not in categories, hex(c)
            categories[c] = i
    assert len(categories) == len(SCALARS)
    space = matched(r"\s")
    of = {name: i for i, name in enumerate(CATEGORIES)}
    assert space - {c for c in space if categories[c] in (of["Zs"], of["Zl"], of["Zp"])} == {9, 10, 11, 12, 13, 0x85}
    assert all(c in space for c in SCALARS if categories[c] in (of["Zs"], of["Zl"], of["Zp"]))
    for c in space:
        if c in (10, 13):
            categories[c] = NEWLINE
        elif categories[c] == of["Cc"]:
            categories[c] = BLANK_CONTROL
    for group in "LMNPSZC":
        members = {c for c in SCALARS if (CATEGORIES + ["Cc", "Cc"])[categories[c]][0] == group}
        assert matched(r"\p{%s}" % group) == members, group
    assert matched(r"\d") == {c for c in SCALARS if categories[c] == of["Nd"]}
    assert matched(r"\h") == set(map(ord, string.hexdigits))

    members_of_p = {c for c in SCALARS if (CATEGORIES + ["Cc", "Cc"])[categories[c]][0] == "P"}
    table = [categories.get(c, of["Cn"]) for c in range(0x110000)]
    blocks, index = in_blocks(table)

    pool, rows = [], []
    for name in SETS + SCRIPTS:
        found = matched("[[:%s:]]" % name if name in SETS else r"\p{%s}" % name)
        if found is None:
            continue
        if name in SETS:
            # Of these two the property is another set than the bracket: \p{Punct} is P; \p{Word} is refused.
            same = found == matched(r"\p{%s}" % name)
            assert same or name == "word" or (name == "punct" and matched(r"\p{Punct}") == members_of_p), name
        part = ranges(found)
        rows.append((name.replace("_", "").lower(), len(pool), len(part)))
        pool += part
    # Outside of a class \w is another set: six superscripts and fractions of Latin-1 belong to it.
    alone = matched(r"\w")
    assert alone == matched(r"\p{word}") and matched(r"[\w]") == matched("[[:word:]]")
    assert matched("[[:space:]]") == space
    rows.append(("wordalone", len(pool), len(ranges(alone))))
    pool += ranges(alone)
    folds = []
    for letter in string.ascii_lowercase:
        both = matched("(?i:%s)" % letter)
        assert both == matched("(?i:%s)" % letter.upper()) == matched("(?i:[%s])" % letter), letter
        folds += [(letter, c) for c in sorted(both - {ord(letter), ord(letter.upper())})]

    out = ["// Generated by tools/make_regex_tables.py from the PyPI package tokenizers %s; not edited by hand."
           % tokenizers.__version__,
           "// Two-stage categories; named sets and scripts as ranges; what else an ASCII letter matches when case",
           "// is ignored.",
           "// clang-format off", ""]
    out += ["static_assert(k%s == %d);" % (name, i) for i, name in enumerate(CATEGORIES + ["Newline", "BlankControl"])]
    out += ["constexpr std::uint16_t kBlockOf[] = {", wrap(map(str, index)), "};",
            "constexpr std::uint8_t kCategories[] = {", wrap(str(f) for b in blocks for f in b), "};",
            "constexpr CodePointRange kPool[] = {", wrap("{%d,%d}" % tuple(r) for r in pool), "};",
            "constexpr NamedSet kSets[] = {", wrap('{"%s",%d,%d}' % r for r in sorted(rows)), "};",
            "constexpr Fold kFolds[] = {", wrap("{'%s',%d}" % f for f in folds), "};",
            "// clang-format on"]
    print("\n".join(out))
    print("blocks %d, sets %d, ranges %d, folds %d" % (len(blocks), len(rows), len(pool), len(folds)), file=sys.stderr)


main()
